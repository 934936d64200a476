#include "checker/smt/lemmas.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <unordered_map>

#include "checker/smt/last_step.h"
#include "model/program/interpreter.h"

namespace txproof::checker::smt {

using program::Interpreter;
using program::Program;
using program::PropertyKind;
using program::SlotId;
using program::State;
using program::Successor;
using program::Word;

namespace {

bool claim_holds(const Lemma& lemma, const Program& program, const State& state) {
  const Interpreter interpreter(program);
  const program::Claim& claim = program.properties[lemma.property].claims[lemma.claim];
  if (claim.kind == PropertyKind::maximum) {
    return interpreter.evaluate(state, claim.left) <= interpreter.evaluate(state, claim.right);
  }
  return interpreter.evaluate(state, claim.condition) != 0;
}

bool between(Word value, const Lemma& lemma) { return lemma.lo <= value && value <= lemma.hi; }

// The smallest and the largest that was seen.
struct Seen {
  Word lo = 0, hi = 0;
  bool any = false;
  void see(Word value) {
    lo = any ? std::min(lo, value) : value;
    hi = any ? std::max(hi, value) : value;
    any = true;
  }
};

// Slots that have few values are what others depend on.
constexpr std::size_t few_values = 8;

void add_conditional(const std::vector<SlotId>& slots, const std::vector<State>& states,
                     const std::map<SlotId, Seen>& overall, std::vector<Lemma>& out) {
  for (const SlotId first : slots) {
    std::map<Word, std::vector<const State*>> groups;
    for (const State& state : states) {
      groups[state[first]].push_back(&state);
      if (groups.size() > few_values) break;
    }
    if (groups.size() < 2 || groups.size() > few_values) continue;
    for (const auto& group : groups) {
      for (const SlotId second : slots) {
        if (second == first) continue;
        Seen seen;
        for (const State* state : group.second) seen.see((*state)[second]);
        const Seen& all = overall.at(second);
        if (seen.lo == all.lo && seen.hi == all.hi) continue;
        out.push_back({Lemma::Kind::given, first, second, group.first, seen.lo, seen.hi});
      }
    }
  }
}

void add_octagons(const Program& program, const std::vector<SlotId>& slots,
                  const std::vector<State>& states, const std::map<SlotId, Seen>& overall,
                  std::vector<Lemma>& out) {
  std::vector<SlotId> numbers;
  for (const SlotId slot : slots) {
    const bool plain = program.slots[slot].kind == program::SlotKind::scalar ||
                       program.slots[slot].kind == program::SlotKind::length;
    if (plain && overall.at(slot).hi - overall.at(slot).lo > 1) numbers.push_back(slot);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (std::size_t j = i + 1; j < numbers.size(); ++j) {
      Seen difference;
      Seen sum;
      for (const State& state : states) {
        difference.see(state[numbers[i]] - state[numbers[j]]);
        sum.see(state[numbers[i]] + state[numbers[j]]);
      }
      const Seen& a = overall.at(numbers[i]);
      const Seen& b = overall.at(numbers[j]);
      if (difference.lo > a.lo - b.hi || difference.hi < a.hi - b.lo) {
        out.push_back(
            {Lemma::Kind::difference, numbers[i], numbers[j], 0, difference.lo, difference.hi});
      }
      if (sum.lo > a.lo + b.lo || sum.hi < a.hi + b.hi) {
        out.push_back({Lemma::Kind::sum, numbers[i], numbers[j], 0, sum.lo, sum.hi});
      }
    }
  }
}

}  // namespace

bool holds(const Lemma& lemma, const Program& program, const State& state) {
  switch (lemma.kind) {
    case Lemma::Kind::within:
      return between(state[lemma.first], lemma);
    case Lemma::Kind::given:
      return state[lemma.first] != lemma.value || between(state[lemma.second], lemma);
    case Lemma::Kind::difference:
      return between(state[lemma.first] - state[lemma.second], lemma);
    case Lemma::Kind::sum:
      return between(state[lemma.first] + state[lemma.second], lemma);
    case Lemma::Kind::claim:
      return claim_holds(lemma, program, state);
  }
  return false;
}

z3::expr formula(const Lemma& lemma, const Encoder& encoder, const SymbolicState& state) {
  const Algebra& algebra = encoder.algebra();
  const Interval range{lemma.lo, lemma.hi};
  const auto slot = [&](SlotId id) { return state[id]; };
  switch (lemma.kind) {
    case Lemma::Kind::within:
      return algebra.in_range(slot(lemma.first), range);
    case Lemma::Kind::given:
      return algebra.either(algebra.opposite(algebra.equal(slot(lemma.first), lemma.value)),
                            algebra.in_range(slot(lemma.second), range));
    case Lemma::Kind::difference:
      return algebra.in_range(algebra.subtract(slot(lemma.first), slot(lemma.second)), range);
    case Lemma::Kind::sum:
      return algebra.in_range(algebra.add(slot(lemma.first), slot(lemma.second)), range);
    case Lemma::Kind::claim:
      return algebra.opposite(
          encoder.broken(state, encoder.program().properties[lemma.property].claims[lemma.claim]));
  }
  return algebra.truth(true);
}

std::string text_of(const Lemma& lemma, const Program& program) {
  const auto name = [&](SlotId slot) { return program.slots[slot].name; };
  const std::string range = " in " + std::to_string(lemma.lo) + ".." + std::to_string(lemma.hi);
  switch (lemma.kind) {
    case Lemma::Kind::within:
      return name(lemma.first) + range;
    case Lemma::Kind::given:
      return name(lemma.first) + " == " + std::to_string(lemma.value) + " => " +
             name(lemma.second) + range;
    case Lemma::Kind::difference:
      return name(lemma.first) + " - " + name(lemma.second) + range;
    case Lemma::Kind::sum:
      return name(lemma.first) + " + " + name(lemma.second) + range;
    case Lemma::Kind::claim:
      return program.properties[lemma.property].claims[lemma.claim].text;
  }
  return "";
}

std::vector<State> sample(const Program& program, std::size_t most) {
  const Interpreter interpreter(program);
  std::vector<State> states{program::initial_state(program)};
  std::set<State> seen(states.begin(), states.end());
  for (std::size_t i = 0; i < states.size() && states.size() < most / 2; ++i) {
    const State from = states[i];
    for (Successor& next : interpreter.successors(from)) {
      if (!next.ended() && seen.insert(next.state).second) states.push_back(std::move(next.state));
    }
  }
  if (states.size() < most / 2) return states;  // those are all
  std::mt19937_64 random(1);
  constexpr int steps_of_a_walk = 200;
  for (std::size_t walks = 0; walks < most && states.size() < most; ++walks) {
    State state = states.front();
    for (int step = 0; step < steps_of_a_walk && states.size() < most; ++step) {
      std::vector<Successor> next = interpreter.successors(state);
      next.erase(
          std::remove_if(next.begin(), next.end(), [](const Successor& s) { return s.ended(); }),
          next.end());
      if (next.empty()) break;
      state = std::move(next[random() % next.size()].state);
      if (seen.insert(state).second) states.push_back(state);
    }
  }
  return states;
}

std::vector<Lemma> candidates(const Program& program, const std::vector<SlotId>& slots,
                              const std::vector<State>& states) {
  std::vector<Lemma> out;
  std::map<SlotId, Seen> overall;
  for (const SlotId slot : slots) {
    Seen& seen = overall[slot];
    for (const State& state : states) seen.see(state[slot]);
    const program::Range range = program.slots[slot].range;
    if (seen.lo > range.lo || seen.hi < range.hi) {
      out.push_back({Lemma::Kind::within, slot, program::no_id, 0, seen.lo, seen.hi});
    }
  }
  add_conditional(slots, states, overall, out);
  add_octagons(program, slots, states, overall, out);
  for (program::PropertyId id = 0; id < program.properties.size(); ++id) {
    const auto& claims = program.properties[id].claims;
    for (std::uint32_t claim = 0; claim < claims.size(); ++claim) {
      const bool about_states = (claims[claim].kind == PropertyKind::always &&
                                 claims[claim].condition != program::no_id) ||
                                claims[claim].kind == PropertyKind::maximum;
      if (!about_states) continue;
      Lemma lemma;
      lemma.kind = Lemma::Kind::claim;
      lemma.property = id;
      lemma.claim = claim;
      const bool true_so_far = std::all_of(states.begin(), states.end(), [&](const State& state) {
        return holds(lemma, program, state);
      });
      if (true_so_far) out.push_back(lemma);
    }
  }
  return out;
}

}  // namespace txproof::checker::smt
