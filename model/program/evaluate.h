// What an expression means in a state, by plain recursion over the tree.
#pragma once

#include "model/program/program.h"

namespace txproof::program {

// requires: slots in range, indices checked (the Program has the checks before each use)
Word evaluate_expr(const Program& program, const State& state, ExprId expr);
SlotId resolve_address(const Program& program, const State& state, AddrId addr);

// The value of the cursor for the element at slot `element` of a container: a handle to a linear
// element, the reference of a counted one, the slot number of a scalar.
Word element_cursor(const Program& program, const Container& container, SlotId element,
                    const State& state);

// `expr` with the cursor of `aggregate` at `cursor`.
Word evaluate_with_cursor(const Program& program, const State& state, AggregateId aggregate,
                          Word cursor, ExprId expr);

}  // namespace txproof::program
