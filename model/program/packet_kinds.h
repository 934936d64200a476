// What packets a container of unknown capacity can hold: which combinations of field values.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

struct PacketKinds {
  // For each of Program::unordered: the words of a packet without its tag, or the one number.
  std::vector<std::set<std::vector<Word>>> of;
  std::string refusal;  // not empty: why they cannot be told
};

// A fixed point over every thread on its own: its locals by value, what threads share as sets.
//   requires: every block has its terminator; insert and remove of Program::unordered still stand
//   ensures:  no run, for no parameters, pushes a packet of another kind
PacketKinds packet_kinds(const Program& program);

}  // namespace txproof::program
