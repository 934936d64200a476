// Which locals matter where: what a state must store, and what a stop may forget.
#pragma once

#include "model/program/program.h"

namespace txproof::program {

// Sets Slot::stored of every local, and Terminator::forget of every stop.
//   ensures: at every stop, a local that no later code reads before it writes it has its rest
//   value,
//            so that states that differ in nothing that matters are equal
void settle_locals(Program& program);

// Removes blocks and locations that no run reaches, and joins blocks that always follow each
// other. Renumbers both.
void compact(Program& program);

}  // namespace txproof::program
