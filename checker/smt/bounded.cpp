#include "checker/smt/bounded.h"

#include <algorithm>
#include <stdexcept>

#include "checker/smt/decode.h"
#include "checker/smt/last_step.h"
#include "model/program/interpreter.h"

namespace txproof::checker::smt {

using program::Interpreter;
using program::Successor;

Formulas::Formulas(Task& task, EncodeOptions options)
    : context(task.watch()),
      encoder(*context, task.program(), std::move(options)),
      base(encoder.variables("s")),
      steps(encoder.steps(base)) {
  for (GoalState& state : task.goals()) {
    try {
      goals.push_back(goal(encoder, base, steps, state.kind, state.property));
    } catch (const Refusal& refusal) {
      state.refused = refusal.what();
      goals.push_back({state.kind, state.property, encoder.algebra().truth(false),
                       encoder.algebra().truth(false)});
    }
  }
}

EncodeOptions encoded_as(Numbers numbers) {
  EncodeOptions options;
  options.numbers = numbers;
  return options;
}

z3::solver solver_for(z3::context& context, Numbers numbers) {
  // Bit vectors and Booleans alone: an incremental SAT solver behind bit blasting.
  if (numbers == Numbers::bit_vectors) return {context, "QF_FD"};
  return z3::solver(context);
}

Bounded::Bounded(Task& task)
    : task_(task),
      formulas_(task, encoded_as(Numbers::bit_vectors)),
      unrolling_(formulas_.encoder, formulas_.base, formulas_.steps),
      solver_(solver_for(*formulas_.context, Numbers::bit_vectors)) {
  const SymbolicState& first = unrolling_.frame(0);
  solver_.add(unrolling_.is(0, formulas_.encoder.initial(first)));
  solver_.add(formulas_.encoder.in_range(first));
}

z3::expr Bounded::there(std::size_t goal, bool by_step) {
  const Goal& wanted = formulas_.goals[goal];
  return by_step ? unrolling_.at(wanted.step, depth_ - 1) : unrolling_.at(wanted.state, depth_);
}

void Bounded::deepen() {
  if (started_) {
    ++depth_;
    look(true);
    solver_.add(unrolling_.transition(depth_ - 1));
  }
  started_ = true;
  look(false);
  task_.set_depth(depth_ + 1);
}

void Bounded::look(bool by_step) {
  z3::context& context = *formulas_.context;
  const Algebra& algebra = formulas_.encoder.algebra();
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < task_.goals().size(); ++i) {
    const GoalState& goal = task_.goals()[i];
    if (goal.known != Known::reached && goal.refused.empty()) open.push_back(i);
  }
  while (!open.empty()) {
    z3::expr any = algebra.truth(false);
    for (const std::size_t goal : open) any = algebra.either(any, there(goal, by_step));
    if (any.is_false()) return;
    const std::string name =
        "any" + std::to_string(depth_) + (by_step ? "s" : "") + "!" + std::to_string(open.size());
    const z3::expr wanted = context.bool_const(name.c_str());
    solver_.add(z3::implies(wanted, any));
    z3::expr_vector assumptions(context);
    assumptions.push_back(wanted);
    const z3::check_result result = checked(task_.watch(), solver_, assumptions);
    if (result == z3::unknown) throw Refusal("Z3 gave up: " + solver_.reason_unknown());
    if (result == z3::unsat) {
      solver_.add(!any);
      return;
    }
    const z3::model model = solver_.get_model();
    std::vector<std::size_t> rest;
    std::vector<std::size_t> found;
    for (const std::size_t goal : open) {
      (is_true(model, there(goal, by_step)) ? found : rest).push_back(goal);
    }
    if (found.empty()) throw std::logic_error("a model of a goal does not satisfy it");
    for (const std::size_t goal : found) settle(goal, by_step);
    open = std::move(rest);
  }
}

void Bounded::settle(std::size_t index, bool by_step) {
  GoalState& goal = task_.goals()[index];
  if (goal.known == Known::unreachable) {
    throw std::logic_error("a goal that was proved unreachable is reached");
  }
  if (goal.kind == GoalKind::violated) goal.path = least_path(index, there(index, by_step));
  goal.known = Known::reached;
}

// Step by step the first successor from which the goal is still reached in time: by the order of
// moves, the path that breadth-first search would give.
properties::Path Bounded::least_path(std::size_t index, const z3::expr& by_this) {
  const program::Program& program = task_.program();
  const Interpreter interpreter(program);
  const program::PropertyId property = task_.goals()[index].property;
  program::State state = program::initial_state(program);
  properties::Path path;
  // A state after the last step may show it too, by a smaller move.
  z3::expr either = by_this;
  z3::context& context = *formulas_.context;
  solver_.push();
  const z3::expr wanted = context.bool_const("least");
  if (depth_ > 0 && !z3::eq(by_this, there(index, false))) {
    either = either || (unrolling_.transition(depth_ - 1) && there(index, false));
  } else if (depth_ > 0) {
    either = either || there(index, true);
  }
  solver_.add(z3::implies(wanted, either));
  z3::expr_vector assumptions(context);
  assumptions.push_back(wanted);
  for (unsigned i = 0; i + 1 < depth_; ++i) {
    bool found = false;
    for (Successor& next : interpreter.successors(state)) {
      if (next.ended()) continue;
      solver_.push();
      solver_.add(unrolling_.is(i + 1, formulas_.encoder.of(next.state)));
      if (checked(task_.watch(), solver_, assumptions) == z3::sat) {
        path.moves.push_back(std::move(next.move));
        state = std::move(next.state);
        found = true;
        break;
      }
      solver_.pop();
    }
    if (!found) {
      throw std::logic_error(
          "formulas and interpreter disagree: no step leads on to what breaks '" +
          program.properties[property].instance + "'");
    }
  }
  solver_.pop(depth_ == 0 ? 1 : depth_);
  if (!finish_path(interpreter, program, property, state, depth_, path)) {
    throw std::logic_error("formulas and interpreter disagree: the last step does not break '" +
                           program.properties[property].instance + "'");
  }
  return path;
}

}  // namespace txproof::checker::smt
