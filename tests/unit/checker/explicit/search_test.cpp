#include "checker/explicit/search.h"

#include <doctest/doctest.h>

#include "tests/support/program_builder.h"
#include "tests/support/reference_path.h"

using namespace txproof::test;
using txproof::checker::explore;
using txproof::checker::SearchOptions;
using txproof::program::time_step;
using txproof::properties::Exploration;
using txproof::properties::Limit;
using txproof::properties::Result;
using txproof::properties::Verdict;

namespace {

// Two counters 0..n, each counted up by a thread of its own: (n + 1)^2 states.
struct Counters {
  ProgramBuilder b;
  SlotId x, y;
  explicit Counters(Word n) {
    x = b.slot("x", 0, n);
    y = b.slot("y", 0, n);
    for (const SlotId counter : {x, y}) {
      const ThreadId t = b.thread("count " + b.program.slots[counter].name);
      const LocationId head = b.location(t, StopKind::rest, b.slot_below(counter, n));
      const BlockId body = b.entry(head);
      b.increment(body, counter);
      b.stop(body, head);
    }
  }
};

// N philosophers who take the left fork, then the right one, then put both down.
struct Philosophers {
  ProgramBuilder b;
  PropertyId deadlock;
  explicit Philosophers(unsigned n) {
    std::vector<SlotId> forks;
    for (unsigned i = 0; i < n; ++i) forks.push_back(b.slot("fork" + std::to_string(i), 0, 1));
    for (unsigned i = 0; i < n; ++i) {
      const ThreadId t = b.thread("philosopher" + std::to_string(i));
      const SlotId left = forks[i];
      const SlotId right = forks[(i + 1) % n];
      const LocationId thinks = b.location(t, StopKind::wait, b.slot_is(left, 0));
      const LocationId hungry = b.location(t, StopKind::wait, b.slot_is(right, 0));
      const LocationId eats = b.location(t, StopKind::yield);
      const BlockId take_left = b.entry(thinks);
      b.assign(take_left, left, b.constant(1));
      b.stop(take_left, hungry);
      const BlockId take_right = b.entry(hungry);
      b.assign(take_right, right, b.constant(1));
      b.stop(take_right, eats);
      const BlockId put_down = b.entry(eats);
      b.assign(put_down, left, b.constant(0));
      b.assign(put_down, right, b.constant(0));
      b.stop(put_down, thinks);
    }
    deadlock = b.property("deadlock", PropertyKind::deadlock);
  }
};

Exploration run(const Program& program, unsigned jobs = 1) {
  SearchOptions options;
  options.jobs = jobs;
  return explore(program, options);
}

}  // namespace

TEST_CASE("two counters: states, transitions and depth by hand") {
  Counters c(9);
  c.b.always("small", c.b.slot_below(c.x, 10));
  const Exploration e = run(c.b.program);
  CHECK(e.complete);
  CHECK(e.states == 100);
  CHECK(e.transitions == 180);
  CHECK(e.depth == 18);
  REQUIRE(e.results.size() == 1);
  CHECK(e.results[0].verdict == Verdict::holds);
  CHECK_FALSE(e.results[0].vacuous.has_value());
  CHECK_FALSE(e.stopped_by_fault);
}

TEST_CASE("the shortest trace, ties broken by the order of moves") {
  Counters c(5);
  const PropertyId p =
      c.b.always("sum below 3", c.b.less(c.b.add(c.b.load(c.x), c.b.load(c.y)), c.b.constant(3)));
  const Exploration e = run(c.b.program);
  const Result& r = e.results[p];
  REQUIRE(r.verdict == Verdict::violated);
  REQUIRE(r.path.has_value());
  REQUIRE(r.path->moves.size() == 3);
  for (const auto& move : r.path->moves) CHECK(move.thread == 0);
  CHECK(r.path->violation == no_id);
  // Nothing else was to be decided: the search ended once the level was expanded.
  CHECK(e.depth == 4);
  CHECK_FALSE(e.complete);
  CHECK(e.states == 15);
}

TEST_CASE("the initial state can be the violation") {
  Counters c(2);
  const PropertyId p = c.b.always("x moved", c.b.less(c.b.constant(0), c.b.load(c.x)));
  const Exploration e = run(c.b.program);
  REQUIRE(e.results[p].path.has_value());
  CHECK(e.results[p].path->moves.empty());
}

TEST_CASE("a fifo between a producer and a consumer: states counted by hand") {
  // A producer of either of two values into a fifo of 3, a consumer that forgets what it takes.
  // States: contents of the fifo, 1 + 2 + 4 + 8. Steps: two from each of the 7 that are not full,
  // one from each of the 14 that are not empty.
  ProgramBuilder b;
  const SlotId length = b.fifo("q", 3, 1, 2);
  const SlotId item = b.scratch("item", 0, 2);
  const std::uint32_t q = b.container(length, 3);
  const ThreadId producer = b.thread("producer");
  const LocationId room = b.location(producer, StopKind::wait, b.slot_below(length, 3));
  const BlockId produce = b.entry(room);
  b.pick(produce, item, 1, 2);
  b.push(produce, q, b.load(item));
  b.stop(produce, room, {item});
  const ThreadId consumer = b.thread("consumer");
  const LocationId some = b.location(consumer, StopKind::rest, b.negation(b.slot_is(length, 0)));
  const BlockId consume = b.entry(some);
  b.pop(consume, q, item);
  b.stop(consume, some, {item});
  b.property("deadlock", PropertyKind::deadlock);
  const PropertyId most = b.maximum("at most 3", b.load(length), b.constant(3));
  const Exploration e = run(b.program);
  CHECK(e.states == 15);
  CHECK(e.transitions == 28);
  CHECK(e.depth == 3);
  CHECK(e.results[0].verdict == Verdict::holds);
  CHECK(e.results[most].verdict == Verdict::holds);
  CHECK(e.results[most].value == 3);
  CHECK(e.results[most].value_is_exact);
}

TEST_CASE("the philosophers starve, by the shortest way") {
  Philosophers p(4);
  const Exploration e = run(p.b.program);
  REQUIRE(e.results[p.deadlock].verdict == Verdict::violated);
  const auto& moves = e.results[p.deadlock].path->moves;
  REQUIRE(moves.size() == 4);
  for (ThreadId i = 0; i < 4; ++i) CHECK(moves[i].thread == i);
}

TEST_CASE("the number of workers changes nothing") {
  Philosophers p(12);
  SearchOptions options;
  options.stop_when_decided = false;
  const Exploration one = explore(p.b.program, options);
  CHECK(one.complete);
  CHECK(one.states > 30000);
  for (const unsigned jobs : {2U, 4U}) {
    options.jobs = jobs;
    const Exploration more = explore(p.b.program, options);
    CHECK(more.states == one.states);
    CHECK(more.transitions == one.transitions);
    CHECK(more.depth == one.depth);
    CHECK(more.complete);
    CHECK(more.results[0].path->moves == one.results[0].path->moves);
  }
}

TEST_CASE("the reference path has the states and transitions that SPIN and rumur count") {
  const Program program = reference_path(4, 2, 4, 3);
  for (const unsigned jobs : {1U, 2U, 4U}) {
    const Exploration e = run(program, jobs);
    CHECK(e.complete);
    CHECK(e.states == 147360);
    CHECK(e.transitions == 585984);
    CHECK(e.results[0].verdict == Verdict::holds);
  }
}

TEST_CASE("checks: the first level, then the least move; fatal ones end the run") {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 0, 9);
  const ThreadId t = b.thread("t");
  const LocationId head = b.location(t, StopKind::loop_head);
  const BlockId body = b.entry(head);
  const SlotId picked = b.scratch("picked", 0, 3);
  const PropertyId soft = b.property("soft", PropertyKind::assertions);
  const PropertyId hard = b.property("range", PropertyKind::builtin);
  const ViolationId v_soft = b.violation(soft, "assert");
  const ViolationId v_hard = b.violation(hard, "range");
  b.pick(body, picked, 1, 3);
  b.check(body, b.less(b.add(b.load(x), b.load(picked)), b.constant(5)), v_soft, false);
  b.check(body, b.less(b.add(b.load(x), b.load(picked)), b.constant(10)), v_hard);
  b.assign(body, x, b.add(b.load(x), b.load(picked)));
  b.stop(body, head, {picked});
  SearchOptions options;
  options.stop_when_decided = false;
  const Exploration e = explore(b.program, options);
  CHECK(e.complete);
  CHECK(e.states == 10);
  CHECK(e.transitions == 30);
  CHECK(e.stopped_by_fault);
  REQUIRE(e.results[soft].path.has_value());
  // Two steps are needed to pass 4; 2 and 3 is the first of them in order.
  const auto& moves = e.results[soft].path->moves;
  REQUIRE(moves.size() == 2);
  CHECK(moves[0].choices == std::vector<std::uint32_t>{1});
  CHECK(moves[1].choices == std::vector<std::uint32_t>{2});
  CHECK(e.results[soft].path->violation == v_soft);
  REQUIRE(e.results[hard].path.has_value());
  CHECK(e.results[hard].path->moves.size() == 4);
  CHECK(e.results[hard].path->violation == v_hard);
}

TEST_CASE("vacuity: nothing tested is said, faults that cannot happen are not vacuous") {
  Counters c(3);
  ProgramBuilder& b = c.b;
  const PropertyId never = b.always("never true", b.constant(1), b.slot_is(c.x, 77));
  const PropertyId once = b.always("once true", b.constant(1), b.slot_is(c.x, 3));
  const PropertyId range = b.property("range", PropertyKind::builtin);
  const PropertyId silent = b.property("silent", PropertyKind::assertions);
  const PropertyId unprobed = b.property("unprobed", PropertyKind::assertions);
  b.program.properties[unprobed].never_probed = true;
  b.program.properties[unprobed].never_probed_name = "kfree_skb";
  const PropertyId rest = b.at_rest("at rest", b.slot_is(c.x, 3));
  const Exploration e = run(b.program);
  CHECK(e.results[never].vacuous.has_value());
  CHECK_FALSE(e.results[once].vacuous.has_value());
  CHECK_FALSE(e.results[range].vacuous.has_value());
  CHECK(e.results[silent].vacuous.has_value());
  REQUIRE(e.results[unprobed].vacuous.has_value());
  CHECK(e.results[unprobed].vacuous->find("kfree_skb") != std::string::npos);
  CHECK_FALSE(e.results[rest].vacuous.has_value());
  for (const Result& r : e.results) CHECK(r.verdict == Verdict::holds);
}

TEST_CASE("limits end in an honest partial report") {
  Counters c(30);
  const PropertyId reached = c.b.always("x below 3", c.b.slot_below(c.x, 3));
  const PropertyId far = c.b.always("x below 31", c.b.slot_below(c.x, 31));
  SearchOptions options;

  SUBCASE("depth") {
    options.max_depth = 5;
    const Exploration e = explore(c.b.program, options);
    CHECK_FALSE(e.complete);
    CHECK(e.depth == 5);
    CHECK(e.states == 21);
    CHECK(e.results[reached].verdict == Verdict::violated);
    CHECK(e.results[far].verdict == Verdict::inconclusive);
    CHECK(e.results[far].limit == Limit::depth);
    CHECK(e.results[far].reason.find("up to depth 5 (21 states)") != std::string::npos);
  }
  SUBCASE("a claim is checked in the deepest states, too") {
    options.max_depth = 3;
    CHECK(explore(c.b.program, options).results[reached].verdict == Verdict::violated);
    options.max_depth = 2;
    CHECK(explore(c.b.program, options).results[reached].verdict == Verdict::inconclusive);
  }
  SUBCASE("no time at all") {
    options.time_limit = 0;
    const Exploration e = explore(c.b.program, options);
    CHECK(e.states == 0);
    CHECK(e.transitions == 0);
    CHECK(e.results[reached].verdict == Verdict::inconclusive);
    CHECK(e.results[reached].limit == Limit::time);
  }
  SUBCASE("interrupted") {
    const std::atomic<bool> yes{true};
    options.interrupted = &yes;
    const Exploration e = explore(c.b.program, options);
    CHECK(e.results[far].limit == Limit::interrupted);
    CHECK(e.results[far].verdict == Verdict::inconclusive);
  }
}

TEST_CASE("the memory limit holds with any number of workers") {
  Counters c(2000);
  c.b.always("x small", c.b.slot_below(c.x, 2001));
  SearchOptions options;
  options.memory_limit = 16 << 20;
  for (const unsigned jobs : {1U, 3U}) {
    options.jobs = jobs;
    const Exploration e = explore(c.b.program, options);
    CHECK_FALSE(e.complete);
    CHECK(e.states > 100000);
    CHECK(e.results[0].verdict == Verdict::inconclusive);
    CHECK(e.results[0].limit == Limit::memory);
    CHECK(e.results[0].reason.find("all states up to depth") != std::string::npos);
  }
}

TEST_CASE("the clock is looked at inside a step of very many choices") {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 0, 1);
  const ThreadId t = b.thread("t");
  const LocationId head = b.location(t, StopKind::loop_head);
  const BlockId body = b.entry(head);
  std::vector<SlotId> picks;
  for (int i = 0; i < 8; ++i) {
    picks.push_back(b.scratch("p" + std::to_string(i), 0, 99));
    b.pick(body, picks.back(), 0, 99);
  }
  b.stop(body, head, picks);
  b.always("x is 0", b.slot_is(x, 0));
  SearchOptions options;
  options.time_limit = 0.2;
  for (const unsigned jobs : {1U, 2U}) {
    options.jobs = jobs;
    const Exploration e = explore(b.program, options);
    CHECK(e.results[0].limit == Limit::time);
    CHECK(e.transitions > 4000);
    CHECK(e.seconds < 5);
  }
}

TEST_CASE("time: ticks, clocks that stop at their end, and urgent threads") {
  ProgramBuilder b;
  const SlotId left = b.slot("left", 0, 3, 3);
  b.program.slots[left].ticks = TickEffect::down;
  const SlotId sent = b.slot("sent", 0, 2);
  b.program.has_time = true;
  const ThreadId link = b.thread("link");
  const LocationId busy = b.location(link, StopKind::tick);
  const LocationId after = b.location(link, StopKind::after_tick);
  const LocationId done = b.location(link, StopKind::end);
  b.program.locations[busy].after = after;
  const BlockId finish = b.entry(after);
  b.increment(finish, sent);
  b.stop(finish, done);
  const PropertyId rest =
      b.at_rest("all time has passed", b.both(b.slot_is(left, 0), b.slot_is(sent, 1)));
  SUBCASE("not urgent: time and the link interleave") {
    const Exploration e = run(b.program);
    // (left, place of the link): 3 busy; 2, 1, 0 after the tick; 2, 1, 0 at the end.
    CHECK(e.states == 7);
    CHECK(e.transitions == 8);
    CHECK(e.results[rest].verdict == Verdict::holds);
    CHECK_FALSE(e.results[rest].vacuous.has_value());
  }
  SUBCASE("urgent: time waits for the link") {
    b.program.threads[link].urgent = true;
    const Exploration e = run(b.program);
    CHECK(e.states == 5);
    CHECK(e.transitions == 4);
  }
  SUBCASE("the step of time is in the trace") {
    const PropertyId p = b.always("left above 1", b.less(b.constant(1), b.load(left)));
    const Exploration e = run(b.program);
    REQUIRE(e.results[p].path.has_value());
    REQUIRE(e.results[p].path->moves.size() == 2);
    CHECK(e.results[p].path->moves[0].thread == time_step);
  }
}

TEST_CASE("what needs another engine is said, and stays violated where checks speak") {
  Counters c(2);
  const PropertyId p = c.b.property("served", PropertyKind::leads_to);
  c.b.claim(p, PropertyKind::leads_to);
  const Exploration e = run(c.b.program);
  CHECK(e.complete);
  CHECK(e.results[p].verdict == Verdict::inconclusive);
  CHECK(e.results[p].limit == Limit::needs_other_engine);
  CHECK_FALSE(e.results[p].reason.empty());
}

TEST_CASE("coverage names the blocks that were reached") {
  ProgramBuilder b;
  const SlotId x = b.slot("x", 0, 1);
  const ThreadId t = b.thread("t");
  const LocationId head = b.location(t, StopKind::loop_head);
  const BlockId body = b.entry(head);
  const BlockId reached = b.block(t);
  const BlockId missed = b.block(t);
  b.branch(body, b.slot_below(x, 5), reached, missed);
  b.stop(reached, head);
  b.stop(missed, head);
  SearchOptions options;
  CHECK(explore(b.program, options).covered_blocks.empty());
  options.coverage = true;
  const Exploration e = explore(b.program, options);
  CHECK(e.covered_blocks == std::vector<bool>{true, true, false});
}

TEST_CASE("progress is reported from the calling thread") {
  Counters c(1500);
  unsigned calls = 0;
  SearchOptions options;
  options.time_limit = 1.2;
  options.progress = [&](const txproof::checker::Progress& progress) {
    ++calls;
    CHECK(progress.states > 0);
    CHECK(progress.bytes > 0);
  };
  const Exploration e = explore(c.b.program, options);
  CHECK(calls <= 3);
  CHECK((calls >= 1 || e.seconds < 0.6));
}
