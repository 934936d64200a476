#include "checker/smt/recheck.h"

#include <stdexcept>

namespace txproof::checker::smt {

namespace {

EncodeOptions plain() {
  EncodeOptions options;
  options.numbers = Numbers::integers;
  options.trust_ranges = false;
  options.narrow = false;
  return options;
}

}  // namespace

Recheck::Recheck(Task& task)
    : task_(task),
      formulas_(task, plain()),
      unrolling_(formulas_.encoder, formulas_.base, formulas_.steps) {}

bool Recheck::is_impossible(z3::solver& solver, const std::string& what) {
  const z3::check_result result =
      checked(task_.watch(), solver, z3::expr_vector(*formulas_.context));
  if (result == z3::sat) throw std::logic_error("a proof does not stand a second look: " + what);
  return result == z3::unsat;
}

bool Recheck::is_inductive(const z3::expr& invariant) {
  const Encoder& encoder = formulas_.encoder;
  const z3::expr whole = invariant && encoder.in_range(formulas_.base);
  z3::expr_vector from(*formulas_.context);
  for (const program::SlotId slot : encoder.state_slots()) {
    if (!formulas_.base[slot].is_constant()) from.push_back(formulas_.base[slot].term());
  }
  const auto in = [&](const SymbolicState& state) {
    z3::expr_vector to(*formulas_.context);
    for (const program::SlotId slot : encoder.state_slots()) {
      if (!formulas_.base[slot].is_constant()) to.push_back(encoder.term(state, slot));
    }
    z3::expr copy = whole;
    return copy.substitute(from, to);
  };
  z3::solver initially(*formulas_.context);
  initially.add(!in(encoder.initial(formulas_.base)));
  if (!is_impossible(initially, "the invariant is false initially")) return false;
  for (const Step& step : formulas_.steps) {
    const Outcome outcome = merged(encoder.algebra(), step);
    if (outcome.condition.is_false()) continue;
    z3::solver kept(*formulas_.context);
    kept.add(whole);
    kept.add(outcome.condition);
    kept.add(!in(outcome.after));
    if (!is_impossible(kept, step.name + " breaks the invariant")) return false;
  }
  return true;
}

z3::expr Recheck::met(std::size_t goal, unsigned frame) {
  return unrolling_.at(formulas_.goals[goal].state, frame) ||
         unrolling_.at(formulas_.goals[goal].step, frame);
}

bool Recheck::excludes(const z3::expr& invariant, std::size_t goal, unsigned steps) {
  const z3::expr whole = invariant && formulas_.encoder.in_range(formulas_.base);
  z3::solver later(*formulas_.context);
  for (unsigned frame = 0; frame <= steps; ++frame) {
    later.add(unrolling_.at(whole, frame));
    if (frame == steps) break;
    later.add(unrolling_.transition(frame));
    later.add(!met(goal, frame));
  }
  later.add(met(goal, steps));
  if (!is_impossible(later, "the invariant does not exclude the violation")) return false;
  z3::solver first(*formulas_.context);
  first.add(unrolling_.is(0, formulas_.encoder.initial(unrolling_.frame(0))));
  for (unsigned frame = 0; frame < steps; ++frame) {
    first.push();
    first.add(met(goal, frame));
    if (!is_impossible(first, "a short run violates it")) return false;
    first.pop();
    first.add(unrolling_.transition(frame));
  }
  return true;
}

}  // namespace txproof::checker::smt
