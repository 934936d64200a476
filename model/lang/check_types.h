// From types as written to types, and from constant expressions to values.
//
// Declarations may be used before their line, so everything here is resolved when it is first
// asked for; a declaration that needs itself is reported as a cycle.
#pragma once

#include <cstdint>
#include <optional>

#include "model/lang/check_state.h"

namespace txproof::lang {

// The type of a variable; resolves constants, fields, params and instances on demand.
//   ensures: decl.type is set, to the error type where something was reported
const Type* type_of(CheckState& state, const VarDecl& decl);

// What the name of a type denotes: a reference for objects, the struct itself for structs.
const Type* denoted_type(CheckState& state, const TypeDecl& decl);

// The type as written, in the surroundings `env` (sizes may mention params).
const Type* resolve_type(CheckState& state, Env& env, TypeExpr& written);

// Resolves written type, range, array size of a variable whose names are looked up in `env`.
// `needs_range`: an integer without a range is an error (state is finite).
const Type* resolve_variable(CheckState& state, Env& env, VarDecl& variable, bool needs_range);

// Values of enumerators.
void resolve_enum(CheckState& state, const TypeDecl& type);

// Parameters and result of a function, a method or a thread.
void resolve_signature(CheckState& state, FunctionDecl& function);

// All the functions of a hook must be called alike. Requires signatures.
void check_hooks(CheckState& state);

// The value of a checked expression that consists of literals, constants and enumerators; empty
// if it is not constant or leaves 64 bits or divides by zero.
std::optional<std::int64_t> constant_value(const Expr& expr);

}  // namespace txproof::lang
