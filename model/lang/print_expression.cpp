#include "model/lang/print_expression.h"

#include <cctype>

#include "model/lang/frontend.h"
#include "model/lang/operators.h"
#include "model/lang/token.h"

namespace txproof::lang {

namespace {

// `any` and quantifiers take everything to their right, so inside an operator they need
// parentheses wherever they stand.
int level_of(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::binary:
      return expr.name == "=>" ? kImplication : binary_level(expr.name);
    case ExprKind::conditional:
      return kConditional;
    case ExprKind::any:
    case ExprKind::range:
      return 0;
    case ExprKind::unary:
    case ExprKind::take:
    case ExprKind::take_where:
    case ExprKind::copy:
    case ExprKind::get:
      return kUnary;
    case ExprKind::aggregate:
      return expr.aggregate_op == AggregateOp::forall || expr.aggregate_op == AggregateOp::exists
                 ? 0
                 : kUnary;
    case ExprKind::integer:
      return expr.value < 0 ? kUnary : kPostfix;
    default:
      return kPostfix;
  }
}

}  // namespace

std::string_view ExpressionPrinter::written(Span span) const {
  if (span.end > source_.size() || span.begin >= span.end) return {};
  return source_.substr(span.begin, span.end - span.begin);
}

std::string ExpressionPrinter::print(const Expr& expr, int level) const {
  const std::string text = bare(expr);
  return expr.parens || level_of(expr) < level ? "(" + text + ")" : text;
}

// Behind a prefix word, which is an operator only before certain tokens.
std::string ExpressionPrinter::operand(const Expr& expr, int level, bool number) const {
  std::string text = print(expr, level);
  std::size_t length = 0;
  while (length < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[length])) != 0 || text[length] == '_')) {
    ++length;
  }
  const std::string word = text.substr(0, length);
  const bool digit = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0])) != 0;
  bool fits = text[0] == '(' || (number && (digit || text[0] == '-'));
  if (!word.empty() && !digit) fits = begins_operand(word);
  return fits ? text : "(" + text + ")";
}

std::string ExpressionPrinter::bare(const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::integer: {
      const std::string_view text = written(expr.span);
      // The span of a number in parentheses is the number's own.
      const bool plain = !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0;
      return plain ? std::string(text) : std::to_string(expr.value);
    }
    case ExprKind::boolean:
      return expr.value != 0 ? "true" : "false";
    case ExprKind::none:
      return written(expr.span) == "NULL" ? "NULL" : "none";
    case ExprKind::self:
      return "self";
    case ExprKind::this_:
      return "this";
    case ExprKind::ticks:
      return "ticks";
    case ExprKind::name:
      return expr.name;
    case ExprKind::field:
      return print(*expr.args[0], kPostfix) + (expr.arrow ? "->" : ".") + expr.name;
    case ExprKind::index:
      return print(*expr.args[0], kPostfix) + "[" + print(*expr.args[1]) + "]";
    case ExprKind::call:
      return print(*expr.args[0], kPostfix) + arguments(expr.args, 1);
    case ExprKind::unary: {
      const std::string text = print(*expr.args[0], kUnary);
      // Two minus signs would be read as `--`.
      return expr.name + (text[0] == '-' ? "(" + text + ")" : text);
    }
    case ExprKind::binary: {
      const bool implies = expr.name == "=>";
      const int level = level_of(expr);
      // The ends of `any` stop before a comparison.
      const bool ends = expr.args[0]->kind == ExprKind::any && level < kAdditive;
      return print(*expr.args[0], ends      ? 0
                                  : implies ? level + 1
                                            : level) +
             " " + expr.name + " " + print(*expr.args[1], implies ? level : level + 1);
    }
    case ExprKind::conditional:
      return print(*expr.args[0], kOr) + " ? " + print(*expr.args[1], kImplication) + " : " +
             print(*expr.args[2], kConditional);
    case ExprKind::cast:
      return print(*expr.written_type) + "(" + print(*expr.args[0]) + ")";
    case ExprKind::any:
      return "any " + operand(*expr.args[0], kAdditive, true) + ".." +
             print(*expr.args[1], kAdditive);
    case ExprKind::range:
      return print(*expr.args[0], kAdditive) + ".." + print(*expr.args[1], kAdditive);
    case ExprKind::take:
      return "take " + operand(*expr.args[0], kPostfix, false);
    case ExprKind::copy:
      return "copy " + operand(*expr.args[0], kPostfix, false);
    case ExprKind::get:
      return "get " + operand(*expr.args[0], kPostfix, false);
    case ExprKind::take_where:
      return "take(" + expr.name + " in " + print(*expr.args[0], kPostfix) + " where " +
             print(*expr.args[1]) + ")";
    case ExprKind::literal:
      return bindings(expr);
    case ExprKind::instance:
      return expr.type_name + " " + bindings(expr);
    case ExprKind::list: {
      const std::string values = arguments(expr.args, 0);
      return "[" + values.substr(1, values.size() - 2) + "]";
    }
    case ExprKind::aggregate:
      return aggregate(expr);
  }
  return {};
}

std::string ExpressionPrinter::aggregate(const Expr& expr) const {
  const Expr& domain = *expr.args[0];
  std::string inside =
      expr.name + " in " + print(domain, domain.kind == ExprKind::range ? 0 : kAdditive);
  if (expr.args[1]) inside += " where " + print(*expr.args[1]);
  switch (expr.aggregate_op) {
    case AggregateOp::forall:
      return "forall " + inside + ": " + print(*expr.args[2]);
    case AggregateOp::exists:
      return "exists " + inside + ": " + print(*expr.args[2]);
    case AggregateOp::count:
      return "count(" + inside + ")";
    case AggregateOp::sum:
      return "sum(" + inside + ") " + print(*expr.args[2], kUnary);
    case AggregateOp::minimum:
      return "min(" + inside + ") " + print(*expr.args[2], kUnary);
    case AggregateOp::maximum:
      return "max(" + inside + ") " + print(*expr.args[2], kUnary);
  }
  return {};
}

std::string ExpressionPrinter::arguments(const std::vector<ExprPtr>& args, std::size_t from) const {
  std::string result = "(";
  for (std::size_t i = from; i < args.size(); ++i) {
    result += (i > from ? ", " : "") + print(*args[i]);
  }
  return result + ")";
}

std::string ExpressionPrinter::bindings(const Expr& expr) const {
  if (expr.args.empty()) return "{}";
  std::string result = "{ ";
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    result += (i > 0 ? ", " : "") + expr.field_names[i] + ": " + print(*expr.args[i]);
  }
  return result + " }";
}

std::string ExpressionPrinter::range(const ExprPtr& lo, const ExprPtr& hi) const {
  if (!lo || !hi) return {};
  return " in " + print(*lo, kAdditive) + ".." + print(*hi, kAdditive);
}

std::string ExpressionPrinter::print(const TypeExpr& type) const {
  using Kind = TypeExpr::Kind;
  std::string result = type.name;
  switch (type.kind) {
    case Kind::named:
      break;
    case Kind::integer:
      result = "int";
      break;
    case Kind::boolean:
      result = "bool";
      break;
    case Kind::u8:
      result = "u8";
      break;
    case Kind::u16:
      result = "u16";
      break;
    case Kind::u32:
      result = "u32";
      break;
    case Kind::mod: {
      const Expr& size = *type.size;
      const bool plain = (size.kind == ExprKind::integer && size.value >= 0) ||
                         size.kind == ExprKind::name || size.parens;
      result = "int mod " + (plain ? print(size) : "(" + print(size) + ")");
      break;
    }
    case Kind::fifo:
    case Kind::bag:
      result = (type.kind == Kind::fifo ? "fifo<" : "bag<") + print(*type.element) + ", " +
               print(*type.size, kAdditive) + ">";
      break;
    case Kind::weak:
      result = "weak " + type.name;
      break;
    case Kind::thread:
      result = "thread";
      break;
    case Kind::hook:
      result = "hook";  // the functions stand behind the name
      break;
  }
  return result + range(type.lo, type.hi);
}

std::string print_expr(const Expr& expr) { return ExpressionPrinter().print(expr); }

}  // namespace txproof::lang
