#include "model/lang/check_expr.h"

#include "model/lang/check_names.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

using Kind = Type::Kind;
using Role = VarDecl::Role;

const Type* ExprChecker::report(const char* code, Span span, const std::string& message) {
  s_.diagnostics.error(code, span, message);
  return error();
}

const Type* ExprChecker::check(Expr& expr, const Type* expected) {
  expr.type = check_kind(expr, expected);
  return expr.type;
}

const Type* ExprChecker::check_kind(Expr& expr, const Type* expected) {
  switch (expr.kind) {
    case ExprKind::integer:
      return s_.types.integer();
    case ExprKind::boolean:
      return s_.types.boolean();
    case ExprKind::none:
      return s_.types.basic(Kind::none);
    case ExprKind::self:
      if (env_.no_thread || env_.no_calls) {
        return report("TX0218", expr.span,
                      "`self` is the thread that runs this, and no thread runs this text");
      }
      return s_.types.basic(Kind::thread);
    case ExprKind::this_:
      if (env_.this_type) return denoted_type(s_, *env_.this_type);
      return report("TX0218", expr.span,
                    "`this` is the object of a method, and this text belongs to none");
    case ExprKind::ticks:
      return report("TX0328", expr.span,
                    "`ticks` counts time without end; it can only stand in `rate`");
    case ExprKind::name:
      return check_name(expr, expected);
    case ExprKind::field:
      return check_field(expr);
    case ExprKind::index:
      return check_index(expr);
    case ExprKind::call:
      return check_call(expr);
    case ExprKind::unary:
      return check_unary(expr);
    case ExprKind::binary:
      return check_binary(expr);
    case ExprKind::conditional:
      return check_conditional(expr, expected);
    case ExprKind::cast:
      return check_cast(expr);
    case ExprKind::any:
      return check_any(expr);
    case ExprKind::take:
      return check_take(expr);
    case ExprKind::take_where:
      return check_take_where(expr);
    case ExprKind::copy:
    case ExprKind::get:
      return check_copy(expr);
    case ExprKind::literal:
      return check_literal(expr, expected);
    case ExprKind::list:
    case ExprKind::instance:
      check_rest(expr);
      return report("TX0320", expr.span, "this can only stand in a binding of an instance");
    case ExprKind::aggregate:
      return check_aggregate(expr);
    case ExprKind::range:
      check_rest(expr);
      return report("TX0307", expr.op_span,
                    "a range `lo..hi` is no value; it can stand behind `in` and `any`");
  }
  return error();
}

// ---------------------------------------------------------------- names and members

const Type* ExprChecker::check_name(Expr& expr, const Type* expected) {
  if (const VarDecl* local = find_local(env_, expr.name)) {
    expr.decl = local;
    return type_of(s_, *local);
  }
  if (env_.receiver) {
    if (const VarDecl* field = find_field(s_, *env_.receiver, expr.name, nullptr)) {
      expr.decl = field;
      expr.via_this = true;
      return type_of(s_, *field);
    }
    if (find_method(*env_.receiver, expr.name)) {
      return report("TX0332", expr.span,
                    "`" + expr.name + "` is a method: write `" + expr.name + "()` to call it");
    }
  }
  if (const Decl* decl = find_global(s_, expr.name)) return check_global(expr, *decl, expected);
  return report("TX0201", expr.span,
                "nothing here is named `" + expr.name + "`" +
                    did_you_mean(expr.name, names_in_reach(s_, env_)));
}

const Type* ExprChecker::check_global(Expr& expr, const Decl& decl, const Type* expected) {
  expr.decl = &decl;
  if (decl.decl_kind == DeclKind::enumerator) {
    const TypeDecl& owner = *static_cast<const Enumerator&>(decl).owner;
    resolve_enum(s_, owner);
    return denoted_type(s_, owner);
  }
  if (const VarDecl* variable = as_variable(&decl)) {
    if (variable->role != Role::counter) return type_of(s_, *variable);
    return report("TX0328", expr.span,
                  "`" + expr.name +
                      "` is a counter: it grows without end, is no part of the state, and can "
                      "only be counted (`count " +
                      expr.name + " += 1;`) and stand in `rate`");
  }
  if (const FunctionDecl* function = as_function(&decl)) {
    if (expected != nullptr && is_kind(expected, Kind::hook)) {
      for (const FunctionDecl* hook : expected->hooks) {
        if (hook == function) return expected;
      }
      auto& error_ = s_.diagnostics.error(
          "TX0329", expr.span,
          "`" + expr.name + "` is not among the functions of `" + type_name(*expected) + "`");
      error_.notes.push_back({decl.span, "declared here"});
      return error();
    }
    if (!function->is_thread) {
      return report("TX0332", expr.span,
                    "`" + expr.name + "` is a function: write `" + expr.name + "(…)` to call it");
    }
  }
  s_.diagnostics
      .error("TX0204", expr.span,
             "`" + expr.name + "` is " + describe(decl) + ", and a value is needed here")
      .notes.push_back({decl.span, "declared here"});
  return error();
}

const Type* ExprChecker::unknown_member(const Expr& expr, const TypeDecl& type, bool is_call) {
  auto known = is_call ? method_names_of(type) : field_names_of(s_, type, env_.property);
  std::string hint = did_you_mean(expr.name, known);
  if (hint.empty() && is_call && find_global(s_, expr.name)) {
    hint = "; `" + expr.name + "` is a function of its own: write `" + expr.name + "(…)`";
  }
  s_.diagnostics
      .error("TX0205", expr.op_span,
             "`" + type.name + "` has no " + (is_call ? "method" : "member") + " `" + expr.name +
                 "`" + hint)
      .notes.push_back({type.span, "`" + type.name + "` is declared here"});
  return error();
}

const Type* ExprChecker::check_field(Expr& expr) {
  const Type* base = check(*expr.args[0]);
  if (is_error(base)) return error();
  if (base->element) return check_property_of_container(expr, *base);
  if (base->kind == Kind::structure && !place_variable(*expr.args[0])) {
    return report("TX0308", expr.args[0]->span,
                  "this packet would be looked at and lost; put it into a local first");
  }
  if (!base->decl || base->kind == Kind::enumeration) {
    return report("TX0205", expr.op_span,
                  "`" + type_name(*base) + "` has no members, so no `" + expr.name + "`");
  }
  if (const VarDecl* field = find_field(s_, *base->decl, expr.name, env_.property)) {
    expr.decl = field;
    return type_of(s_, *field);
  }
  if (find_method(*base->decl, expr.name)) {
    return report("TX0332", expr.op_span,
                  "`" + expr.name + "` is a method: write `" + expr.name + "(…)` to call it");
  }
  return unknown_member(expr, *base->decl, false);
}

const Type* ExprChecker::check_property_of_container(Expr& expr, const Type& base) {
  const bool array = base.kind == Kind::array;
  if (expr.name == "len") {
    expr.builtin = Builtin::len;
    return s_.types.integer();
  }
  if (!array && expr.name == "cap") {
    expr.builtin = Builtin::cap;
    return s_.types.integer();
  }
  if (!array && (expr.name == "empty" || expr.name == "full")) {
    expr.builtin = expr.name == "empty" ? Builtin::empty : Builtin::full;
    return s_.types.boolean();
  }
  const std::vector<std::string> operations = {"push",     "push_head", "pop",  "pop_tail",
                                               "head",     "tail",      "peek", "splice",
                                               "contains", "remove",    "clear"};
  for (const auto& operation : operations) {
    if (!array && operation == expr.name) {
      return report("TX0332", expr.op_span,
                    "`" + expr.name + "` is an operation: write `" + expr.name +
                        (expr.name == "peek" || expr.name == "splice" || expr.name == "contains" ||
                                 expr.name == "remove" || expr.name.starts_with("push")
                             ? "(…)`"
                             : "()`"));
    }
  }
  return report(
      "TX0316", expr.op_span,
      "`" + type_name(base) + "` has no `" + expr.name + "`" +
          did_you_mean(expr.name, array ? std::vector<std::string>{"len"}
                                        : std::vector<std::string>{"len", "cap", "empty", "full"}));
}

const Type* ExprChecker::check_index(Expr& expr) {
  const Type* base = check(*expr.args[0]);
  number(*expr.args[1], "an index");
  if (is_error(base)) return error();
  if (base->kind == Kind::array) {
    const auto at = constant_value(*expr.args[1]);
    const auto size = base->size ? constant_value(*base->size) : std::nullopt;
    if (at && (*at < 0 || (size && *at >= *size))) {
      return report("TX0330", expr.args[1]->span,
                    "there is no element " + std::to_string(*at) + " in `" + type_name(*base) +
                        "`; the first is 0");
    }
    return base->element;
  }
  return report("TX0330", expr.args[0]->span,
                "`" + type_name(*base) + "` is no array" +
                    (is_container(*base) ? "; write `.peek(i)` to look at an element" : ""));
}

// ---------------------------------------------------------------- operators

bool is_enumerator(const Expr& expr) {
  return expr.kind == ExprKind::name && expr.decl && expr.decl->decl_kind == DeclKind::enumerator;
}

bool ExprChecker::number(Expr& expr, const char* what) {
  check(expr);
  return !is_error(expr.type) && operand(expr, what);
}

bool ExprChecker::operand(Expr& expr, const std::string& op) {
  if (is_error(expr.type)) return false;
  if (is_number(*expr.type) || is_enumerator(expr)) return true;
  if (is_kind(expr.type, Kind::boolean)) {
    report("TX0302", expr.span, op + " is a number, and this is a `bool`; write `(…) ? 1 : 0`");
  } else {
    report("TX0307", expr.span, op + " is a number, and this is `" + type_name(*expr.type) + "`");
  }
  return false;
}

void ExprChecker::require_condition(const Expr& expr) {
  if (is_error(expr.type)) return;
  switch (expr.type->kind) {
    case Kind::boolean:
    case Kind::integer:
    case Kind::wrapping:
    case Kind::enumeration:
    case Kind::weak:
    case Kind::object:
    case Kind::hook:
    case Kind::thread:
      return;
    case Kind::structure:
      if (place_variable(expr)) return;
      report("TX0308", expr.span,
             "this packet would be tested and lost; put it into a local first");
      return;
    case Kind::fifo:
    case Kind::bag:
      report("TX0308", expr.span,
             "`" + type_name(*expr.type) + "` is no condition; write `.empty` or `.full`");
      return;
    default:
      report("TX0308", expr.span, "`" + type_name(*expr.type) + "` is no condition");
  }
}

void ExprChecker::condition(Expr& expr) {
  check(expr);
  require_condition(expr);
}

void ExprChecker::looking_condition(Expr& expr, const char* where) {
  const Restore look(env_.look_only, std::string(where));
  condition(expr);
}

const Type* ExprChecker::check_unary(Expr& expr) {
  Expr& operand_ = *expr.args[0];
  if (expr.name == "!") {
    condition(operand_);
    return s_.types.boolean();
  }
  check(operand_);
  if (!operand(operand_, "the operand of `" + expr.name + "`")) return error();
  if (operand_.type->kind == Kind::wrapping) return operand_.type;
  if (expr.name == "~" && !constant_value(operand_)) {
    return report("TX0307", expr.op_span,
                  "`~` needs a constant or a wrapping type such as u16, since `int` has no width");
  }
  return s_.types.integer();
}

const Type* ExprChecker::check_binary(Expr& expr) {
  const std::string& op = expr.name;
  if (op == "=>" || op == "&&" || op == "||") {
    condition(*expr.args[0]);
    condition(*expr.args[1]);
    return s_.types.boolean();
  }
  if (op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=") {
    return check_comparison(expr);
  }
  return check_arithmetic(expr);
}

bool refers_to(const TypeDecl* from, const TypeDecl* to) {
  return from && to && (from == to || from->implements == to);
}

bool ExprChecker::comparable(const Expr& left, const Expr& right) {
  const Type& a = *left.type;
  const Type& b = *right.type;
  const auto plain = [](const Type& t) { return is_number(t) || t.kind == Kind::boolean; };
  const auto named = [](const Type& t) {
    return t.kind == Kind::structure || t.kind == Kind::weak || t.kind == Kind::object ||
           t.kind == Kind::hook || t.kind == Kind::thread;
  };
  if (plain(a) && plain(b)) return true;
  if (a.kind == Kind::none) return named(b) || b.kind == Kind::none;
  if (b.kind == Kind::none) return named(a);
  if (a.kind == Kind::enumeration && b.kind == Kind::enumeration) return a.decl == b.decl;
  if (a.kind == Kind::enumeration) {
    return is_number(b) && (is_enumerator(left) || constant_value(right));
  }
  if (b.kind == Kind::enumeration) {
    return is_number(a) && (is_enumerator(right) || constant_value(left));
  }
  if (a.kind == Kind::object && b.kind == Kind::object) {
    return refers_to(a.decl, b.decl) || refers_to(b.decl, a.decl);
  }
  const auto packet = [](const Type& t) {
    return t.kind == Kind::structure || t.kind == Kind::weak;
  };
  if (packet(a) && packet(b)) return a.decl == b.decl;
  if (a.kind == Kind::hook && b.kind == Kind::hook) return same_type(a, b);
  return a.kind == Kind::thread && b.kind == Kind::thread;
}

const Type* ExprChecker::check_comparison(Expr& expr) {
  Expr& left = *expr.args[0];
  Expr& right = *expr.args[1];
  check(left);
  check(right, left.type);
  if (is_error(left.type) || is_error(right.type)) return s_.types.boolean();
  for (const Expr* side : {&left, &right}) {
    if (side->type->kind == Kind::structure && !place_variable(*side)) {
      report("TX0308", side->span,
             "this packet would be compared and lost; put it into a local first");
      return s_.types.boolean();
    }
  }
  bool good = comparable(left, right);
  if (good && expr.name != "==" && expr.name != "!=") {
    const auto ordered = [](const Type& t) { return is_number(t) || t.kind == Kind::enumeration; };
    good = ordered(*left.type) && ordered(*right.type);
  }
  if (!good) {
    report("TX0315", expr.op_span,
           "`" + expr.name + "` cannot compare `" + type_name(*left.type) + "` with `" +
               type_name(*right.type) + "`");
  }
  return s_.types.boolean();
}

const Type* ExprChecker::check_arithmetic(Expr& expr) {
  const std::string& op = expr.name;
  Expr& left = *expr.args[0];
  Expr& right = *expr.args[1];
  check(left);
  check(right);
  if (is_error(left.type) || is_error(right.type)) return error();
  const bool bits = op == "&" || op == "|" || op == "^";
  if (bits && left.type->kind == Kind::boolean && right.type->kind == Kind::boolean) {
    return s_.types.boolean();
  }
  const std::string what = "an operand of `" + op + "`";
  const bool good_left = operand(left, what);
  if (!operand(right, what) || !good_left) return error();
  const auto constant_left = constant_value(left);
  const auto constant_right = constant_value(right);
  if ((op == "/" || op == "%") && constant_right == 0) {
    return report("TX0333", right.span, "this divides by zero");
  }
  const bool wraps_left = left.type->kind == Kind::wrapping;
  const bool wraps_right = right.type->kind == Kind::wrapping;
  const bool shift = op == "<<" || op == ">>";
  if ((bits || shift) && !wraps_left && !wraps_right && !constant_left && !constant_right) {
    return report("TX0307", expr.op_span,
                  "`" + op + "` needs a constant on one side, or a wrapping type such as u16");
  }
  if (shift) return wraps_left ? left.type : s_.types.integer();
  if (wraps_left && wraps_right) {
    if (same_type(*left.type, *right.type)) return left.type;
    return report("TX0303", expr.op_span,
                  "`" + type_name(*left.type) + "` and `" + type_name(*right.type) +
                      "` wrap at different values; cast one of them");
  }
  if (wraps_left && constant_right) return left.type;
  if (wraps_right && constant_left) return right.type;
  return s_.types.integer();
}

const Type* ExprChecker::check_conditional(Expr& expr, const Type* expected) {
  condition(*expr.args[0]);
  Expr& left = *expr.args[1];
  Expr& right = *expr.args[2];
  check(left, expected);
  check(right, expected ? expected : left.type);
  if (is_error(left.type) || is_error(right.type)) return error();
  const Type& a = *left.type;
  const Type& b = *right.type;
  if (a.kind == Kind::structure || b.kind == Kind::structure) {
    return report("TX0314", expr.op_span,
                  "`?:` does not choose among packets, since only one of them would move; use "
                  "`if`");
  }
  if (is_number(a) && is_number(b)) {
    return same_type(a, b) && a.kind == Kind::wrapping ? left.type : s_.types.integer();
  }
  if (same_type(a, b) && !a.element) return left.type;
  if (a.kind == Kind::none && b.decl && b.kind != Kind::enumeration) return right.type;
  if (b.kind == Kind::none && a.decl && a.kind != Kind::enumeration) return left.type;
  if (a.kind == Kind::object && b.kind == Kind::object) {
    if (refers_to(a.decl, b.decl)) return right.type;
    if (refers_to(b.decl, a.decl)) return left.type;
    if (a.decl->implements && a.decl->implements == b.decl->implements) {
      return denoted_type(s_, *a.decl->implements);
    }
  }
  return report("TX0301", expr.op_span,
                "the two sides of `?:` are `" + type_name(a) + "` and `" + type_name(b) + "`");
}

const Type* ExprChecker::check_cast(Expr& expr) {
  const Type* type = expr.written_type ? resolve_type(s_, env_, *expr.written_type) : error();
  return number(*expr.args[0], "what is cast") ? type : error();
}

const Type* ExprChecker::check_any(Expr& expr) {
  // A probe may choose: that is how one packet is marked freely.
  if (!env_.in_probe || !env_.look_only.empty()) effect(expr.span, "chooses");
  const bool good = number(*expr.args[0], "the end of a choice");
  if (!number(*expr.args[1], "the end of a choice") || !good) return error();
  const auto lo = constant_value(*expr.args[0]);
  const auto hi = constant_value(*expr.args[1]);
  if (lo && hi && *lo > *hi) {
    return report("TX0321", expr.span, "there is nothing to choose from: the range is empty");
  }
  return s_.types.integer(expr.args[0].get(), expr.args[1].get());
}

}  // namespace txproof::lang
