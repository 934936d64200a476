// The table of model/stacks/gso-udp.tx: its four cells against their closed forms (which an
// independent exhaustive search of the mechanism gave as well), the smallest configuration of each
// with its twin one step tighter or looser, and the mutant that forgets truesize.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

struct Size {
  int sockets, w, k, l, r;
  [[nodiscard]] int segments() const { return sockets * w * k; }
};

constexpr const char* owner_patch = "model/patches/skb-segment-owner.patch";

CheckReport check(const Size& size, const std::vector<std::string>& patches) {
  const CheckRequest request{
      .stack = "model/stacks/gso-udp.tx",
      .patches = patches,
      .set = {
          {"SOCKETS", size.sockets}, {"W", size.w}, {"K", size.k}, {"L", size.l}, {"R", size.r}}};
  INFO(words_of(request));
  return check_stack(request);
}

CheckReport before(const Size& size) { return check(size, {}); }
CheckReport after(const Size& size) { return check(size, {owner_patch}); }

// Everything that the table does not name, of both variants.
void check_the_rest(const CheckReport& report) {
  for (const char* property :
       {"charge_conserved", "no_lost_wakeup", "own.linear", "range", "deadlock", "lock"}) {
    CAPTURE(property);
    CHECK(report.at(property).holds);
  }
}

std::vector<Size> all_sizes() {
  std::vector<Size> sizes;
  for (const int sockets : {1, 2}) {
    for (const int w : {1, 2}) {
      for (const int k : {1, 2, 3}) {
        for (const int l : {1, 2, 4}) {
          for (const int r : {1, 2}) {
            const Size size{sockets, w, k, l, r};
            if (size.segments() <= 6) sizes.push_back(size);
          }
        }
      }
    }
  }
  return sizes;
}

}  // namespace

TEST_CASE("the gso-udp table: 3.18") {
  for (const Size& size : all_sizes()) {
    const CheckReport report = before(size);
    CAPTURE(size.sockets);
    CAPTURE(size.w);
    CAPTURE(size.k);
    CAPTURE(size.l);
    CAPTURE(size.r);
    CHECK_FALSE(report.at("no_drop").holds);
    CHECK(report.at("bounded_in_flight").holds == (size.l + size.r <= size.k * size.w));
    CHECK(report.at("no_silent_loss").holds == !(size.k >= 2 && size.k <= size.r + 1));
    check_the_rest(report);
  }
}

TEST_CASE("the gso-udp table: with skb-segment-owner") {
  for (const Size& size : all_sizes()) {
    const CheckReport report = after(size);
    CAPTURE(size.sockets);
    CAPTURE(size.w);
    CAPTURE(size.k);
    CAPTURE(size.l);
    CAPTURE(size.r);
    const int room = size.l + size.r;
    const bool dropped = size.segments() > room || (size.segments() == room && size.r >= size.k);
    CHECK(report.at("no_drop").holds == !dropped);
    CHECK(report.at("bounded_in_flight").holds ==
          (size.k == 1 || size.segments() <= room || room <= size.k * size.w));
    CHECK(report.at("no_silent_loss").holds == !(dropped && size.k >= 2 && size.k <= size.r + 1));
    check_the_rest(report);
  }
}

TEST_CASE("the smallest configurations of 3.18, and their twins") {
  // The second datagram is refused whole; with L 2 its second segment is.
  CHECK(before({1, 1, 2, 1, 1}).at("no_drop").steps == 2);
  CHECK(before({1, 1, 2, 2, 1}).at("no_drop").steps == 2);
  // Three segments of a socket that may have two; where only two have room it cannot show.
  const CheckReport three = before({1, 1, 2, 2, 1});
  CHECK_FALSE(three.at("bounded_in_flight").holds);
  CHECK(three.at("bounded_in_flight").value == "3");
  CHECK(before({1, 1, 2, 1, 1}).at("bounded_in_flight").holds);
}

TEST_CASE("the smallest configurations with skb-segment-owner, and their twins") {
  CHECK(after({1, 1, 2, 1, 1}).at("no_drop").holds);
  CHECK_FALSE(after({1, 1, 3, 1, 1}).at("no_drop").holds);
  CHECK(after({1, 1, 3, 2, 1}).at("no_drop").holds);
  // Two sockets: the second one's last segment is refused, and takes the charge along.
  const CheckReport two = after({2, 1, 2, 2, 1});
  CHECK_FALSE(two.at("no_drop").holds);
  CHECK_FALSE(two.at("bounded_in_flight").holds);
  CHECK(two.at("bounded_in_flight").value == "3");
  CHECK(after({2, 1, 2, 3, 1}).at("no_drop").holds);
  CHECK(after({2, 1, 2, 3, 1}).at("bounded_in_flight").value == "2");
}

TEST_CASE("skb-segment-owner bounds what is in flight at the defaults") {
  const CheckReport was = check_stack({.stack = "model/stacks/gso-udp.tx"});
  CHECK(violated(was) == "bounded_in_flight, no_drop, no_silent_loss");
  CHECK(was.at("bounded_in_flight").value == "5");
  const CheckReport is =
      check_stack({.stack = "model/stacks/gso-udp.tx", .patches = {owner_patch}});
  CHECK(violated(is).empty());
  CHECK(is.at("bounded_in_flight").value == "2");
}

TEST_CASE("the mutant that forgets truesize loses the charge") {
  const CheckReport mutant =
      check({1, 1, 2, 4, 1}, {"tests/scenario/mutants/segment-owner-without-truesize.patch"});
  CHECK(violated(mutant) == "charge_conserved, deadlock");
  CHECK(mutant.at("charge_conserved").steps == 1);
}

}  // namespace txproof::test
