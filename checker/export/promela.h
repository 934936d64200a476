// A Program in Promela, for Spin 6: the same states, the same steps, the same verdicts.
#pragma once

#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::exporting {

struct Promela {
  std::string text;
  std::vector<std::string> left_out;  // properties that are not told, by name, each with its reason
};

// One process, whose state is the array S of all slots and nothing else. Each location is an option
// of its loop: one atomic step. A check that fails sets `fault` and fails an assertion; if it is
// fatal the state is then as before the step, so no state is added. Each claim is an option that is
// possible where it is false. So, with `spin -a`, `cc -DSAFETY -DNOREDUCE` and `pan -E -c0`,
// "states, stored" is the number of states, and the assertions that fail are the properties
// violated. The numbers of steps do not compare: Spin counts statements.
//   throws Refusal: the memory model is not sc, unknown parameters, numbers beyond 32 bits, counted
//   structs that hold packets, bags of packets with weak handles in them
Promela to_promela(const program::Program& program);

}  // namespace txproof::checker::exporting
