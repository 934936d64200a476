// properties/driver-rules.tx: each rule has a smallest driver in tests/scenario/rules/ that breaks
// it and no other, with a twin that keeps all of them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/check_report.h"
#include "tests/support/files.h"

namespace txproof::test {
namespace {

// As the pack lists them, in the order of the alphabet.
const std::vector<std::string> rules = {
    "answer_agrees",   "backlog_is_content", "busy_untouched",   "bytes_match",
    "charge_returns",  "doorbell_rung",      "freed_in_time",    "no_reschedule_storm",
    "quiet_when_down", "recheck_after_stop", "stop_before_full", "wake_with_room"};

std::string broken_rules(const CheckReport& report) {
  std::string broken;
  for (const std::string& rule : rules) {
    if (!report.at(rule).holds) broken += (broken.empty() ? "" : ", ") + rule;
  }
  return broken;
}

}  // namespace

TEST_CASE("each rule for drivers is broken by its driver alone, and kept by the twin") {
  for (const std::string& rule : rules) {
    CAPTURE(rule);
    const std::string stack = "tests/scenario/rules/" + rule + ".tx";
    CHECK(broken_rules(check_stack({.stack = stack})) == rule);
    const CheckReport twin = check_stack({.stack = stack, .set = {{"FIXED", 1}}});
    CHECK(violated(twin).empty());
    CHECK_FALSE(twin.at(rule).vacuous);
  }
}

TEST_CASE("each rule for drivers has its driver and its page, of one form") {
  const std::vector<std::string> parts = {
      "## What it says",        "## Why",
      "## Where it comes from", "## The smallest driver that breaks it",
      "## What is assumed",     "## How to silence it"};
  for (const std::string& rule : rules) {
    CAPTURE(rule);
    const std::string page = read_file(source_folder() / ("docs/rules/" + rule + ".md"));
    const std::string model = read_file(source_folder() / ("tests/scenario/rules/" + rule + ".tx"));
    CHECK(page.find(model.substr(model.find("import"))) != std::string::npos);
    std::size_t at = 0;
    for (const std::string& part : parts) {
      CAPTURE(part);
      at = page.find(part, at);
      REQUIRE(at != std::string::npos);
    }
  }
}

TEST_CASE(
    "a stack that has only checks is a list of checks, and what is named twice is checked once") {
  const CheckReport report = check_stack(
      {.stack = "tests/scenario/rules/busy_untouched.tx", .properties = {"busy_untouched"}});
  CHECK(report.count("answer_agrees") == 0);
  CHECK_FALSE(report.at("busy_untouched").holds);
}

TEST_CASE("r8169: a packet that cannot be mapped leaves the doorbell of those before it unrung") {
  const std::string stack = "model/stacks/driver-r8169.tx";
  CHECK(broken_rules(check_stack({.stack = stack})) == "bytes_match, doorbell_rung, freed_in_time");
  for (const int down : {0, 1}) {
    for (const auto* cure : {"MAPFAIL", "FIXED"}) {
      const int value = std::string(cure) == "FIXED" ? 1 : 0;
      const CheckReport report =
          check_stack({.stack = stack, .set = {{cure, value}, {"DOWN", down}}});
      CHECK(violated(report).empty());
      CHECK_FALSE(report.at("doorbell_rung").vacuous);
    }
  }
}

}  // namespace txproof::test
