// Around the bonding table: a bond over two slaves, a bond that returns what its slave says, and
// virtual devices that orphan above the bond, whatever the bond's own flag says.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

using Patches = std::vector<std::string>;

const std::string orphan_try = "model/patches/skb-orphan-try.patch";
const std::string flag = "model/patches/early-orphan-flag.patch";
const std::string returns_result = "model/patches/bond-returns-result.patch";
const std::string slaves = "model/stacks/bonding-slaves.tx";
const std::string over_bond = "model/stacks/virtual-over-bond.tx";

struct Size {
  int w, l, r;
};

std::vector<Size> all_sizes() {
  std::vector<Size> sizes;
  for (const int w : {1, 2, 3}) {
    for (const int l : {1, 2, 3}) {
      for (const int r : {1, 2}) sizes.push_back({w, l, r});
    }
  }
  return sizes;
}

CheckReport check(const std::string& stack, const Patches& patches, const Size& size,
                  std::vector<std::pair<std::string, int>> more = {}) {
  more.insert(more.end(), {{"W", size.w}, {"L", size.l}, {"R", size.r}});
  return check_stack({.stack = stack, .patches = patches, .set = more});
}

#define CAPTURE_SIZE(size) \
  CAPTURE((size).w);       \
  CAPTURE((size).l);       \
  CAPTURE((size).r)

}  // namespace

TEST_CASE("two slaves: order is lost by design, and the bounds are those of one slave") {
  for (const Size& size : all_sizes()) {
    CAPTURE_SIZE(size);
    const CheckReport was = check(slaves, {}, size);
    CHECK(was.at("fifo_order").holds == (size.w == 1));  // one packet at a time cannot overtake
    CHECK(was.at("no_silent_loss").holds == (size.w <= size.l + size.r - 1));
    CHECK(was.at("bounded_in_flight").holds);
    CHECK(was.at("charge_conserved").holds);
    CHECK(was.at("no_lost_wakeup").holds);
    CHECK(was.at("deadlock").holds);
  }
}

TEST_CASE("two slaves: the early orphan, and the flag") {
  for (const Size& size : all_sizes()) {
    if (size.r != 1) continue;
    CAPTURE_SIZE(size);
    const CheckReport tried = check(slaves, {orphan_try}, size);
    CHECK_FALSE(tried.at("fifo_order").holds);
    CHECK_FALSE(tried.at("no_silent_loss").holds);
    CHECK_FALSE(tried.at("no_silent_uncharged_drop").holds);
    CHECK(tried.at("bounded_in_flight").holds == (2 * size.l <= size.w));
    const CheckReport flagged = check(slaves, {orphan_try, flag}, size);
    CHECK_FALSE(flagged.at("fifo_order").holds);
    CHECK(flagged.at("no_silent_loss").holds == (size.w <= size.l));
    CHECK(flagged.at("no_silent_uncharged_drop").holds);
    CHECK(flagged.at("bounded_in_flight").holds);
  }
}

TEST_CASE("a bond that returns its slave's answer loses nothing in silence, and brakes no better") {
  for (const Size& size : all_sizes()) {
    CAPTURE_SIZE(size);
    for (const char* stack : {"model/stacks/bonding.tx", "model/stacks/bonding-slaves.tx"}) {
      for (const Patches& below : {Patches{}, Patches{orphan_try}, Patches{orphan_try, flag}}) {
        if (stack == slaves && size.r != 1) continue;
        Patches patches = below;
        patches.push_back(returns_result);
        const CheckReport report = check(stack, patches, size);
        CHECK(report.at("no_silent_loss").holds);
        CHECK(report.at("no_silent_uncharged_drop").holds);
        CHECK(report.at("bounded_in_flight").holds ==
              check(stack, below, size).at("bounded_in_flight").holds);
      }
    }
  }
}

TEST_CASE("a VLAN or a macvlan over the bond keeps the early orphan under the proposal") {
  for (const Size& size : all_sizes()) {
    CAPTURE_SIZE(size);
    for (const int macvlan : {0, 1}) {
      const CheckReport was = check(over_bond, {}, size, {{"MACVLAN", macvlan}});
      CHECK(was.at("no_silent_uncharged_drop").holds);
      CHECK(was.at("bounded_in_flight").holds);
      CHECK(was.at("no_silent_loss").holds == (size.w <= size.l + size.r - 1));
      for (const Patches& patches : {Patches{orphan_try}, Patches{orphan_try, flag}}) {
        const CheckReport is = check(over_bond, patches, size, {{"MACVLAN", macvlan}});
        CHECK_FALSE(is.at("no_silent_uncharged_drop").holds);
        CHECK_FALSE(is.at("no_silent_loss").holds);
        CHECK(is.at("bounded_in_flight").holds == (size.l <= size.w));
        CHECK(is.at("charge_conserved").holds);
      }
    }
  }
}

}  // namespace txproof::test
