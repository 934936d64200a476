#include "checker/explicit/fold.h"

#include <stdexcept>

#include "checker/explicit/arithmetic.h"

namespace txproof::checker {

using program::ExprKind;
using program::Word;

Word fold(ExprKind kind, Word a, Word b) {
  switch (kind) {
    case ExprKind::negate:
      return arithmetic::subtract(0, a);
    case ExprKind::bit_not:
      return ~a;
    case ExprKind::logical_not:
      return a == 0 ? 1 : 0;
    case ExprKind::wrap:
      return arithmetic::wrap(a, b);
    case ExprKind::add:
      return arithmetic::add(a, b);
    case ExprKind::subtract:
      return arithmetic::subtract(a, b);
    case ExprKind::multiply:
      return arithmetic::multiply(a, b);
    case ExprKind::divide:
      return arithmetic::divide(a, b);
    case ExprKind::modulo:
      return arithmetic::modulo(a, b);
    case ExprKind::bit_and:
      return a & b;
    case ExprKind::bit_or:
      return a | b;
    case ExprKind::bit_xor:
      return a ^ b;
    case ExprKind::shift_left:
      return arithmetic::shift_left(a, b);
    case ExprKind::shift_right:
      return arithmetic::shift_right(a, b);
    case ExprKind::less:
      return a < b ? 1 : 0;
    case ExprKind::less_equal:
      return a <= b ? 1 : 0;
    case ExprKind::equal:
      return a == b ? 1 : 0;
    case ExprKind::not_equal:
      return a != b ? 1 : 0;
    case ExprKind::minimum:
      return a < b ? a : b;
    case ExprKind::maximum:
      return a < b ? b : a;
    default:
      throw std::logic_error("not an operator on known values");
  }
}

Op operation_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::add:
      return Op::add;
    case ExprKind::subtract:
      return Op::subtract;
    case ExprKind::multiply:
      return Op::multiply;
    case ExprKind::divide:
      return Op::divide;
    case ExprKind::modulo:
      return Op::modulo;
    case ExprKind::bit_and:
      return Op::bit_and;
    case ExprKind::bit_or:
      return Op::bit_or;
    case ExprKind::bit_xor:
      return Op::bit_xor;
    case ExprKind::shift_left:
      return Op::shift_left;
    case ExprKind::shift_right:
      return Op::shift_right;
    case ExprKind::less:
      return Op::less;
    case ExprKind::less_equal:
      return Op::less_equal;
    case ExprKind::equal:
      return Op::equal;
    case ExprKind::not_equal:
      return Op::not_equal;
    case ExprKind::minimum:
      return Op::minimum;
    case ExprKind::maximum:
      return Op::maximum;
    default:
      throw std::logic_error("not a binary operator");
  }
}

}  // namespace txproof::checker
