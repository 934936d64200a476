// Which locals matter where: what a state must store, and what a stop may forget.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

// Sets Slot::stored of every local, and Terminator::forget of every stop.
//   ensures: at every stop, a local that no later code reads before it writes it has its rest
//   value,
//            so that states that differ in nothing that matters are equal
void settle_locals(Program& program);

// Locals that are live: at the head of each block, and behind each statement that is `marked`.
struct LiveLocals {
  std::vector<std::set<SlotId>> at;  // by BlockId
  std::map<std::pair<BlockId, std::size_t>, std::set<SlotId>> behind;
};

LiveLocals live_locals(Program& program, const std::function<bool(const Stmt&)>& marked);

// Removes blocks and locations that no run reaches, and joins blocks that always follow each
// other. Renumbers both. With `keep_locations` the numbers of locations stay.
void compact(Program& program, bool keep_locations = false);

}  // namespace txproof::program
