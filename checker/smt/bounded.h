// Bounded model checking: all runs of 0, 1, 2, … steps, in one solver that keeps what it learns.
#pragma once

#include <memory>
#include <vector>

#include "checker/smt/task.h"
#include "checker/smt/unrolling.h"

namespace txproof::checker::smt {

// The formulas of a Program with the goals of a Task, in a context of their own.
struct Formulas {
  Formulas(Task& task, EncodeOptions options);

  WatchedContext context;
  Encoder encoder;
  SymbolicState base;
  std::vector<Step> steps;
  std::vector<Goal> goals;  // in the order of Task::goals()
};

class Bounded {
 public:
  //   errors: Refusal, Stopped
  explicit Bounded(Task& task);

  // Looks at runs that are one step longer than those before; the first time, at the initial state.
  // Marks the goals that are reached, with the least path of the shortest ones.
  //   errors: Stopped
  void deepen();

 private:
  // Which goals can be reached with exactly depth_ steps, by the state there or by the last step.
  void look(bool by_step);
  void settle(std::size_t goal, bool by_step);
  properties::Path least_path(std::size_t goal, const z3::expr& there);
  [[nodiscard]] z3::expr there(std::size_t goal, bool by_step);

  Task& task_;
  Formulas formulas_;
  Unrolling unrolling_;
  z3::solver solver_;
  unsigned depth_ = 0;
  bool started_ = false;
};

EncodeOptions encoded_as(Numbers numbers);
// A solver for the formulas of this encoding.
z3::solver solver_for(z3::context& context, Numbers numbers);

}  // namespace txproof::checker::smt
