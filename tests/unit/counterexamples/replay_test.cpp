#include "counterexamples/replay.h"

#include <doctest/doctest.h>

#include "counterexamples/render_text.h"
#include "tests/unit/counterexamples/small_model.h"

namespace txproof::counterexamples {
namespace {

const std::string packets =
    "linear struct pkt { int n in 0..3; }\n"
    "fn drop(pkt p) { destroy p; }\n";

Trace trace_of(const SmallModel& model, const std::string& property) {
  const properties::Result result = model.violated(property);
  Replay replayed = replay(*model.program, result.property, *result.path);
  REQUIRE(replayed.mismatch == "");
  REQUIRE(replayed.trace);
  return *replayed.trace;
}

TEST_CASE("packets keep their names through queues, and bags that sort themselves") {
  const SmallModel model(packets +
                         "object box { fifo<pkt, 3> f; bag<pkt, 3> b; bool done = false; }\n"
                         "thread t(box x) {\n"
                         "  pkt one = { n: 2 }; pkt two = { n: 1 };\n"
                         "  x.f.push(one); x.f.push_head(two);\n"
                         "  yield;\n"
                         "  x.b.push(x.f.pop_tail()); x.b.push(x.f.pop());\n"
                         "  x.done = true;\n"
                         "}\n"
                         "property never { always forall x in box: !x.done; }\n"
                         "stack s { box x {}; run t(x); check never; }\n");
  const Trace trace = trace_of(model, "never");
  REQUIRE(trace.steps.size() == 2);
  const auto entry = [](const TraceStep& step, const std::string& name) {
    for (const LedgerEntry& e : step.ledger) {
      if (e.name == name) return e.text;
    }
    return std::string("absent");
  };
  CHECK(entry(trace.steps[0], "x.f") == "[b, a]");
  // a (n 2) was pushed first, but the bag is sorted: b (n 1) stands before it.
  CHECK(entry(trace.steps[1], "x.b") == "[b, a]");
  CHECK(entry(trace.steps[1], "x.f") == "[]");
  CHECK(entry(trace.steps[1], "pkt") == "2 in flight");
}

TEST_CASE("used after it was given away, freed twice, leaked: told with places") {
  const auto build = [](const std::string& body) {
    return packets + "object box { fifo<pkt, 3> f; }\nfn keep(pkt p, box x) { x.f.push(p); }\n" +
           "thread t(box x) {\n  pkt p = { n: 1 };\n" + body +
           "}\n"
           "property few { always count(p in pkt) <= 3; }\n"
           "stack s { box x {}; run t(x); check few; }\n";
  };
  const SmallModel twice(build("  drop(p);\n  drop(p);\n"));
  Trace trace = trace_of(twice, "own.linear");
  CHECK(trace.kind == "own.freed_twice");
  REQUIRE(trace.notes.size() == 2);
  CHECK(place_text(twice.sources, trace.notes[0].span) == "small.tx:7");
  CHECK(place_text(twice.sources, trace.notes[1].span) == "small.tx:2");

  const SmallModel used(build("  keep(p, x);\n  p.n = 2;\n"));
  trace = trace_of(used, "own.linear");
  CHECK(trace.kind == "own.used_after_move");
  REQUIRE(!trace.notes.empty());
  CHECK(place_text(used.sources, trace.notes[0].span) == "small.tx:7");

  const SmallModel freed(build("  drop(p);\n  p.n = 2;\n"));
  trace = trace_of(freed, "own.linear");
  CHECK(trace.kind == "own.used_after_move");
  CHECK(trace.message.find("after it was freed") != std::string::npos);

  const SmallModel leaked(build("  pause;\n"));
  trace = trace_of(leaked, "own.linear");
  CHECK(trace.kind == "own.leak");
  REQUIRE(!trace.notes.empty());
  CHECK(trace.notes[0].message.find("packet a") != std::string::npos);
  CHECK(place_text(leaked.sources, trace.notes[0].span) == "small.tx:6");
}

TEST_CASE("a path that does not end in its violation is not believed") {
  const SmallModel model(
      "object cell { int n in 0..5 = 0; }\n"
      "thread up(cell c) { loop { pause; if (c.n < 5) c.n += 1; } }\n"
      "property small { always forall c in cell: c.n <= 2; }\n"
      "property other { always forall c in cell: c.n <= 9; }\n"
      "stack s { cell a {}; run up(a); check small, other; }\n");
  const properties::Result result = model.violated("small");
  REQUIRE(result.path->moves.size() == 3);
  CHECK(replay(*model.program, result.property, *result.path).trace);

  properties::Path shorter = *result.path;
  shorter.moves.pop_back();
  CHECK(!replay(*model.program, result.property, shorter).trace);

  properties::Path stranger = *result.path;
  stranger.moves[1].thread = 7;
  const Replay refused = replay(*model.program, result.property, stranger);
  CHECK(!refused.trace);
  CHECK(refused.step == 2);

  properties::Path choosy = *result.path;
  choosy.moves[0].choices.push_back(1);
  CHECK(!replay(*model.program, result.property, choosy).trace);

  for (program::PropertyId p = 0; p < model.program->properties.size(); ++p) {
    if (model.program->properties[p].name == "other") {
      CHECK(!replay(*model.program, p, *result.path).trace);
    }
  }
}

TEST_CASE("return codes carry the names that the text gives them") {
  const SmallModel model(
      "const OK = 0, BUSY_NOW = 16;\n"
      "object dev { bool full = true; }\n"
      "fn inner(dev d) : int in 0..16 { if (d.full) return BUSY_NOW; return OK; }\n"
      "fn outer(dev d) : int in 0..16 { int rc in 0..16 = inner(d); return rc; }\n"
      "thread t(dev d) { int rc in 0..16 = outer(d); assert rc == 0; }\n"
      "stack s { dev d {}; run t(d); }\n");
  const Trace trace = trace_of(model, "assert");
  REQUIRE(trace.steps.size() == 1);
  const TraceStep& step = trace.steps[0];
  REQUIRE(step.calls.size() == 2);
  CHECK(step.function == "outer");
  CHECK(return_text(step, 0, *model.program, model.sources) == "BUSY_NOW");
  CHECK(return_text(step, 1, *model.program, model.sources) == "BUSY_NOW");
}

TEST_CASE("two threads of one name are told apart") {
  const SmallModel model(
      "object cell { int n in 0..5 = 0; }\n"
      "thread up(cell c) { pause; c.n += 1; pause; }\n"
      "property small { always forall c in cell: c.n <= 1; }\n"
      "stack s { cell a {}; run up(a) for i in 0..1; check small; }\n");
  const Trace trace = trace_of(model, "small");
  REQUIRE(trace.steps.size() == 2);
  CHECK(trace.steps[0].thread != trace.steps[1].thread);
}

}  // namespace
}  // namespace txproof::counterexamples
