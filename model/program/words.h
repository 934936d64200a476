// Moving words about in a state so that weak handles follow: the shared ground of the step
// semantics. Nothing here knows statements.
#pragma once

#include "model/program/program.h"

namespace txproof::program {

// What a handle may point to changes place: the block [from, from + words) now stands at `to`.
// Every handle to a place in the block is renamed.
void relocate_handles(const Program& program, State& state, SlotId from, SlotId to,
                      std::uint32_t words);

// Moves a block of words; the vacated words become 0; handles into it follow. May overlap.
void move_block(const Program& program, State& state, SlotId from, SlotId to, std::uint32_t words);

// Handles to any place in the block dangle (value 1), and the words become 0.
void erase_block(const Program& program, State& state, SlotId from, std::uint32_t words);

// The step's end: bags sorted, cells of counted structs numbered by first use.
void canonicalise(const Program& program, State& state);

}  // namespace txproof::program
