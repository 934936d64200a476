// What functions do to the world: places that may only look call none that changes anything.
#pragma once

#include "model/lang/check_state.h"

namespace txproof::lang {

// Reports every recorded call whose callee, or what it calls, does more than look.
void check_effects(CheckState& state);

}  // namespace txproof::lang
