// Property tests of models: what is broken is found, made small, and can be made to happen again.
#include "harness/random_test.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "tests/support/files.h"

using namespace txproof::harness;
using txproof::test::source_folder;

namespace {

std::string in_tree(const std::string& path) { return (source_folder() / path).string(); }

Model bonding(const std::vector<std::string>& patches = {}) {
  ModelOptions options;
  for (const std::string& patch : patches) options.patches.push_back(in_tree(patch));
  return Model::load(in_tree("model/stacks/bonding.tx"), options);
}

std::size_t moves_of(const std::string& reproduce) {
  const std::string moves = reproduce.substr(reproduce.rfind('|') + 1);
  return static_cast<std::size_t>(std::count(moves.begin(), moves.end(), ' ')) + 1;
}

}  // namespace

TEST_CASE("bonding as it was: nothing breaks where it does not lose") {
  RandomTestOptions options;
  options.tests = 40;
  options.steps = 500;
  const Result result = check_random(bonding(), options);
  CHECK_MESSAGE(result, result.message);
  CHECK(result.tests == 40);
  CHECK(result.steps == 40 * 500);
}

TEST_CASE("bonding with the patch: found at random sizes, shrunk to the least, with the trace") {
  RandomTestOptions options;
  options.parameters = {{"SOCKETS", {1, 8}}, {"W", {1, 6}}, {"L", {1, 6}}, {"R", {1, 4}}};
  const Model model = bonding({"model/patches/skb-orphan-try.patch"});
  const Result result = check_random(model, options);
  REQUIRE_FALSE(result);
  // By the table of the stack: with one socket, one packet of ring and one of queue, the third
  // send finds the queue full (the one that the ring has no room for is parked) or the fourth.
  CHECK(result.reproduce.find("|L=1,R=1,SOCKETS=1,W=1|") != std::string::npos);
  CHECK(moves_of(result.reproduce) <= 4);
  CHECK(result.message.find("no shorter way breaks it") != std::string::npos);
  CHECK(result.message.find("reproduce: " + result.reproduce) != std::string::npos);

  const Result again = reproduce(model, result.reproduce);
  CHECK_FALSE(again);
  CHECK(again.message.find("kfree_skb") != std::string::npos);
  // Without the patch the same way breaks nothing, or cannot be gone.
  CHECK(reproduce(bonding(), result.reproduce));
}

TEST_CASE("the same seed gives the same") {
  RandomTestOptions options;
  options.parameters = {{"L", {1, 9}}};
  options.seed = 77;
  const Model model = bonding({"model/patches/skb-orphan-try.patch"});
  CHECK(check_random(model, options).reproduce == check_random(model, options).reproduce);
}

TEST_CASE("a deep fault of a counter: random runs reach it, and the way is as long as it must be") {
  const Model model = Model::from_text(
      "object o { int n in 0..40 = 0; }\n"
      "thread up(o q) { loop { pause; either { q.n += 1; } or { q.n = 0; } } }\n"
      "thread other(o q) { loop { pause; } }\n"
      "property p { always forall k in o: k.n < 6; }\n"
      "stack s { o q {}; run up(q); run other(q); check p; }\n");
  const Result result = check_random(model);
  REQUIRE_FALSE(result);
  CHECK(moves_of(result.reproduce) == 6);
  CHECK_FALSE(reproduce(model, result.reproduce));
}

TEST_CASE("models that cannot be used are told as the command tells them") {
  const auto said = [](const auto& action) -> std::string {
    try {
      action();
    } catch (const ModelError& error) {
      return error.what();
    }
    return "nothing";
  };
  CHECK(said([] { Model::from_text("stack s { run nobody(); }"); }).find("error") !=
        std::string::npos);
  CHECK(said([] {
          static_cast<void>(bonding().with({{"SOCKTES", 2}}));
        }).find("no parameter 'SOCKTES'") != std::string::npos);
  CHECK(said([] {
          static_cast<void>(bonding().with({{"W", 0}}));
        }).find("TX") != std::string::npos);
  CHECK(said([] { reproduce(bonding(), "rubbish"); }).find("no run") != std::string::npos);
  CHECK(said([] { Model::load("there-is-no-such-file.tx"); }).find("error") != std::string::npos);
}

TEST_CASE("parameters that an assumption forbids are drawn again") {
  const Model model = Model::from_text(
      "object o { int n in 0..1 = 0; }\n"
      "thread t(o q) { loop { pause; q.n = 1 - q.n; } }\n"
      "property p { always forall k in o: k.n <= 1; }\n"
      "stack s { param int A in 1..8 = 8; assume A > 3; o q {}; run t(q); check p; }\n");
  RandomTestOptions options;
  options.parameters = {{"A", {1, 8}}};
  options.tests = 20;
  const Result result = check_random(model, options);
  CHECK_MESSAGE(result, result.message);
  CHECK(result.tests == 20);
}
