// What an engine looks for: situations that a run may or may not reach. A property is violated if
// its situation is reachable; that it was ever tested at all is a situation too.
#pragma once

#include <vector>

#include "checker/smt/encode.h"

namespace txproof::checker::smt {

enum class GoalKind : std::uint8_t {
  violated,  // a claim of the property is false, or one of its checks fails
  spoken,    // it really said something: a claim's left side was true, a witness spoke
  rest,      // some state is at rest
  fault,     // some run ends in a fault
};

struct Goal {
  GoalKind kind = GoalKind::violated;
  program::PropertyId property = program::no_id;
  z3::expr state;  // of a state that is reached
  z3::expr step;   // or of a step from one, over the inputs of the step too
};

// The goal of one kind over `state` and the steps from it.
//   errors: Refusal for properties of runs without end
Goal goal(const Encoder& encoder, const SymbolicState& state, const std::vector<Step>& steps,
          GoalKind kind, program::PropertyId property);

// The property can hold without having been tested: `spoken` has to be known too.
bool may_be_vacuous(const program::Property& property);

}  // namespace txproof::checker::smt
