// From a model of Z3 back to words, states and moves.
#pragma once

#include "checker/smt/encode.h"

namespace txproof::checker::smt {

// requires: the model gives every variable in `value` a meaning (it completes those it lacks)
program::Word word_of(const z3::model& model, const Value& value);

program::State state_of(const z3::model& model, const SymbolicState& state);

// The choices of `step` in this model, in the order in which it meets them.
program::Move move_of(const z3::model& model, const Step& step);

bool is_true(const z3::model& model, const z3::expr& condition);

}  // namespace txproof::checker::smt
