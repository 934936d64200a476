// A memory model is explored with buffers of a bounded length. Where a bound was met, what was
// explored is not everything, and nothing holds.
#pragma once

#include <string>
#include <vector>

#include "properties/verdict.h"

namespace txproof::properties {

// Turns each `holds` that the bounds of the memory model do not allow into `inconclusive`, with the
// reason. Call it once, when every engine has spoken.
//   requires: exploration has one Result for each property of the program, in order
void respect_bounds(const program::Program& program, Exploration& exploration);

// What an operation on a container found: it had to wait for stores before it. One entry a place
// in the text.
struct Drained {
  lang::Span where;
  std::string text;
};
std::vector<Drained> drained_by_containers(const program::Program& program,
                                           const Exploration& exploration);

}  // namespace txproof::properties
