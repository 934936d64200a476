// Values of expressions where some of what they read is not known.
#pragma once

#include <functional>
#include <limits>

#include "model/program/program.h"

namespace txproof::program {

// Stands for a value that is not known.
constexpr Word any_value = std::numeric_limits<Word>::min();

// What a slot holds, or any_value.
using ReadSlot = std::function<Word(SlotId)>;

//   ensures: if the result is not any_value, the expression has it in every state that agrees with
//            `read`
Word abstract_value(const Program& program, ExprId expr, const ReadSlot& read);

// The slot that an address is; no_id where it is not known which.
SlotId abstract_slot(const Program& program, AddrId addr, const ReadSlot& read);

}  // namespace txproof::program
