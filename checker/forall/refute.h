// The smallest parameter values at which a property is broken, found by the concrete search.
//
// Order: by the sum of what the parameters exceed their least values by, then lexicographically in
// the order in which the stack declares them. The first hit in this order is the smallest.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/forall/prove.h"
#include "properties/verdict.h"

namespace txproof::checker::forall {

// The concrete Program at these values; nothing where the assumptions exclude them.
using Elaborate = std::function<std::unique_ptr<Program>(const std::vector<Word>& values)>;

struct Instance {
  std::vector<Word> values;
  std::unique_ptr<Program> program;
  properties::Exploration exploration;
};

class Refuter {
 public:
  using Explore = std::function<properties::Exploration(const Program& program,
                                                        const std::vector<PropertyId>& decide)>;
  Refuter(Elaborate elaborate, Explore explore)
      : elaborate_(std::move(elaborate)), explore_(std::move(explore)) {}

  // Searches at one choice of values for violations of the properties (by instance name).
  //   returns the search, which others may ask about too; null where the values are excluded
  const Instance* at(const std::vector<Word>& values, const std::vector<std::string>& instances);

 private:
  Elaborate elaborate_;
  Explore explore_;
  std::map<std::vector<Word>, std::unique_ptr<Instance>> known_;
};

// The result for a property of that instance name.
const properties::Result* result_of(const Instance& instance, const std::string& name);

}  // namespace txproof::checker::forall
