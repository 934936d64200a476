// The formulas of a Program against the reference interpreter, state by state.
#pragma once

#include <cstddef>
#include <string>

#include "checker/smt/encode.h"
#include "model/program/program.h"

namespace txproof::test {

struct FormulaCheck {
  checker::smt::EncodeOptions encode;
  std::size_t most_states = 10;  // the first ones of a breadth-first walk, every `stride`th of them
  std::size_t stride = 1;
};

// In each of these states: the models of the step formulas are exactly the interpreter's
// successors, move for move, word for word and fault for fault, each found once; and who can step,
// what is at rest or deadlocked and which claims are false is the same.
//   returns the first disagreement in words; empty if there is none
std::string disagreement(const program::Program& program, const FormulaCheck& check);

}  // namespace txproof::test
