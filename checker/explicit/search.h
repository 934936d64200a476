// Breadth-first search over packed states: every property kind that is an invariant, for one
// choice of parameters, with the shortest trace.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/program/program.h"
#include "properties/verdict.h"

namespace txproof::checker {

struct Progress {
  std::uint64_t states = 0, transitions = 0, frontier = 0, bytes = 0;
  std::uint32_t depth = 0;
  double seconds = 0;
};

struct SearchOptions {
  unsigned jobs = 1;                       // threads; never changes a verdict or a trace
  std::optional<std::uint32_t> max_depth;  // levels
  std::optional<double> time_limit;        // seconds; 0 ends before the first step
  std::uint64_t memory_limit = 0;          // bytes for the search; 0: no limit
  bool coverage = false;
  bool stop_when_decided = true;  // end once every property is violated
  // … or once these are, however large a maximum may be; empty: all.
  std::vector<program::PropertyId> decide;
  const std::atomic<bool>* interrupted = nullptr;  // set by a signal handler
  std::function<void(const Progress&)> progress;   // called now and then, from one thread
};

// Explores `program` level by level.
//   requires: program is the result of an elaboration without errors
//   ensures:  one Result for each property; `holds` only if every reachable state was seen in
//             exact storage; a violated one has the shortest path, ties broken by the order
//             of Moves, whatever the number of threads
properties::Exploration explore(const program::Program& program, const SearchOptions& options);

}  // namespace txproof::checker
