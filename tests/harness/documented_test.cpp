// The failures that docs/harness.md shows are those that the examples give. With
// TXPROOF_UPDATE_DOCS=1 in the environment the document is written anew instead.
#include <doctest/doctest.h>

#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "examples/spsc-ring/ring.h"
#include "examples/user-stack/user_stack.h"
#include "harness/conformance.h"
#include "harness/random_test.h"
#include "tests/support/files.h"

using namespace txproof::harness;
using txproof::test::read_file;
using txproof::test::source_folder;
using txproof::test::write_file;

namespace {

std::string in_tree(const std::string& path) { return (source_folder() / path).string(); }

// Paths as they are in the tree, wherever that is.
std::string without_tree(std::string text) {
  const std::string tree = source_folder().string() + "/";
  for (std::size_t at = text.find(tree); at != std::string::npos; at = text.find(tree)) {
    text.erase(at, tree.size());
  }
  return text;
}

void is_documented(const std::string& name, const Result& result) {
  REQUIRE_FALSE(result);
  const std::string message = without_tree(result.message);
  const std::string file = in_tree("docs/harness.md");
  const std::string text = read_file(file);
  const std::string mark = "<!-- harness: " + name + " -->\n```\n";
  const std::size_t mark_at = text.find(mark);
  REQUIRE(mark_at != std::string::npos);
  const std::size_t begin = mark_at + mark.size();
  const std::size_t end = text.find("```", begin);
  if (std::getenv("TXPROOF_UPDATE_DOCS") != nullptr) {
    write_file(file, text.substr(0, begin) + message + text.substr(end));
  } else {
    CHECK(text.substr(begin, end - begin) == message);
  }
}

}  // namespace

TEST_CASE("documented: the patched bond at random sizes") {
  ModelOptions patched;
  patched.patches = {in_tree("model/patches/skb-orphan-try.patch")};
  RandomTestOptions options;
  options.parameters = {{"SOCKETS", {1, 8}}, {"W", {1, 6}}, {"L", {1, 6}}, {"R", {1, 4}}};
  is_documented("random",
                check_random(Model::load(in_tree("model/stacks/bonding.tx"), patched), options));
}

TEST_CASE("documented: a ring that takes one too many") {
  const Model model = Model::load(in_tree("examples/spsc-ring/ring.tx"));
  is_documented("ring", conforms(model, {"user", {"p.op", "p.value"}, {"p.answer"}}, [] {
                  const auto ring =
                      std::make_shared<example::SpscRing>(3, example::RingBug::one_too_many);
                  return [ring](const Values& command) -> Values {
                    if (command[0] == 1) return {ring->push(static_cast<int>(command[1])) ? 0 : -1};
                    return {ring->pop().value_or(-1)};
                  };
                }));
}

TEST_CASE("documented: a stack whose drops keep their credit") {
  const Model model = Model::load(in_tree("examples/user-stack/stack.tx"));
  is_documented("user-stack", conforms(model, {"user", {"p.op", "p.which"}, {"p.answer"}}, [] {
                  const auto stack = std::make_shared<example::UserStack>(
                      [](std::size_t in_flight) { return in_flight; },
                      example::StackBug::drop_keeps_credit);
                  return [stack](const Values& command) -> Values {
                    const auto socket = static_cast<std::size_t>(command[1]);
                    if (command[0] == 1) return {static_cast<int>(stack->send(socket))};
                    return {static_cast<std::int64_t>(stack->poll())};
                  };
                }));
}
