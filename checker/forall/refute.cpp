#include "checker/forall/refute.h"

#include <algorithm>

namespace txproof::checker::forall {

const Instance* Refuter::at(const std::vector<Word>& values,
                            const std::vector<std::string>& instances) {
  std::unique_ptr<Instance>& known = known_[values];
  if (known != nullptr && known->program == nullptr) return nullptr;
  const bool decided =
      known != nullptr &&
      std::all_of(instances.begin(), instances.end(), [&](const std::string& name) {
        const properties::Result* result = result_of(*known, name);
        return result == nullptr || result->verdict != properties::Verdict::inconclusive;
      });
  if (decided) return known.get();
  if (known == nullptr) {
    known = std::make_unique<Instance>();
    known->values = values;
    known->program = elaborate_(values);
    if (known->program == nullptr) return nullptr;
  }
  std::vector<PropertyId> decide;
  for (PropertyId id = 0; id < known->program->properties.size(); ++id) {
    const std::string& name = known->program->properties[id].instance;
    if (std::find(instances.begin(), instances.end(), name) != instances.end()) {
      decide.push_back(id);
    }
  }
  known->exploration = explore_(*known->program, decide);
  return known.get();
}

const properties::Result* result_of(const Instance& instance, const std::string& name) {
  for (const properties::Result& result : instance.exploration.results) {
    if (instance.program->properties[result.property].instance == name) return &result;
  }
  return nullptr;
}

}  // namespace txproof::checker::forall
