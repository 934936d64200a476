// What a step did to the memory model, in words: a store that waits, one that becomes visible, one
// that a thread now sees.
#pragma once

#include <string>
#include <vector>

#include "counterexamples/trace.h"

namespace txproof::counterexamples {

// One sentence for each, in the order of the program's variables.
std::vector<std::string> memory_lines(const program::Program& program, const program::Move& move,
                                      const program::State& before, const program::State& after);

// The slot is part of a store buffer, a history or a view, which memory_lines tells.
bool is_memory_slot(const program::Program& program, program::SlotId slot);

}  // namespace txproof::counterexamples
