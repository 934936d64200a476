#include "checker/smt/value.h"

#include <algorithm>

namespace txproof::checker::smt {

namespace {

Wide clamped(Wide value) { return std::clamp(value, -infinity, infinity); }

bool is_infinite(Wide value) { return value >= infinity || value <= -infinity; }

Wide product(Wide a, Wide b) {
  if (a == 0 || b == 0) return 0;
  if (is_infinite(a) || is_infinite(b)) return (a > 0) == (b > 0) ? infinity : -infinity;
  return clamped(a * b);
}

Wide sum(Wide a, Wide b) {
  if (is_infinite(a)) return a;
  if (is_infinite(b)) return b;
  return clamped(a + b);
}

}  // namespace

Interval joined(const Interval& a, const Interval& b) {
  return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)};
}

Interval intersected(const Interval& a, const Interval& b) {
  const Interval both{std::max(a.lo, b.lo), std::min(a.hi, b.hi)};
  return both.lo <= both.hi ? both : a;
}

Interval added(const Interval& a, const Interval& b) { return {sum(a.lo, b.lo), sum(a.hi, b.hi)}; }

Interval negated(const Interval& a) { return {-a.hi, -a.lo}; }

Interval multiplied(const Interval& a, const Interval& b) {
  const auto corners = {product(a.lo, b.lo), product(a.lo, b.hi), product(a.hi, b.lo),
                        product(a.hi, b.hi)};
  return {std::min(corners), std::max(corners)};
}

}  // namespace txproof::checker::smt
