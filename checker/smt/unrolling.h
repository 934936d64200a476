// Runs of a fixed length as one formula: a copy of the state for each frame, and the choice of a
// step between two of them.
#pragma once

#include <vector>

#include "checker/smt/encode.h"

namespace txproof::checker::smt {

class Unrolling {
 public:
  // requires: encoder.steps(base) gave the steps, and no step has a cut
  Unrolling(const Encoder& encoder, SymbolicState base, const std::vector<Step>& steps);

  // A formula over the base state and the steps' inputs, of frame `frame`.
  [[nodiscard]] z3::expr at(const z3::expr& formula, unsigned frame);
  // Some step leads from frame `frame` to the next.
  [[nodiscard]] z3::expr transition(unsigned frame);
  // The state of that frame is this one.
  [[nodiscard]] z3::expr is(unsigned frame, const SymbolicState& state);
  [[nodiscard]] const SymbolicState& frame(unsigned number);

 private:
  [[nodiscard]] z3::expr one_step(const std::vector<Step>& steps);
  struct Frame {
    SymbolicState state;
    z3::expr_vector terms;  // in the order of from_
  };
  Frame& get(unsigned number);

  const Encoder& encoder_;
  SymbolicState base_;
  SymbolicState next_;
  Value step_;            // which step is taken
  z3::expr_vector from_;  // base variables, then inputs
  z3::expr_vector next_terms_;
  z3::expr transition_;
  std::vector<Frame> frames_;
};

}  // namespace txproof::checker::smt
