// Stacks and instances: bindings of params and fields, threads to run, properties to check.
#pragma once

#include "model/lang/check_state.h"

namespace txproof::lang {

// Checks `{ field: value, … }` for an object of type `type`; `literal` may be null (no bindings).
// `complete`: params without a default must be bound, else an error at `at`.
void check_bindings(CheckState& state, Env& env, const TypeDecl& type, Expr* literal, Span at,
                    bool complete);

// Initial values of a type's fields, defaults of its params.
void check_initial_values(CheckState& state, TypeDecl& type);

void check_stack(CheckState& state, StackDecl& stack);

}  // namespace txproof::lang
