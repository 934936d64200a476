// The table of model/stacks/virtio.tx: the exact worst ratio of requeues to packets for each
// wake-up threshold, and that a bound one packet tighter is violated; what each variant of the
// driver makes of it.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

using Settings = std::vector<std::pair<std::string, int>>;

const std::string on_interrupt = "model/patches/virtio-wake-on-interrupt.patch";
const std::string no_orphan = "model/patches/virtio-no-orphan.patch";
const std::string cache_one = "model/patches/virtio-cache-one.patch";
const std::string drop_on_full = "model/patches/virtio-drop-on-full.patch";
const std::string tx_napi = "model/patches/virtio-tx-napi.patch";

CheckReport check(const std::vector<std::string>& patches, const Settings& set = {}) {
  return check_stack({.stack = "model/stacks/virtio.tx", .patches = patches, .set = set});
}

// The bound holds with exactly this worst ratio, and one packet more is too much to ask.
void check_exact_bound(const std::vector<std::string>& patches, int wake,
                       const std::string& worst) {
  CAPTURE(wake);
  const CheckReport report = check(patches, {{"WAKE", wake}});
  CHECK(report.at("requeue_bound").holds);
  CHECK_FALSE(report.at("requeue_bound").vacuous);
  CHECK(report.at("requeue_bound").value == worst);
  const CheckReport tighter = check(patches, {{"WAKE", wake}, {"TIGHTER", 1}});
  CHECK_FALSE(tighter.at("requeue_bound").holds);
  CHECK(tighter.at("requeue_bound").value == worst);
  CHECK(tighter.at("requeue_bound").steps > 0);
}

}  // namespace

TEST_CASE("virtio: requeues per packet, ring 8, two descriptors a packet, stop below 2") {
  check_exact_bound({}, 2, "1");
  check_exact_bound({}, 4, "1/2");
  check_exact_bound({}, 6, "1/3");
  check_exact_bound({}, 8, "1/4");
}

TEST_CASE("virtio: what 2.6.32 wakes on any interrupt is stopped by the next packet") {
  for (const int wake : {2, 6}) {
    const CheckReport report = check({on_interrupt}, {{"WAKE", wake}});
    CHECK(report.at("requeue_bound").value == "1");
    CHECK(report.at("requeue_bound").holds == (wake == 2));
    CHECK(report.at("no_silent_loss").holds);
  }
}

TEST_CASE("virtio: the ring is not charged, so what is in flight exceeds the send buffer by it") {
  for (const auto& patches : std::vector<std::vector<std::string>>{{}, {on_interrupt}}) {
    const CheckReport report = check(patches);
    CHECK(violated(report) == "bounded_in_flight");
    CHECK(report.at("bounded_in_flight").value == "10");  // W 6 and a ring of 4 packets
  }
}

TEST_CASE("virtio: charged and reclaimed only by the next send, a sender sleeps for ever") {
  for (const int packets : {2, 4}) {  // that the ring takes
    for (int w = 1; w <= 2 * packets + 1; ++w) {
      CAPTURE(packets);
      CAPTURE(w);
      const CheckReport report =
          check({on_interrupt, no_orphan}, {{"RING", 2 * packets}, {"W", w}, {"L", w}});
      CHECK(report.at("deadlock").holds == (w >= 2 * packets));
      CHECK(report.at("bounded_in_flight").holds);
    }
  }
}

TEST_CASE("virtio: 2.6.31 keeps one packet and frees the others") {
  const CheckReport report = check({cache_one});
  CHECK(violated(report) == "no_silent_loss");
  CHECK(report.at("requeue_bound").value == "1");
  // Where the send buffer ends with the packet that is kept, there are no others.
  const CheckReport twin = check({cache_one}, {{"W", 5}, {"L", 5}});
  CHECK(violated(twin).empty());
  CHECK(check({cache_one}, {{"W", 4}, {"L", 4}}).at("requeue_bound").value == "0");
}

TEST_CASE("virtio: dropping on full requeues nothing and loses packets") {
  const CheckReport report = check({drop_on_full});
  CHECK(violated(report) == "no_silent_loss");
  CHECK(report.at("requeue_bound").value == "0");
  CHECK(check({drop_on_full}, {{"W", 4}, {"L", 4}}).at("bounded_in_flight").holds);
  CHECK_FALSE(check({drop_on_full}, {{"W", 3}, {"L", 3}}).at("bounded_in_flight").holds);
}

TEST_CASE("virtio: transmit NAPI of 6.x bounds what is in flight again") {
  check_exact_bound({tx_napi}, 2, "1");
  check_exact_bound({tx_napi}, 6, "1/3");
  const CheckReport report = check({tx_napi});
  CHECK(violated(report).empty());
  CHECK(report.at("bounded_in_flight").value == "6");
}

TEST_CASE("virtio with the times of the report: as its replay, within a tenth") {
  struct Row {
    int wake;
    double replay;
    std::string worst;
    int packets;  // a requeue, rounded down
  };
  for (const Row& row : std::vector<Row>{
           {20, 0.236, "1/4", 4}, {64, 0.058, "7/130", 18}, {128, 0.0255, "2/75", 37}}) {
    CAPTURE(row.wake);
    const auto bound = [&](int packets) {
      return check_stack({.stack = "model/stacks/virtio-timed.tx",
                          .set = {{"WAKE", row.wake}, {"A_REQUEUE", packets}}})
          .at("requeue_bound");
    };
    const CheckedProperty found = bound(row.packets);
    CHECK(found.holds);
    CHECK(found.value == row.worst);
    CHECK_FALSE(bound(row.packets + 1).holds);
    const auto slash = row.worst.find('/');
    const double ratio = std::stod(row.worst) / std::stod(row.worst.substr(slash + 1));
    CHECK(ratio == doctest::Approx(row.replay).epsilon(0.1));
  }
}

}  // namespace txproof::test
