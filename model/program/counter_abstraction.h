// Containers of unknown capacity become counters, one for each kind of packet.
#pragma once

#include "model/lang/diagnostic.h"
#include "model/program/program.h"

namespace txproof::program {

// Fills Unordered::kinds, and writes out every statement and expression about these containers:
// an insert adds one to the counter of the packet's kind, a remove chooses a kind that is there, a
// length is the sum, an aggregate has a term for each kind.
//   ensures: for every step of a program whose containers have room for `capacity` elements there
//            is one of this program with equal contents up to order; no other step pushes, and
//            whatever is taken was there
//   errors:  TX0435, TX0436 where this is not possible
void abstract_containers(Program& program, lang::Diagnostics& diagnostics);

}  // namespace txproof::program
