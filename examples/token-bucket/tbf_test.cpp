// C code beside a model that leaves some of its answers open.
#include "examples/token-bucket/tbf.h"

#include <doctest/doctest.h>

#include <memory>

#include "harness/conformance.h"
#include "harness/random_test.h"

using namespace txproof::harness;

namespace {

enum Op : std::int64_t { enqueue = 1, dequeue = 2, tick = 3 };  // as op_t in tbf.tx

Model model() { return Model::load(EXAMPLES "/token-bucket/tbf.tx"); }

const Port port{"user", {"p.op", "p.length"}, {"p.answer"}};

Result compare(tbf_bug bug, const std::string& again = "") {
  ConformanceOptions options;
  options.reproduce = again;
  unsigned noise = 0;
  return conforms(
      model(), port,
      [bug, noise]() mutable {
        const auto q = std::make_shared<tbf>();
        tbf_init(q.get(), bug, noise++);
        return [q](const Values& command) -> Values {
          switch (command[0]) {
            case enqueue:
              return {tbf_enqueue(q.get(), static_cast<int>(command[1]))};
            case dequeue:
              return {tbf_dequeue(q.get())};
            default:
              tbf_tick(q.get());
              return {0};
          }
        };
      },
      options);
}

}  // namespace

TEST_CASE("token bucket: the clean one passes, whenever it drops early") {
  const Result result = compare(TBF_CLEAN);
  CHECK_MESSAGE(result, result.message);
  CHECK(result.steps > 5000);
}

TEST_CASE("token bucket: tokens beyond the burst are found, and found again") {
  const Result result = compare(TBF_NO_BURST);
  CHECK_FALSE(result);
  CHECK(result.message.find("the model allows there") != std::string::npos);
  CHECK_FALSE(compare(TBF_NO_BURST, result.reproduce));
  CHECK(compare(TBF_CLEAN, result.reproduce));
}

TEST_CASE("token bucket: the model itself, by random runs") {
  const Result result = check_random(model());
  CHECK_MESSAGE(result, result.message);
}
