// The lockless pfifo_fast of 6.x and the virtio driver over it: model/stacks/device-pfifo-fast.tx
// and device-virtio.tx. Each part of the hand-over of a mark has a mutant that lacks it and loses a
// packet.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"
#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using Settings = std::vector<std::pair<std::string, int>>;

std::string mutant(const std::string& name) { return "tests/scenario/mutants/" + name + ".patch"; }

CheckReport check_pfifo_fast(const Settings& set, const std::vector<std::string>& patches = {}) {
  return check_stack(
      {.stack = "model/stacks/device-pfifo-fast.tx", .patches = patches, .set = set});
}

CheckReport check_virtio(const Settings& set) {
  const CheckRequest request{.stack = "model/stacks/device-virtio.tx", .set = set};
  CAPTURE(words_of(request));
  CheckReport report = check_stack(request);
  CHECK_FALSE(report.at("requeue_bound").vacuous);
  return report;
}

// The exit status of no_lost_wakeup in fine steps, with pfifo and a ring of one packet.
int fine_wakeup(const std::vector<std::string>& patches) {
  std::vector<std::string> words{
      "check",        (source_folder() / "model/stacks/device-virtio.tx").string(),
      "--interleave", "fine",
      "--property",   "no_lost_wakeup",
      "--property",   "deadlock"};
  for (const auto* set : {"W=1", "L=1", "RING=2", "PFIFO=1"}) {
    words.emplace_back("--set");
    words.emplace_back(set);
  }
  for (const auto& patch : patches) {
    words.emplace_back("--patch");
    words.push_back((source_folder() / patch).string());
  }
  return run_txproof(words).exit_code;
}

}  // namespace

TEST_CASE("pfifo_fast without a lock: nothing is left behind, and each mutant leaves something") {
  CHECK(violated(check_pfifo_fast({{"PACKETS", 2}})).empty());
  const Settings two{{"PACKETS", 2}};
  CHECK(violated(check_pfifo_fast(two, {mutant("nolock-one-try")})) == "no_lost_wakeup");
  CHECK(violated(check_pfifo_fast(two, {mutant("nolock-no-second-look")})) == "no_lost_wakeup");
}

TEST_CASE("pfifo_fast without a lock: a wake-up between the look at the device and the mark") {
  CHECK_FALSE(
      check_pfifo_fast({{"PACKETS", 3}}, {mutant("nolock-mark-lost")}).at("no_lost_wakeup").holds);
}

TEST_CASE("virtio 6.x: charged until the host has sent it, with transmit NAPI") {
  struct {
    int ring, w, l;
  } const sizes[] = {{4, 4, 4}, {6, 5, 5}};
  for (const auto& [ring, w, l] : sizes) {
    for (const int napi : {0, 1}) {
      const int most = napi == 1 ? w : w + ring / 2;
      const Settings set{{"RING", ring}, {"W", w}, {"L", l}, {"NAPI", napi}};
      Settings tight = set;
      tight.emplace_back("MOST", most);
      const CheckReport report = check_virtio(tight);
      CHECK(violated(report).empty());
      CHECK(report.at("bounded_in_flight").value == std::to_string(most));
      tight.back().second = most - 1;
      CHECK(violated(check_virtio(tight)) == "bounded_in_flight");
    }
  }
}

TEST_CASE("virtio 6.x: a mark that stays keeps a lockless queue from being bypassed at each stop") {
  for (const int pfifo : {0, 1}) {
    const int packets = pfifo == 1 ? 1 : 2;
    const Settings set{{"RING", 6}, {"PFIFO", pfifo}};
    Settings tight = set;
    tight.emplace_back("PACKETS", packets);
    const CheckReport report = check_virtio(tight);
    CHECK(violated(report).empty());
    CHECK(report.at("requeue_bound").value == (pfifo == 1 ? "1" : "1/2"));
    tight.back().second = packets + 1;
    CHECK(violated(check_virtio(tight)) == "requeue_bound");
  }
}

TEST_CASE("virtio 6.x: no wake-up is lost in fine steps, unless the poll does not look once more") {
  CHECK(fine_wakeup({}) == 0);
  CHECK(fine_wakeup({mutant("virtio-napi-once")}) == 1);
}

}  // namespace txproof::test
