// Where steps end, in coarse and in fine; waiting, resting, pausing; time.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

using program::Interleave;

constexpr auto fine = Interleave::fine;

std::string findings_fine(const std::string& text) {
  program::ElaborateOptions options;
  options.interleave = fine;
  return findings(text, options);
}

std::string racing(const std::string& body) {
  return R"(
object cell { int x in 0..4 = 0;  bool held = false; }
thread t(cell c) { )" +
         body + R"( }
property both { at rest forall c in cell: c.x == 2; }
stack s { cell c0 {}; run t(c0) for i in 0..1; check both; }
)";
}

TEST_CASE("x += 1 is one step in coarse and two accesses in fine") {
  CHECK(findings(racing("c.x += 1;")).empty());
  CHECK(findings_fine(racing("c.x += 1;")) == "both");
  CHECK(findings_fine(racing("atomic { c.x += 1; }")).empty());
  CHECK(findings_fine(racing("atomic { wait !c.held; c.held = true; } c.x += 1; c.held = false;"))
            .empty());
}

TEST_CASE("what a property looks at between steps is shared with it") {
  const std::string text = R"(
object cell { bool a = false;  bool b = false; }
thread x(cell c) { c.a = true; c.a = false; }
thread y(cell c) { c.b = true; c.b = false; }
property never_both { always forall c in cell: !(c.a && c.b); }
stack s { cell c0 {}; run x(c0); run y(c0); check never_both; }
)";
  CHECK(findings(text).empty());
  CHECK(findings_fine(text) == "never_both");
}

TEST_CASE("a condition that cannot be evaluated leads into its fault") {
  const auto guarded = [](const std::string& guard) {
    return R"(
linear struct sk_buff { int n in 0..3 = 0; }
object dev { sk_buff slot;  weak sk_buff w;  int i in 0..9 = 4;  int zero in 0..3 = 0;
             int arr[2] in 0..3 = 0;  dev next;  fifo<sk_buff, 1> q; }
thread t(dev d) { )" +
           guard + R"( }
property p { always true; }
stack s { dev d0 {}; run t(d0); check p; }
)";
  };
  CHECK(findings(guarded("rest d.slot.n == 0;")) == "own.linear own.empty");
  CHECK(findings(guarded("wait d.w.n == 0;")) == "own.linear weak.none");
  CHECK(findings(guarded("d.q.push({}); d.w = d.q.head(); destroy d.q.pop(); yield; "
                         "rest d.w.n == 0;")) == "own.linear weak.dangling");
  CHECK(findings(guarded("rest d.arr[d.i] == 0;")) == "range index");
  CHECK(findings(guarded("either { when d.next.i == 0: } or { when d.i == 0: }")) ==
        "range call.none");
  CHECK(findings(guarded("atomic { wait 6 / d.zero == 0; }")) == "range int.divide");
  // Looked at only where it is reached.
  CHECK(findings(guarded("rest !d.slot || d.slot.n == 0;")).empty());
  CHECK(findings(guarded("rest d.next == none ? true : d.next.i == 0;")).empty());
  CHECK(findings(guarded("d.zero = count(s in d.q where s.n == d.slot.n);")).empty());
  CHECK(findings(guarded("d.q.push({}); d.zero = count(s in d.q where s.n == d.slot.n);")) ==
        "own.linear own.empty");
}

TEST_CASE("a lock ends a coarse step only where it is held") {
  // With a stop inside the critical section the other one can find the lock held.
  CHECK(findings(racing("atomic { wait !c.held; c.held = true; } int y in 0..4 = c.x; yield; "
                        "c.x = y + 1; c.held = false;"))
            .empty());
  CHECK(findings(racing("int y in 0..4 = c.x; yield; c.x = y + 1;")) == "both");
  CHECK(states_of(racing("c.x += 1;")) ==
        states_of(racing("atomic { wait !c.held; c.held = true; } c.x += 1; c.held = false;")));
}

TEST_CASE("a failing trylock shows in coarse only with a stop point inside the holder") {
  const auto with_trylock = [](const std::string& inside) {
    return R"(
object lock { bool held = false;  int failed in 0..1 = 0; }
fn spin_trylock(lock l) : bool { atomic { if (l.held) return false; l.held = true; return true; } }
thread t(lock l) { if (spin_trylock(l)) { )" +
           inside + R"( l.held = false; } else { l.failed = 1; } }
property never_fails { always forall l in lock: l.failed == 0; }
stack s { lock l0 {}; run t(l0) for i in 0..1; check never_fails; }
)";
  };
  CHECK(findings(with_trylock("")).empty());
  CHECK(findings(with_trylock("yield;")) == "never_fails");
  CHECK(findings_fine(with_trylock("")) == "never_fails");
}

std::string waiting(const std::string& body) {
  return R"(
object o { bool go = false; bool done = false; }
thread t(o x) { )" +
         body + R"( x.done = true; }
property comes_to_rest { at rest forall x in o: x.done; }
stack s { o x0 {}; run t(x0); check comes_to_rest; }
)";
}

TEST_CASE("waiting for ever is a fault, resting and pausing are none") {
  CHECK(findings(waiting("")).empty());
  CHECK(findings(waiting("wait x.go;")) == "comes_to_rest, deadlock");
  CHECK(findings(waiting("rest x.go;")) == "comes_to_rest");
  CHECK(findings(waiting("pause;")) == "comes_to_rest");  // it may pause for ever
  CHECK(findings(waiting("yield;")).empty());
  CHECK(findings(waiting("wait either { when x.go: } or { when !x.go: }")).empty());
  CHECK(findings(waiting("wait either { when x.go: }")) == "comes_to_rest, deadlock");
  CHECK(findings(waiting("either { when x.go: }")) == "comes_to_rest");
  CHECK(findings(waiting("either { when x.go: } or { }")).empty());
}

TEST_CASE("a loop head directly before another stop point adds none") {
  const auto states = [](const std::string& body) {
    return states_of("thread t() { loop { " + body + " } }\n" +
                     "property p { always true; }\nstack s { run t(); check p; }");
  };
  CHECK(states("pause;") == 1);
  CHECK(states("yield;") == 1);
  CHECK(states("pause; yield;") == 2);
  CHECK(states("int x in 0..1 = any 0..1; pause;") == 2);  // the head, then the pause
}

TEST_CASE("time passes only when nothing urgent can step, and lets all go on at once") {
  const auto timed = [](const std::string& more) {
    return R"(
object clock { int left in 0..3 = 3 ticks down;  int a in 0..3 = 0;  int b in 0..3 = 0; }
thread first(clock c)  { for (i in 0..2) { tick; c.a += 1; } }
urgent thread second(clock c) { for (i in 0..2) { tick; c.b += 1; } }
)" + more +
           R"(
stack s { clock c0 {}; run first(c0); run second(c0); check p; }
)";
  };
  // The urgent one counts before the next tick; the other may be late by as much as it likes.
  CHECK(findings(timed("property p { always forall c in clock: c.b + c.left >= 2; }")).empty());
  CHECK(findings(timed("property p { always forall c in clock: c.b + c.left >= 3; }")) == "p");
  CHECK(findings(timed("property p { at rest forall c in clock: c.left == 0 && c.a == 3; }"))
            .empty());
}

TEST_CASE("a clock in a packet runs while the packet is there, to the end of its own range") {
  const auto aged = [](const std::string& field) {
    return "linear struct sk_buff { int age in " + field + R"( }
object dev { fifo<sk_buff, 2> q;  sk_buff slot; }
urgent thread t(dev d) { tick; tick; d.q.push({}); tick; d.slot = d.q.pop(); tick; destroy take d.slot; }
property p { on destroy sk_buff(s) { assert s.age == 2; } }
stack s { dev d0 {}; run t(d0); check p; }
)";
  };
  CHECK(findings(aged("0..9 = 0 ticks up;")).empty());
  CHECK(findings(aged("0..1 = 0 ticks up;")) == "p assert");
  CHECK(findings(aged("0..9 = 4 ticks down;")).empty());
  CHECK(findings(aged("2..9 = 3 ticks down;")).empty());
  CHECK(findings(aged("1..9 = 3 ticks down;")) == "p assert");
}

TEST_CASE("a bounded loop that goes on is a fault") {
  const auto looping = [](const std::string& body) {
    return "object o { int n in 0..9 = 0; }\nthread t(o x) { " + body +
           " }\nproperty p { always true; }\nstack s { o x0 {}; run t(x0); check p; }";
  };
  CHECK(findings(looping("while (x.n < 3) rounds <= 3 { x.n += 1; }")).empty());
  CHECK(findings(looping("while (x.n < 3) rounds <= 2 { x.n += 1; }")) == "range loop.bound");
  CHECK(findings(looping("do { x.n += 1; } while (x.n < 3) rounds <= 3;")).empty());
  CHECK(findings(looping("for (i in 0..20) { if (i == 5) break; x.n += 1; } assert x.n == 5;"))
            .empty());
  CHECK(findings(looping("for (i in 0..3) { if (i == 1) continue; x.n += i; } assert x.n == 5;"))
            .empty());
  CHECK(findings(looping("while (true) rounds <= 5 { x.n += 1; if (x.n == 2) goto out; } "
                         "x.n = 9; out: assert x.n == 2;"))
            .empty());
}

}  // namespace
}  // namespace txproof::test
