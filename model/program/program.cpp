#include "model/program/program.h"

namespace txproof::program {

State initial_state(const Program& program) {
  State state(program.slots.size());
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    state[slot] = program.slots[slot].initial;
  }
  return state;
}

}  // namespace txproof::program
