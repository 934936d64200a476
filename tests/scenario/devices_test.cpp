// The stacks model/stacks/device-*.tx: where each virtual device ends the charge and what it says
// of a loss, as measured on a real kernel. Every bound that holds has a twin one step tighter that
// does not.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

using Settings = std::vector<std::pair<std::string, int>>;

CheckReport check(const std::string& device, Settings set, const Settings& more = {}) {
  set.insert(set.end(), more.begin(), more.end());
  const CheckRequest request{.stack = "model/stacks/device-" + device + ".tx", .set = set};
  CAPTURE(words_of(request));
  const CheckReport report = check_stack(request);
  for (const auto& [name, property] : report) {
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

}  // namespace txproof::test
