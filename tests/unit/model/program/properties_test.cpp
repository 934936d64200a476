// Probes, ghosts, claims and vacuity.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

std::string with(const std::string& property, const std::string& check = "p") {
  return R"(
linear struct sk_buff { int len in 1..3 = 1; }
object dev { fifo<sk_buff, 2> q;  int sent in 0..3 = 0;  param dev lower = none; }
fn kfree_skb(sk_buff skb) { destroy skb; }
fn never(dev d) { d.sent = 0; }
fn xmit(sk_buff skb, dev d) : int in 0..1 {
    if (d.lower != none) { xmit(skb, d.lower); return 0; }
    if (d.q.full) { kfree_skb(skb); return 1; }
    d.q.push(skb);
    return 0;
}
thread t(dev d) { loop { pause; sk_buff skb = { len: 2 }; xmit(skb, d); } }
)" + property +
         "\nstack s { dev low {}; dev top { lower: low }; run t(top); check " + check + "; }\n";
}

TEST_CASE("per call has one copy for each open activation") {
  // The outer call returns 0 although the inner one lost the packet; the inner one says so.
  CHECK(findings(with("property p { per call xmit { bool lost = false; on entry kfree_skb { lost = "
                      "true; } on return rc { assert !(rc == 0 && lost); } } }")) == "p assert");
  CHECK(findings(with("property p { per call xmit(skb, d) { bool lost = false; on entry kfree_skb "
                      "{ lost = true; } on return rc when d.lower == none { assert !(rc == 0 && "
                      "lost); } } }"))
            .empty());
}

TEST_CASE("probes see arguments, results and the fate of a packet") {
  CHECK(findings(with("property p { on entry xmit(skb, d) { assert skb.len == 2; } }")).empty());
  CHECK(findings(with("property p { on return rc of xmit(skb, d) when d.lower == none { assert rc "
                      "== 0; } }")) == "p assert");
  CHECK(
      findings(with("property p { ghost int made in 0..2 = 0; on new sk_buff(s) { made = made < 2 "
                    "? made + 1 : 2; } on destroy sk_buff(s) { assert made == 2; } }"))
          .empty());
}

TEST_CASE("ghost fields travel with their packet") {
  CHECK(findings(with("property p { ghost bool sk_buff.marked = false; ghost bool used = false; "
                      "on new sk_buff(s) { if (!used && any 0..1 == 1) { s.marked = true; used = "
                      "true; } } on destroy sk_buff(s) { assert !s.marked; } }")) == "p assert");
  CHECK(findings(with("property p { ghost bool sk_buff.marked = false; "
                      "always count(s in sk_buff where s.marked) == 0; }"))
            .empty());
}

TEST_CASE("claims range over types, containers, fields and objects") {
  CHECK(findings(with("property p { always count(s in sk_buff) <= 2; }")).empty());
  CHECK(findings(with("property p { always count(s in sk_buff) <= 1; }")) == "p");
  CHECK(findings(with("property p { always sum(s in dev.q) s.len <= 4; }")).empty());
  CHECK(findings(with("property p { always sum(s in dev.q) s.len <= 3; }")) == "p");
  CHECK(findings(with("property p(dev d) { always d.q.len <= 1; }", "p(low)")) == "p(low)");
  CHECK(findings(with("property p(dev d) { always count(s in d) == 0; }", "p(top)")).empty());
  CHECK(findings(with("property p { always forall d in dev: d.q.empty || d.q.head().len == 2; }"))
            .empty());
  CHECK(findings(with("property p { always exists i in 0..1: i == 1; }")).empty());
  CHECK(findings(with("property p { maximum max(s in sk_buff) s.len <= 2; }")).empty());
  CHECK(findings(with("property p { maximum count(s in dev.q) <= 1; }")) == "p");
}

TEST_CASE("a claim does not hold where it cannot be evaluated") {
  CHECK(findings(with("property p { always forall d in dev: d.q.head().len == 2; }")) == "p");
  CHECK(findings(with("property p { always forall d in dev: d.q.empty || d.q.head().len == 2; }"))
            .empty());
  CHECK(findings(with("property p { always forall d in dev: 6 / d.sent >= 0; }")) == "p");
  CHECK(findings(with("property p { always forall d in dev: d.sent != 0 => 6 / d.sent >= 0; }")) ==
        "p vacuous");
}

TEST_CASE("a property that said nothing is vacuous") {
  CHECK(findings(with("property p { on entry never(d) { assert false; } }")) == "p vacuous");
  CHECK(findings(with("property p { on entry kfree_skb(s) { assert s.len == 3 => false; } }")) ==
        "p vacuous");
  CHECK(findings(with("property p { on entry kfree_skb(s) { assert s.len == 2 => true; } }"))
            .empty());
  CHECK(findings(with("property p { always (exists d in dev: d.q.len > 2) => false; }")) ==
        "p vacuous");
  CHECK(findings(with("property p { always forall s in sk_buff: s.len == 3 => false; }")) ==
        "p vacuous");
  CHECK(findings(with("property p { at rest true; }")).empty());
  CHECK(findings(with("property p { per call xmit { bool lost = false; on entry kfree_skb { lost = "
                      "true; } on return rc { assert lost => rc <= 1; } } }"))
            .empty());
}

TEST_CASE("outside skips states inside a function") {
  const std::string text = R"(
object o { int a in 0..1 = 0;  int b in 0..1 = 0; }
fn both(o x) { x.a = 1; yield; x.b = 1; }
thread t(o x) { both(x); }
property p { always forall x in o: x.a == x.b )";
  const std::string rest = "; }\nstack s { o x0 {}; run t(x0); check p; }";
  CHECK(findings(text + rest) == "p");
  CHECK(findings(text + "outside both" + rest).empty());
}

TEST_CASE("errors that only show when a stack is built") {
  const auto stack = [](const std::string& decls, const std::string& items) {
    return decls + "\nthread t() { pause; }\nproperty p { always true; }\nstack s { " + items +
           " run t(); check p; }";
  };
  program::ElaborateOptions set_w;
  set_w.set["W"] = 0;
  CHECK(first_error(stack("", "param int W in 1..3 = 2;"), set_w) == "TX0412");
  set_w.set = {{"V", 1}};
  CHECK(first_error(stack("", "param int W in 1..3 = 2;"), set_w) == "TX0410");
  CHECK(first_error(stack("", "param int W in 1..3;")) == "TX0411");
  CHECK(first_error(stack("", "param int W in 1..3 = 2; assume W == 1;")) == "TX0429");
  CHECK(first_error(stack("object o { param int m in 0..9 = 0; int n in 1..m = 1; }", "o x {};")) ==
        "TX0401");
  CHECK(first_error(stack("object o { int n in 0..9999999999999 = 1; }", "o x {};")) == "TX0402");
  CHECK(first_error(stack("object o { param int m in 0..9 = 0; fifo<bool, m> q; }", "o x {};")) ==
        "TX0404");
  CHECK(first_error(stack("object o { param int m in 0..9 = 0; }", "o x { m: 11 };")) == "TX0412");
  CHECK(first_error("object l { bool h = false; }\nfn f(l x) { wait x.h; }\n"
                    "thread t(l x) { atomic { x.h = true; f(x); } }\nproperty p { always true; }\n"
                    "stack s { l x {}; run t(x); check p; }") == "TX0423");
  CHECK(first_error("object o { int n in 0..9 = 0; }\n"
                    "thread t(o x) { while (x.n < 3) rounds <= x.n { x.n += 1; } }\n"
                    "property p { always true; }\nstack s { o x {}; run t(x); check p; }") ==
        "TX0417");
}

}  // namespace
}  // namespace txproof::test
