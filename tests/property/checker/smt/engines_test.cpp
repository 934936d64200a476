// Random small Programs: every engine of the table says the same. Violations have the same path,
// move for move; what holds, holds with the same words about vacuity. A limit may leave a question
// open, and nothing ever says the opposite.
//
// TXPROOF_CAMPAIGN=N looks at N programs instead of 200.
#include "checker/engines/engines.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <map>
#include <string>

#include "tests/support/random_program.h"
#include "tests/support/sanitized.h"

using namespace txproof::test;
using txproof::checker::Engine;
using txproof::checker::SearchOptions;
using txproof::properties::Exploration;
using txproof::properties::Result;
using txproof::properties::Verdict;

namespace {

struct Answers {
  int asked = 0;
  int answered = 0;
};

void compare(const Engine& engine, const Program& program, const Exploration& expected,
             Answers& tally) {
  SearchOptions options;
  options.time_limit = 0.1;
  options.max_depth = 12;
  const Exploration found = engine.run(program, options);
  for (PropertyId id = 0; id < program.properties.size(); ++id) {
    const Result& mine = expected.results[id];
    const Result& theirs = found.results[id];
    const bool can = mine.verdict == Verdict::violated || engine.proves;
    if (can) ++tally.asked;
    if (theirs.verdict == Verdict::inconclusive) continue;
    if (can) ++tally.answered;
    RC_ASSERT(theirs.verdict == mine.verdict);
    RC_ASSERT(theirs.vacuous == mine.vacuous);
    RC_ASSERT(theirs.path.has_value() == mine.path.has_value());
    if (!mine.path) continue;
    RC_ASSERT(theirs.path->moves == mine.path->moves);
    RC_ASSERT(theirs.path->violation == mine.path->violation);
    RC_ASSERT(theirs.path->claim == mine.path->claim);
  }
}

int rounds() {
  const char* campaign = std::getenv("TXPROOF_CAMPAIGN");  // NOLINT: no other thread yet
  return campaign == nullptr ? (is_sanitized ? 1 : 2) : std::max(1, std::atoi(campaign) / 100);
}

}  // namespace

TEST_CASE("all engines agree") {
  std::map<std::string, Answers> tallies;
  for (int round = 0; round < rounds(); ++round) {
    CHECK(rc::check("a hundred random programs", [&tallies] {
      const Program program = RandomProgram().make();
      SearchOptions all;
      all.stop_when_decided = false;
      const Exploration expected = txproof::checker::explore(program, all);
      for (const Engine& engine : txproof::checker::engines()) {
        compare(engine, program, expected, tallies[engine.name]);
      }
    }));
  }
  for (const auto& entry : tallies) {
    MESSAGE(entry.first << ": " << entry.second.answered << " of " << entry.second.asked);
    CHECK(entry.second.answered > 0);
  }
}
