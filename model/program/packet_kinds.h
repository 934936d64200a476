// What packets a container of unknown capacity can hold: which combinations of field values.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

struct PacketKinds {
  // For each of Program::unordered: the words of a packet without its tag, or the one number.
  std::vector<std::set<std::vector<Word>>> of;
  std::string refusal;  // not empty: why they cannot be told

  // What else is known of every run; by block and statement of the Program as it was given.
  std::vector<bool> reached;                        // blocks
  std::vector<std::set<BlockId>> next;              // targets that the block can go on to
  std::set<std::pair<BlockId, std::size_t>> fails;  // checks that may fail
  std::vector<Range> values;                        // of each slot; lo > hi: nothing is known
};

// A fixed point over every thread on its own: its locals by value, what threads share as sets.
//   requires: every block has its terminator; insert and remove of Program::unordered still stand
//   ensures:  no run, for no parameters, pushes a packet of another kind
PacketKinds packet_kinds(const Program& program);

}  // namespace txproof::program
