// What is known about a property: a closed set of verdicts, each with its reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/program/interpreter.h"

namespace txproof::properties {

enum class Verdict { holds, violated, inconclusive };

// The stable word for it: "holds", "violated", "inconclusive".
const char* to_string(Verdict verdict);

// Why a verdict is inconclusive.
enum class Limit { none, depth, time, memory, interrupted, needs_other_engine, approximation };

// The stable word for it, as JSON has it: "depth", "time", …
const char* to_string(Limit limit);

// A path from the initial state, and what broke at its end.
struct Path {
  std::vector<program::Move> moves;
  // The check that failed in the last move; no_id: a claim of the property is false (or the
  // deadlock stands) in the state after the last move.
  program::ViolationId violation = program::no_id;
  std::uint32_t claim = 0;  // which claim, where violation is no_id
  // A run without end (leads_to, infinitely_often, rate): moves from this index on are a cycle,
  // which leads back to the state before them and is gone through for ever. moves.size(): the run
  // stays in its last state for ever. Absent: a finite path.
  std::optional<std::size_t> loop;
};

struct Result {
  program::PropertyId property = program::no_id;
  Verdict verdict = Verdict::inconclusive;
  Limit limit = Limit::none;           // inconclusive: why
  std::string reason;                  // inconclusive: one sentence, with what was covered
  std::optional<std::string> vacuous;  // holds: why nothing was really tested
  std::optional<std::int64_t> value;   // maximum: the largest value of its left side that was seen
  bool value_is_exact = false;         // … over every reachable state
  // maximum: a shortest path to a state with that value (Path::violation, loop: none).
  std::optional<Path> value_path;
  // rate: the worst ratio, "1/3", "2" or "infinite"; exact if value_is_exact.
  std::optional<std::string> value_text;
  std::string engine;        // which decided it; empty: that of the Exploration
  std::optional<Path> path;  // exactly if violated
};

struct Exploration {
  std::string engine = "explicit";
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;  // levels of the breadth-first search
  double seconds = 0;
  bool complete = false;          // every reachable state was seen
  bool stopped_by_fault = false;  // some runs end in a built-in fault; nothing is known beyond it
  std::vector<bool> covered_blocks;  // by BlockId, if coverage was asked for
  std::vector<Result> results;       // one for each property of the Program, in order
};

}  // namespace txproof::properties
