// The end of a path, by the interpreter: the first move that breaks a property, or the state that
// does.
#pragma once

#include "model/program/interpreter.h"
#include "properties/verdict.h"

namespace txproof::checker::smt {

// The first claim of the property that is false in `state`, in the order in which explicit search
// looks: those about every state, then those about rest.
std::optional<std::uint32_t> false_claim(const program::Interpreter& interpreter,
                                         const program::Program& program,
                                         program::PropertyId property, const program::State& state);

// Completes `path`, which leads to `state`: with depth 0 it ends there, otherwise with one more
// move, the first that breaks the property. Returns false if none does.
bool finish_path(const program::Interpreter& interpreter, const program::Program& program,
                 program::PropertyId property, const program::State& state, unsigned depth,
                 properties::Path& path);

}  // namespace txproof::checker::smt
