#include "checker/graph/analyse.h"

#include <doctest/doctest.h>

#include "counterexamples/replay.h"
#include "tests/support/program_builder.h"

using namespace txproof::test;
using txproof::checker::explore;
using txproof::checker::SearchOptions;
using txproof::properties::Exploration;
using txproof::properties::Limit;
using txproof::properties::Result;
using txproof::properties::Verdict;

namespace {

Exploration run(const Program& program, const SearchOptions& options = {}) {
  Exploration e = explore(program, options);
  txproof::checker::graph::analyse(program, options, e);
  return e;
}

// x goes round in 0..n. In each round `sent` grows by n + 1, one a step, and `lost` by 1, where x
// begins again.
struct Ring {
  ProgramBuilder b;
  SlotId x;
  ThreadId thread;
  explicit Ring(Word n, Word loss = 1) {
    x = b.slot("x", 0, n);
    b.program.counters = {{"sent", 1, 0}, {"lost", 1, 1}};
    thread = b.thread("ring");
    const LocationId head = b.location(thread, StopKind::loop_head);
    const BlockId body = b.entry(head);
    const BlockId more = b.block(thread);
    const BlockId again = b.block(thread);
    count(body, 0, 1);
    b.branch(body, b.slot_below(x, n), more, again);
    b.increment(more, x);
    b.stop(more, head);
    b.assign(again, x, b.constant(0));
    count(again, 1, loss);
    b.stop(again, head);
  }
  void count(BlockId block, CounterId counter, Word amount) {
    const ExprId value = b.constant(amount);
    Stmt& s = b.stmt(block, StmtKind::count);
    s.counter = counter;
    s.value = value;
  }
  PropertyId rate(bool at_least, Word p, Word q) {
    const PropertyId id = b.property("rate", PropertyKind::rate);
    Claim& c = b.claim(id, PropertyKind::rate);
    c.numerator = {false, 1, 1};
    c.denominator = {false, 0, 1};
    c.at_least = at_least;
    c.bound_numerator = p;
    c.bound_denominator = q;
    return id;
  }
  PropertyId often(ExprId condition) {
    const PropertyId id = b.property("often", PropertyKind::infinitely_often);
    b.claim(id, PropertyKind::infinitely_often).condition = condition;
    return id;
  }
  PropertyId leads_to(ExprId from, ExprId to) {
    const PropertyId id = b.property("leads", PropertyKind::leads_to);
    Claim& c = b.claim(id, PropertyKind::leads_to);
    c.condition = from;
    c.right = to;
    return id;
  }
};

}  // namespace

TEST_CASE("a rate is exact: the bound itself holds, one step tighter does not") {
  Ring ring(6);
  const PropertyId most = ring.rate(false, 1, 7);
  const PropertyId least = ring.rate(true, 1, 7);
  const PropertyId too_tight = ring.rate(false, 1, 8);
  const PropertyId too_much = ring.rate(true, 1000001, 7000000);
  const Exploration e = run(ring.b.program);
  CHECK(e.results[most].verdict == Verdict::holds);
  CHECK(e.results[least].verdict == Verdict::holds);
  CHECK(e.results[too_tight].verdict == Verdict::violated);
  CHECK(e.results[too_much].verdict == Verdict::violated);
  for (const Result& result : e.results) {
    CHECK(result.value_text == "1/7");
    CHECK(result.value_is_exact);
    CHECK(result.engine == "graph");
  }
  REQUIRE(e.results[too_tight].path.has_value());
  CHECK(e.results[too_tight].path->moves.size() == 7);
  CHECK(e.results[too_tight].path->loop == 0);
}

TEST_CASE("where only the upper count grows, the rate is infinite") {
  Ring ring(3);
  const PropertyId most = ring.rate(false, 1000, 1);
  const PropertyId least = ring.rate(true, 1000, 1);
  for (const PropertyId id : {most, least}) {
    ring.b.program.properties[id].claims[0].numerator = {false, 0, 2};
    ring.b.program.properties[id].claims[0].denominator = {true, 0, 0};  // time never passes
  }
  const Exploration e = run(ring.b.program);
  CHECK(e.results[most].verdict == Verdict::violated);
  CHECK(e.results[most].value_text == "infinite");
  CHECK(e.results[least].verdict == Verdict::holds);
}

TEST_CASE("a rate of what is never counted is vacuous, one of negative counts inconclusive") {
  Ring silent(3);
  const PropertyId id = silent.rate(true, 1, 2);
  silent.b.program.properties[id].claims[0].numerator = {true, 0, 0};
  silent.b.program.properties[id].claims[0].denominator = {true, 0, 0};
  CHECK(run(silent.b.program).results[id].vacuous.has_value());

  Ring negative(3, -1);
  const PropertyId other = negative.rate(true, 1, 2);
  const Result result = run(negative.b.program).results[other];
  CHECK(result.verdict == Verdict::inconclusive);
  CHECK(result.limit == Limit::approximation);
}

TEST_CASE("a cycle that leaves out what must come again and again is a lasso") {
  Ring ring(4);
  const PropertyId good = ring.often(ring.b.slot_is(ring.x, 3));
  const PropertyId never = ring.often(ring.b.slot_is(ring.x, 9));
  const PropertyId silent = ring.leads_to(ring.b.slot_is(ring.x, 9), ring.b.slot_is(ring.x, 0));
  const Exploration e = run(ring.b.program);
  CHECK(e.results[good].verdict == Verdict::holds);
  CHECK_FALSE(e.results[good].vacuous.has_value());
  CHECK(e.results[silent].verdict == Verdict::holds);
  CHECK(e.results[silent].vacuous.has_value());
  REQUIRE(e.results[never].verdict == Verdict::violated);
  CHECK(e.results[never].path->loop == 0);
  CHECK(e.results[never].path->moves.size() == 5);
}

TEST_CASE("limits make it inconclusive and are named") {
  Ring ring(2000);
  const PropertyId often = ring.often(ring.b.slot_is(ring.x, 3));
  const PropertyId rate = ring.rate(false, 1, 2);
  SearchOptions options;
  Limit expected = Limit::none;
  std::atomic<bool> interrupted{true};
  SUBCASE("time") {
    options.time_limit = 0;
    expected = Limit::time;
  }
  SUBCASE("depth") {
    options.max_depth = 10;
    expected = Limit::depth;
  }
  SUBCASE("memory") {
    options.memory_limit = 4096;
    expected = Limit::memory;
  }
  SUBCASE("interruption") {
    options.interrupted = &interrupted;
    expected = Limit::interrupted;
  }
  const Exploration e = run(ring.b.program, options);
  for (const PropertyId id : {often, rate}) {
    CHECK(e.results[id].verdict == Verdict::inconclusive);
    CHECK(e.results[id].limit == expected);
    CHECK_FALSE(e.results[id].reason.empty());
    CHECK_FALSE(e.results[id].vacuous.has_value());
  }
}

TEST_CASE("a lasso in the part that was built is a violation all the same") {
  Ring ring(2);
  const SlotId far = ring.b.slot("far", 0, 100);
  const ThreadId walker = ring.b.thread("walker");
  const LocationId head = ring.b.location(walker, StopKind::pause, ring.b.slot_below(far, 100));
  const BlockId body = ring.b.entry(head);
  ring.b.increment(body, far);
  ring.b.stop(body, head);
  const PropertyId never = ring.often(ring.b.slot_is(ring.x, 9));
  SearchOptions options;
  options.max_depth = 10;
  const Exploration e = run(ring.b.program, options);
  CHECK_FALSE(e.complete);
  CHECK(e.results[never].verdict == Verdict::violated);
}

TEST_CASE("the replay believes no lasso") {
  Ring ring(4);
  const PropertyId never = ring.often(ring.b.slot_is(ring.x, 9));
  const PropertyId rate = ring.rate(false, 1, 8);
  const Program& program = ring.b.program;
  const Exploration e = run(program);
  const auto replays = [&](PropertyId id, const txproof::properties::Path& path) {
    return txproof::counterexamples::replay(program, id, path).trace.has_value();
  };
  for (const PropertyId id : {never, rate}) {
    REQUIRE(e.results[id].path.has_value());
    txproof::properties::Path path = *e.results[id].path;
    CHECK(replays(id, path));
    path.loop.reset();
    CHECK_FALSE(replays(id, path));
    path.loop = 1;  // does not close
    CHECK_FALSE(replays(id, path));
    path.loop = path.moves.size();  // somebody can step
    CHECK_FALSE(replays(id, path));
    path.loop = path.moves.size() + 1;
    CHECK_FALSE(replays(id, path));
  }
  // A cycle, but one that is unfair to somebody who can always step.
  const SlotId y = ring.b.slot("y", 0, 1);
  const ThreadId other = ring.b.thread("other");
  const LocationId head = ring.b.location(other, StopKind::rest, ring.b.slot_is(y, 0));
  const BlockId body = ring.b.entry(head);
  ring.b.increment(body, y);
  ring.b.stop(body, head);
  CHECK_FALSE(replays(never, *e.results[never].path));
  const Exploration fair = run(program);
  CHECK(replays(never, *fair.results[never].path));
  CHECK(fair.results[never].path->loop == 1);
}

TEST_CASE("no graph is built where nothing asks for it") {
  Ring ring(4);
  ring.b.always("small", ring.b.slot_below(ring.x, 5));
  const Exploration e = explore(ring.b.program, {});
  CHECK_FALSE(txproof::checker::graph::is_wanted(e));
}
