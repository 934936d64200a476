// Operators on known values, exactly as the step semantics compute them.
#pragma once

#include "checker/explicit/bytecode.h"
#include "model/program/program.h"

namespace txproof::checker {

// kind: a unary operator (b is not looked at, but for wrap, whose modulus it is) or a binary one.
program::Word fold(program::ExprKind kind, program::Word a, program::Word b);

// The instruction of a binary operator that computes a value.
Op operation_of(program::ExprKind kind);

}  // namespace txproof::checker
