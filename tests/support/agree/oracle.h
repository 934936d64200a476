// What is true of a small Program, found out by a plain walk over the reference interpreter. It
// shares nothing with the engines, which are measured against it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/program/interpreter.h"

namespace txproof::test {

struct Truth {
  struct Finding {
    bool violated = false;
    std::vector<program::Move> moves;  // the least of the shortest paths
    program::ViolationId violation = program::no_id;
    std::optional<program::Word> largest;  // left side of a maximum
    bool spoken = false;                   // some assertion or claim really said something
  };
  struct Arc {
    std::size_t target = 0;
    program::ThreadId thread = 0;
  };
  bool complete = false;  // at most `limit` states: everything below is the whole truth
  std::uint64_t states = 0, transitions = 0;
  std::uint32_t depth = 0;
  bool fault = false;                   // some step ended in a fatal check
  std::vector<Finding> findings;        // by property
  std::vector<bool> blocks;             // by block: some step ran it
  std::vector<program::State> reached;  // in the order of the walk
  std::vector<std::vector<Arc>> arcs;
};

// Breadth first, states and moves in order. Stops, incomplete, beyond `limit` states.
Truth truth_of(const program::Program& program, std::size_t limit);

// Whether a leads_to or infinitely_often is violated: by a state at rest or a fair strong component
// in which what is owed never comes (docs/engines/graph.md). Components by forward and backward
// reach, one pivot after the other.
//   requires: truth.complete
bool run_without_end(const program::Program& program, const Truth& truth,
                     const program::Claim& claim);

}  // namespace txproof::test
