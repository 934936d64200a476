// An array of objects whose number is unknown: one in focus, the others as one (Program::others).
#pragma once

#include <vector>

#include "model/lang/diagnostic.h"
#include "model/program/program.h"

namespace txproof::program {

// What elaboration made of the array: two objects, of which the second becomes all the others.
struct OthersSketch {
  struct Field {
    std::string name;
    SlotId focus = no_id;
    SlotId other = no_id;
    ExprId cap = no_id;   // no_id: no sum is kept, every read may give anything
    SlotId caps = no_id;  // unknown, (number - 1) * cap
  };
  Others others;  // without sums
  std::vector<Field> fields;
};

// Rewrites the second object's fields and threads, and adds the property `others`: what is assumed
// of them. A proof of any other property rests on it, so its claims are added to every property.
//   errors: TX0437 where the others do something that their sums cannot say
void sum_up_others(Program& program, const OthersSketch& sketch, lang::Diagnostics& diagnostics);

// Properties that speak of states of rest, or of progress, say so (Property::not_served), and no
// local of the others may live on where their thread stops.
//   requires: locals are settled
void finish_others(Program& program, lang::Diagnostics& diagnostics);

}  // namespace txproof::program
