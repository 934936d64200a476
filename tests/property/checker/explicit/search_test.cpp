// Random small Programs: the search finds exactly what a plain breadth-first walk over the
// reference interpreter finds, with any number of workers.
#include "checker/explicit/search.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "tests/support/agree/oracle.h"
#include "tests/support/random_program.h"

using namespace txproof::test;
using txproof::checker::explore;
using txproof::checker::SearchOptions;
using txproof::properties::Exploration;
using txproof::properties::Verdict;

TEST_CASE("search and interpreter agree") {
  CHECK(rc::check("random programs", [] {
    const Program program = RandomProgram().make();
    const Truth expected = truth_of(program, 100000);
    RC_PRE(expected.complete);
    for (const unsigned jobs : {1U, 3U}) {
      SearchOptions options;
      options.jobs = jobs;
      options.stop_when_decided = false;
      const Exploration found = explore(program, options);
      RC_ASSERT(found.complete);
      RC_ASSERT(found.states == expected.states);
      RC_ASSERT(found.transitions == expected.transitions);
      RC_ASSERT(found.depth == expected.depth);
      RC_ASSERT(found.stopped_by_fault == expected.fault);
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        const auto& result = found.results[id];
        RC_ASSERT((result.verdict == Verdict::violated) == expected.findings[id].violated);
        if (!expected.findings[id].violated) continue;
        RC_ASSERT(result.path->moves == expected.findings[id].moves);
        RC_ASSERT(result.path->violation == expected.findings[id].violation);
      }
      // Ending early changes what is known, never what is reported as violated.
      options.stop_when_decided = true;
      const Exploration early = explore(program, options);
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        if (early.results[id].verdict != Verdict::violated) continue;
        RC_ASSERT(early.results[id].path->moves == expected.findings[id].moves);
      }
    }
  }));
}
