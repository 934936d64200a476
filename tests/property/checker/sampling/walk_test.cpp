// Random walks over random Programs: every move that is made is one of the interpreter's, with the
// same state behind it, and what is found broken is what the interpreter finds broken.
#include "checker/sampling/walk.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "checker/explicit/search.h"
#include "checker/sampling/shorten.h"
#include "checker/sampling/simulate.h"
#include "counterexamples/replay.h"
#include "tests/support/random_program.h"

using namespace txproof::test;
namespace sampling = txproof::checker::sampling;
using sampling::Plan;
using sampling::Random;
using sampling::RandomChooser;
using sampling::Walk;
using txproof::program::Interpreter;
using txproof::program::Move;
using txproof::program::Successor;
using txproof::program::ThreadId;
using txproof::program::time_step;

namespace {

bool enabled_by(const Interpreter& interpreter, const State& state, ThreadId thread) {
  return thread == time_step ? interpreter.time_enabled(state) : interpreter.enabled(state, thread);
}

void compare(const Program& program, std::uint64_t seed) {
  const Interpreter interpreter(program);
  const Plan plan(program);
  Walk walk(plan);
  Random random(seed);
  RandomChooser chooser(random);
  State state = initial_state(program);
  for (int i = 0; i < 60; ++i) {
    bool anybody = false;
    for (const ThreadId thread : plan.everybody) {
      const bool able = enabled_by(interpreter, state, thread);
      RC_ASSERT(walk.enabled(thread) == able);
      anybody = anybody || able;
    }
    RC_ASSERT(walk.at_rest() == interpreter.at_rest(state));
    const auto schedule = i % 2 == 0 ? sampling::Schedule::threads : sampling::Schedule::functions;
    const auto thread = walk.draw(random, schedule);
    RC_ASSERT(thread.has_value() == anybody);
    if (!thread) return;
    RC_ASSERT(enabled_by(interpreter, state, *thread));
    const Walk::Outcome outcome = walk.move(*thread, chooser);
    RC_ASSERT(outcome != Walk::Outcome::impossible);
    Successor next;
    RC_ASSERT(interpreter.run(state, walk.made(), next));
    RC_ASSERT(next.ended() == (outcome == Walk::Outcome::ended));
    for (const auto& fault : next.faults) {
      RC_ASSERT(walk.broken(program.violations[fault.violation].property));
    }
    if (next.ended()) return;
    state = next.state;
    RC_ASSERT(std::equal(state.begin(), state.end(), walk.state()));
  }
}

}  // namespace

TEST_CASE("a walk makes the interpreter's steps") {
  CHECK(rc::check("random programs, random walks",
                  [](std::uint64_t seed) { compare(RandomProgram().make(), seed); }));
}

TEST_CASE("claims that are kept up to date are what they are evaluated anew") {
  CHECK(rc::check("random programs, random walks", [](std::uint64_t seed) {
    const Program program = RandomProgram().make();
    const Plan anew(program, {}, sampling::Watching::anew);
    const Plan updated(program, {}, sampling::Watching::updated);
    Walk first(anew);
    Walk second(updated);
    Random random(seed);
    RandomChooser chooser(random);
    for (int i = 0; i < 60; ++i) {
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        RC_ASSERT(first.findings()[id].largest == second.findings()[id].largest);
        RC_ASSERT(first.findings()[id].spoken == second.findings()[id].spoken);
        RC_ASSERT(first.broken(id) == second.broken(id));
      }
      const auto thread = first.draw(random, sampling::Schedule::threads);
      if (!thread || first.move(*thread, chooser) == Walk::Outcome::ended) return;
      second.move(first.made());
    }
  }));
}

TEST_CASE("the moves of a walk can be made again") {
  CHECK(rc::check("random programs, random walks", [](std::uint64_t seed) {
    const Program program = RandomProgram().make();
    const Plan plan(program);
    Walk walk(plan);
    Walk again(plan);
    Random random(seed);
    RandomChooser chooser(random);
    for (int i = 0; i < 40; ++i) {
      const auto thread = walk.draw(random, sampling::Schedule::threads);
      if (!thread) return;
      const Walk::Outcome outcome = walk.move(*thread, chooser);
      const Move made = walk.made();
      RC_ASSERT(again.move(made) == outcome);
      RC_ASSERT(again.made() == made);
    }
  }));
}

TEST_CASE("what sampling finds broken is broken, and its shortest way is the search's") {
  CHECK(rc::check("random programs", [] {
    const Program program = RandomProgram().make();
    const Plan plan(program);
    sampling::SimulateOptions options;
    options.runs = 3;
    options.steps = 50;
    const sampling::Simulation found = simulate(plan, options);
    txproof::checker::SearchOptions everything;
    everything.stop_when_decided = false;
    const auto searched = txproof::checker::explore(program, everything);
    for (PropertyId id = 0; id < program.properties.size(); ++id) {
      if (!found.broken[id]) continue;
      RC_ASSERT(searched.results[id].verdict == txproof::properties::Verdict::violated);
      const auto path = path_of(plan, options, found.broken[id]->first_run, id);
      RC_ASSERT(path.moves.size() == found.broken[id]->step);
      RC_ASSERT(txproof::counterexamples::replay(program, id, path).trace.has_value());
      sampling::ShortenOptions no_search;
      no_search.search_seconds = 0;
      const auto fewer = shorten(plan, id, path, no_search);
      RC_ASSERT(fewer.path.moves.size() <= path.moves.size());
      RC_ASSERT(txproof::counterexamples::replay(program, id, fewer.path).trace.has_value());
      const auto least = shorten(plan, id, path, {});
      RC_ASSERT(least.shortest);
      RC_ASSERT(least.path.moves.size() == searched.results[id].path->moves.size());
    }
  }));
}
