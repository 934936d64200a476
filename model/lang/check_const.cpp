// Constant expressions: the values of checked trees.

#include "model/lang/check_names.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

namespace {

using Value = std::optional<std::int64_t>;

Value unary(const std::string& op, std::int64_t a) {
  if (op == "!") return a == 0 ? 1 : 0;
  if (op == "~") return ~a;
  std::int64_t result = 0;
  if (__builtin_sub_overflow(std::int64_t{0}, a, &result)) return {};
  return result;
}

Value shift(const std::string& op, std::int64_t a, std::int64_t b) {
  if (b < 0 || b > 62) return {};
  if (op == ">>") return a >> b;
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, std::int64_t{1} << b, &result)) return {};
  return result;
}

Value compare(const std::string& op, std::int64_t a, std::int64_t b) {
  if (op == "==") return a == b;
  if (op == "!=") return a != b;
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  if (op == "&&") return a != 0 && b != 0;
  if (op == "||") return a != 0 || b != 0;
  if (op == "=>") return a == 0 || b != 0;
  return {};
}

Value binary(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "+") return __builtin_add_overflow(a, b, &result) ? Value() : result;
  if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Value() : result;
  if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Value() : result;
  if (op == "/" || op == "%") {
    if (b == 0 || (b == -1 && a == INT64_MIN)) return {};
    return op == "/" ? a / b : a % b;
  }
  if (op == "&") return a & b;
  if (op == "|") return a | b;
  if (op == "^") return a ^ b;
  if (op == "<<" || op == ">>") return shift(op, a, b);
  return compare(op, a, b);
}

// The value as a wrapping type holds it.
Value wrapped(const Type* type, Value value) {
  if (!value || !is_kind(type, Type::Kind::wrapping)) return value;
  if (type->bits != 0) return *value & ((std::int64_t{1} << type->bits) - 1);
  const Value size = type->size ? constant_value(*type->size) : Value();
  if (!size || *size <= 0) return {};
  return ((*value % *size) + *size) % *size;
}

}  // namespace

std::optional<std::int64_t> constant_value(const Expr& expr) {
  const auto operand = [&](std::size_t i) {
    return i < expr.args.size() && expr.args[i] ? constant_value(*expr.args[i]) : Value();
  };
  switch (expr.kind) {
    case ExprKind::integer:
    case ExprKind::boolean:
      return expr.value;
    case ExprKind::name:
      if (!expr.decl) return {};
      if (expr.decl->decl_kind == DeclKind::enumerator) {
        return static_cast<const Enumerator*>(expr.decl)->value;
      }
      if (const VarDecl* variable = as_variable(expr.decl)) {
        if (variable->role == VarDecl::Role::constant) return variable->constant;
      }
      return {};
    case ExprKind::unary: {
      const Value a = operand(0);
      return a ? wrapped(expr.type, unary(expr.name, *a)) : Value();
    }
    case ExprKind::binary: {
      const Value a = operand(0);
      const Value b = operand(1);
      return a && b ? wrapped(expr.type, binary(expr.name, *a, *b)) : Value();
    }
    case ExprKind::conditional: {
      const Value a = operand(0);
      if (!a) return {};
      return operand(*a != 0 ? 1 : 2);
    }
    case ExprKind::cast:
      return wrapped(expr.type, operand(0));
    case ExprKind::call: {
      const Value a = operand(1);
      const Value b = operand(2);
      if (expr.builtin == Builtin::min && a && b) return std::min(*a, *b);
      if (expr.builtin == Builtin::max && a && b) return std::max(*a, *b);
      if (expr.builtin == Builtin::abs && a && *a != INT64_MIN) return *a < 0 ? -*a : *a;
      return {};
    }
    default:
      return {};
  }
}

}  // namespace txproof::lang
