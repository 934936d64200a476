// The stacks model/stacks/device-*.tx: where each virtual device ends the charge and what it says
// of a loss, as measured on a real kernel. Every bound that holds has a twin one step tighter that
// does not.
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

CheckReport check(const std::string& device, Settings set, const Settings& more = {}) {
  set.insert(set.end(), more.begin(), more.end());
  const CheckRequest request{.stack = "model/stacks/device-" + device + ".tx", .set = set};
  CAPTURE(words_of(request));
  CheckReport report = check_stack(request);
  for (const auto& entry : report) {
    const auto& name = entry.first;
    const auto& property = entry.second;
    CAPTURE(name);
    CHECK_FALSE(property.vacuous);
  }
  return report;
}

// `property` says MOST of some quantity: the largest value that the quantity takes is `most`.
void check_tight(const std::string& device, const std::string& property, const Settings& set,
                 int most) {
  const auto holds = check(device, set, {{"MOST", most}}).at(property);
  CAPTURE(device);
  CAPTURE(property);
  CHECK(holds.holds);
  CHECK(holds.value == std::to_string(most));
  CHECK_FALSE(check(device, set, {{"MOST", most - 1}}).at(property).holds);
}

}  // namespace

TEST_CASE(
    "veth: across a bridge the charge is kept until the queue behind it has sent the packet") {
  for (const int w : {1, 2, 3}) {
    check_tight("veth", "bounded_in_flight", {{"W", w}, {"B", 3}, {"L", 3}}, w);
  }
  struct {
    int w, b, l, r;
  } const sizes[] = {{2, 2, 2, 1}, {3, 2, 2, 1}, {3, 2, 3, 1},
                     {3, 1, 6, 1}, {4, 3, 3, 2}, {5, 4, 3, 2}};
  for (const auto& [w, b, l, r] : sizes) {
    const CheckReport report = check("veth", {{"W", w}, {"B", b}, {"L", l}, {"R", r}, {"MOST", w}});
    CHECK(violated(report) == (w <= b + 1 && w <= l + r - 1 ? "" : "no_drop"));
  }
}

TEST_CASE("veth: a router behind it orphans, and only the queues bound what is in flight") {
  struct {
    int w, b, l, r;
  } const sizes[] = {{2, 2, 2, 1}, {3, 2, 2, 1}, {5, 2, 2, 1}, {2, 2, 2, 2}};
  for (const auto& [w, b, l, r] : sizes) {
    const Settings set{{"ROUTED", 1}, {"W", w}, {"B", b}, {"L", l}, {"R", r}};
    check_tight("veth", "bounded_in_flight", set, std::min(w, b + 1) + l + r);
    CHECK(check("veth", set).at("no_silent_loss").holds);
  }
}

TEST_CASE("loopback: orphaned in xmit, and a full input queue loses without a word") {
  for (const int b : {0, 2, 4}) {
    for (const int rcv : {1, 2}) {
      check_tight("loopback", "bounded_in_flight", {{"B", b}, {"RCV", rcv}}, b + 1 + rcv);
    }
  }
  CHECK(violated(check("loopback", {{"MOST", 4}})) == "no_silent_loss, no_silent_uncharged_drop");
}

TEST_CASE("tun: orphaned before the ring; a qdisc hides that the ring was full") {
  for (const int qdisc : {0, 1}) {
    for (const int n : {2, 3, 5}) {
      check_tight("tun", "bounded_in_flight", {{"N", n}, {"QDISC", qdisc}}, n);
    }
  }
  CHECK(violated(check("tun", {{"QDISC", 0}, {"MOST", 3}})).empty());
  CHECK(violated(check("tun", {{"QDISC", 1}, {"MOST", 3}})) ==
        "no_silent_loss, no_silent_uncharged_drop");
}

TEST_CASE("dummy: the charge ends in xmit, whatever the send buffer is") {
  for (const int w : {1, 2, 4}) {
    check_tight("dummy", "bounded_in_flight", {{"W", w}}, 1);
    check_tight("dummy", "charge_bound", {{"W", w}}, 1);
    CHECK(check("dummy", {{"W", w}}).at("no_drop").holds);
  }
}

TEST_CASE("bridge: the charge is kept, and a full queue behind it loses without a word") {
  for (const int w : {1, 2, 3}) {
    check_tight("bridge", "bounded_in_flight", {{"W", w}, {"L", 3}}, w);
  }
  for (const int l : {2, 3}) {
    for (const int r : {1, 2, 3}) {
      const Settings set{{"L", l}, {"R", r}, {"MOST", 9}};
      CHECK(violated(check("bridge", set, {{"W", l + r - 1}})).empty());
      CHECK(violated(check("bridge", set, {{"W", l + r}})) == "no_silent_loss");
    }
  }
}

TEST_CASE("BQL: the bytes in the ring are bounded by the limit and one packet, nothing else is") {
  struct {
    int size, w, max, r, most;
  } const sizes[] = {{1, 6, 1, 4, 2},  {1, 6, 2, 4, 3},  {2, 12, 3, 4, 4},
                     {2, 12, 4, 4, 6}, {3, 12, 4, 4, 6}, {1, 6, 8, 4, 4}};
  for (const auto& [size, w, max, r, most] : sizes) {
    const Settings set{{"SIZE", size}, {"W", w}, {"MAX", max}, {"R", r}};
    check_tight("bql", "ring_bound", set, most);
    const CheckReport report = check("bql", set, {{"MOST", most}});
    CHECK(violated(report).empty());
    CHECK(report.at("bounded_in_flight").value == std::to_string((w + size - 1) / size));
  }
  CHECK(violated(check("bql", {{"SOCKETS", 2}, {"W", 3}})).empty());
}

TEST_CASE("BQL: no wake-up is lost, also in fine steps, unless the driver counts wrongly") {
  const RunResult fine =
      run_txproof({"check", (source_folder() / "model/stacks/device-bql.tx").string(),
                   "--interleave", "fine", "--set", "W=1", "--set", "L=1", "--set", "R=2", "--set",
                   "MAX=1", "--property", "no_lost_wakeup", "--property", "deadlock"});
  CAPTURE(fine.out);
  CHECK(fine.exit_code == 0);
  CHECK(fine.out.find("fine steps, every reachable state") != std::string::npos);

  const CheckReport mutant =
      check_stack({.stack = "model/stacks/device-bql.tx",
                   .patches = {"tests/scenario/mutants/bql-counts-differ.patch"}});
  CHECK(violated(mutant) == "no_lost_wakeup");
}

TEST_CASE("BQL: a list longer than the ring rings the doorbell where the driver stops") {
  const Settings set{{"R", 2}, {"MAX", 4}, {"MOST", 2}};
  CHECK(violated(check("bql", set)).empty());
  const CheckReport mutant =
      check_stack({.stack = "model/stacks/device-bql.tx",
                   .patches = {"tests/scenario/mutants/bql-doorbell-unrung.patch"},
                   .set = set});
  CHECK(violated(mutant) == "deadlock, no_lost_wakeup");
}

TEST_CASE("tbf: its rate, and the packet in the child's peek slot counts") {
  for (const int cost : {1, 2, 3}) {
    const Settings set{{"COST", cost}, {"BURST", 2 * cost}};
    const auto rate = check("tbf", set).at("shaped_rate");
    CHECK(rate.holds);
    CHECK(rate.value == (cost == 1 ? "1" : "1/" + std::to_string(cost)));
    CHECK_FALSE(check("tbf", set, {{"TIME", cost + 1}}).at("shaped_rate").holds);
  }
  for (const int w : {2, 3}) check_tight("tbf", "bounded_in_flight", {{"W", w}, {"L", 3}}, w);

  const Settings over{{"W", 3}, {"L", 2}};
  CHECK(violated(check("tbf", over)) == "no_drop");
  CHECK(check("tbf", over).at("child_counted").value == "2");
  CHECK_FALSE(check("tbf", over, {{"HELD", 1}}).at("child_counted").holds);
  const CheckReport mutant =
      check_stack({.stack = "model/stacks/device-tbf.tx",
                   .patches = {"tests/scenario/mutants/peek-slot-uncounted.patch"},
                   .set = over});
  CHECK_FALSE(mutant.at("child_counted").holds);
  CHECK(mutant.at("child_counted").value == "3");
}

TEST_CASE("prio: an urgent packet neither waits nor is lost, up to the limit of its own band") {
  for (const int l : {1, 2, 3}) {
    for (const int r : {1, 2}) {
      const Settings set{{"L", l}, {"R", r}};
      CHECK(violated(check("prio", set, {{"W", l}})).empty());
      CHECK(violated(check("prio", set, {{"W", l + 1}})) == "urgent_first");
      CHECK(violated(check("prio", set, {{"W", 1}, {"FIFO", 1}})) == "urgent_first");
    }
  }
}

TEST_CASE("netem: a delay gives the charge back at enqueue; what it loses is not told") {
  for (const int l : {2, 3, 4}) {
    for (const int r : {1, 2}) {
      const Settings set{{"L", l}, {"R", r}};
      check_tight("netem", "bounded_in_flight", set, l + r);
      check_tight("netem", "bounded_in_flight", {{"L", l}, {"R", r}, {"DELAY", 0}}, 2);
    }
  }
  for (const int delay : {0, 1}) {
    const Settings set{{"DELAY", delay}, {"MOST", 9}};
    CHECK(violated(check("netem", set)).empty());
    CHECK(violated(check("netem", set, {{"LOSS", 1}})) == "no_silent_loss");
  }
}

TEST_CASE("ifb: the redirection ends the charge, the ifb does not") {
  struct {
    int li, n, l, r;
  } const sizes[] = {{2, 1, 2, 1}, {2, 2, 1, 2}, {1, 1, 1, 1}, {3, 1, 2, 1}};
  for (const auto& [li, n, l, r] : sizes) {
    const Settings set{{"LI", li}, {"N", n}, {"L", l}, {"R", r}};
    check_tight("ifb", "bounded_in_flight", set, li + n + 1 + l + r);
    CHECK(violated(check("ifb", set, {{"MOST", 20}})).empty());
  }
  for (const int w : {1, 2, 3})
    check_tight("ifb", "bounded_in_flight", {{"MIRRED", 0}, {"W", w}}, w);
}

}  // namespace txproof::test
