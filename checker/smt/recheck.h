// No proof counts before it was done again: the invariant that an engine found is shown to hold
// initially, to be kept by every step and to exclude the goal, by a plain solver in a context of
// its own, over integers, with nothing taken for granted about ranges.
#pragma once

#include <functional>
#include <string>

#include "checker/smt/bounded.h"

namespace txproof::checker::smt {

class Recheck {
 public:
  //   errors: Refusal, Stopped
  explicit Recheck(Task& task);

  [[nodiscard]] const Encoder& encoder() const { return formulas_.encoder; }
  [[nodiscard]] const SymbolicState& base() const { return formulas_.base; }
  [[nodiscard]] z3::context& context() { return *formulas_.context; }

  // `invariant` (over base(), in context()), together with the slots' ranges, is inductive.
  //   returns false if the solver gives up; errors: std::logic_error if it is not
  bool is_inductive(const z3::expr& invariant);
  // … and in a run of `steps` steps in which it holds and before whose end the goal is not met, it
  // is not met at the end; nor in any state that fewer steps lead to.
  bool excludes(const z3::expr& invariant, std::size_t goal, unsigned steps);

 private:
  // The formulas cannot all be true. false: the solver gives up
  bool is_impossible(z3::solver& solver, const std::string& what);
  z3::expr met(std::size_t goal, unsigned frame);

  Task& task_;
  Formulas formulas_;
  Unrolling unrolling_;
};

}  // namespace txproof::checker::smt
