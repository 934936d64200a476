// model/stacks/tcp-gso.tx: what TCP's large packets, cut above the queue, leave in flight, where
// every segment is charged; and what is lost if the charge is not corrected, or is the last
// segment's alone.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

struct Size {
  int cap, head, k, l, r;
  int sockets = 1;
};

using Settings = std::vector<std::pair<std::string, int>>;

CheckReport check(const Size& size, const std::string& mutant = {}, const Settings& more = {}) {
  CheckRequest request{.stack = "model/stacks/tcp-gso.tx",
                       .set = {{"SOCKETS", size.sockets},
                               {"CAP", size.cap},
                               {"HEAD", size.head},
                               {"K", size.k},
                               {"L", size.l},
                               {"R", size.r}}};
  request.set.insert(request.set.end(), more.begin(), more.end());
  if (!mutant.empty()) request.patches = {"tests/scenario/mutants/" + mutant + ".patch"};
  return check_stack(request);
}

const std::string without_correction = "tcp-gso-without-correction";
const std::string charge_to_last = "tcp-gso-charge-to-last";

}  // namespace

TEST_CASE("TCP GSO: at most the cap and one packet's segments, less one, and never starved") {
  for (const int cap : {1, 2, 3}) {
    for (const int k : {2, 3}) {
      for (const auto& queue : {std::pair{1, 1}, {2, 1}, {1, 3}, {3, 2}, {5, 3}}) {
        const int l = queue.first;
        const int r = queue.second;
        CAPTURE(cap);
        CAPTURE(k);
        CAPTURE(l);
        CAPTURE(r);
        const Size size{.cap = cap, .head = k - 1, .k = k, .l = l, .r = r};
        const int most = cap - 1 + k;
        const CheckReport report = check(size);
        CHECK(report.at("charge_conserved").holds);
        CHECK(report.at("bounded_in_flight").holds);
        CHECK(report.at("flow_fed").holds);
        CHECK(report.at("range").holds);
        CHECK(report.at("no_drop").holds == (most < l + r || (most == l + r && r < k)));

        const CheckReport tighter = check(size, {}, {{"TIGHTER", 1}, {"FED", cap + 1}});
        CHECK(tighter.at("bounded_in_flight").holds == (most > l + r));
        CHECK(tighter.at("flow_fed").holds == (cap > l + r));
      }
    }
  }
}

TEST_CASE("TCP GSO: two sockets") {
  const Size size{.cap = 3, .head = 2, .k = 3, .l = 3, .r = 2, .sockets = 2};
  CHECK(violated(check(size)) == "no_drop");
  const CheckReport tighter = check(size, {}, {{"TIGHTER", 1}, {"FED", 4}});
  CHECK(tighter.at("charge_conserved").holds);
  CHECK_FALSE(tighter.at("bounded_in_flight").holds);
  CHECK_FALSE(tighter.at("flow_fed").holds);
}

TEST_CASE("TCP GSO: without the correction the charge is wrong from the first packet on") {
  const CheckReport report =
      check({.cap = 3, .head = 2, .k = 3, .l = 3, .r = 2}, without_correction);
  CHECK_FALSE(report.at("charge_conserved").holds);
  CHECK(report.at("charge_conserved").steps == 1);
  CHECK_FALSE(report.at("range").holds);  // the charge falls below zero
  // Nothing to correct where the large packet costs what its segments do.
  CHECK(violated(check({.cap = 3, .head = 3, .k = 3, .l = 3, .r = 2}, without_correction)).empty());
}

TEST_CASE("TCP GSO: all charge on the last segment holds the flow back with one segment below") {
  const Size size{.cap = 3, .head = 2, .k = 3, .l = 5, .r = 2};
  CHECK(violated(check(size)).empty());
  CHECK(violated(check(size, charge_to_last)) == "flow_fed");
  CHECK(check(size, charge_to_last, {{"FED", 1}}).at("flow_fed").holds);
  CHECK_FALSE(check(size, charge_to_last, {{"FED", 2}}).at("flow_fed").holds);

  for (const int cap : {1, 2, 3, 4}) {
    for (const int k : {2, 3}) {
      CAPTURE(cap);
      CAPTURE(k);
      const CheckReport report =
          check({.cap = cap, .head = 1, .k = k, .l = 9, .r = 1}, charge_to_last);
      CHECK(report.at("charge_conserved").holds);
      CHECK(report.at("flow_fed").holds == ((cap - 1) % k == 0));
      CHECK(report.at("bounded_in_flight").holds);
    }
  }
}

TEST_CASE("TCP GSO: a last segment that is dropped takes no other's charge, unless it has it all") {
  const Size size{.cap = 1, .head = 1, .k = 2, .l = 2, .r = 1, .sockets = 2};
  const CheckReport each = check(size);
  CHECK_FALSE(each.at("no_drop").holds);
  CHECK(each.at("bounded_in_flight").value == "2");
  const CheckReport last = check(size, charge_to_last);
  CHECK(last.at("charge_conserved").holds);
  CHECK_FALSE(last.at("bounded_in_flight").holds);
  CHECK(last.at("bounded_in_flight").value == "3");
}

}  // namespace txproof::test
