// Parameters that are left unknown: what becomes a slot, an assumption, a counter, an error.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "checker/explicit/search.h"
#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

using program::ElaborateOptions;
using program::Program;

ElaborateOptions for_all(std::vector<std::string> names,
                         std::map<std::string, program::Word> set = {}) {
  ElaborateOptions options;
  options.for_all = std::move(names);
  options.set = std::move(set);
  return options;
}

// A queue of two kinds of packet, and a bound on what is in it.
const std::string queue = R"(
linear struct pkt { int mark in 0..3; }
object box {
    param int limit in 1..9 = 2;
    fifo<pkt, limit> q;
    int n in 0..limit = 0;
}
thread put(box b) {
    loop {
        rest b.n < b.limit;
        either { pkt p = { mark: 1 }; b.q.push(p); } or { pkt p = { mark: 3 }; b.q.push(p); }
        b.n += 1;
    }
}
thread get(box b) {
    loop { rest !b.q.empty; pkt p = b.q.pop(); b.n -= 1; destroy p; }
}
property counted {
    always forall b in box: b.n == count(p in pkt);
    always forall b in box: sum(p in b.q) p.mark <= 3 * b.limit;
}
stack s { param int W in 1..9 = 2; box all { limit: W }; run put(all); run get(all); check counted; }
)";

program::SlotId slot(const Program& program, const std::string& name) {
  for (program::SlotId id = 0; id < program.slots.size(); ++id) {
    if (program.slots[id].name == name) return id;
  }
  return program::no_id;
}

TEST_CASE("an unknown parameter is a slot without an upper end, at the value in force") {
  const auto program = elaborated(queue, for_all({"W"}, {{"W", 5}}));
  const program::SlotId w = slot(*program, "W");
  REQUIRE(w != program::no_id);
  CHECK(program->slots[w].parameter);
  CHECK(program->slots[w].stored);
  CHECK(program->slots[w].initial == 5);
  CHECK(program->slots[w].range == program::Range{1, program::unbounded});
  REQUIRE(program->parameters.size() == 1);
  CHECK(program->parameters[0].slot == w);
  CHECK(program->slots[slot(*program, "all.n")].range == program::Range{0, program::unbounded});
  for (const program::Block& block : program->blocks) {
    for (const program::Stmt& stmt : block.stmts) {
      if (stmt.target == program::no_id) continue;
      CHECK(program->addresses[stmt.target].base != w);
    }
  }
}

TEST_CASE("a fifo of unknown capacity is a counter for each kind of packet") {
  const auto program = elaborated(queue, for_all({"W"}));
  REQUIRE(program->unordered.size() == 1);
  const program::Unordered& q = program->unordered[0];
  CHECK(q.name == "all.q");
  REQUIRE(q.kinds.size() == 2);
  CHECK(q.kinds[0].text == "mark 1");
  CHECK(q.kinds[1].text == "mark 3");
  CHECK(q.kinds[0].fields == std::vector<program::Word>{1});
  const bool picks = std::any_of(program->blocks.begin(), program->blocks.end(),
                                 [](const program::Block& b) { return b.end.unordered == 0; });
  CHECK(picks);
  const bool left =
      std::any_of(program->blocks.begin(), program->blocks.end(), [](const program::Block& block) {
        return std::any_of(block.stmts.begin(), block.stmts.end(), [](const program::Stmt& stmt) {
          return stmt.kind == program::StmtKind::insert || stmt.kind == program::StmtKind::remove;
        });
      });
  CHECK_FALSE(left);
}

TEST_CASE("pinned, counters have as many states as multisets, and the same verdicts") {
  for (program::Word w = 1; w <= 5; ++w) {
    CAPTURE(w);
    CHECK(findings(queue, for_all({"W"}, {{"W", w}})).empty());
    // Sequences of two marks against pairs of counts, of at most w packets.
    CHECK(states_of(queue, for_all({}, {{"W", w}})) == (std::uint64_t{2} << w) - 1);
    CHECK(states_of(queue, for_all({"W"}, {{"W", w}})) ==
          static_cast<std::uint64_t>((w + 1) * (w + 2) / 2));
  }
}

TEST_CASE("what is broken at some size is broken with unknown parameters at that size") {
  std::string broken = queue;
  const std::string text = "always forall b in box: b.n == count(p in pkt)";
  broken.replace(broken.find(text), text.size(), "always count(p in pkt where p.mark == 3) < 3");
  CHECK(findings(broken, for_all({"W"}, {{"W", 2}})).empty());
  CHECK(findings(broken, for_all({"W"}, {{"W", 3}})) == "counted");
}

TEST_CASE("the limit is the parameter: one more is full") {
  std::string broken = queue;
  const std::string text = "rest b.n < b.limit;";
  broken.replace(broken.find(text), text.size(), "rest b.n <= b.limit;");
  CHECK(findings(broken, for_all({"W"}, {{"W", 3}})) == "range container.full");
}

const std::string loop = R"(
object dev { param int limit in 1..9 = 3;  int n in 0..limit = limit; int done in 0..limit = 0; }
thread run(dev d) {
    pause;
    int left in 0..d.limit = d.limit;
    while (left > 0) rounds <= d.limit - LESS { left -= 1; d.done += 1; }
}
property all_done { at rest forall d in dev: d.done == 0 || d.done == d.limit; }
stack s { param int W in 1..9 = 3; dev d0 { limit: W }; run run(d0); check all_done; }
)";

std::string with(std::string text, const std::string& what, const std::string& by) {
  std::size_t at = text.find(what);
  while (at != std::string::npos) {
    text.replace(at, what.size(), by);
    at = text.find(what, at + by.size());
  }
  return text;
}

TEST_CASE("a loop without a known bound is marked where a round begins, and its bound is checked") {
  const std::string good = with(with(loop, "LESS", "0"), " = limit;", " = 0;");
  const auto program = elaborated(good, for_all({"W"}));
  REQUIRE(program->loops.size() == 1);
  CHECK(program->blocks[program->loops[0].head].loop == 0);
  CHECK_FALSE(program->loops[0].live.empty());
  CHECK(findings(good, for_all({"W"}, {{"W", 4}})).empty());
  const std::string short_bound = with(with(loop, "LESS", "1"), " = limit;", " = 0;");
  CHECK(findings(short_bound, for_all({"W"}, {{"W", 4}})) == "range loop.bound");
}

TEST_CASE("assumptions of the stack stay, for the unknown ones") {
  const std::string text = with(queue, "check counted;", "check counted; assume W >= 2;");
  const auto program = elaborated(text, for_all({"W"}));
  REQUIRE(program->assumptions.size() == 1);
  CHECK(program->assumptions[0].text == "W >= 2");
  CHECK(first_error(text, for_all({"W"}, {{"W", 1}})) == "TX0429");
  CHECK(first_error(text, for_all({}, {{"W", 1}})) == "TX0429");
}

TEST_CASE("what needs a known parameter says so") {
  const ElaborateOptions all = for_all({"W"});
  CHECK(first_error(queue, for_all({"X"})) == "TX0432");
  CHECK(first_error(with(with(loop, "LESS", "0"), "limit = 0;", "limit = limit;"), all) ==
        "TX0433");
  CHECK(first_error(with(queue, "run put(all);", "run put(all) for i in 1..W;"), all) == "TX0434");
  CHECK(first_error(with(queue, "b.q.pop()", "take(x in b.q where x.mark == 3)"), all) == "TX0435");
  CHECK(first_error(with(queue, "mark in 0..3", "mark in 0..300"), all).empty());
}

}  // namespace
}  // namespace txproof::test
