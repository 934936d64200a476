// The further defects X1 to X10 of docs/further-defects.md: the verdict before and after.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

using Settings = std::vector<std::pair<std::string, int>>;
using Patches = std::vector<std::string>;

CheckReport check(const std::string& stack, const Patches& patches, const Settings& set = {}) {
  CheckRequest request{.stack = "model/stacks/" + stack + ".tx", .set = set};
  for (const std::string& patch : patches) {
    request.patches.push_back("model/patches/" + patch + ".patch");
  }
  CAPTURE(words_of(request));
  return check_stack(request);
}

std::string violated_in(const std::string& stack, const Patches& patches,
                        const Settings& set = {}) {
  return violated(check(stack, patches, set));
}

}  // namespace

TEST_CASE("X1: a packet that validation has freed is parked") {
  CHECK(violated_in("validation", {}).empty());
  CHECK(violated_in("validation", {"validation-fails"}) == "no_lost_wakeup");
  CHECK(violated_in("validation", {"validation-fails", "no-null-requeue"}).empty());
}

TEST_CASE("X2: the flag is tested before the charge is given back") {
  for (int cwnd = 2; cwnd <= 4; ++cwnd) {
    CAPTURE(cwnd);
    const Settings set{{"CWND", cwnd}};
    CHECK(violated_in("tsq-wfree", {}, set) == "flow_reopened");
    // The order in tcp_wfree is not all: the tasklet still counts as queued when it has sent.
    CHECK(violated_in("tsq-wfree", {"tcp-wfree-order"}, set) == (cwnd == 2 ? "" : "flow_reopened"));
    CHECK(violated_in("tsq-wfree", {"tcp-wfree-order", "tsq-queued-first"}, set).empty());
  }
}

TEST_CASE("X3: the softirq spins while the ring is full") {
  for (const int most : {0, 1, 5, 20}) {
    CAPTURE(most);
    const Settings set{{"MOST", most}};
    CHECK(violated_in("full-ring", {}, set).empty());
    CHECK(violated_in("full-ring", {"qdisc-run-lost-xoff"}, set) == "bounded_requeues");
    CHECK(violated_in("full-ring", {"qdisc-run-lost-xoff", "qdisc-run-xoff-test"}, set).empty());
  }
  CHECK(violated_in("full-ring", {}, {{"COLLIDE", 2}}) == "bounded_requeues");
  CHECK(violated_in("full-ring", {}, {{"COLLIDE", 2}, {"MOST", 1}}).empty());
}

TEST_CASE("X4: a driver that frees a packet and answers with an errno") {
  CHECK(violated_in("errno-driver", {}) == "own.linear");
  CHECK(violated_in("errno-driver", {"dev-xmit-complete"}).empty());
}

TEST_CASE("X5: the last charges wait for a timer or the next send") {
  const auto rate = [](const Patches& patches, const Settings& set) {
    return check("virtio-timer", patches, set).at("utilisation").value;
  };
  CHECK(rate({}, {{"W", 1}}) == "1/10");
  CHECK(rate({}, {{"W", 2}}) == "1/5");
  CHECK(rate({}, {{"W", 1}, {"TIMER", 20}}) == "1/20");
  CHECK(rate({}, {{"NOTIFY", 1}}) == "1");
  CHECK(rate({"virtio-orphan"}, {}) == "1");
  CHECK(violated_in("virtio-timer", {}, {{"TIMER", 0}}) == "deadlock");
  CHECK(violated_in("virtio-timer", {"virtio-orphan"}, {{"TIMER", 0}}).empty());
}

TEST_CASE("X6: a packet stuck in a lockless queue") {
  CHECK(violated_in("lockless", {}, {{"CPUS", 1}}).empty());
  for (const int cpus : {2, 3}) {
    CHECK(violated_in("lockless", {}, {{"CPUS", cpus}}) == "nothing_stuck");
    CHECK(violated_in("lockless", {"qdisc-missed-bit"}, {{"CPUS", cpus}}).empty());
  }
}

TEST_CASE("X7: segments behind a lost one are freed, or sent in vain") {
  for (const int segments : {2, 3}) {
    CHECK(violated_in("segments", {}, {{"K", segments}}) == "no_silent_loss");
    CHECK(violated_in("segments", {"segment-list-aborts"}, {{"K", segments}}) == "all_offered");
  }
  CHECK(violated_in("segments", {}, {{"K", 1}}).empty());
}

TEST_CASE("X8: a packet that is parked after BUSY is uncharged") {
  const Patches orphan{"skb-orphan-try"};
  CHECK(violated_in("ethernet", {}).empty());
  CHECK(violated_in("ethernet", orphan) == "bounded_in_flight, parked_is_charged");
  CHECK(violated_in("ethernet", orphan, {{"L", 2}}) == "parked_is_charged");
  CHECK(violated_in("ethernet", orphan, {{"BUSY", 0}}).empty());
  CHECK(check("ethernet", {}).at("bounded_in_flight").value == "2");
  CHECK(check("ethernet", orphan).at("bounded_in_flight").value == "3");
  CHECK(violated_in("ethernet", {"skb-orphan-try", "skb-orphan-try-removed"}).empty());
}

TEST_CASE("X9: a parked packet that qlen does not count") {
  const Patches slot{"requeue-slot", "slot-tests-xoff"};
  Patches counted = slot;
  counted.emplace_back("requeue-counted");
  for (const int limit : {1, 2}) {
    const Settings set{{"L", limit}, {"W", limit + 2}};
    CHECK(violated_in("parked-packet", {}, set).empty());
    CHECK(violated_in("parked-packet", slot, set) == "limit_kept, qlen_counts_all");
    CHECK(violated_in("parked-packet", counted, set).empty());
    // With room for every packet the limit is not met, the count is wrong all the same.
    CHECK(violated_in("parked-packet", slot, {{"L", limit}, {"W", limit + 1}}) ==
          "qlen_counts_all");
  }
}

TEST_CASE("X10: one packet handed back at every stop") {
  CHECK(violated_in("stop-requeue", {}, {{"MOST", 0}}) == "bounded_requeues");
  CHECK(violated_in("stop-requeue", {}, {{"MOST", 1}}).empty());
  CHECK(violated_in("stop-requeue", {"onetxqueue-stopped"}, {{"MOST", 0}}).empty());
  // pfifo_fast may be bypassed: one packet is still handed back at every stop.
  for (const Patches& patches : {Patches{}, Patches{"onetxqueue-stopped"}}) {
    CHECK(violated_in("stop-requeue-bypass", patches, {{"MOST", 0}}) == "bounded_requeues");
    CHECK(violated_in("stop-requeue-bypass", patches, {{"MOST", 1}}).empty());
  }
}

}  // namespace txproof::test
