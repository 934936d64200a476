// Conformance beside models that leave answers open, move by themselves, or forbid commands.
#include "harness/conformance.h"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <string>

using namespace txproof::harness;

namespace {

// A counter that somebody else may set back at any time; `take` is not defined at 0.
const std::string counter =
    "enum op_t { NONE, ADD, TAKE, READ };\n"
    "object cell { int n in 0..4 = 0; }\n"
    "object port_t { op_t op = NONE; int answer in 0..4 = 0; }\n"
    "thread user(cell c, port_t p) { loop {\n"
    "  either { p.op = ADD; if (c.n < 4) c.n += 1; }\n"
    "  or { when c.n > 0: p.op = TAKE; c.n -= 1; }\n"
    "  or { p.op = READ; p.answer = c.n; } } }\n"
    "thread reset(cell c) { loop { pause; if (c.n == 3) c.n = 0; } }\n"
    "stack s { cell c {}; port_t p {}; run user(c, p); OTHER }\n";

Model model(bool with_reset) {
  std::string text = counter;
  const std::string mark = "OTHER";
  text.replace(text.find(mark), mark.size(), with_reset ? "run reset(c);" : "");
  return Model::from_text(text);
}

const Port port{"user", {"p.op"}, {"p.answer"}};

// The subject: what it does at 3 is its own affair.
MakeSubject subject(int at_three) {
  return [at_three] {
    const auto n = std::make_shared<int>(0);
    return [n, at_three](const Values& command) -> Values {
      if (command[0] == 1 && *n < 4) ++*n;
      if (command[0] == 2) --*n;
      if (command[0] == 2 && *n < 0) throw std::runtime_error("taken from nothing");
      if (*n == 3) *n = at_three;
      return {command[0] == 3 ? *n : 0};
    };
  };
}

}  // namespace

TEST_CASE("the oracle: states, commands and answers") {
  Oracle alone(model(false), port);
  const auto start = alone.closure(alone.start());
  CHECK(start.size() == 1);
  CHECK(alone.commands(start) == std::vector<Values>{{1}, {3}});  // nothing to take
  const auto one = alone.after(start, {1}, {0});
  CHECK(alone.commands(one) == std::vector<Values>{{1}, {2}, {3}});
  CHECK(alone.answers(one, {3}) == std::vector<Values>{{1}});
  CHECK(alone.after(one, {3}, {2}).empty());
  CHECK(alone.command_text({2}) == "p.op=TAKE");

  Oracle both(model(true), port);
  auto states = both.closure(both.start());
  for (int i = 0; i < 3; ++i) states = both.after(states, {1}, {0});
  CHECK(states.size() == 2);  // 3, or set back to 0
  CHECK(both.answers(states, {3}) == std::vector<Values>{{0}, {3}});
  CHECK(both.commands(states) == std::vector<Values>{{1}, {3}});  // take is not defined in both
  CHECK(both.after(states, {3}, {3}).size() == 2);                // it may be set back after it
  CHECK(both.after(states, {3}, {0}).size() == 1);
}

TEST_CASE("what the model may do by itself, the code may do") {
  CHECK(conforms(model(false), port, subject(3)));
  CHECK(conforms(model(true), port, subject(3)));
  CHECK(conforms(model(true), port, subject(0)));
  const Result wrong = conforms(model(false), port, subject(0));
  REQUIRE_FALSE(wrong);
  CHECK(wrong.reproduce == "1 1 1 3");  // three times add, then read
  CHECK(wrong.message.find("p.op=READ -> p.answer=0") != std::string::npos);
  CHECK(wrong.message.find("p.op=READ -> p.answer=3") != std::string::npos);
  CHECK_FALSE(conforms(model(true), port, subject(2)));
}

TEST_CASE("a throwing subject fails; a broken port is told") {
  const Result result = conforms(model(false), port, [] {
    return [](const Values& command) -> Values {
      if (command[0] == 2) throw std::runtime_error("no such thing");
      return {0};
    };
  });
  REQUIRE_FALSE(result);
  CHECK(result.message.find("no such thing") != std::string::npos);
  CHECK(result.reproduce == "1 2");
  CHECK_THROWS_AS(Oracle(model(false), Port{"user", {"p.po"}, {"p.answer"}}), ModelError);
  CHECK_THROWS_AS(Oracle(model(false), Port{"nobody", {"p.op"}, {"p.answer"}}), ModelError);
  CHECK_THROWS_AS(conforms(model(false), port, subject(3), {.reproduce = "1 x"}), ModelError);
  Oracle small(model(false), port, 2);
  CHECK_THROWS_AS(small.after(small.after({0}, {1}, {0}), {1}, {0}), ModelError);
}

TEST_CASE("a command that waits in its middle is refused; steps before a command are not") {
  const Model waits = Model::from_text(
      "object o { int n in 0..1 = 0; int op in 0..1 = 0; int answer in 0..2 = 0; }\n"
      "thread user(o q) { loop { pause; q.op = 1; wait q.n == 0; q.answer = 2; } }\n"
      "stack s { o q {}; run user(q); }\n");
  Oracle oracle(waits, Port{"user", {"q.op"}, {"q.answer"}});
  CHECK_THROWS_AS(oracle.after(oracle.closure(oracle.start()), {1}, {0}), ModelError);

  const Model before = Model::from_text(
      "object o { int n in 0..1 = 0; int op in 0..1 = 0; int answer in 0..2 = 0; }\n"
      "thread user(o q) { loop { pause; wait q.n == 0; q.op = 1; q.answer = 2; } }\n"
      "stack s { o q {}; run user(q); }\n");
  Oracle good(before, Port{"user", {"q.op"}, {"q.answer"}});
  const auto start = good.closure(good.start());
  CHECK(start.size() == 2);
  CHECK(good.commands(start) == std::vector<Values>{{1}});
  CHECK(good.answers(start, {1}) == std::vector<Values>{{2}});
}
