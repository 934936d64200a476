// model/stacks/udp-segment.tx: how far the charge of UDP_SEGMENT goes beyond the send buffer. The
// bound that was measured on a real kernel holds and is tight where packets are cut in the sender's
// call, or where nobody else fills the ring; otherwise it is exceeded.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

using Settings = std::vector<std::pair<std::string, int>>;

CheckReport check(Settings set, const Settings& more = {}) {
  set.insert(set.end(), more.begin(), more.end());
  return check_stack({.stack = "model/stacks/udp-segment.tx", .set = set});
}

}  // namespace

TEST_CASE("UDP_SEGMENT: at most the send buffer less one, and the segments of one send") {
  for (const int above : {0, 1}) {
    for (const int sndbuf : {2, 3, 5}) {
      for (const int k : {2, 3}) {
        CAPTURE(above);
        CAPTURE(sndbuf);
        CAPTURE(k);
        const Settings set{{"ABOVE", above}, {"SNDBUF", sndbuf}, {"K", k}, {"HEAD", 1}, {"L", 9}};
        const CheckReport report = check(set);
        CHECK(violated(report).empty());
        CHECK(report.at("charge_bound").value == std::to_string(sndbuf - 1 + k));
        CHECK_FALSE(check(set, {{"TIGHTER", 1}}).at("charge_bound").holds);
      }
    }
  }
}

TEST_CASE("UDP_SEGMENT: several packets that wait whole are cut while none has gone") {
  const Settings set{{"SOCKETS", 2}, {"SNDBUF", 3}, {"K", 2}, {"HEAD", 1}, {"L", 9}};
  const CheckReport waiting = check(set, {{"ABOVE", 0}, {"R", 3}});
  CHECK_FALSE(waiting.at("charge_bound").holds);
  CHECK(waiting.at("charge_bound").value == "5");
  CHECK(waiting.at("charge_conserved").holds);
  CHECK(check(set, {{"ABOVE", 0}, {"R", 2}}).at("charge_bound").holds);
  CHECK(check(set, {{"ABOVE", 1}, {"R", 3}}).at("charge_bound").holds);
}

}  // namespace txproof::test
