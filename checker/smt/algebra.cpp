#include "checker/smt/algebra.h"

#include <algorithm>

#include "checker/explicit/arithmetic.h"

namespace txproof::checker::smt {

using program::Word;

namespace {

std::string decimal(Wide value) {
  if (value < 0) return "-" + decimal(-value);
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
    value /= 10;
  } while (value != 0);
  return digits;
}

}  // namespace

unsigned bits_for(const Interval& range) {
  unsigned bits = 1;
  while (range.lo < -(Wide{1} << (bits - 1)) || range.hi >= (Wide{1} << (bits - 1))) ++bits;
  return bits;
}

z3::expr Algebra::integer(Wide value) const { return context_.int_val(decimal(value).c_str()); }

Value Algebra::variable(const std::string& name, const Interval& range) {
  if (range.lo == range.hi) return static_cast<Word>(range.lo);
  if (range.is_boolean()) return {context_.bool_const(name.c_str()), range};
  if (numbers_ == Numbers::integers) return {context_.int_const(name.c_str()), range};
  if (!range.is_word()) throw Refusal(name + " has no bound, and bit vectors have one");
  return {context_.bv_const(name.c_str(), bits_for(range)), range};
}

z3::expr Algebra::number(const Value& value, unsigned width) const {
  if (numbers_ == Numbers::integers) {
    if (value.is_constant()) return integer(value.constant());
    if (value.is_truth()) return z3::ite(value.term(), context_.int_val(1), context_.int_val(0));
    return value.term();
  }
  if (value.is_constant()) return context_.bv_val(value.constant(), width);
  if (value.is_truth()) {
    return z3::ite(value.term(), context_.bv_val(1, width), context_.bv_val(0, width));
  }
  const unsigned has = value.term().get_sort().bv_size();
  if (has < width) return z3::sext(value.term(), width - has);
  if (has > width) return value.term().extract(width - 1, 0);
  return value.term();
}

z3::expr Algebra::fitted(const Value& value, const Interval& range) const {
  if (range.is_boolean()) return nonzero(value);
  return number(value, numbers_ == Numbers::integers ? 0 : bits_for(range));
}

z3::expr Algebra::in_range(const Value& value, const Interval& range) const {
  if (value.is_constant()) return truth(range.contains(value.constant()));
  Interval possible{-infinity, infinity};
  if (value.is_truth()) {
    possible = boolean_interval;
  } else if (numbers_ == Numbers::bit_vectors) {
    const unsigned bits = value.term().get_sort().bv_size();
    possible = {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
  }
  const auto end = [](Wide bound) { return static_cast<Word>(bound); };
  const Value any = value.is_truth() ? value : Value(value.term(), possible);
  z3::expr inside = truth(true);
  if (range.lo > -infinity) inside = less_equal(end(range.lo), any);
  if (range.hi < infinity) inside = both(inside, less_equal(any, end(range.hi)));
  return inside;
}

z3::expr Algebra::both(const z3::expr& a, const z3::expr& b) const {
  if (a.is_true() || b.is_false() || z3::eq(a, b)) return b;
  if (b.is_true() || a.is_false()) return a;
  return a && b;
}

z3::expr Algebra::either(const z3::expr& a, const z3::expr& b) const {
  if (a.is_false() || b.is_true() || z3::eq(a, b)) return b;
  if (b.is_false() || a.is_true()) return a;
  if (z3::eq(opposite(a), b)) return truth(true);
  return a || b;
}

z3::expr Algebra::opposite(const z3::expr& a) const {
  if (a.is_true()) return truth(false);
  if (a.is_false()) return truth(true);
  if (a.is_not()) return a.arg(0);
  return !a;
}

z3::expr Algebra::nonzero(const Value& value) const {
  if (value.is_constant()) return truth(value.constant() != 0);
  if (value.is_truth()) return value.term();
  return opposite(equal(value, 0));
}

Value Algebra::of_truth(const z3::expr& truth) const {
  if (truth.is_true()) return 1;
  if (truth.is_false()) return 0;
  return {truth, boolean_interval};
}

Value Algebra::narrowed(const Value& value, const Interval& range) const {
  const Interval both = intersected(value.range(), range);
  if (value.is_constant() || both == value.range()) return value;
  if (value.is_truth() || numbers_ == Numbers::integers) return {value.term(), both};
  const unsigned width = bits_for(both);
  return {
      width < value.term().get_sort().bv_size() ? value.term().extract(width - 1, 0) : value.term(),
      both};
}

z3::expr Algebra::equal(const Value& a, const Value& b) const {
  if (a.is_identical(b)) return truth(true);
  if (a.range().hi < b.range().lo || b.range().hi < a.range().lo) return truth(false);
  if (a.is_truth() && b.is_constant()) return b.constant() != 0 ? a.term() : opposite(a.term());
  if (b.is_truth() && a.is_constant()) return equal(b, a);
  if (a.is_truth() && b.is_truth()) return a.term() == b.term();
  const unsigned width = numbers_ == Numbers::integers ? 0 : bits_for(joined(a.range(), b.range()));
  return number(a, width) == number(b, width);
}

z3::expr Algebra::less(const Value& a, const Value& b) const {
  if (a.range().hi < b.range().lo) return truth(true);
  if (b.range().hi <= a.range().lo || a.is_identical(b)) return truth(false);
  if (a.is_truth() && b.is_truth()) return both(opposite(a.term()), b.term());
  if (a.is_truth() && b.is_constant()) return opposite(a.term());  // b is 1
  if (b.is_truth() && a.is_constant()) return b.term();            // a is 0
  if (numbers_ == Numbers::integers) return number(a, 0) < number(b, 0);
  const unsigned width = bits_for(joined(a.range(), b.range()));
  return z3::slt(number(a, width), number(b, width));
}

Value Algebra::choose(const z3::expr& condition, const Value& yes, const Value& no) const {
  if (condition.is_true() || yes.is_identical(no)) return yes;
  if (condition.is_false()) return no;
  if (yes.range().is_boolean() && no.range().is_boolean()) {
    const z3::expr y = nonzero(yes);
    const z3::expr n = nonzero(no);
    if (y.is_true()) return of_truth(either(condition, n));
    if (y.is_false()) return of_truth(both(opposite(condition), n));
    if (n.is_true()) return of_truth(either(opposite(condition), y));
    if (n.is_false()) return of_truth(both(condition, y));
    return of_truth(z3::ite(condition, y, n));
  }
  const Interval range = joined(yes.range(), no.range());
  const unsigned width = numbers_ == Numbers::integers ? 0 : bits_for(range);
  return {z3::ite(condition, number(yes, width), number(no, width)), range};
}

Value Algebra::finished(const z3::expr& term, const Interval& range) const {
  if (range.is_word() || !range.is_finite()) return {term, range};
  if (numbers_ == Numbers::bit_vectors) return {term, word_interval};  // computed in 64 bits
  const z3::expr half = integer(Wide{1} << 63);
  return {z3::mod(term + half, integer(Wide{1} << 64)) - half, word_interval};
}

Value Algebra::add(const Value& a, const Value& b) const {
  if (a.is_constant() && b.is_constant()) return arithmetic::add(a.constant(), b.constant());
  if (a.is_constant() && a.constant() == 0) return b;
  if (b.is_constant() && b.constant() == 0) return a;
  const Interval range = added(a.range(), b.range());
  const unsigned width = numbers_ == Numbers::integers ? 0 : range.is_word() ? bits_for(range) : 64;
  return finished(number(a, width) + number(b, width), range);
}

Value Algebra::subtract(const Value& a, const Value& b) const {
  if (a.is_constant() && b.is_constant()) return arithmetic::subtract(a.constant(), b.constant());
  if (b.is_constant() && b.constant() == 0) return a;
  if (a.is_identical(b)) return 0;
  const Interval range = added(a.range(), negated(b.range()));
  const unsigned width = numbers_ == Numbers::integers ? 0 : range.is_word() ? bits_for(range) : 64;
  return finished(number(a, width) - number(b, width), range);
}

// Calls operation(constant) for each value that `by` can have and joins the results.
template <typename Operation>
Value Algebra::for_each_value(const Value& by, Operation operation) const {
  Value result = operation(static_cast<Word>(by.range().lo));
  for (Wide v = by.range().lo + 1; v <= by.range().hi; ++v) {
    const auto word = static_cast<Word>(v);
    result = choose(equal(by, word), operation(word), result);
  }
  return result;
}

Value Algebra::multiply(const Value& a, const Value& b) const {
  if (a.is_constant() && b.is_constant()) return arithmetic::multiply(a.constant(), b.constant());
  if (b.is_constant()) return multiply(b, a);
  if (a.is_constant() && a.constant() == 0) return 0;
  if (a.is_constant() && a.constant() == 1) return b;
  if (a.is_truth()) return choose(a.term(), b, 0);
  if (b.is_truth()) return choose(b.term(), a, 0);
  constexpr Wide few = 9;
  if (numbers_ == Numbers::integers && !a.is_constant()) {
    // A product of two unknowns leaves linear arithmetic; a short list of cases does not.
    const auto by = [&](const Value& other) {
      return [this, &other](Word factor) { return multiply(factor, other); };
    };
    if (a.range().hi - a.range().lo < few) return for_each_value(a, by(b));
    if (b.range().hi - b.range().lo < few) return for_each_value(b, by(a));
  }
  const Interval range = multiplied(a.range(), b.range());
  const unsigned width = numbers_ == Numbers::integers ? 0 : range.is_word() ? bits_for(range) : 64;
  return finished(number(a, width) * number(b, width), range);
}

// The largest integer not above a / by. requires: by > 0
z3::expr Algebra::floor_divided(const z3::expr& a, Wide by) const { return a / integer(by); }

Value Algebra::divide_by_constant(const Value& a, Word b, bool remainder) const {
  if (b == 0 || (b == -1 && remainder)) return 0;
  if (b == -1) return negate(a);
  if (b == 1) return remainder ? Value(0) : a;
  const Wide size = b < 0 ? -Wide{b} : Wide{b};
  const Interval& r = a.range();
  // Towards zero: the remainder has the sign of a.
  Interval range;
  if (remainder) {
    range = {r.lo < 0 ? std::max(r.lo, 1 - size) : 0, r.hi > 0 ? std::min(r.hi, size - 1) : 0};
  } else if (r.is_finite()) {
    const Wide x = r.lo / b;
    const Wide y = r.hi / b;
    range = {std::min(x, y), std::max(x, y)};
  } else {
    range = {-infinity, infinity};
    if (r.lo >= 0 && b > 0) range.lo = 0;
  }
  if (numbers_ == Numbers::bit_vectors) {
    const unsigned width = bits_for(joined(r, {b, b}));
    const z3::expr divisor = context_.bv_val(b, width);
    const z3::expr term =
        remainder ? z3::srem(number(a, width), divisor) : number(a, width) / divisor;
    return narrowed({term, Interval{-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1}},
                    range);
  }
  const z3::expr term = number(a, 0);
  const z3::expr magnitude = r.lo >= 0 ? term : z3::ite(term < 0, -term, term);
  const z3::expr part =
      remainder ? z3::mod(magnitude, integer(size)) : floor_divided(magnitude, size);
  if (r.lo >= 0) return {remainder || b > 0 ? part : -part, range};
  const z3::expr negative = remainder || b > 0 ? term < 0 : term > 0;
  return {z3::ite(negative, -part, part), range};
}

Value Algebra::quotient(const Value& a, const Value& b, bool remainder) const {
  if (b.is_constant() && a.is_constant()) {
    return remainder ? arithmetic::modulo(a.constant(), b.constant())
                     : arithmetic::divide(a.constant(), b.constant());
  }
  if (b.is_constant()) return divide_by_constant(a, b.constant(), remainder);
  constexpr Wide most = 64;
  if (!b.range().is_finite() || b.range().hi - b.range().lo > most) {
    throw Refusal("a division by a value of more than 64 possible ones");
  }
  return for_each_value(b, [&](Word by) { return quotient(a, by, remainder); });
}

Value Algebra::divide(const Value& a, const Value& b) const { return quotient(a, b, false); }
Value Algebra::modulo(const Value& a, const Value& b) const { return quotient(a, b, true); }

Value Algebra::wrap(const Value& a, Word modulus) const {
  if (a.is_constant()) return arithmetic::wrap(a.constant(), modulus);
  if (a.range().lo >= 0 && a.range().hi < modulus) return a;
  const Interval range{0, modulus - 1};
  if (numbers_ == Numbers::integers) {
    return {z3::mod(number(a, 0), integer(modulus)), range};
  }
  const unsigned width = bits_for(joined(a.range(), {0, modulus}));
  const z3::expr by = context_.bv_val(modulus, width);
  return narrowed({z3::smod(number(a, width), by),
                   Interval{-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1}},
                  range);
}

Value Algebra::bitwise(program::ExprKind kind, const Value& a, const Value& b) const {
  using program::ExprKind;
  const auto on_words = [kind](Word x, Word y) {
    return kind == ExprKind::bit_and ? (x & y) : kind == ExprKind::bit_or ? (x | y) : (x ^ y);
  };
  if (a.is_constant() && b.is_constant()) return on_words(a.constant(), b.constant());
  const Interval both = joined(a.range(), b.range());
  if (!both.is_word()) throw Refusal("a bit operation on a value without bound");
  const unsigned width = bits_for(both);
  Interval range{-(Wide{1} << (width - 1)), (Wide{1} << (width - 1)) - 1};
  if (both.lo >= 0) range.lo = 0;
  if (numbers_ == Numbers::bit_vectors) {
    const z3::expr x = number(a, width);
    const z3::expr y = number(b, width);
    return {kind == ExprKind::bit_and  ? (x & y)
            : kind == ExprKind::bit_or ? (x | y)
                                       : (x ^ y),
            range};
  }
  // Bit by bit; the top one is the sign.
  const z3::expr x = number(a, 0);
  const z3::expr y = number(b, 0);
  z3::expr total = context_.int_val(0);
  for (unsigned bit = 0; bit < width; ++bit) {
    const Wide weight = Wide{1} << bit;
    const z3::expr one = context_.int_val(1);
    const z3::expr in_x = z3::mod(floor_divided(x, weight), context_.int_val(2)) == one;
    const z3::expr in_y = z3::mod(floor_divided(y, weight), context_.int_val(2)) == one;
    const z3::expr in = kind == ExprKind::bit_and  ? in_x && in_y
                        : kind == ExprKind::bit_or ? in_x || in_y
                                                   : in_x != in_y;
    total = total + z3::ite(in, integer(bit + 1 == width ? -weight : weight), context_.int_val(0));
  }
  return {total, range};
}

Value Algebra::shift_left(const Value& a, const Value& b) const {
  if (!b.is_constant()) {
    return for_each_value(wrap(b, 64), [&](Word by) { return shift_left(a, by); });
  }
  if (a.is_constant()) return arithmetic::shift_left(a.constant(), b.constant());
  const auto by = static_cast<unsigned>(static_cast<std::uint64_t>(b.constant()) & 63U);
  if (by < 63) return multiply(a, Word{1} << by);
  return multiply(multiply(a, Word{1} << 62), 2);
}

Value Algebra::shift_right(const Value& a, const Value& b) const {
  if (!b.is_constant()) {
    return for_each_value(wrap(b, 64), [&](Word by) { return shift_right(a, by); });
  }
  if (a.is_constant()) return arithmetic::shift_right(a.constant(), b.constant());
  const auto by = static_cast<unsigned>(static_cast<std::uint64_t>(b.constant()) & 63U);
  if (by == 0) return a;
  if (!a.range().is_finite()) throw Refusal("a shift of a value without bound");
  const Interval range{a.range().lo >> by, a.range().hi >> by};
  if (numbers_ == Numbers::integers) return {floor_divided(number(a, 0), Wide{1} << by), range};
  const unsigned width = std::max(bits_for(a.range()), by + 1);
  const z3::expr term = z3::ashr(number(a, width), context_.bv_val(by, width));
  return narrowed({term, a.range()}, range);
}

}  // namespace txproof::checker::smt
