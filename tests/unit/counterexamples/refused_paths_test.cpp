// A path that does not show what it is offered for makes no trace.
#include <doctest/doctest.h>

#include "counterexamples/replay.h"
#include "tests/support/engine/elaborated.h"

using namespace txproof;
using namespace txproof::test;

TEST_CASE("a check that does not fail in the last step is no violation") {
  const auto p = elaborated(
      "object o { int n in 0..2 = 0; }\n"
      "thread t(o x) { yield; x.n = 1; yield; assert x.n == 2; }\n"
      "property q { always forall x in o: x.n <= 1; }\n"
      "stack s { o a {}; run t(a); check q; }\n");
  properties::Path path;
  path.moves = {{0, {}}};
  for (program::ViolationId id = 0; id < p->violations.size(); ++id) {
    if (p->violations[id].kind == "assert") path.violation = id;
  }
  REQUIRE(path.violation != program::no_id);
  const program::PropertyId asserted = p->violations[path.violation].property;
  const auto early = counterexamples::replay(*p, asserted, path);
  CHECK(!early.trace.has_value());
  CHECK(early.mismatch != "");
  path.moves.push_back({0, {}});
  CHECK(counterexamples::replay(*p, asserted, path).trace.has_value());
  // The same failure is none of another property.
  CHECK(!counterexamples::replay(*p, 0, path).trace.has_value());
}
