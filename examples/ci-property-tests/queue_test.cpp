// What a project's own CI runs: its model by random runs, its code beside the model.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "queue.h"

#include <doctest/doctest.h>
#include <harness/conformance.h>
#include <harness/random_test.h>

#include <memory>

using namespace txproof::harness;

TEST_CASE("the model: senders that obey the marks lose nothing and are woken") {
  RandomTestOptions options;
  options.parameters = {{"SENDERS", {1, 30}}, {"HIGH", {1, 40}}, {"LOW", {0, 0}}};
  const Result result =
      check_random(Model::load(MODELS "/queue.tx", {.stack = "senders"}), options);
  CHECK_MESSAGE(result, result.message);
}

TEST_CASE("the model: a low mark at the high one or above is fine too") {
  RandomTestOptions options;
  options.parameters = {{"HIGH", {1, 4}}, {"LOW", {0, 9}}};
  const Result result =
      check_random(Model::load(MODELS "/queue.tx", {.stack = "senders"}), options);
  CHECK_MESSAGE(result, result.message);
}

TEST_CASE("the code does what the model says") {
  const Model model = Model::load(MODELS "/queue.tx", {.stack = "port"});
  const Port port{"user", {"p.op", "p.packet"}, {"p.answer"}};
  const Result result = conforms(model, port, [] {
    const auto queue = std::make_shared<Queue>();
    return [queue](const Values& command) -> Values {
      switch (command[0]) {
        case 1:
          return {queue->push(static_cast<int>(command[1])) ? 1 : 0};
        case 2:
          return {queue->pop().value_or(-1)};
        default:
          return {queue->stopped() ? 1 : 0};
      }
    };
  });
  CHECK_MESSAGE(result, result.message);
}

TEST_CASE("the models that come with txproof are found") {
  const Model bonding =
      Model::load(library_folder() + "/model/stacks/bonding.tx", {.set = {{"SOCKETS", 2}}});
  RandomTestOptions options;
  options.tests = 10;
  const Result result = check_random(bonding, options);
  CHECK_MESSAGE(result, result.message);
}
