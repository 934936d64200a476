#include "checker/engines/engines.h"

#include "checker/engines/isolated.h"
#include "checker/graph/analyse.h"
#include "checker/smt/engines.h"

namespace txproof::checker {

namespace {

properties::Exploration search(const program::Program& program, const SearchOptions& options) {
  properties::Exploration exploration = explore(program, options);
  graph::analyse(program, options, exploration);
  return exploration;
}

properties::Exploration bmc(const program::Program& program, const SearchOptions& options) {
  return isolated("bmc", &smt::bounded_model_check, program, options);
}
properties::Exploration kind(const program::Program& program, const SearchOptions& options) {
  return isolated("kind", &smt::induction, program, options);
}
properties::Exploration spacer(const program::Program& program, const SearchOptions& options) {
  return isolated("spacer", &smt::spacer, program, options);
}

}  // namespace

const std::vector<Engine>& engines() {
  static const std::vector<Engine> all = {
      {"auto", "the engine that suits: explicit", true, true, &search},
      {"explicit", "every kind of property, by looking at every reachable state", true, true,
       &search},
      {"bmc", "violations of invariants, by formulas for runs of 0, 1, 2, ... steps", false, false,
       &bmc},
      {"kind", "invariants, by k-induction with lemmas that it finds", false, true, &kind},
      {"spacer", "invariants, by Horn clauses (Z3's Spacer)", false, true, &spacer},
  };
  return all;
}

const Engine* find_engine(const std::string& name) {
  for (const Engine& engine : engines()) {
    if (name == engine.name) return &engine;
  }
  return nullptr;
}

}  // namespace txproof::checker
