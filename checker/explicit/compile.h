// A Program as bytecode: blocks, conditions and claims.
//
// Blocks are laid out as they are reached, the likely successor directly behind, so that most
// jumps vanish; a block that several others lead to is compiled once.
#pragma once

#include "checker/explicit/bytecode.h"
#include "model/program/program.h"

namespace txproof::checker {

// coverage: with a mark at each block. counts: with what `count` statements add, which only the
// analysis of cycles wants. walk: choices are drawn (Machine::walk), not gone through.
Code compile(const program::Program& program, bool coverage, bool counts = false,
             bool walk = false);

}  // namespace txproof::checker
