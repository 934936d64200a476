// The Program as constrained Horn clauses for Z3's Spacer: one relation over the state slots that
// contains what is reachable, one rule for each step.
#pragma once

#include "checker/smt/bounded.h"

namespace txproof::checker::smt {

class Horn {
 public:
  //   errors: Refusal, Stopped
  explicit Horn(Task& task);

  // Asks Spacer, once.
  //   errors: Refusal if it gives up, Stopped
  bool is_reachable(std::size_t goal);
  // After `false`: what it found, for a state of another encoder in another context.
  [[nodiscard]] z3::expr invariant(const Encoder& target, const SymbolicState& state);

 private:
  void rule(const z3::expr& body, const z3::expr& head, const std::string& name);

  Task& task_;
  Formulas formulas_;
  z3::fixedpoint fixedpoint_;
  z3::expr_vector variables_;
  z3::func_decl reachable_;
};

}  // namespace txproof::checker::smt
