// What simulation says about models whose distribution is known.
#include "checker/sampling/simulate.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/support/engine/elaborated.h"

using namespace txproof;
using namespace txproof::checker::sampling;

namespace {

program::PropertyId id_of(const program::Program& program, const std::string& name) {
  const auto found =
      std::find_if(program.properties.begin(), program.properties.end(),
                   [&](const program::Property& property) { return property.name == name; });
  REQUIRE(found != program.properties.end());
  return static_cast<program::PropertyId>(found - program.properties.begin());
}

SimulateOptions limited(std::uint64_t steps, std::uint64_t runs) {
  SimulateOptions options;
  options.steps = steps;
  options.runs = runs;
  return options;
}

}  // namespace

TEST_CASE("a fair choice is drawn fairly, and jobs change nothing") {
  const auto program = test::elaborated(
      "object o { int x in 0..5 = 0; }\n"
      "thread roll(o q) { loop { pause; q.x = any 0..5; } }\n"
      "property p { maximum sum(k in o) k.x <= 4; }\n"
      "stack s { o q {}; run roll(q) for i in 0..9; check p; }\n");
  const program::PropertyId p = id_of(*program, "p");
  const Plan plan(*program, {});
  SimulateOptions options;
  options.seed = 3;
  options.runs = 6;
  options.steps = 5000;
  options.expressions = {p};
  const Simulation one = simulate(plan, options);
  REQUIRE(one.runs.size() == 6);
  CHECK(one.steps == 30'000);
  CHECK(one.largest[p] == 5);
  REQUIRE(one.broken[p]);
  CHECK(one.broken[p]->runs == 6);
  Histogram all;
  for (const RunSummary& run : one.runs) all.merge(run.samples[0]);
  for (const auto& [value, times] : all.values()) {
    CAPTURE(value);
    CHECK(times > 4600);  // 5000 expected, standard deviation 65
    CHECK(times < 5400);
  }
  options.jobs = 3;
  const Simulation three = simulate(plan, options);
  CHECK(three.broken[p]->first_run == one.broken[p]->first_run);
  CHECK(three.broken[p]->step == one.broken[p]->step);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(three.runs[i].samples[0].values() == one.runs[i].samples[0].values());
  }
}

TEST_CASE("one thread in ten: schedules by threads and by functions differ as they should") {
  const auto program = test::elaborated(
      "object o { int last in 0..1 = 0; }\n"
      "thread many(o q) { loop { pause; q.last = 0; } }\n"
      "thread one(o q) { loop { pause; q.last = 1; } }\n"
      "property p { maximum sum(k in o) k.last <= 1; }\n"
      "stack s { o q {}; run many(q) for i in 0..8; run one(q); check p; }\n");
  const program::PropertyId p = id_of(*program, "p");
  const Plan plan(*program, {});
  SimulateOptions options;
  options.runs = 4;
  options.steps = 5000;
  options.expressions = {p};
  const auto mean = [&] {
    Histogram all;
    for (const RunSummary& run : simulate(plan, options).runs) all.merge(run.samples[0]);
    return all.mean();
  };
  CHECK(mean() == doctest::Approx(0.1).epsilon(0.1));
  options.schedule = Schedule::functions;
  CHECK(mean() == doctest::Approx(0.5).epsilon(0.05));
}

TEST_CASE("a run ends where nobody can move, and where a built-in fault ends it") {
  const auto stuck = test::elaborated(
      "object o { int n in 0..9 = 0; }\n"
      "thread t(o q) { pause; q.n = 1; rest q.n == 2; }\n"
      "property p { at rest forall k in o: k.n == 1; }\n"
      "stack s { o q {}; run t(q); check p; }\n");
  const Simulation ended = simulate(Plan(*stuck), limited(100, 2));
  CHECK(ended.runs[0].stuck);
  CHECK(ended.runs[0].steps == 1);
  // At rest before the thread has left its pause, too, when n is 0.
  CHECK(ended.broken[id_of(*stuck, "p")]->step == 0);

  const auto fault = test::elaborated(
      "object o { int n in 0..3 = 0; }\n"
      "thread t(o q) { loop { pause; q.n += 1; } }\n"
      "property p { always forall k in o: k.n <= 3; }\n"
      "stack s { o q {}; run t(q); check p; }\n");
  const Simulation left = simulate(Plan(*fault), limited(100, 2));
  CHECK(left.runs[1].fault);
  CHECK(left.broken[id_of(*fault, "range")]->step == 4);
  CHECK_FALSE(left.broken[id_of(*fault, "p")]);
}

TEST_CASE("time passes where urgent threads are done, and rates are counted") {
  const auto program = test::elaborated(
      "object link { int ready in 0..1 = 0; }\n"
      "counter sent;\n"
      "urgent thread wire(link l) { loop { tick; count sent += 1; } }\n"
      "property r { rate sent / ticks >= 1; }\n"
      "stack s { link l {}; run wire(l); check r; }\n");
  const program::PropertyId r = id_of(*program, "r");
  SimulateOptions options;
  options.runs = 1;
  options.steps = 1000;
  options.rates = {r};
  const Simulation found = simulate(Plan(*program, {r}), options);
  // Three steps a tick: time, the count, back to the head of the loop.
  CHECK(found.runs[0].rates[0].second == 333);
  CHECK(found.runs[0].rates[0].first == 333);
}

TEST_CASE("limits: no time, no run") {
  const auto program = test::elaborated(
      "object o { int n in 0..3 = 0; }\n"
      "thread t(o q) { loop { pause; q.n = (q.n + 1) % 4; } }\n"
      "property p { always forall k in o: k.n <= 3; }\n"
      "stack s { o q {}; run t(q); check p; }\n");
  SimulateOptions options;
  options.time_limit = 0.0;
  const Simulation none = simulate(Plan(*program), options);
  CHECK(none.runs.empty());
  CHECK(none.limit == properties::Limit::time);
}
