// Checks with the reference interpreter that a run without end violates what it is said to.
//
// Nothing is shared with the engine that found it: who can step, what is fair and what is counted
// are asked of the interpreter, state by state.
#pragma once

#include <string>
#include <vector>

#include "model/program/interpreter.h"
#include "properties/verdict.h"

namespace txproof::counterexamples {

// A run: its first state, then for each move what came of it.
struct Run {
  program::State initial;
  std::vector<program::Successor> steps;

  [[nodiscard]] const program::State& before(std::size_t step) const {
    return step == 0 ? initial : steps[step - 1].state;
  }
};

struct LassoCheck {
  std::string mismatch;  // empty: the run violates the claim
  std::string message;   // what it shows, in one sentence
};

// Whether `run` closes to a cycle at `loop` (or stays in its last state), is a run that fairness
// allows where that matters, and violates `claim`.
//   requires: claim is leads_to, infinitely_often or rate; steps did not end in a fault
LassoCheck check_lasso(const program::Program& program, const program::Claim& claim, const Run& run,
                       std::size_t loop);

}  // namespace txproof::counterexamples
