// HTB over Ethernet, with packets handed back to the discipline or parked in a slot. Ratios are
// exact, and compared with the closed forms of docs/seeds.md, in packets a tick.
#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/check_report.h"

namespace txproof::test {
namespace {

using Settings = std::vector<std::pair<std::string, int>>;

CheckReport check_htb(bool slot, const Settings& set) {
  CheckRequest request{.stack = "model/stacks/htb.tx", .set = set};
  if (slot) request.patches = {"model/patches/requeue-slot.patch"};
  CAPTURE(words_of(request));
  return check_stack(request);
}

std::string ratio(int numerator, int denominator) {
  const int divisor = std::gcd(numerator, denominator);
  return std::to_string(numerator / divisor) + "/" + std::to_string(denominator / divisor);
}

const CheckedProperty& class_of(const CheckReport& report, int number) {
  const std::string n = std::to_string(number);
  return report.at("class_assurance(" + n + ", RATE" + n + ", LINK * ROOT)");
}

std::vector<std::string> shares(const CheckReport& report) {
  return {class_of(report, 0).value, class_of(report, 1).value, class_of(report, 2).value};
}

// Two classes, entitled to two thirds and one third.
Settings two_classes(int w, int r, int collide) {
  return {{"RATE1", 3}, {"RATE2", 0}, {"Q0", 2}, {"W", w}, {"R", r}, {"COLLIDE", collide}};
}

// Six to the root, five to the link: the threshold is f* = 1/5.
Settings small(int collide) {
  return {{"LINK", 5}, {"ROOT", 6}, {"RATE0", 3}, {"Q0", 3}, {"COLLIDE", collide}};
}

}  // namespace

TEST_CASE("requeue-slot fixes the charge and the utilisation, and takes a class its rate") {
  const CheckReport before = check_htb(false, {});
  const CheckReport after = check_htb(true, {});
  CHECK_FALSE(before.at("exact_class_charge").holds);
  CHECK(after.at("exact_class_charge").holds);
  CHECK_FALSE(before.at("utilisation").holds);
  CHECK(before.at("utilisation").value == "10/121");  // 1/11 over 1 + f, f = 1/10
  CHECK(after.at("utilisation").holds);
  CHECK(after.at("utilisation").value == "1/12");
  CHECK(class_of(before, 0).holds);
  CHECK_FALSE(class_of(after, 0).holds);
  // (6 + 6/8 * 4)/1.1 and (1 + 1/8 * 4)/1.1 of 132 ticks; a third of 11.
  CHECK(shares(before) == std::vector<std::string>{"15/242", "5/484", "5/484"});
  CHECK(shares(after) == std::vector<std::string>{"1/36", "1/36", "1/36"});
  CHECK(before.at("charge_conserved").holds);
  CHECK(after.at("charge_conserved").holds);
}

TEST_CASE("one class, a collision at every other attempt: charged twice, sent once") {
  const Settings one{{"RATE1", 0}, {"RATE2", 0}, {"W", 1}, {"R", 1}, {"COLLIDE", 2}};
  CHECK_FALSE(check_htb(false, one).at("exact_class_charge").holds);
  CHECK(check_htb(true, one).at("exact_class_charge").holds);
  Settings none = one;
  none.back().second = 0;
  CHECK(check_htb(false, none).at("exact_class_charge").holds);
}

TEST_CASE("the threshold: the link is full iff f <= ROOT/LINK - 1") {
  for (int collide = 3; collide <= 8; ++collide) {
    CAPTURE(collide);
    const CheckReport before = check_htb(false, small(collide));
    const bool below = collide - 1 > 5;     // f < f*
    const bool at_most = collide - 1 >= 5;  // f <= f*
    CHECK(before.at("utilisation").holds == at_most);
    CHECK(before.at("utilisation").value == (at_most ? "1/6" : ratio(collide - 1, 5 * collide)));
    if (below) {
      CHECK_FALSE(class_of(before, 0).holds);
      CHECK(shares(before) == std::vector<std::string>{"1/18", "1/18", "1/18"});
    }
    CHECK(class_of(before, 0).holds == (collide == 5 || collide == 6));
    const CheckReport after = check_htb(true, small(collide));
    CHECK(after.at("utilisation").value == "1/6");
    CHECK(shares(after) == std::vector<std::string>{"1/18", "1/18", "1/18"});
  }
}

TEST_CASE("two classes: a ring for all windows makes 2:1 to 1:1") {
  const CheckReport large = check_htb(true, two_classes(2, 4, 0));
  CHECK(class_of(large, 0).value == "1/24");
  CHECK(class_of(large, 1).value == "1/24");
  CHECK_FALSE(class_of(large, 0).holds);
  // Windows that the ring cannot take leave packets to the discipline.
  const CheckReport small_ring = check_htb(true, two_classes(4, 2, 0));
  CHECK(class_of(small_ring, 0).value == "1/18");
  CHECK(class_of(small_ring, 1).value == "1/36");
  // With two packets each the order in which they came decides: the worst is the rate itself.
  const CheckReport tight = check_htb(true, two_classes(2, 2, 0));
  CHECK(class_of(tight, 0).holds);
  CHECK(class_of(tight, 0).value == "1/22");
}

TEST_CASE("two classes, requeued: collisions buy the shares with capacity") {
  const CheckReport none = check_htb(false, two_classes(2, 4, 0));
  CHECK(class_of(none, 0).value == "1/24");
  const CheckReport some = check_htb(false, two_classes(2, 4, 10));
  CHECK(some.at("utilisation").value == "9/110");
  CHECK(shares(some) == std::vector<std::string>{"37/660", "17/660", "0"});
  const CheckReport many = check_htb(false, two_classes(2, 4, 3));
  CHECK(many.at("utilisation").value == "2/33");
  CHECK_FALSE(many.at("utilisation").holds);
}

TEST_CASE("requeueing that gives the tokens back is exact, and shares as the slot does") {
  const CheckReport report =
      check_stack({.stack = "model/stacks/htb.tx",
                   .patches = {"tests/scenario/mutants/htb-requeue-refund.patch"},
                   .set = small(5)});
  CHECK(report.at("exact_class_charge").holds);
  CHECK(report.at("utilisation").value == "1/6");
  CHECK_FALSE(class_of(report, 0).holds);
  CHECK(shares(report) == std::vector<std::string>{"1/18", "1/18", "1/18"});
}

TEST_CASE("HTB 5/1/1 of 10 as it was measured, without collisions") {
  const Settings set{{"LINK", 20}, {"ROOT", 10}, {"RATE0", 5}, {"R", 12}, {"COLLIDE", 0}};
  const auto with = [&](int q0, int ceil1) {
    Settings all = set;
    all.insert(all.end(), {{"Q0", q0}, {"CEIL1", ceil1}});
    return shares(check_htb(false, all));
  };
  // Of 200 ticks: 7.14, 1.43, 1.43; 6, 2, 2; 6.5, 1, 2.5.
  CHECK(with(5, 0) == std::vector<std::string>{"1/28", "1/140", "1/140"});
  CHECK(with(1, 0) == std::vector<std::string>{"3/100", "1/100", "1/100"});
  CHECK(with(1, 1) == std::vector<std::string>{"13/400", "1/200", "1/80"});
}

}  // namespace txproof::test
