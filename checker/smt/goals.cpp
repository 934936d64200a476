#include "checker/smt/goals.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::Claim;
using program::no_id;
using program::Property;
using program::PropertyId;
using program::PropertyKind;

namespace {

void add(const Algebra& algebra, z3::expr& sum, const z3::expr& term) {
  sum = algebra.either(sum, term);
}

void violated(const Encoder& encoder, const SymbolicState& state, const std::vector<Step>& steps,
              Goal& goal) {
  const program::Program& program = encoder.program();
  const Property& property = program.properties[goal.property];
  bool deadlock_claimed = false;
  for (const Claim& claim : property.claims) {
    add(encoder.algebra(), goal.state, encoder.broken(state, claim));
    deadlock_claimed = deadlock_claimed || claim.kind == PropertyKind::deadlock;
  }
  if (property.kind == PropertyKind::deadlock && !deadlock_claimed) {
    add(encoder.algebra(), goal.state, encoder.deadlocked(state));
  }
  for (const Step& step : steps) {
    for (const Failure& failure : step.failures) {
      if (program.violations[failure.violation].property == goal.property) {
        add(encoder.algebra(), goal.step, failure.condition);
      }
    }
  }
}

void spoken(const Encoder& encoder, const SymbolicState& state, const std::vector<Step>& steps,
            Goal& goal) {
  const Algebra& algebra = encoder.algebra();
  for (const Claim& claim : encoder.program().properties[goal.property].claims) {
    if (claim.kind == PropertyKind::maximum) goal.state = algebra.truth(true);
    if (claim.kind != PropertyKind::always && claim.kind != PropertyKind::at_rest) continue;
    if (claim.condition == no_id) continue;
    const z3::expr left = claim.antecedent == no_id
                              ? algebra.truth(true)
                              : algebra.nonzero(encoder.evaluate(state, claim.antecedent));
    add(algebra, goal.state,
        claim.kind == PropertyKind::always ? left : algebra.both(encoder.at_rest(state), left));
  }
  for (const Step& step : steps) {
    for (const Witness& witness : step.witnesses) {
      if (witness.property == goal.property) add(algebra, goal.step, witness.condition);
    }
  }
}

}  // namespace

Goal goal(const Encoder& encoder, const SymbolicState& state, const std::vector<Step>& steps,
          GoalKind kind, PropertyId property) {
  const Algebra& algebra = encoder.algebra();
  Goal goal{kind, property, algebra.truth(false), algebra.truth(false)};
  switch (kind) {
    case GoalKind::violated:
      violated(encoder, state, steps, goal);
      break;
    case GoalKind::spoken:
      spoken(encoder, state, steps, goal);
      break;
    case GoalKind::rest:
      goal.state = encoder.at_rest(state);
      break;
    case GoalKind::fault:
      for (const Step& step : steps) {
        for (const Failure& failure : step.failures) {
          if (failure.fatal) add(algebra, goal.step, failure.condition);
        }
      }
      break;
  }
  return goal;
}

bool may_be_vacuous(const Property& property) {
  return property.kind != PropertyKind::builtin && property.kind != PropertyKind::deadlock &&
         !property.never_probed;
}

}  // namespace txproof::checker::smt
