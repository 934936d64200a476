// Stacks with unknown parameters, pinned at the sizes of the tables: what is violated at a size is
// violated with unknown parameters at that size (the abstraction is sound), and what holds there
// holds (in these stacks order does not matter). States are at most as many.
#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "checker/explicit/search.h"
#include "tests/support/engine/stack_program.h"

namespace txproof::test {
namespace {

struct Outcome {
  std::map<std::string, bool> holds;
  std::uint64_t states = 0;
};

Outcome explored(const program::Program& program) {
  checker::SearchOptions all;
  all.stop_when_decided = false;
  const properties::Exploration found = checker::explore(program, all);
  REQUIRE(found.complete);
  Outcome outcome;
  outcome.states = found.states;
  for (const properties::Result& result : found.results) {
    outcome.holds[program.properties[result.property].instance] =
        result.verdict == properties::Verdict::holds;
  }
  return outcome;
}

void compare(const std::string& stack, const std::vector<std::string>& patches,
             const std::map<std::string, program::Word>& set) {
  std::string size = stack;
  for (const std::string& patch : patches) size += " " + patch;
  for (const auto& value : set) size += " " + value.first + "=" + std::to_string(value.second);
  CAPTURE(size);
  program::ElaborateOptions options;
  options.set = set;
  const Outcome concrete = explored(*stack_program(stack, patches, options));
  options.for_all = {"W", "L", "R"};
  const Outcome pinned = explored(*stack_program(stack, patches, options));
  CHECK(pinned.states <= concrete.states);
  CHECK(pinned.holds == concrete.holds);
}

const std::string bonding = "model/stacks/bonding.tx";
const std::string gso = "model/stacks/gso-udp.tx";
const std::string orphan_try = "model/patches/skb-orphan-try.patch";
const std::string flag = "model/patches/early-orphan-flag.patch";

TEST_CASE("bonding with W, L and R unknown, pinned, is as its table says") {
  const std::vector<std::vector<std::string>> variants = {{}, {orphan_try}, {orphan_try, flag}};
  for (const auto& patches : variants) {
    for (const program::Word busy : {0, 1}) {
      for (program::Word w = 1; w <= 3; ++w) {
        for (program::Word l = 1; l <= 4; ++l) {
          for (program::Word r = 1; r <= 2; ++r) {
            compare(bonding, patches, {{"W", w}, {"L", l}, {"R", r}, {"BUSY", busy}});
          }
        }
      }
    }
    for (const program::Word w : {1, 2}) {
      compare(bonding, patches, {{"SOCKETS", 2}, {"W", w}, {"L", 3}, {"R", 2}});
      compare(bonding, patches, {{"SOCKETS", 3}, {"W", 1}, {"L", 2 * w}, {"R", 1}});
    }
    compare(bonding, patches, {{"W", 2}, {"L", 2}, {"R", 2}, {"TSTAMP", 1}});
  }
}

TEST_CASE("gso-udp with W, L and R unknown, pinned, is as its table says, orphans aside") {
  for (program::Word w = 1; w <= 2; ++w) {
    for (program::Word l = 2; l <= 5; ++l) {
      for (program::Word r = 1; r <= 2; ++r) compare(gso, {}, {{"W", w}, {"L", l}, {"R", r}});
    }
  }
  compare(gso, {}, {{"SOCKETS", 2}, {"W", 1}, {"L", 3}, {"R", 1}});
}

// The last segment carries the charge, so which one comes first matters: what is violated must be,
// and more may be.
TEST_CASE("gso-udp whose last segment is charged: nothing that is violated gets lost") {
  const std::vector<std::string> patches = {"model/patches/skb-segment-owner.patch"};
  for (program::Word w = 1; w <= 2; ++w) {
    for (program::Word l = 1; l <= 4; ++l) {
      for (program::Word r = 1; r <= 2; ++r) {
        program::ElaborateOptions options;
        options.set = {{"W", w}, {"L", l}, {"R", r}};
        const Outcome concrete = explored(*stack_program(gso, patches, options));
        options.for_all = {"W", "L", "R"};
        const Outcome pinned = explored(*stack_program(gso, patches, options));
        for (const auto& verdict : concrete.holds) {
          CAPTURE(verdict.first);
          CHECK((verdict.second || !pinned.holds.at(verdict.first)));
        }
      }
    }
  }
}

// One socket in focus, the others as a sum: never fewer violations than with each for itself, and
// the three properties that a proof for any number of sockets is meant for hold where they do.
TEST_CASE("bonding with any number of sockets, pinned, is as with as many sockets") {
  const std::vector<std::vector<std::string>> variants = {{}, {orphan_try}};
  for (const auto& patches : variants) {
    for (program::Word sockets = 1; sockets <= 3; ++sockets) {
      for (program::Word l = 1; l <= 5; l += 2) {
        program::ElaborateOptions options;
        options.set = {{"SOCKETS", sockets}, {"W", 1}, {"L", l}, {"R", 1}};
        options.only_properties = {"bounded_in_flight", "charge_conserved",
                                   "no_silent_uncharged_drop"};
        const Outcome concrete = explored(*stack_program(bonding, patches, options));
        options.for_all = {"SOCKETS", "W", "L", "R"};
        const Outcome pinned = explored(*stack_program(bonding, patches, options));
        CAPTURE(sockets);
        CAPTURE(l);
        CHECK(pinned.holds.at("others"));
        for (const auto& verdict : concrete.holds) {
          if (verdict.first == "deadlock") continue;  // not served
          CAPTURE(verdict.first);
          CHECK(pinned.holds.at(verdict.first) == verdict.second);
        }
      }
    }
  }
}

}  // namespace
}  // namespace txproof::test
