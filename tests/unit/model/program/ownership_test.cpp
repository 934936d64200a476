// Each way to get the ownership of a packet wrong, and each right way beside it.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

// A thread that does `body` once, with a queue, a slot and a helper of each kind.
std::string with(const std::string& body) {
  return R"(
linear struct sk_buff { int len in 1..3 = 1;  weak sk_buff peer; }
object dev {
    fifo<sk_buff, 2> q;
    sk_buff slot;
    sk_buff ring[2];
    int seen in 0..9 = 0;
}
fn kfree_skb(sk_buff skb) { destroy skb; }
fn keep(sk_buff skb, dev d) { d.slot = skb; }
fn borrow(sk_buff &skb) { skb.len = 2; }
fn steal(sk_buff &skb) { kfree_skb(skb); }
fn make() : sk_buff { sk_buff skb = { len: 3 }; return skb; }
fn maybe(dev d) : sk_buff { if (d.q.empty) return none; return d.q.pop(); }
thread t(dev d) { )" +
         body + R"( }
property few { always count(s in sk_buff) <= 4; }
stack s { dev d0 {}; run t(d0); check few; }
)";
}

TEST_CASE("a packet that is given away cannot be used again") {
  CHECK(findings(with("sk_buff skb = {}; kfree_skb(skb);")).empty());
  CHECK(findings(with("sk_buff skb = {}; kfree_skb(skb); kfree_skb(skb);")) ==
        "own.linear own.used_after_move");
  CHECK(findings(with("sk_buff skb = {}; destroy skb; d.seen = skb.len;")) ==
        "own.linear own.used_after_move");
  CHECK(findings(with("sk_buff skb = {}; destroy skb; if (skb) d.seen = 1;")) ==
        "own.linear own.used_after_move");
  CHECK(findings(with("sk_buff skb = {}; kfree_skb(skb); skb = {}; kfree_skb(skb);")).empty());
}

TEST_CASE("a packet that nobody has at the end of its scope is leaked") {
  CHECK(findings(with("sk_buff skb = {};")) == "own.linear own.leak");
  CHECK(findings(with("if (d.seen == 0) { sk_buff skb = {}; return; }")) == "own.linear own.leak");
  CHECK(findings(with("keep({}, d); keep({}, d);")) == "own.linear own.leak");
  CHECK(findings(with("sk_buff skb = {}; skb = none;")) == "own.linear own.leak");
  CHECK(findings(with("make();")) == "own.linear own.leak");
  CHECK(findings(with("fifo<sk_buff, 2> l; l.push({});")) == "own.linear own.leak");
}

TEST_CASE("an empty place has nothing to read or take") {
  CHECK(findings(with("d.seen = d.slot.len;")) == "own.linear own.empty");
  CHECK(findings(with("kfree_skb(take d.slot);")) == "own.linear own.empty");
  CHECK(findings(with("if (d.slot) kfree_skb(take d.slot);")).empty());
  CHECK(findings(with("keep({}, d); kfree_skb(take d.slot); assert !d.slot;")).empty());
  CHECK(findings(with("d.ring[1] = make(); d.seen = d.ring[1].len; kfree_skb(take d.ring[1]); "
                      "assert d.seen == 3;"))
            .empty());
}

TEST_CASE("a lent packet is read, written or taken in its place") {
  CHECK(findings(with("sk_buff skb = {}; borrow(skb); assert skb.len == 2; destroy skb;")).empty());
  CHECK(findings(with("sk_buff skb = {}; steal(skb);")).empty());
  CHECK(findings(with("sk_buff skb = {}; steal(skb); destroy skb;")) ==
        "own.linear own.used_after_move");
  CHECK(findings(with("keep({}, d); steal(d.slot); assert !d.slot;")).empty());
}

TEST_CASE("a weak handle follows its packet and dangles when it ends") {
  CHECK(findings(with("sk_buff skb = { len: 2 }; weak sk_buff p = skb; d.q.push(skb); "
                      "assert p.len == 2; p.len = 3; sk_buff out = d.q.pop(); assert out.len == 3; "
                      "assert p == out; destroy out; assert p != none; assert p != p;"))
            .empty());
  CHECK(findings(with("sk_buff skb = {}; weak sk_buff p = skb; destroy skb; d.seen = p.len;")) ==
        "own.linear weak.dangling");
  CHECK(findings(with("weak sk_buff p = none; d.seen = p.len;")) == "own.linear weak.none");
  // Popping the head moves the element behind it; the handle to that one moves along.
  CHECK(findings(with("d.q.push({ len: 1 }); sk_buff skb = { len: 2 }; weak sk_buff p = skb; "
                      "d.q.push(skb); kfree_skb(d.q.pop()); assert p.len == 2; "
                      "assert d.q.contains(p); kfree_skb(d.q.remove(p)); assert d.q.empty;"))
            .empty());
  // A handle inside a packet follows, too.
  CHECK(findings(with("sk_buff a = { len: 3 }; sk_buff b = { peer: a }; d.q.push(a); "
                      "weak sk_buff p = b.peer; assert p.len == 3; destroy b; "
                      "kfree_skb(d.q.pop());"))
            .empty());
}

TEST_CASE("results, copies and empty results") {
  CHECK(findings(with("sk_buff skb = make(); assert skb.len == 3; destroy skb;")).empty());
  CHECK(findings(with("sk_buff skb = maybe(d); assert !skb;")).empty());
  CHECK(findings(with("sk_buff a = { len: 2 }; sk_buff b = copy a; a.len = 1; "
                      "assert b.len == 2; destroy a; destroy b;"))
            .empty());
  CHECK(findings(with("sk_buff a = {}; sk_buff b = copy a; destroy a;")) == "own.linear own.leak");
}

TEST_CASE("a packet inside a packet is leaked if the outer one ends") {
  const auto nested = [](const std::string& body) {
    return R"(
linear struct seg { int n in 0..3 = 0; }
linear struct sk_buff { fifo<seg, 2> frags;  seg first; }
thread t() { )" +
           body + R"( }
property none_left { at rest count(s in seg) == 0; }
stack s { run t(); check none_left; }
)";
  };
  CHECK(findings(nested("sk_buff skb = {}; skb.frags.push({ n: 1 }); destroy skb;")) ==
        "none_left vacuous, own.linear own.leak");
  CHECK(findings(nested("sk_buff skb = { first: { n: 2 } }; destroy skb;")) ==
        "none_left vacuous, own.linear own.leak");
  CHECK(findings(nested("sk_buff skb = {}; skb.frags.push({ n: 1 }); sk_buff other = skb; "
                        "seg g = other.frags.pop(); assert g.n == 1; destroy g; destroy other;"))
            .empty());
}

TEST_CASE("counted structs end with their last reference") {
  const auto counted = [](const std::string& body) {
    return R"(
counted struct buf { int n in 0..3 = 0; }
object pool { buf a;  buf b; }
thread t(pool p) { )" +
           body + R"( }
property few { always count(s in buf) <= 1; }
property none_left { at rest count(s in buf) == 0; }
stack s { pool p0 {}; run t(p0); check few, none_left; }
)";
  };
  CHECK(findings(counted("buf x = { n: 1 }; p.a = get x; p.b = x; p.a.n = 2; assert p.b.n == 2; "
                         "destroy take p.a; yield; assert p.b.n == 2; destroy take p.b;"))
            .empty());
  CHECK(findings(counted("buf x = {}; p.a = get x; destroy x; destroy x;")) ==
        "none_left vacuous, own.linear own.used_after_move");
  CHECK(findings(counted("buf x = {}; weak buf w = x; p.a = get w; destroy x; w.n = 3; "
                         "destroy take p.a; w.n = 1;")) ==
        "none_left vacuous, own.linear weak.dangling");
  CHECK(findings(counted("buf x = {}; p.a = x;")) == "none_left");
  CHECK(first_error(counted("fifo<buf, 2> q; q.push({}); weak buf w = q.head(); "
                            "buf x = q.remove(w); destroy x;")) == "TX0424");
  // For probes it ends once.
  const std::string ended = R"(
counted struct buf { int n in 0..3 = 0; }
thread t() { buf x = {}; buf y = get x; destroy x; yield; destroy y; }
property p { ghost int ends in 0..2 = 0; on destroy buf(b) { ends += 1; } always ends <= 1; }
property q { ghost int ends in 0..2 = 0; on destroy buf(b) { ends += 1; } at rest ends == 1; }
stack s { run t(); check p, q; }
)";
  CHECK(findings(ended).empty());
}

}  // namespace
}  // namespace txproof::test
