// Every cell of the table of model/stacks/bonding.tx, against its closed form, for SOCKETS 1..3,
// W 1..3, L 1..4, R 1..2: as it was, with skb-orphan-try, with early-orphan-flag on top; and what
// a driver that hands packets back, or a sender that asks for timestamps, makes of it.
#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

enum class Variant { before, orphan_try, flag };

struct Size {
  int sockets = 1;
  int w = 2;
  int l = 3;
  int r = 2;
  [[nodiscard]] int charged() const { return sockets * w; }
};

using Verdicts = std::map<std::string, bool>;  // holds?

struct Outcome {
  Verdicts verdicts;
  std::size_t steps_to_loss = 0;  // of the trace of no_silent_loss; 0: it holds
  bool only_sends = true;         // every step of that trace is one of a sender
};

std::string words_of(const Size& size) {
  return "SOCKETS " + std::to_string(size.sockets) + ", W " + std::to_string(size.w) + ", L " +
         std::to_string(size.l) + ", R " + std::to_string(size.r);
}

std::vector<std::string> check_command(Variant variant, const Size& size,
                                       const std::vector<std::string>& settings) {
  std::vector<std::string> command{"check", "model/stacks/bonding.tx", "--format", "json"};
  const auto add = [&](const char* option, const std::string& value) {
    command.insert(command.end(), {option, value});
  };
  if (variant != Variant::before) add("--patch", "model/patches/skb-orphan-try.patch");
  if (variant == Variant::flag) add("--patch", "model/patches/early-orphan-flag.patch");
  add("--set", "SOCKETS=" + std::to_string(size.sockets));
  add("--set", "W=" + std::to_string(size.w));
  add("--set", "L=" + std::to_string(size.l));
  add("--set", "R=" + std::to_string(size.r));
  for (const std::string& setting : settings) add("--set", setting);
  return command;
}

Outcome outcome(Variant variant, const Size& size, const std::vector<std::string>& settings) {
  const RunResult run =
      run_txproof(check_command(variant, size, settings), {.folder = source_folder()});
  if (run.exit_code != 0 && run.exit_code != 1) throw std::runtime_error(run.err);
  const auto report = nlohmann::json::parse(run.out);
  Outcome found;
  for (const auto& result : report.at("results")) {
    const auto verdict = result.at("verdict").get<std::string>();
    if (verdict == "inconclusive") throw std::runtime_error("inconclusive:\n" + run.out);
    const auto property = result.at("property").get<std::string>();
    found.verdicts[property] = verdict == "holds";
    if (property != "no_silent_loss" || verdict == "holds") continue;
    const auto& steps = result.at("trace").at("steps");
    found.steps_to_loss = steps.size();
    for (const auto& step : steps) {
      const auto thread = step.at("thread").get<std::string>();
      found.only_sends = found.only_sends && thread.starts_with("udp_sender");
    }
  }
  return found;
}

// The table; all that it does not name holds.
Verdicts expected(Variant variant, const Size& size, bool hands_back) {
  Verdicts verdicts{{"no_silent_uncharged_drop", true},
                    {"bounded_in_flight", true},
                    {"no_silent_loss", true},
                    {"charge_conserved", true},
                    {"no_lost_wakeup", true},
                    {"own.linear", true},
                    {"range", true},
                    {"lock", true},
                    {"deadlock", true},
                    {"assert", true}};
  switch (variant) {
    case Variant::before:
      verdicts["no_silent_loss"] = size.charged() <= (hands_back ? size.l : size.l + size.r - 1);
      break;
    case Variant::orphan_try:
      verdicts["no_silent_uncharged_drop"] = false;
      verdicts["bounded_in_flight"] = size.l <= size.charged();
      verdicts["no_silent_loss"] = false;
      break;
    case Variant::flag:
      verdicts["no_silent_loss"] = size.charged() + (hands_back ? 1 : 0) <= size.l;
      // The packet that the driver handed back is orphaned and yet outside the ring.
      if (hands_back) verdicts["bounded_in_flight"] = size.l <= size.charged();
      break;
  }
  return verdicts;
}

std::vector<Size> all_sizes() {
  std::vector<Size> sizes;
  for (int sockets = 1; sockets <= 3; ++sockets) {
    for (int w = 1; w <= 3; ++w) {
      for (int l = 1; l <= 4; ++l) {
        for (int r = 1; r <= 2; ++r) sizes.push_back({sockets, w, l, r});
      }
    }
  }
  return sizes;
}

// Compares what the check says with the table; properties that a report leaves out must hold.
void compare(const Outcome& found, const Verdicts& table) {
  for (const auto& verdict : found.verdicts) {
    CAPTURE(verdict.first);
    REQUIRE(table.contains(verdict.first));
    CHECK(verdict.second == table.at(verdict.first));
  }
  for (const auto& row : table) {
    CAPTURE(row.first);
    CHECK((row.second || found.verdicts.contains(row.first)));
  }
  for (const char* asked :
       {"no_silent_uncharged_drop", "bounded_in_flight", "no_silent_loss", "charge_conserved"}) {
    CHECK(found.verdicts.contains(asked));
  }
}

}  // namespace

TEST_CASE("the bonding table: 2.6.34") {
  for (const Size& size : all_sizes()) {
    CAPTURE(words_of(size));
    compare(outcome(Variant::before, size, {}), expected(Variant::before, size, false));
  }
}

TEST_CASE("the bonding table: skb-orphan-try loses a packet after exactly R + L + 1 sends") {
  for (const Size& size : all_sizes()) {
    CAPTURE(words_of(size));
    const Outcome found = outcome(Variant::orphan_try, size, {});
    compare(found, expected(Variant::orphan_try, size, false));
    CHECK(found.steps_to_loss == static_cast<std::size_t>(size.r + size.l + 1));
    CHECK(found.only_sends);
  }
}

TEST_CASE("the bonding table: early-orphan-flag") {
  for (const Size& size : all_sizes()) {
    CAPTURE(words_of(size));
    compare(outcome(Variant::flag, size, {}), expected(Variant::flag, size, false));
  }
}

TEST_CASE("the bonding table with a driver that hands packets back") {
  for (const Size& size : all_sizes()) {
    if (size.charged() > 4) continue;
    CAPTURE(words_of(size));
    for (const Variant variant : {Variant::before, Variant::flag}) {
      compare(outcome(variant, size, {"BUSY=1"}), expected(variant, size, true));
    }
  }
}

TEST_CASE("a sender that asks for timestamps does not show the regression") {
  for (const Variant variant : {Variant::before, Variant::orphan_try, Variant::flag}) {
    const Size size;
    compare(outcome(variant, size, {"TSTAMP=1"}), expected(Variant::before, size, false));
  }
}

TEST_CASE("the proposal still loses packets of two sockets") {
  const Outcome found = outcome(Variant::flag, {.sockets = 2}, {});
  CHECK_FALSE(found.verdicts.at("no_silent_loss"));
}

}  // namespace txproof::test
