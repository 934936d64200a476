// Random small Programs: a lasso is found exactly if some set of states, tried one after the other,
// is one that a fair run can stay in; and each lasso survives the check by the interpreter.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "checker/explicit/search.h"
#include "checker/graph/analyse.h"
#include "counterexamples/replay.h"
#include "model/program/interpreter.h"
#include "tests/support/program_builder.h"

using namespace txproof::test;
using txproof::program::Interpreter;
using txproof::properties::Verdict;

namespace {

constexpr Word last = 4;  // x is 0..last

std::vector<Word> random_table(Word lo, Word hi) {
  std::vector<Word> table;
  for (Word i = 0; i <= last; ++i) table.push_back(*rc::gen::inRange<Word>(lo, hi + 1));
  return table;
}

// A few threads that jump about in x, each at one place; a clock that time sets.
class RandomProgram {
 public:
  ProgramBuilder b;
  PropertyId property;

  RandomProgram() {
    x_ = b.slot("x", 0, last);
    const bool timed = *rc::gen::arbitrary<bool>();
    clock_ = b.slot("clock", 0, timed ? 1 : 0);
    if (timed) {
      b.program.slots[clock_].ticks = TickEffect::up;
      b.program.slots[clock_].tick_end = 1;
      b.program.has_time = true;
    }
    const int threads = *rc::gen::inRange(1, 4);
    for (int i = 0; i < threads; ++i) add_thread(i, timed);
    property = b.property("p", PropertyKind::leads_to);
    const bool leads_to = *rc::gen::arbitrary<bool>();
    Claim claim;
    claim.kind = leads_to ? PropertyKind::leads_to : PropertyKind::infinitely_often;
    claim.condition = look_up(random_table(0, 1), x_);
    if (leads_to) {
      claim.right = look_up(random_table(0, 1), x_);
      if (*rc::gen::arbitrary<bool>()) claim.assuming = look_up(random_table(0, 1), x_);
    }
    b.program.properties[property].claims.push_back(claim);
  }

 private:
  ExprId look_up(std::vector<Word> table, SlotId slot) {
    b.program.tables.push_back(std::move(table));
    return b.op(ExprKind::table, b.load(slot), no_id, no_id,
                static_cast<Word>(b.program.tables.size() - 1));
  }

  void add_thread(int number, bool timed) {
    const ThreadId t = b.thread("t" + std::to_string(number));
    const StopKind kind = *rc::gen::element(StopKind::rest, StopKind::wait, StopKind::pause);
    const LocationId place = b.location(t, kind, look_up(random_table(0, 1), x_));
    b.program.threads[t].strong = *rc::gen::arbitrary<bool>();
    b.program.locations[place].fair = kind == StopKind::wait && *rc::gen::arbitrary<bool>();
    if (timed) b.program.threads[t].urgent = *rc::gen::arbitrary<bool>();
    const BlockId body = b.entry(place);
    const BlockId one = b.block(t);
    const BlockId other = b.block(t);
    b.choose(body, {one, other});
    for (const BlockId branch : {one, other}) {
      if (timed) b.assign(branch, clock_, look_up(random_table(0, 1), x_));
      b.assign(branch, x_, look_up(random_table(0, last), x_));
      b.stop(branch, place);
    }
  }

  SlotId x_ = 0, clock_ = 0;
};

// By definition, on sets of states.
class Oracle {
 public:
  explicit Oracle(const Program& program) : p_(program), interpreter_(program) {
    states_.push_back(initial_state(program));
    for (std::size_t i = 0; i < states_.size(); ++i) {
      edges_.emplace_back();
      for (const auto& next : interpreter_.successors(states_[i])) {
        const auto known = std::find(states_.begin(), states_.end(), next.state);
        const auto target = static_cast<std::size_t>(known - states_.begin());
        if (known == states_.end()) states_.push_back(next.state);
        edges_[i].push_back({next.move.thread, target});
      }
    }
  }

  bool violated(const Claim& claim) {
    const bool leads_to = claim.kind == PropertyKind::leads_to;
    const ExprId wanted = leads_to ? claim.right : claim.condition;
    std::vector<bool> owed(states_.size(), false);
    const auto visit = [&](auto& self, std::size_t s) -> void {
      if (owed[s] || holds(s, wanted)) return;
      owed[s] = true;
      for (const Arc& arc : edges_[s]) self(self, arc.target);
    };
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (!leads_to || holds(s, claim.condition)) visit(visit, s);
    }
    const auto assumed = [&](std::size_t s) {
      return claim.assuming == no_id || holds(s, claim.assuming);
    };
    std::vector<std::size_t> region;
    for (std::size_t s = 0; s < states_.size(); ++s) {
      if (!owed[s]) continue;
      region.push_back(s);
      if (interpreter_.at_rest(states_[s]) && assumed(s)) return true;
    }
    for (std::size_t mask = 1; mask < (std::size_t{1} << region.size()); ++mask) {
      std::vector<bool> in(states_.size(), false);
      bool met = false;
      for (std::size_t i = 0; i < region.size(); ++i) {
        if ((mask >> i & 1) == 0) continue;
        in[region[i]] = true;
        met = met || assumed(region[i]);
      }
      if (met && connected(in) && fair(in)) return true;
    }
    return false;
  }

 private:
  struct Arc {
    ThreadId thread;
    std::size_t target;
  };
  bool holds(std::size_t s, ExprId e) const { return interpreter_.evaluate(states_[s], e) != 0; }

  bool connected(const std::vector<bool>& in) const {
    for (std::size_t s = 0; s < in.size(); ++s) {
      if (!in[s]) continue;
      std::vector<bool> reached(in.size(), false);
      std::vector<std::size_t> open = {s};
      while (!open.empty()) {
        const std::size_t v = open.back();
        open.pop_back();
        for (const Arc& arc : edges_[v]) {
          if (!in[arc.target] || reached[arc.target]) continue;
          reached[arc.target] = true;
          open.push_back(arc.target);
        }
      }
      if (reached != in) return false;
    }
    return true;
  }

  bool can_step(std::size_t s, ThreadId t) const {
    if (t == time_step) return interpreter_.time_enabled(states_[s]);
    return location(t).kind != StopKind::pause && interpreter_.enabled(states_[s], t);
  }
  const Location& location(ThreadId t) const { return p_.locations[p_.threads[t].locations[0]]; }

  bool fair(const std::vector<bool>& in) const {
    std::vector<ThreadId> actors = {time_step};
    for (ThreadId t = 0; t < p_.threads.size(); ++t) actors.push_back(t);
    return std::all_of(actors.begin(), actors.end(), [&](ThreadId t) {
      bool always = true;
      bool sometimes = false;
      for (std::size_t s = 0; s < in.size(); ++s) {
        if (!in[s]) continue;
        always = always && can_step(s, t);
        sometimes = sometimes || can_step(s, t);
        for (const Arc& arc : edges_[s]) {
          if (arc.thread == t && in[arc.target]) return true;
        }
      }
      const bool strongly = t != time_step && (p_.threads[t].strong || location(t).fair);
      return strongly ? !sometimes : !always;
    });
  }

  const Program& p_;
  Interpreter interpreter_;
  std::vector<State> states_;
  std::vector<std::vector<Arc>> edges_;
};

}  // namespace

TEST_CASE("a run that violates is found exactly if there is one, and is replayed") {
  int cycles = 0;
  int rests = 0;
  int held = 0;
  CHECK(rc::check("liveness", [&] {
    RandomProgram random;
    const Program& program = random.b.program;
    txproof::properties::Exploration e = txproof::checker::explore(program, {});
    txproof::checker::graph::analyse(program, {}, e);
    const txproof::properties::Result& result = e.results[random.property];
    const Claim& claim = program.properties[random.property].claims[0];
    const bool violated = Oracle(program).violated(claim);
    RC_ASSERT(result.verdict == (violated ? Verdict::violated : Verdict::holds));
    if (!violated) {
      ++held;
      return;
    }
    RC_ASSERT(result.path.has_value() && result.path->loop.has_value());
    const auto replay = txproof::counterexamples::replay(program, random.property, *result.path);
    RC_LOG() << replay.mismatch;
    RC_ASSERT(replay.trace.has_value());
    ++(*result.path->loop == result.path->moves.size() ? rests : cycles);
  }));
  // Every kind was met.
  CHECK(cycles > 0);
  CHECK(rests > 0);
  CHECK(held > 0);
}
