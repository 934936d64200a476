// Properties: claims, ghost state, and probes on functions and packets.
#pragma once

#include "model/lang/check_state.h"

namespace txproof::lang {

// Checks one property; its ghost fields are added to their structs.
void check_property(CheckState& state, PropertyDecl& property);

}  // namespace txproof::lang
