// Candidates for invariants: simple relations between slots that hold in every state of a sample.
// They are guesses. Which of them are invariants is found by Houdini (Flanagan and Leino, FME
// 2001): drop what a step can break until nothing is dropped.
#pragma once

#include <optional>
#include <vector>

#include "checker/smt/encode.h"

namespace txproof::checker::smt {

struct Lemma {
  enum class Kind : std::uint8_t {
    within,      // first in lo..hi
    given,       // first == value => second in lo..hi
    difference,  // first - second in lo..hi
    sum,         // first + second in lo..hi
    claim,       // the claim of a property is not broken
  } kind = Kind::within;
  program::SlotId first = program::no_id;
  program::SlotId second = program::no_id;
  program::Word value = 0;
  program::Word lo = 0;
  program::Word hi = 0;
  program::PropertyId property = program::no_id;
  std::uint32_t claim = 0;
};

bool holds(const Lemma& lemma, const program::Program& program, const program::State& state);
z3::expr formula(const Lemma& lemma, const Encoder& encoder, const SymbolicState& state);
// "q.qlen == 0 => q.sched in 0..0"
std::string text_of(const Lemma& lemma, const program::Program& program);

// Reachable states: the first ones breadth-first, and those of some random walks.
//   ensures: depends on the Program alone
std::vector<program::State> sample(const program::Program& program, std::size_t most);

// Every relation of these kinds that holds in all of `states`, over the given slots.
std::vector<Lemma> candidates(const program::Program& program,
                              const std::vector<program::SlotId>& slots,
                              const std::vector<program::State>& states);

}  // namespace txproof::checker::smt
