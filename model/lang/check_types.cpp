#include "model/lang/check_types.h"

#include "model/lang/check_expr.h"
#include "model/lang/check_names.h"

namespace txproof::lang {

namespace {

using Role = VarDecl::Role;

// Marks a declaration as being resolved.
class Visit {
 public:
  Visit(CheckState& state, const Decl& decl) : state_(state), decl_(decl) {
    fresh_ = state.visiting.insert(&decl).second;
    if (!fresh_) {
      state.diagnostics.error("TX0210", decl.span, "`" + decl.name + "` is defined by itself");
    }
  }
  ~Visit() {
    if (fresh_) state_.visiting.erase(&decl_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  [[nodiscard]] bool fresh() const { return fresh_; }

 private:
  CheckState& state_;
  const Decl& decl_;
  bool fresh_ = false;
};

// A variable in the tree whose value may change, lengths and capacities apart.
const VarDecl* changing_variable(const Expr& expr) {
  if (expr.builtin == Builtin::len || expr.builtin == Builtin::cap) return nullptr;
  if (const VarDecl* variable = as_variable(expr.decl)) {
    const bool changes = variable->role == Role::field || variable->role == Role::ghost;
    if (changes && !is_kind(variable->type, Type::Kind::error)) return variable;
  }
  for (const auto& arg : expr.args) {
    const VarDecl* found = arg ? changing_variable(*arg) : nullptr;
    if (found) return found;
  }
  return nullptr;
}

// An end of a range, a size: a number that nothing can change on the way. In a function it may be
// reached through references, which are known when the function is inlined.
bool check_fixed(CheckState& state, Env& env, Expr& expr, const char* what) {
  const Restore calls(env.no_calls, true);
  const Restore look(env.look_only, std::string(what));
  ExprChecker checker(state, env);
  if (!checker.number(expr, what)) return false;
  const VarDecl* changing = env.function ? nullptr : changing_variable(expr);
  if (!changing) return true;
  state.diagnostics
      .error("TX0310", expr.span,
             std::string(what) + " is fixed when the stack is made, and `" + changing->name +
                 "` may change; use a param")
      .notes.push_back({changing->span, "declared here"});
  return false;
}

// Puts the range on the integer inside arrays and containers.
const Type* with_range(CheckState& state, const Type* type, const Expr* lo, const Expr* hi) {
  if (type->kind == Type::Kind::integer) return state.types.integer(lo, hi);
  if (is_container(*type)) {
    const Type* element = with_range(state, type->element, lo, hi);
    return element ? state.types.container(type->kind, element, type->size) : nullptr;
  }
  return nullptr;
}

const Type* apply_range(CheckState& state, Env& env, const Type* type, ExprPtr& lo, ExprPtr& hi) {
  if (!lo || !hi) return type;
  const bool good_lo = check_fixed(state, env, *lo, "the end of a range");
  const bool good_hi = check_fixed(state, env, *hi, "the end of a range");
  if (is_error(type)) return type;
  if (!good_lo || !good_hi) return state.types.error();
  const auto low = constant_value(*lo);
  const auto high = constant_value(*hi);
  Span span = lo->span;
  span.end = hi->span.end;
  if (low && high && *low > *high) {
    state.diagnostics.error("TX0321", span,
                            "this range is empty: it begins at " + std::to_string(*low) +
                                " and ends at " + std::to_string(*high));
    return state.types.error();
  }
  if (const Type* ranged = with_range(state, type, lo.get(), hi.get())) return ranged;
  state.diagnostics.error("TX0321", span,
                          "a range belongs to `int`, and this is `" + type_name(*type) + "`");
  return state.types.error();
}

bool lacks_range(const Type& type) {
  if (type.kind == Type::Kind::integer) return !type.lo;
  return type.element && lacks_range(*type.element);
}

const Type* resolve_container(CheckState& state, Env& env, TypeExpr& written) {
  const Type* element =
      written.element ? resolve_type(state, env, *written.element) : state.types.error();
  const bool good = written.size && check_fixed(state, env, *written.size, "a capacity");
  if (!good || is_error(element)) return state.types.error();
  if (element->element) {
    state.diagnostics.error(
        "TX0331", written.element->span,
        "a container holds packets, numbers and references, not `" + type_name(*element) + "`");
    return state.types.error();
  }
  return state.types.container(
      written.kind == TypeExpr::Kind::fifo ? Type::Kind::fifo : Type::Kind::bag, element,
      written.size.get());
}

const Type* resolve_named(CheckState& state, const TypeExpr& written) {
  const Decl* decl = find_global(state, written.name);
  const TypeDecl* type = as_type(decl);
  const bool weak = written.kind == TypeExpr::Kind::weak;
  if (type && (!weak || type->is_struct())) {
    return weak ? state.types.named(Type::Kind::weak, *type) : denoted_type(state, *type);
  }
  if (decl) {
    state.diagnostics
        .error("TX0204", written.span,
               "`" + written.name + "` is " + describe(*decl) +
                   (weak ? "; only a struct can have weak handles" : ", not a type"))
        .notes.push_back({decl->span, "declared here"});
    return state.types.error();
  }
  auto known = global_names(state, [&](const Decl& d) {
    return d.decl_kind == DeclKind::type && (!weak || static_cast<const TypeDecl&>(d).is_struct());
  });
  if (!weak) known.insert(known.end(), {"int", "bool", "u8", "u16", "u32", "thread"});
  state.diagnostics.error(
      "TX0203", written.span,
      "there is no type `" + written.name + "`" + did_you_mean(written.name, known));
  return state.types.error();
}

const Type* resolve_hook(CheckState& state, const TypeExpr& written) {
  std::vector<const FunctionDecl*> functions;
  bool good = true;
  for (std::size_t i = 0; i < written.hooks.size(); ++i) {
    const std::string& name = written.hooks[i];
    const Span span = i < written.hook_spans.size() ? written.hook_spans[i] : written.span;
    const Decl* decl = find_global(state, name);
    const FunctionDecl* function = as_function(decl);
    if (function && !function->is_thread) {
      functions.push_back(function);
      continue;
    }
    good = false;
    const auto known = global_names(state, [](const Decl& d) {
      return d.decl_kind == DeclKind::function && !static_cast<const FunctionDecl&>(d).is_thread;
    });
    state.diagnostics.error(
        "TX0329", span,
        decl ? "`" + name + "` is " + describe(*decl) + "; a hook is one of some functions"
             : "there is no function `" + name + "`" + did_you_mean(name, known));
  }
  return good ? state.types.hook(std::move(functions)) : state.types.error();
}

// The surroundings in which the text of a lazily resolved variable stands.
Env surroundings(CheckState& state, const VarDecl& variable) {
  Env env;
  if (variable.owner && !variable.owner->is_struct()) {
    env.receiver = variable.owner;
    env.this_type = variable.owner;
  }
  const auto stack = state.stack_of.find(&variable);
  if (stack != state.stack_of.end()) {
    for (const auto& param : stack->second->params) {
      env.scopes.front().emplace(param->name, param.get());
    }
    for (const auto& instance : stack->second->instances) {
      env.scopes.front().emplace(instance->name, instance.get());
    }
  }
  return env;
}

const Type* resolve_constant(CheckState& state, VarDecl& constant) {
  Env env;
  env.no_calls = true;
  env.look_only = "a constant";
  ExprChecker checker(state, env);
  const Type* type = constant.init ? checker.check(*constant.init) : state.types.error();
  if (is_error(type)) return type;
  constant.constant = constant_value(*constant.init);
  if (!constant.constant) {
    state.diagnostics.error("TX0310", constant.init->span,
                            "the value of `" + constant.name +
                                "` must be known here: numbers, other constants, enumerators, "
                                "within 64 bits");
    return state.types.error();
  }
  return is_kind(type, Type::Kind::integer) ? state.types.integer() : type;
}

}  // namespace

const Type* denoted_type(CheckState& state, const TypeDecl& decl) {
  if (decl.type) return decl.type;
  TypeDecl& type = annotate(decl);
  switch (decl.kind) {
    case TypeDecl::Kind::enumeration:
      type.type = state.types.named(Type::Kind::enumeration, decl);
      break;
    case TypeDecl::Kind::linear_struct:
    case TypeDecl::Kind::counted_struct:
      type.type = state.types.named(Type::Kind::structure, decl);
      break;
    case TypeDecl::Kind::object:
    case TypeDecl::Kind::interface:
      type.type = state.types.named(Type::Kind::object, decl);
      break;
    case TypeDecl::Kind::alias: {
      const Visit visit(state, decl);
      if (!visit.fresh() || !type.alias) return state.types.error();
      Env env;
      const Type* base = resolve_type(state, env, *type.alias);
      type.type = apply_range(state, env, base, type.alias_lo, type.alias_hi);
      break;
    }
  }
  return type.type;
}

const Type* resolve_type(CheckState& state, Env& env, TypeExpr& written) {
  const Type* type = nullptr;
  switch (written.kind) {
    case TypeExpr::Kind::integer:
      type = state.types.integer();
      break;
    case TypeExpr::Kind::boolean:
      type = state.types.boolean();
      break;
    case TypeExpr::Kind::u8:
      return state.types.wrapping(8, nullptr);
    case TypeExpr::Kind::u16:
      return state.types.wrapping(16, nullptr);
    case TypeExpr::Kind::u32:
      return state.types.wrapping(32, nullptr);
    case TypeExpr::Kind::mod:
      if (!written.size || !check_fixed(state, env, *written.size, "a modulus")) {
        return state.types.error();
      }
      type = state.types.wrapping(0, written.size.get());
      break;
    case TypeExpr::Kind::named:
    case TypeExpr::Kind::weak:
      type = resolve_named(state, written);
      break;
    case TypeExpr::Kind::fifo:
    case TypeExpr::Kind::bag:
      type = resolve_container(state, env, written);
      break;
    case TypeExpr::Kind::thread:
      type = state.types.basic(Type::Kind::thread);
      break;
    case TypeExpr::Kind::hook:
      type = resolve_hook(state, written);
      state.hooks.emplace_back(&written, type);
      break;
  }
  return apply_range(state, env, type, written.lo, written.hi);
}

const Type* resolve_variable(CheckState& state, Env& env, VarDecl& variable, bool needs_range) {
  const Type* type = variable.written_type ? resolve_type(state, env, *variable.written_type)
                     : variable.role == Role::counter ? state.types.integer()
                                                      : state.types.error();
  type = apply_range(state, env, type, variable.lo, variable.hi);
  if (needs_range && !is_error(type) && lacks_range(*type)) {
    state.diagnostics.error("TX0305", variable.span,
                            "`" + variable.name + "` needs a range: `int " + variable.name +
                                " in 0..N`; a model is finite");
    type = state.types.error();
  }
  if (variable.is_array) {
    const bool good = !variable.array_size ||
                      check_fixed(state, env, *variable.array_size, "the length of an array");
    if (!good || is_error(type)) {
      type = state.types.error();
    } else if (!variable.array_size && variable.role != Role::param) {
      state.diagnostics.error("TX0330", variable.span,
                              "`" + variable.name +
                                  "` needs a length; only a param of an object takes that of "
                                  "its binding");
      type = state.types.error();
    } else {
      type = state.types.container(Type::Kind::array, type, variable.array_size.get());
    }
  }
  variable.type = type;
  return type;
}

const Type* type_of(CheckState& state, const VarDecl& decl) {
  if (decl.type) return decl.type;
  VarDecl& variable = annotate(decl);
  const Visit visit(state, decl);
  if (!visit.fresh()) return state.types.error();
  if (decl.role == Role::constant) {
    variable.type = resolve_constant(state, variable);
  } else {
    Env env = surroundings(state, decl);
    const bool stored = decl.role == Role::field || decl.role == Role::param;
    resolve_variable(state, env, variable, stored);
  }
  return variable.type;
}

void resolve_enum(CheckState& state, const TypeDecl& type) {
  if (!state.resolved.insert(&type).second) return;
  const Visit visit(state, type);
  std::int64_t next = 0;
  for (const auto& enumerator : type.enumerators) {
    if (enumerator->written_value) {
      Env env;
      env.no_calls = true;
      env.look_only = "a constant";
      ExprChecker checker(state, env);
      const Type* written = checker.check(*enumerator->written_value);
      const auto value = constant_value(*enumerator->written_value);
      if (value && *value < INT64_MAX) {
        next = *value;
      } else if (!is_error(written)) {
        state.diagnostics.error("TX0310", enumerator->written_value->span,
                                "the value of `" + enumerator->name + "` must be known here");
      }
    }
    enumerator->value = next++;
  }
}

void resolve_signature(CheckState& state, FunctionDecl& function) {
  Env env;
  env.receiver = function.owner;
  env.this_type = function.owner;
  env.function = &function;
  for (const auto& parameter : function.parameters) {
    resolve_variable(state, env, *parameter, false);
    if (parameter->type->element && !parameter->by_reference) {
      state.diagnostics.error("TX0331", parameter->span,
                              "a `" + type_name(*parameter->type) +
                                  "` stays where it is; lend it with `&" + parameter->name + "`");
      parameter->type = state.types.error();
    }
    const bool lent = parameter->by_reference || parameter->type->kind == Type::Kind::structure;
    if (function.is_thread && lent) {
      state.diagnostics.error("TX0331", parameter->span,
                              "a thread begins with references and numbers; nobody could give it "
                              "a place or a packet");
    }
    declare(state, env, *parameter);
  }
  function.result = function.written_result ? resolve_type(state, env, *function.written_result)
                                            : state.types.basic(Type::Kind::void_);
  if (function.result->element) {
    state.diagnostics.error(
        "TX0331", function.written_result->span,
        "a function cannot return a `" + type_name(*function.result) + "`; pass it with `&`");
    function.result = state.types.error();
  }
  if (function.recursion) check_fixed(state, env, *function.recursion, "a recursion bound");
}

void check_hooks(CheckState& state) {
  for (const auto& [written, type] : state.hooks) {
    if (!is_kind(type, Type::Kind::hook) || type->hooks.empty()) continue;
    const FunctionDecl& first = *type->hooks.front();
    for (std::size_t i = 1; i < type->hooks.size(); ++i) {
      const FunctionDecl& other = *type->hooks[i];
      bool alike = same_type(*first.result, *other.result) &&
                   first.parameters.size() == other.parameters.size();
      for (std::size_t p = 0; alike && p < first.parameters.size(); ++p) {
        alike = first.parameters[p]->by_reference == other.parameters[p]->by_reference &&
                same_type(*first.parameters[p]->type, *other.parameters[p]->type);
      }
      if (alike) continue;
      auto& error = state.diagnostics.error(
          "TX0329", i < written->hook_spans.size() ? written->hook_spans[i] : written->span,
          "`" + other.name + "` takes or returns something else than `" + first.name +
              "`; all functions of a hook are called alike");
      error.notes.push_back({first.span, "`" + first.name + "` is declared here"});
      error.notes.push_back({other.span, "`" + other.name + "` is declared here"});
    }
  }
}

}  // namespace txproof::lang
