// Whether a linear equation says something that others do not.
#pragma once

#include <map>
#include <vector>

#include "checker/parametric/linear.h"

namespace txproof::checker::parametric {

// Gauss' elimination modulo a prime. An equation may be taken for a consequence of others though it
// is none, if the prime divides the wrong number: a candidate is then lost, never a proof.
class Rank {
 public:
  // Returns whether the equation (linear == 0) is independent of those added before.
  bool add(const Linear& equation);

 private:
  using Row = std::map<VariableId, std::uint64_t>;  // the constant under number no_variable
  std::map<VariableId, Row> rows_;                  // by the variable that is eliminated with it
};

}  // namespace txproof::checker::parametric
