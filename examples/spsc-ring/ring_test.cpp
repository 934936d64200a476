// The ring beside its model: command by command, and with two threads at once.
#include "examples/spsc-ring/ring.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>

#include "harness/conformance.h"
#include "harness/linearizability.h"

using namespace txproof::harness;
using example::RingBug;
using example::SpscRing;

namespace {

constexpr std::int64_t push = 1;  // as op_t in ring.tx
constexpr std::int64_t nothing = -1;
constexpr std::size_t size = 3;

Model model() { return Model::load(EXAMPLES "/spsc-ring/ring.tx", {.set = {{"SIZE", size}}}); }

const Port port{"user", {"p.op", "p.value"}, {"p.answer"}};

std::string describe(const Values& command, const Values& answer) {
  const std::string gives = answer[0] == nothing ? "no" : std::to_string(answer[0]);
  return command[0] == push ? "push(" + std::to_string(command[1]) + ") -> " + gives
                            : "pop() -> " + gives;
}

Values run(SpscRing& ring, const Values& command) {
  if (command[0] == push) {
    return {ring.push(static_cast<int>(command[1])) ? 0 : nothing};
  }
  return {ring.pop().value_or(nothing)};
}

Result alone(RingBug bug) {
  ConformanceOptions options;
  options.describe = describe;
  return conforms(
      model(), port,
      [bug] {
        const auto ring = std::make_shared<SpscRing>(size, bug);
        return [ring](const Values& command) { return run(*ring, command); };
      },
      options);
}

Result together(RingBug bug) {
  ConcurrentOptions options;
  options.describe = describe;
  options.rounds = 300;
  options.role = [](unsigned thread, const Values& command) {
    return (thread == 0) == (command[0] == push);  // one producer, one consumer
  };
  return check_concurrent(
      model(), port,
      [bug] {
        const auto ring = std::make_shared<SpscRing>(size, bug, [] { std::this_thread::yield(); });
        return [ring](unsigned /*thread*/, const Values& command) { return run(*ring, command); };
      },
      options);
}

}  // namespace

TEST_CASE("ring: the clean one passes, alone and with two threads") {
  const Result sequential = alone(RingBug::none);
  CHECK_MESSAGE(sequential, sequential.message);
  CHECK(sequential.steps > 5000);
  const Result concurrent = together(RingBug::none);
  CHECK_MESSAGE(concurrent, concurrent.message);
  CHECK(concurrent.tests == 300);
}

TEST_CASE("ring: a value too many is found by the shortest sequence") {
  const Result result = alone(RingBug::one_too_many);
  CHECK_FALSE(result);
  // Four pushes fill a ring of three.
  CHECK(result.message.find("4  push(") != std::string::npos);
  CHECK(result.message.find("5  ") == std::string::npos);
  CHECK(result.message.find("the model allows there") != std::string::npos);
}

TEST_CASE("ring: publishing early is invisible to one thread and found with two") {
  const Result sequential = alone(RingBug::published_early);
  CHECK_MESSAGE(sequential, sequential.message);
  // The two threads must meet at the one bad moment, which a busy machine may put off.
  Result concurrent = together(RingBug::published_early);
  for (int again = 0; again < 50 && concurrent; ++again) {
    concurrent = together(RingBug::published_early);
  }
  CHECK_FALSE(concurrent);
  CHECK(concurrent.message.find("no order of these operations") != std::string::npos);
}
