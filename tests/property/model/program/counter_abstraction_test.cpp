// Counters instead of fifos: every reachable state of a random small program, with each fifo of
// unknown capacity replaced by how many packets of each kind it holds, is a reachable state of the
// program with the unknown parameter pinned at the same value. What that program does not store
// has its rest value.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/program/interpreter.h"
#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

using program::Program;
using program::SlotId;
using program::State;
using program::Word;

constexpr std::size_t most_states = 4000;

// What a thread may do in a step; M is a mark.
const std::vector<std::string> deeds = {
    "if (!b.q.full) { pkt p = { mark: M }; b.q.push(p); }",
    "if (!b.q.full && b.n < 2) { pkt p = { mark: M, odd: true }; b.q.push_head(p); b.n += 1; }",
    "if (!b.q.empty) { pkt p = b.q.pop(); destroy p; }",
    "if (!b.q.empty) { pkt p = b.q.pop(); p.mark = M; if (!b.r.full) b.r.push(p); else destroy p; "
    "}",
    "if (!b.r.empty && !b.slot) { b.slot = b.r.pop_tail(); b.slot.odd = b.slot.mark == M; }",
    "if (b.slot && !b.q.full) { b.q.push(take b.slot); b.n = M; }",
    "if (!b.q.empty) { pkt p = b.q.pop(); if (p.mark == M) destroy p; else { p.odd = true; "
    "b.q.push(p); } }",
    "if (!b.two.full && !b.q.empty) b.two.push(b.q.pop());",
    "if (!b.two.empty && !b.r.full) b.r.push(b.two.pop());",
    "{ fifo<pkt, 2> l; pkt p = { mark: M }; l.push(p); weak pkt w = l.tail(); w.mark = M; "
    "if (!b.r.full) b.r.push(l.pop()); else { pkt x = l.pop(); destroy x; } }",
    "{ int v in 0..2 = any 0..M; pkt p = { mark: v }; if (b.q.len < b.limit) b.q.push(p); "
    "else destroy p; }",
    "{ int left in 0..b.limit = b.limit; while (left > 0 && !b.r.empty) rounds <= b.limit { "
    "pkt p = b.r.pop(); destroy p; left -= 1; } }",
    "either { b.flag = !b.flag; } or { if (b.flag && b.slot) { pkt p = take b.slot; destroy p; } }",
    "if (b.slot) { pkt p = copy b.slot; if (!b.r.full) b.r.push(p); else destroy p; }",
    "b.sizes.push(M); if (b.sizes.full) { b.n = b.sizes.pop(); b.sizes.clear(); }",
};

std::string random_model() {
  std::string text =
      "typedef int mark_t in 0..2;\nlinear struct pkt { int mark in 0..2; bool odd; }\n"
      "object box { param int limit in 1..9 = 2; fifo<pkt, limit> q; fifo<pkt, limit + 1> r;"
      " fifo<pkt, 2> two; pkt slot; int n in 0..2 = 0; bool flag = false;"
      " fifo<mark_t, limit> sizes; }\n";
  const int threads = *rc::gen::inRange(1, 4);
  std::string runs;
  for (int t = 0; t < threads; ++t) {
    text += "thread t" + std::to_string(t) + "(box b) { loop { pause; ";
    for (int i = *rc::gen::inRange(1, 4); i > 0; --i) {
      std::string deed = *rc::gen::elementOf(deeds);
      const std::string mark = std::to_string(*rc::gen::inRange(0, 3));
      for (std::size_t at = deed.find('M'); at != std::string::npos; at = deed.find('M')) {
        deed.replace(at, 1, mark);
      }
      text += deed + "\n";
    }
    text += "} }\n";
    runs += " run t" + std::to_string(t) + "(b0);";
  }
  text += "property few { always count(p in pkt where p.mark == 2) <= 2; }\n";
  return text + "stack s { param int W in 1..9 = 2; box b0 { limit: W };" + runs +
         " check few; }\n";
}

// All states; none if there are too many. `ended` steps lead nowhere.
std::optional<std::set<State>> reachable(const Program& program) {
  const program::Interpreter interpreter(program);
  std::set<State> seen{program::initial_state(program)};
  std::deque<State> pending(seen.begin(), seen.end());
  while (!pending.empty()) {
    const State state = std::move(pending.front());
    pending.pop_front();
    for (program::Successor& next : interpreter.successors(state)) {
      if (next.ended() || !seen.insert(next.state).second) continue;
      pending.push_back(std::move(next.state));
      if (seen.size() > most_states) return std::nullopt;
    }
  }
  return seen;
}

// What both programs have: pcs, and variables that are no thread's own, by name.
std::map<std::string, SlotId> common_slots(const Program& program) {
  std::map<std::string, SlotId> slots;
  for (SlotId id = 0; id < program.slots.size(); ++id) {
    const program::Slot& slot = program.slots[id];
    if (slot.parameter) continue;
    if (slot.owner == program::no_id || slot.kind == program::SlotKind::pc) slots[slot.name] = id;
  }
  return slots;
}

// The abstract state of a concrete one, as far as it is common.
std::map<std::string, Word> image(const Program& abstract, const Program& concrete,
                                  const State& state) {
  std::map<std::string, Word> result;
  const auto known = common_slots(concrete);
  for (const auto& [name, slot] : common_slots(abstract)) {
    const auto found = known.find(name);
    if (found != known.end()) result[name] = state[found->second];
  }
  for (const program::Unordered& container : abstract.unordered) {
    const SlotId length = known.at(container.name + ".len");
    const bool numbers = container.structure == program::no_id;
    const auto words = numbers ? 1 : concrete.structs[container.structure].words;
    Word counted = 0;
    for (const program::Unordered::Kind& kind : container.kinds) {
      Word count = 0;
      for (Word i = 0; i < state[length]; ++i) {
        const auto first = state.begin() + length + 1 + i * words + (numbers ? 0 : 1);
        const std::vector<Word> fields(first, first + (numbers ? 1 : words - 1));
        if (fields == kind.fields) ++count;
      }
      result[abstract.slots[kind.counter].name] = count;
      counted += count;
    }
    RC_ASSERT(counted == state[length]);  // every packet is of a known kind
  }
  return result;
}

}  // namespace

TEST_CASE("every reachable state has its image among those of the counters") {
  std::size_t compared = 0;
  const bool good = rc::check("counters cover fifos", [&] {
    const std::string text = random_model();
    program::ElaborateOptions options;
    options.set["W"] = *rc::gen::inRange<Word>(1, 4);
    const auto concrete = elaborated(text, options);
    options.for_all = {"W"};
    const auto abstract = elaborated(text, options);
    const auto states = reachable(*concrete);
    const auto images = reachable(*abstract);
    if (!states || !images) return;
    std::set<std::map<std::string, Word>> covered;
    std::map<std::string, SlotId> names;
    for (const auto& [name, value] : image(*abstract, *concrete, *states->begin())) {
      for (SlotId id = 0; id < abstract->slots.size(); ++id) {
        if (abstract->slots[id].name == name) names[name] = id;
      }
    }
    for (const State& state : *images) {
      std::map<std::string, Word> part;
      for (const auto& [name, slot] : names) part[name] = state[slot];
      covered.insert(std::move(part));
    }
    for (const State& state : *states) {
      const auto wanted = image(*abstract, *concrete, state);
      if (covered.contains(wanted)) continue;
      RC_LOG() << text;
      for (const auto& [name, value] : wanted) RC_LOG() << name << " " << value << "\n";
      RC_FAIL("a state has no image");
    }
    ++compared;
  });
  CHECK(good);
  CHECK(compared >= 20);
}

}  // namespace txproof::test
