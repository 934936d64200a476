// A value inside a step that is executed symbolically: a word that is known, or a term of Z3
// together with the interval in which it lies.
//
// What is known is never given to Z3: loop counters, program counters and the choices of a path
// stay numbers, and so loops unroll by themselves and most indices are constants.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <optional>

#include "model/program/program.h"

namespace txproof::checker::smt {

__extension__ using Wide = __int128;  // the interval of any result on two words fits

// Beyond it is infinity: the value of a parameter that has no upper bound, or of what depends on
// it.
constexpr Wide infinity = (Wide{1} << 126) + 1;

struct Interval {
  Wide lo = 0;
  Wide hi = 0;
  bool operator==(const Interval&) const = default;
  [[nodiscard]] bool is_finite() const { return lo > -infinity && hi < infinity; }
  [[nodiscard]] bool is_word() const { return lo >= INT64_MIN && hi <= INT64_MAX; }
  [[nodiscard]] bool contains(Wide value) const { return lo <= value && value <= hi; }
  [[nodiscard]] bool is_boolean() const { return lo >= 0 && hi <= 1; }
};

constexpr Interval boolean_interval{0, 1};
constexpr Interval word_interval{INT64_MIN, INT64_MAX};

Interval joined(const Interval& a, const Interval& b);
Interval intersected(const Interval& a, const Interval& b);  // a, where they are disjoint
Interval added(const Interval& a, const Interval& b);
Interval negated(const Interval& a);
Interval multiplied(const Interval& a, const Interval& b);

class Value {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a value
  Value(program::Word constant) : constant_(constant), range_{constant, constant} {}
  Value(const z3::expr& term, const Interval& range) : term_(term), range_(range) {}

  [[nodiscard]] bool is_constant() const { return !term_.has_value(); }
  [[nodiscard]] program::Word constant() const { return constant_; }
  // A Bool of Z3, which counts as 0 or 1.
  [[nodiscard]] bool is_truth() const { return term_ && term_->is_bool(); }
  [[nodiscard]] const z3::expr& term() const { return *term_; }
  [[nodiscard]] const Interval& range() const { return range_; }
  // The same constant, or the same term: equal whatever the state.
  [[nodiscard]] bool is_identical(const Value& other) const {
    if (is_constant() || other.is_constant()) {
      return is_constant() && other.is_constant() && constant_ == other.constant_;
    }
    return z3::eq(*term_, *other.term_);
  }

 private:
  program::Word constant_ = 0;
  std::optional<z3::expr> term_;
  Interval range_;
};

}  // namespace txproof::checker::smt
