// Numbers, containers, objects, calls and choices.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

std::string with(const std::string& body) {
  return R"(
const BIG = 300;
enum state { IDLE, BUSY = 4, DEAD }
object o {
    int n in -3..9 = 0;
    u8 byte = 250;
    int mod 5 index = 3;
    state st = IDLE;
    int arr[4] in 0..9 = 2;
    fifo<small, 3> f;
    bag<small, 3> b;
}
typedef int small in 0..7;
fn next(o x) : int in 0..9 { x.n += 1; return x.n; }
thread t(o x) { )" +
         body + R"( }
property p { always true; }
stack s { o x0 {}; run t(x0); check p; }
)";
}

std::string run(const std::string& body) { return findings(with(body)); }

TEST_CASE("ranges are checked where a value is assigned") {
  CHECK(run("x.n = 9;").empty());
  CHECK(run("x.n = 10;") == "range range");
  CHECK(run("x.n -= 4;") == "range range");
  CHECK(run("x.n = 5 * 2 - 3;").empty());
  CHECK(run("int y in 0..3 = x.n; y += 4;") == "range range");
}

TEST_CASE("wrapping types wrap at each operation") {
  CHECK(run("x.byte += 10; assert x.byte == 4;").empty());
  CHECK(run("x.byte = 0; x.byte -= 1; assert x.byte == 255;").empty());
  CHECK(run("x.index = x.index + 3; assert x.index == 1;").empty());
  CHECK(run("u8 y = u8(BIG); assert y == 44;").empty());
  CHECK(run("u32 y = u32(0); y -= 1; assert y == 4294967295; assert y + 2 == 1;").empty());
  CHECK(run("assert (x.byte & 15) == 10 && (x.byte >> 4) == 15;").empty());
}

TEST_CASE("division is C's, and by zero a fault") {
  CHECK(run("assert -7 / 2 == -3 && -7 % 2 == -1;").empty());
  CHECK(run("x.n = 6 / x.n;") == "range int.divide");
  CHECK(run("if (x.n != 0 && 6 / x.n > 1) x.n = 1;").empty());
}

TEST_CASE("evaluation goes from left to right, and && and || are short") {
  CHECK(run("int y in 0..99 = x.n + next(x) * 10; assert y == 10;").empty());
  CHECK(run("int y in 0..99 = next(x) + x.n * 10; assert y == 11;").empty());
  CHECK(run("if (x.n == 1 && next(x) == 1) x.n = 9; assert x.n == 0;").empty());
  CHECK(run("if (x.n == 0 || next(x) == 1) x.n = 5; assert x.n == 5;").empty());
  CHECK(run("x.n = x.n == 0 ? next(x) + 1 : 7; assert x.n == 2;").empty());
}

TEST_CASE("x op= e finds its place once") {
  CHECK(run("x.arr[next(x)] += 5; assert x.n == 1 && x.arr[1] == 7;").empty());
  CHECK(run("x.arr[next(x)]++; assert x.n == 1 && x.arr[1] == 3;").empty());
  CHECK(
      run("x.arr[any 0..3] += 1; assert x.arr[0] + x.arr[1] + x.arr[2] + x.arr[3] == 9;").empty());
}

TEST_CASE("arrays and containers") {
  CHECK(run("x.arr[1] = 5; assert x.arr[1] == 5 && x.arr[0] == 2 && len(x.arr) == 4;").empty());
  CHECK(run("int i in 0..9 = any 0..4; x.arr[i] = 1;") == "range index");
  CHECK(
      run("x.f.push(1); x.f.push(2); x.f.push_head(3); assert x.f.full && x.f.head() == 3; "
          "x.n = x.f.pop_tail(); assert x.n == 2; assert x.f.peek(1) == 1; assert x.f.contains(1); "
          "x.f.clear(); assert x.f.empty;")
          .empty());
  CHECK(run("x.f.push(1); x.f.push(1); x.f.push(1); x.f.push(1);") == "range container.full");
  CHECK(run("x.n = x.f.pop();") == "range container.empty");
  CHECK(run("x.f.push(8);") == "range range");
  // A bag has no order: the same elements are the same state.
  const std::string in_order =
      "either { x.b.push(1); x.b.push(2); } or { x.b.push(1); x.b.push(2); }";
  const std::string either_order =
      "either { x.b.push(1); x.b.push(2); } or { x.b.push(2); x.b.push(1); }";
  CHECK(states_of(with(in_order)) == states_of(with(either_order)));
  CHECK(run("fifo<small, 4> l; l.push(6); x.f.push(5); l.splice(x.f); "
            "assert l.len == 2 && x.f.empty && l.tail() == 5;")
            .empty());
}

TEST_CASE("every choice is explored") {
  CHECK(run("x.n = any -3..9; assert x.n != 7;") == "assert assert");
  CHECK(run("either { x.n = 1; } or { x.n = 2; } or { x.n = 3; } assert x.n != 3;") ==
        "assert assert");
  CHECK(run("int hi in 0..3 = 0; x.n = any 1..hi;") == "range any.empty");
  CHECK(run("x.st = BUSY; assert x.st == BUSY && DEAD == 5;").empty());
}

TEST_CASE("calls go to the object that a reference names") {
  const std::string text = R"(
interface Qdisc { int sum in 0..9 = 0;  fn weight() : int in 0..9;  fn twice() : int in 0..18 { return 2 * weight(); } }
object a : Qdisc { fn weight() : int in 0..9 { return 1; } }
object b : Qdisc { param int w in 0..9 = 4;  fn weight() : int in 0..9 { return w; } }
object top { Qdisc now;  param Qdisc all[]; int total in 0..99 = 0; }
thread t(top o) {
    for (i in 0..len(o.all) - 1) o.total += o.all[i].twice();
    assert o.total == 2 + 8 + 6;
    o.now = o.all[any 0..2];
    o.now.sum = o.now.weight();
    assert o.now.sum == 1 || o.now.sum == 4 || o.now.sum == 3;
    o.now = none;
    o.total = o.now.weight();
}
property p { always true; }
stack s { a q0 {}; b q1 {}; b q2 { w: 3 }; top t0 { all: [q0, q1, q2] }; run t(t0); check p; }
)";
  CHECK(findings(text) == "range call.none");
}

TEST_CASE("recursion is bounded or an error") {
  const auto recursive = [](const std::string& bound) {
    return "object o { int n in 0..9 = 3; }\nfn f(o x) : int in 0..9 " + bound +
           " { if (x.n == 0) return 0; x.n -= 1; return f(x); }\n" +
           "thread t(o x) { f(x); }\nproperty p { always true; }\n" +
           "stack s { o x0 {}; run t(x0); check p; }";
  };
  CHECK(first_error(recursive("")) == "TX0426");
  CHECK(findings(recursive("recursion <= 4")).empty());
  CHECK(findings(recursive("recursion <= 3")) == "range recursion.bound");
}

TEST_CASE("hooks call one of their functions") {
  const std::string text = R"(
object k { int wmem in 0..9 = 4;  int wakes in 0..9 = 0; }
linear struct sk_buff { k sk;  hook destructor in { wfree, efree } = none; }
fn wfree(sk_buff &skb) { skb.sk.wmem -= 1; }
fn efree(sk_buff &skb) { skb.sk.wakes += 1; }
fn kfree_skb(sk_buff skb) { if (skb.destructor != none) skb.destructor(skb); destroy skb; }
thread t(k x) {
    kfree_skb({ sk: x, destructor: wfree });
    kfree_skb({ sk: x, destructor: efree });
    kfree_skb({ sk: x });
    assert x.wmem == 3 && x.wakes == 1;
    sk_buff skb = { sk: x };
    skb.destructor(skb);
}
property p { always true; }
stack s { k k0 {}; run t(k0); check p; }
)";
  CHECK(findings(text) == "range call.none");
}

}  // namespace
}  // namespace txproof::test
