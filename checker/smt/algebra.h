// The arithmetic of the step semantics on Values, in one of two encodings: mathematical integers,
// or bit vectors that are as wide as the interval of each result asks for, so that nothing
// overflows. Everything that is known is computed here and never reaches Z3.
#pragma once

#include <string>

#include "checker/smt/refusal.h"
#include "checker/smt/value.h"

namespace txproof::checker::smt {

enum class Numbers { integers, bit_vectors };

class Algebra {
 public:
  Algebra(z3::context& context, Numbers numbers) : context_(context), numbers_(numbers) {}

  [[nodiscard]] z3::context& context() const { return context_; }
  [[nodiscard]] Numbers numbers() const { return numbers_; }

  // A variable of this name: a Bool where the range is 0..1.
  //   errors: Refusal for a range without an end in bit vectors
  Value variable(const std::string& name, const Interval& range);
  // The term of `value` in the sort of a variable of that range.
  [[nodiscard]] z3::expr fitted(const Value& value, const Interval& range) const;
  // The value lies in the range, whatever its own interval says (which folds what it decides).
  [[nodiscard]] z3::expr in_range(const Value& value, const Interval& range) const;

  // Truth values, folded.
  [[nodiscard]] z3::expr truth(bool value) const { return context_.bool_val(value); }
  [[nodiscard]] z3::expr both(const z3::expr& a, const z3::expr& b) const;
  [[nodiscard]] z3::expr either(const z3::expr& a, const z3::expr& b) const;
  [[nodiscard]] z3::expr opposite(const z3::expr& a) const;
  [[nodiscard]] z3::expr nonzero(const Value& value) const;
  [[nodiscard]] Value of_truth(const z3::expr& truth) const;
  // A Value that is known to lie in a narrower interval too.
  [[nodiscard]] Value narrowed(const Value& value, const Interval& range) const;

  [[nodiscard]] z3::expr equal(const Value& a, const Value& b) const;
  [[nodiscard]] z3::expr less(const Value& a, const Value& b) const;
  [[nodiscard]] z3::expr less_equal(const Value& a, const Value& b) const {
    return opposite(less(b, a));
  }

  [[nodiscard]] Value choose(const z3::expr& condition, const Value& yes, const Value& no) const;
  [[nodiscard]] Value add(const Value& a, const Value& b) const;
  [[nodiscard]] Value subtract(const Value& a, const Value& b) const;
  [[nodiscard]] Value multiply(const Value& a, const Value& b) const;
  [[nodiscard]] Value negate(const Value& a) const { return subtract(0, a); }
  // As in C; by zero it is 0.
  [[nodiscard]] Value divide(const Value& a, const Value& b) const;
  [[nodiscard]] Value modulo(const Value& a, const Value& b) const;
  // The residue in 0..modulus-1. requires: modulus > 0
  [[nodiscard]] Value wrap(const Value& a, program::Word modulus) const;
  // bit_and, bit_or, bit_xor
  [[nodiscard]] Value bitwise(program::ExprKind kind, const Value& a, const Value& b) const;
  [[nodiscard]] Value shift_left(const Value& a, const Value& b) const;
  [[nodiscard]] Value shift_right(const Value& a, const Value& b) const;

 private:
  [[nodiscard]] z3::expr integer(Wide value) const;
  // The term of a value as Int, or as bit vector of so many bits (more than its range needs).
  [[nodiscard]] z3::expr number(const Value& value, unsigned width) const;
  // A result beyond 64 bits is wrapped, as the machine's is.
  [[nodiscard]] Value finished(const z3::expr& term, const Interval& range) const;
  [[nodiscard]] z3::expr floor_divided(const z3::expr& a, Wide by) const;
  [[nodiscard]] Value divide_by_constant(const Value& a, program::Word b, bool remainder) const;
  [[nodiscard]] Value quotient(const Value& a, const Value& b, bool remainder) const;
  template <typename Operation>
  [[nodiscard]] Value for_each_value(const Value& by, Operation operation) const;

  z3::context& context_;
  Numbers numbers_;
};

// Bits of the shortest two's complement that holds the interval. requires: is_word()
unsigned bits_for(const Interval& range);

}  // namespace txproof::checker::smt
