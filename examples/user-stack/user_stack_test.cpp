// A stack with backpressure of its own beside its model, and the model by itself at sizes that
// nobody searches.
#include "examples/user-stack/user_stack.h"

#include <doctest/doctest.h>

#include <memory>
#include <random>

#include "harness/conformance.h"
#include "harness/random_test.h"

using namespace txproof::harness;
using example::StackBug;
using example::UserStack;

namespace {

constexpr std::int64_t send = 1;  // as op_t in stack.tx

Model model() { return Model::load(EXAMPLES "/user-stack/stack.tx"); }

const Port port{"user", {"p.op", "p.which"}, {"p.answer"}};

Result compare(StackBug bug) {
  return conforms(model(), port, [bug] {
    const auto numbers = std::make_shared<std::minstd_rand>(7);
    const auto stack = std::make_shared<UserStack>(
        [numbers](std::size_t in_flight) { return (*numbers)() % (in_flight + 1); }, bug);
    return [stack](const Values& command) -> Values {
      if (command[0] == send) {
        return {static_cast<std::int64_t>(stack->send(static_cast<std::size_t>(command[1])))};
      }
      return {static_cast<std::int64_t>(stack->poll())};
    };
  });
}

}  // namespace

TEST_CASE("user stack: the clean one passes, whatever the device does") {
  const Result result = compare(StackBug::none);
  CHECK_MESSAGE(result, result.message);
  CHECK(result.steps > 5000);
}

TEST_CASE("user stack: a drop that keeps its credit is found where the socket blocks too early") {
  const Result result = compare(StackBug::drop_keeps_credit);
  CHECK_FALSE(result);
  CHECK(result.message.find("the model allows there") != std::string::npos);
}

TEST_CASE("user stack: its model, with random sizes") {
  RandomTestOptions options;
  options.parameters = {{"CREDIT", {1, 30}}, {"LIMIT", {1, 40}}, {"RING", {1, 20}}};
  options.tests = 60;
  const Result result = check_random(model(), options);
  CHECK_MESSAGE(result, result.message);
}
