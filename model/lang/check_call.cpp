// Calls: functions, methods, hooks, and what the language has itself.

#include "model/lang/check_expr.h"
#include "model/lang/check_names.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

using Kind = Type::Kind;

namespace {

struct Operation {
  const char* name;
  Builtin builtin;
  std::size_t arguments;
};

// What a container can do with parentheses; `len`, `empty`, `full`, `cap` have none.
constexpr Operation kOperations[] = {
    {"push", Builtin::push, 1},         {"push_head", Builtin::push_head, 1},
    {"pop", Builtin::pop, 0},           {"pop_tail", Builtin::pop_tail, 0},
    {"head", Builtin::head, 0},         {"tail", Builtin::tail, 0},
    {"peek", Builtin::peek, 1},         {"splice", Builtin::splice, 1},
    {"contains", Builtin::contains, 1}, {"remove", Builtin::remove, 1},
    {"clear", Builtin::clear, 0}};

Builtin builtin_function(const std::string& name) {
  if (name == "len") return Builtin::len;
  if (name == "min") return Builtin::min;
  if (name == "max") return Builtin::max;
  if (name == "abs") return Builtin::abs;
  if (name == "READ_ONCE") return Builtin::read_once;
  if (name == "WRITE_ONCE") return Builtin::write_once;
  if (name == "smp_load_acquire") return Builtin::load_acquire;
  if (name == "smp_store_release") return Builtin::store_release;
  return Builtin::not_builtin;
}

std::string counted(std::size_t n) {
  return n == 0 ? "no arguments" : n == 1 ? "1 argument" : std::to_string(n) + " arguments";
}

}  // namespace

bool ExprChecker::argument_count(const Expr& expr, std::size_t wanted, const std::string& name,
                                 const Decl* declared) {
  const std::size_t found = expr.args.size() - 1;
  if (found == wanted) return true;
  auto& error_ = s_.diagnostics.error(
      "TX0309", expr.span,
      "`" + name + "` takes " + counted(wanted) + ", and this call has " + counted(found));
  if (declared) error_.notes.push_back({declared->span, "declared here"});
  return false;
}

void ExprChecker::check_arguments(Expr& expr) {
  for (std::size_t i = 1; i < expr.args.size(); ++i) check(*expr.args[i]);
}

const Type* ExprChecker::check_call(Expr& expr) {
  Expr& callee = *expr.args[0];
  callee.type = s_.types.basic(Kind::void_);
  if (callee.kind == ExprKind::name) return call_by_name(expr);
  if (callee.kind == ExprKind::field) return call_by_field(expr);
  check(callee);
  check_arguments(expr);
  if (is_kind(callee.type, Kind::hook)) return call_hook(expr, *callee.type);
  return is_error(callee.type) ? error()
                               : report("TX0215", callee.span, "this is nothing to be called");
}

const Type* ExprChecker::call_by_name(Expr& expr) {
  Expr& callee = *expr.args[0];
  const VarDecl* variable = find_local(env_, callee.name);
  if (!variable && env_.receiver) {
    if (const FunctionDecl* method = find_method(*env_.receiver, callee.name)) {
      callee.via_this = true;
      callee.decl = method;
      return call_function(expr, *method);
    }
    variable = find_field(s_, *env_.receiver, callee.name, nullptr);
    callee.via_this = variable != nullptr;
  }
  const Decl* decl = variable ? variable : find_global(s_, callee.name);
  if (variable && is_kind(type_of(s_, *variable), Kind::hook)) {
    callee.decl = variable;
    callee.type = variable->type;
    return call_hook(expr, *variable->type);
  }
  if (const FunctionDecl* function = as_function(decl)) {
    callee.decl = function;
    return call_function(expr, *function);
  }
  if (!decl && builtin_function(callee.name) != Builtin::not_builtin) {
    expr.builtin = builtin_function(callee.name);
    return call_builtin(expr);
  }
  check_arguments(expr);
  if (!decl) return check(callee);  // reports the unknown name
  callee.decl = decl;
  s_.diagnostics
      .error("TX0215", callee.span,
             "`" + callee.name + "` is " + describe(*decl) + " and cannot be called")
      .notes.push_back({decl->span, "declared here"});
  return error();
}

const Type* ExprChecker::call_by_field(Expr& expr) {
  Expr& callee = *expr.args[0];
  Expr& receiver = *callee.args[0];
  const Type* base = check(receiver);
  const auto arguments_only = [&] {
    check_arguments(expr);
    callee.type = error();
    return error();
  };
  if (is_error(base)) return arguments_only();
  if (is_container(*base)) return call_container(expr, *base);
  const bool has_members = base->decl != nullptr && base->kind != Kind::enumeration;
  if (base->kind == Kind::object && has_members) {
    if (const FunctionDecl* method = find_method(*base->decl, callee.name)) {
      callee.decl = method;
      return call_function(expr, *method);
    }
  }
  const VarDecl* field =
      has_members ? find_field(s_, *base->decl, callee.name, env_.property) : nullptr;
  if (field) {
    callee.decl = field;
    callee.type = type_of(s_, *field);
    if (is_kind(callee.type, Kind::hook)) return call_hook(expr, *callee.type);
    arguments_only();
    s_.diagnostics
        .error("TX0215", callee.op_span,
               "`" + callee.name + "` is " + describe(*field) + " and cannot be called")
        .notes.push_back({field->span, "declared here"});
    return error();
  }
  arguments_only();
  if (has_members) return unknown_member(callee, *base->decl, true);
  return report("TX0205", callee.op_span,
                "`" + type_name(*base) + "` has no members, so no `" + callee.name + "`");
}

const Type* ExprChecker::call_function(Expr& expr, const FunctionDecl& function) {
  expr.decl = &function;
  if (function.is_thread) {
    check_arguments(expr);
    s_.diagnostics
        .error("TX0215", expr.args[0]->op_span,
               "`" + function.name + "` is a thread; a stack can `run` it, nobody can call it")
        .notes.push_back({function.span, "declared here"});
    return error();
  }
  if (env_.no_calls) {
    check_arguments(expr);
    return report("TX0310", expr.span,
                  "no function can be called here, since the value must not change");
  }
  if (env_.effects) env_.effects->calls.push_back(&function);
  if (!env_.look_only.empty()) {
    s_.pure_uses.push_back({&function, expr.span, env_.look_only});
  } else if (env_.in_probe) {
    s_.pure_uses.push_back({&function, expr.span, "a probe"});
  }
  if (argument_count(expr, function.parameters.size(), function.name, &function)) {
    arguments(expr, function.parameters, function.name);
  } else {
    check_arguments(expr);
  }
  return function.result ? function.result : error();
}

const Type* ExprChecker::call_hook(Expr& expr, const Type& hook) {
  if (hook.hooks.empty()) return error();
  for (const FunctionDecl* function : hook.hooks) {
    if (env_.effects) env_.effects->calls.push_back(function);
    if (!env_.look_only.empty() || env_.in_probe) {
      s_.pure_uses.push_back(
          {function, expr.span, env_.look_only.empty() ? "a probe" : env_.look_only});
    }
  }
  const FunctionDecl& first = *hook.hooks.front();
  if (argument_count(expr, first.parameters.size(), expr.args[0]->name, &first)) {
    arguments(expr, first.parameters, expr.args[0]->name);
  }
  return first.result ? first.result : error();
}

void ExprChecker::arguments(Expr& expr, const std::vector<std::unique_ptr<VarDecl>>& parameters,
                            const std::string& name) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Expr& argument = *expr.args[i + 1];
    const VarDecl& parameter = *parameters[i];
    const std::string what = "`" + parameter.name + "` of `" + name + "`";
    if (parameter.by_reference) {
      lent(argument, parameter, what);
    } else {
      value(argument, parameter.type, what);
    }
  }
}

// `T &x`: the place itself is lent. Whether the callee writes it is judged with the callee.
void ExprChecker::lent(Expr& argument, const VarDecl& parameter, const std::string& what) {
  check(argument);
  if (is_error(argument.type) || is_error(parameter.type)) return;
  const Type& type = *argument.type;
  if (type.kind == Kind::weak && parameter.type->kind == Kind::structure) {
    report("TX0314", argument.span,
           what +
               " borrows the place of a packet, and a weak handle is none; only the place that "
               "holds it can be lent");
    return;
  }
  const VarDecl* variable = place_variable(argument);
  if (!variable) {
    report("TX0312", argument.span,
           what + " is taken by `&` and needs a place, such as a local or a field");
    return;
  }
  if (!same_type(type, *parameter.type)) {
    s_.diagnostics
        .error("TX0312", argument.span,
               what + " is taken by `&` and needs a place of the very type `" +
                   type_name(*parameter.type) + "`, found `" + type_name(type) + "`")
        .notes.push_back({parameter.span, "declared here"});
    return;
  }
  const bool only_looks = !env_.look_only.empty() || env_.in_probe;
  if (!only_looks && !writable(argument, "passed by `&`")) return;
  if (!only_looks) annotate(*variable).is_assigned = true;
}

const Type* ExprChecker::call_builtin(Expr& expr) {
  const std::string& name = expr.args[0]->name;
  const bool stores = expr.builtin == Builtin::write_once || expr.builtin == Builtin::store_release;
  const bool loads = expr.builtin == Builtin::read_once || expr.builtin == Builtin::load_acquire;
  const bool pair = stores || expr.builtin == Builtin::min || expr.builtin == Builtin::max;
  if (!argument_count(expr, pair ? 2 : 1, name, nullptr)) {
    check_arguments(expr);
    return error();
  }
  if (expr.builtin == Builtin::len) {
    const Type* type = check(*expr.args[1]);
    if (is_error(type)) return error();
    if (type->element) return s_.types.integer();
    return report("TX0316", expr.args[1]->span,
                  "`len` counts the elements of an array or a container, and this is `" +
                      type_name(*type) + "`");
  }
  if (loads || stores) return marked_access(expr, stores);
  bool good = true;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    good = number(*expr.args[i], "an argument here") && good;
  }
  return good ? s_.types.integer() : error();
}

// READ_ONCE(x), WRITE_ONCE(x, v) and their ordered kin: x is a place with a value.
const Type* ExprChecker::marked_access(Expr& expr, bool stores) {
  Expr& place = *expr.args[1];
  const std::string name = "`" + expr.args[0]->name + "`";
  const Type* type = stores ? written_place(place, "written") : check(place);
  if (is_error(type)) {
    if (stores) check(*expr.args[2]);
    return error();
  }
  const bool has_value = type->kind == Kind::boolean || type->kind == Kind::integer ||
                         type->kind == Kind::wrapping || type->kind == Kind::enumeration ||
                         type->kind == Kind::object || type->kind == Kind::thread ||
                         type->kind == Kind::hook;
  if (!has_value || place_variable(place) == nullptr) {
    if (stores) check(*expr.args[2]);
    return report("TX0312", place.span,
                  name + " needs a place that holds a value, such as a field, found `" +
                      type_name(*type) + "`");
  }
  if (!stores) return type;
  value(*expr.args[2], type, "what " + name + " writes");
  return s_.types.basic(Kind::void_);
}

const Type* ExprChecker::call_container(Expr& expr, const Type& base) {
  const Expr& callee = *expr.args[0];
  for (const Operation& operation : kOperations) {
    if (callee.name != operation.name) continue;
    expr.builtin = operation.builtin;
    if (!argument_count(expr, operation.arguments, callee.name, nullptr)) {
      check_arguments(expr);
      return error();
    }
    return container_result(expr, base, operation.builtin);
  }
  check_arguments(expr);
  std::vector<std::string> known = {"len", "cap", "empty", "full"};
  for (const auto& name : known) {
    if (callee.name == name) {
      return report("TX0332", callee.op_span, "write `." + name + "` without parentheses");
    }
  }
  for (const Operation& operation : kOperations) known.emplace_back(operation.name);
  return report(
      "TX0316", callee.op_span,
      "`" + type_name(base) + "` has no `" + callee.name + "`" + did_you_mean(callee.name, known));
}

const Type* ExprChecker::container_result(Expr& expr, const Type& base, Builtin operation) {
  const Expr& callee = *expr.args[0];
  const Expr& receiver = *callee.args[0];
  const Type& element = *base.element;
  const bool linear = element.kind == Kind::structure;
  const bool changes = operation != Builtin::head && operation != Builtin::tail &&
                       operation != Builtin::peek && operation != Builtin::contains;
  const std::string what = "an element of `" + type_name(base) + "`";
  if (changes) {
    if (!place_variable(receiver)) {
      return report("TX0311", receiver.span, "this is no place that can be changed");
    }
    note_write(receiver);
  }
  const bool ordered = operation == Builtin::push_head || operation == Builtin::pop ||
                       operation == Builtin::pop_tail || operation == Builtin::head ||
                       operation == Builtin::tail || operation == Builtin::peek;
  if (ordered && base.kind == Kind::bag) {
    check_arguments(expr);
    return report("TX0316", callee.op_span,
                  "a bag has no order, so no `" + callee.name +
                      "`; write `take(x in … where …)` to choose an element");
  }
  const Type* handle = linear ? s_.types.named(Kind::weak, *element.decl) : base.element;
  switch (operation) {
    case Builtin::push:
    case Builtin::push_head:
      value(*expr.args[1], base.element, what);
      return s_.types.basic(Kind::void_);
    case Builtin::pop:
    case Builtin::pop_tail:
      return base.element;
    case Builtin::head:
    case Builtin::tail:
      return handle;
    case Builtin::peek:
      number(*expr.args[1], "an index");
      return handle;
    case Builtin::contains:
      value(*expr.args[1], handle, what);
      return s_.types.boolean();
    case Builtin::remove:
      if (!linear) {
        check(*expr.args[1]);
        return report("TX0316", callee.op_span,
                      "`remove` takes a weak handle, and the elements here are no packets; write "
                      "`take(x in … where x == …)`");
      }
      value(*expr.args[1], handle, what);
      return base.element;
    case Builtin::splice: {
      Expr& other = *expr.args[1];
      check(other);
      if (is_error(other.type)) return error();
      if (!same_type(*other.type, base)) {
        return report("TX0316", other.span,
                      "`splice` moves everything out of another `" + type_name(base) +
                          "`, found `" + type_name(*other.type) + "`");
      }
      note_write(other);
      return s_.types.basic(Kind::void_);
    }
    case Builtin::clear:
      if (linear) {
        return report("TX0316", callee.op_span,
                      "`clear` would lose packets; pop and free them one by one");
      }
      return s_.types.basic(Kind::void_);
    default:
      return error();
  }
}

}  // namespace txproof::lang
