// A packet in a local is there until it ends, also where its thread never looks at it again.
#include <doctest/doctest.h>

#include "tests/support/engine/elaborated.h"

using namespace txproof::test;

TEST_CASE("a packet that will leak is seen with all its fields until it does") {
  CHECK(findings(R"(
linear struct pkt { int len in 0..1; }
thread t() { pkt s = { len: 1 }; yield; }
property p { always forall s in pkt: s.len == 0; }
stack x { run t(); check p; }
)") == "own.linear own.leak, p");
}

TEST_CASE("a packet that its thread never ends stays in flight") {
  CHECK(findings(R"(
linear struct pkt { int len in 0..1; }
object o { bool late = false; }
thread t() { pkt s = { len: 1 }; loop { yield; } }
thread u(o x) { yield; yield; x.late = true; }
property p { always exists x in o: !x.late || count(s in pkt) == 0; }
stack x { o a {}; run t(); run u(a); check p; }
)") == "p");
}

TEST_CASE("a packet in a local container stays in flight") {
  CHECK(findings(R"(
linear struct pkt { int len in 0..1; }
object o { bool late = false; }
thread t() { fifo<pkt, 2> l; l.push({ len: 1 }); loop { yield; } }
thread u(o x) { yield; yield; x.late = true; }
property p { always exists x in o: !x.late || count(s in pkt where s.len == 1) == 0; }
stack x { o a {}; run t(); run u(a); check p; }
)") == "p");
}

TEST_CASE("a reference that is never used again keeps what is counted from ending") {
  CHECK(findings(R"(
counted struct page { int data in 0..1; }
object o { page h; bool done = false; }
thread t(o x) { page s = { data: 1 }; x.h = get s; loop { yield; } }
thread u(o x) { rest x.h != none; destroy take x.h; x.done = true; }
property p { always forall x in o: x.done => count(s in page) == 1; }
stack x { o a {}; run t(a); run u(a); check p; }
)")
            .empty());
}

TEST_CASE("the clock of a packet runs until it ends") {
  CHECK(findings(R"(
linear struct pkt { int age in 0..1 = 0 ticks up; }
object o { bool late = false; }
thread t() { pkt s = {}; yield; }
thread u(o x) { tick; x.late = true; }
property p { always forall s in pkt: s.age == 0; }
stack x { o a {}; run t(); run u(a); check p; }
)") == "own.linear own.leak, p");
}
