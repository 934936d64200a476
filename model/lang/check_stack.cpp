#include "model/lang/check_stack.h"

#include <algorithm>

#include "model/lang/check_expr.h"
#include "model/lang/check_names.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

namespace {

using Kind = Type::Kind;
using Role = VarDecl::Role;

// Nothing runs while an instance is made.
class Fixed {
 public:
  Fixed(Env& env, const char* what)
      : look_(env.look_only, std::string(what)), calls_(env.no_calls, true) {}

 private:
  Restore<std::string> look_;
  Restore<bool> calls_;
};

void binding_value(CheckState& state, Env& env, Expr& expr, const Type* target,
                   const std::string& what);

void list_value(CheckState& state, Env& env, Expr& expr, const Type& array,
                const std::string& what) {
  for (const auto& element : expr.args) {
    binding_value(state, env, *element, array.element, "an element of " + what);
  }
  expr.type = &array;
  const auto length = array.size ? constant_value(*array.size) : std::nullopt;
  if (length && *length != static_cast<std::int64_t>(expr.args.size())) {
    state.diagnostics.error("TX0330", expr.span,
                            what + " has " + std::to_string(*length) + " elements, and " +
                                std::to_string(expr.args.size()) + " are given");
  }
}

// TYPE { … }: an object that only this binding names.
void instance_value(CheckState& state, Env& env, Expr& expr, const Type* target,
                    const std::string& what) {
  const Decl* decl = find_global(state, expr.type_name);
  const TypeDecl* type = as_type(decl);
  if (!type || type->kind != TypeDecl::Kind::object) {
    const auto known = global_names(state, [](const Decl& d) {
      const TypeDecl* other = as_type(&d);
      return other && other->kind == TypeDecl::Kind::object;
    });
    state.diagnostics.error(
        "TX0203", expr.op_span,
        decl ? "`" + expr.type_name + "` is " + describe(*decl) + "; instances are made of objects"
             : "there is no object type `" + expr.type_name + "`" +
                   did_you_mean(expr.type_name, known));
    expr.type = state.types.error();
    return;
  }
  expr.decl = type;
  expr.type = denoted_type(state, *type);
  check_bindings(state, env, *type, &expr, expr.span, true);
  if (is_error(target)) return;
  if (target->kind == Kind::object && refers_to(type, target->decl)) return;
  state.diagnostics.error(
      "TX0301", expr.span,
      what + " wants `" + type_name(*target) + "`, found a `" + type->name + "`");
}

void binding_value(CheckState& state, Env& env, Expr& expr, const Type* target,
                   const std::string& what) {
  ExprChecker checker(state, env);
  if (expr.kind == ExprKind::instance) {
    instance_value(state, env, expr, target, what);
    return;
  }
  if (expr.kind == ExprKind::list && is_kind(target, Kind::array)) {
    list_value(state, env, expr, *target, what);
    return;
  }
  if (expr.kind == ExprKind::literal) {
    expr.type = state.types.error();
    state.diagnostics.error("TX0320", expr.span,
                            what +
                                " is a reference; write the object's type before the brace: "
                                "`TYPE { … }`");
    return;
  }
  if (is_kind(target, Kind::array)) {
    const Type* type = checker.check(expr);
    if (is_error(type)) return;
    const bool instances = type->kind == Kind::array && type->element->kind == Kind::object &&
                           target->element->kind == Kind::object &&
                           refers_to(type->element->decl, target->element->decl);
    if (instances) return;
    state.diagnostics.error("TX0301", expr.span,
                            what + " wants a list, `[a, b]`, found `" + type_name(*type) + "`");
    return;
  }
  checker.value(expr, target, what);
}

void one_binding(CheckState& state, Env& env, const VarDecl& field, Expr& expr) {
  const Type* type = type_of(state, field);
  const std::string what = "`" + field.name + "`";
  if (field.is_instance) {
    if (expr.kind == ExprKind::literal && is_kind(type, Kind::object)) {
      check_bindings(state, env, *type->decl, &expr, expr.span, false);
      return;
    }
    ExprChecker(state, env).check(expr, type);
    if (is_error(type)) return;
    state.diagnostics
        .error("TX0320", expr.span,
               what + " is an object of its own; it is bound by `{ field: value, … }`")
        .notes.push_back({field.span, "declared here"});
    return;
  }
  const Type* inner = type->kind == Kind::array ? type->element : type;
  if (is_container(*inner) || inner->kind == Kind::structure) {
    ExprChecker(state, env).check(expr, state.types.error());
    if (expr.kind == ExprKind::none) return;
    state.diagnostics
        .error("TX0320", expr.span, what + " is empty at the start and cannot be bound")
        .notes.push_back({field.span, "declared here"});
    return;
  }
  binding_value(state, env, expr, type, what);
}

}  // namespace

void check_bindings(CheckState& state, Env& env, const TypeDecl& type, Expr* literal, Span at,
                    bool complete) {
  std::map<std::string, Span> bound;
  if (literal) {
    literal->type = denoted_type(state, type);
    literal->decl = &type;
    for (std::size_t i = 0; i < literal->args.size(); ++i) {
      const std::string& name = literal->field_names[i];
      const Span span = literal->field_spans[i];
      const auto [place, fresh] = bound.emplace(name, span);
      if (!fresh) {
        state.diagnostics.error("TX0318", span, "`" + name + "` is given a second time")
            .notes.push_back({place->second, "the first is here"});
      }
      const VarDecl* field = find_field(state, type, name, nullptr);
      if (field) {
        one_binding(state, env, *field, *literal->args[i]);
        continue;
      }
      const bool method = find_method(type, name) != nullptr;
      state.diagnostics
          .error("TX0205", span,
                 "`" + type.name + "` has no " + (method ? "field" : "member") + " `" + name + "`" +
                     (method ? "; it is a method, and methods are not bound"
                             : did_you_mean(name, field_names_of(state, type, nullptr))))
          .notes.push_back({type.span, "`" + type.name + "` is declared here"});
      ExprChecker(state, env).check(*literal->args[i], state.types.error());
    }
  }
  if (!complete) return;
  for (const VarDecl* field : all_fields(type)) {
    if (field->role != Role::param || field->init || bound.count(field->name)) continue;
    state.diagnostics
        .error("TX0319", at,
               "`" + field->name + "` of `" + type.name +
                   "` has no default and must be bound here: `{ " + field->name + ": … }`")
        .notes.push_back({field->span, "declared here"});
  }
}

namespace {

// A default may use params that stand before it, so that there is no cycle.
void check_order(CheckState& state, const Expr& expr, const VarDecl& variable) {
  const VarDecl* used = as_variable(expr.decl);
  const bool same_owner = used && used->role == Role::param && used->owner == variable.owner &&
                          used->span.file == variable.span.file;
  if (same_owner && used->span.begin >= variable.span.begin) {
    state.diagnostics
        .error("TX0210", expr.span,
               "a default can use params that stand before it, and `" + used->name + "` does not")
        .notes.push_back({used->span, "declared here"});
  }
  for (const auto& arg : expr.args) {
    if (arg) check_order(state, *arg, variable);
  }
}

void check_initial_value(CheckState& state, Env& env, VarDecl& variable) {
  if (!variable.init) return;
  const Fixed fixed(env, "an initial value");
  const Type* type = type_of(state, variable);
  const Type* target = type->kind == Kind::array ? type->element : type;
  ExprChecker(state, env).value(*variable.init, target, "`" + variable.name + "`");
  if (variable.role == Role::param) check_order(state, *variable.init, variable);
}

void check_ticking(CheckState& state, const VarDecl& field) {
  if (field.ticks == VarDecl::Ticks::none || is_error(field.type)) return;
  const Type* element = field.type;
  while (element->kind == Kind::array) element = element->element;
  if (is_kind(element, Kind::integer) && field.role == Role::field) return;
  state.diagnostics.error(
      "TX0321", field.span,
      "only an `int` field with a range, or an array of those, can go `ticks up` "
      "or `ticks down`");
}

}  // namespace

void check_initial_values(CheckState& state, TypeDecl& type) {
  Env env;
  if (!type.is_struct()) {
    env.receiver = &type;
    env.this_type = &type;
  }
  for (const auto& field : type.fields) {
    const Type* field_type = type_of(state, *field);
    check_ticking(state, *field);
    if (!field->is_instance) {
      check_initial_value(state, env, *field);
      continue;
    }
    if (is_error(field_type)) continue;
    if (field_type->kind != Kind::object || field_type->decl->kind != TypeDecl::Kind::object) {
      state.diagnostics.error(
          "TX0320", field->span,
          "braces make an object, and `" + type_name(*field_type) + "` is no object type");
      continue;
    }
    if (type.is_struct()) {
      state.diagnostics.error("TX0320", field->span,
                              "objects never end and packets do, so a struct holds no objects; "
                              "it can refer to them");
      continue;
    }
    const Fixed fixed(env, "a binding");
    check_bindings(state, env, *field_type->decl, field->init.get(), field->span, true);
  }
}

namespace {

class StackChecker {
 public:
  StackChecker(CheckState& state, StackDecl& stack) : s_(state), stack_(stack) {}

  void run() {
    for (const auto& param : stack_.params) declare(s_, env_, *param);
    for (const auto& instance : stack_.instances) declare(s_, env_, *instance);
    for (const auto& param : stack_.params) check_param(*param);
    for (const auto& instance : stack_.instances) check_instance(*instance);
    for (const auto& item : stack_.runs) check_run(*item);
    for (const auto& item : stack_.checks) check_check(*item);
    for (const auto& assumption : stack_.assumptions) {
      const Fixed fixed(env_, "an assumption");
      ExprChecker(s_, env_).condition(*assumption);
    }
  }

 private:
  void check_param(VarDecl& param) {
    const Type* type = type_of(s_, param);
    const bool plain = is_error(type) || is_number(*type) || type->kind == Kind::boolean ||
                       type->kind == Kind::enumeration;
    if (!plain) {
      s_.diagnostics.error(
          "TX0331", param.span,
          "a param of a stack is a number, a bool or an enum, not `" + type_name(*type) + "`");
    }
    check_initial_value(s_, env_, param);
  }

  void check_instance(VarDecl& instance) {
    const Type* type = type_of(s_, instance);
    const Type* object = type->kind == Kind::array ? type->element : type;
    if (is_error(object)) return;
    if (object->kind != Kind::object || object->decl->kind != TypeDecl::Kind::object) {
      auto& error = s_.diagnostics.error(
          "TX0320", instance.written_type ? instance.written_type->span : instance.span,
          "a stack is made of objects, and `" + type_name(*object) + "` is " +
              (object->decl ? describe(*object->decl) : "a plain type") +
              (object->kind == Kind::object ? "; name one that implements it" : ""));
      if (object->decl) error.notes.push_back({object->decl->span, "declared here"});
      return;
    }
    const Fixed fixed(env_, "a binding");
    check_bindings(s_, env_, *object->decl, instance.init.get(), instance.span, true);
  }

  // Arguments of `run` and `check`; there is no call expression around them.
  void arguments(const std::vector<ExprPtr>& args,
                 const std::vector<std::unique_ptr<VarDecl>>& parameters, const Decl& callee,
                 Span span) {
    if (args.size() != parameters.size()) {
      s_.diagnostics
          .error("TX0309", span,
                 "`" + callee.name + "` has " + std::to_string(parameters.size()) +
                     (parameters.size() == 1 ? " parameter" : " parameters") + ", and " +
                     std::to_string(args.size()) + (args.size() == 1 ? " is" : " are") + " given")
          .notes.push_back({callee.span, "declared here"});
    }
    for (std::size_t i = 0; i < args.size(); ++i) {
      const Fixed fixed(env_, "an argument here");
      ExprChecker checker(s_, env_);
      if (i < parameters.size()) {
        checker.value(*args[i], parameters[i]->type,
                      "`" + parameters[i]->name + "` of `" + callee.name + "`");
      } else {
        checker.check(*args[i]);
      }
    }
  }

  void plain_arguments(const std::vector<ExprPtr>& args) {
    for (const auto& arg : args) ExprChecker(s_, env_).check(*arg);
  }

  void check_run(RunItem& item) {
    env_.scopes.emplace_back();
    if (item.binder) {
      const Fixed fixed(env_, "a range");
      ExprChecker checker(s_, env_);
      const bool lo = item.lo && checker.number(*item.lo, "the end of a range");
      const bool hi = item.hi && checker.number(*item.hi, "the end of a range");
      item.binder->role = Role::binder;
      item.binder->type =
          lo && hi ? s_.types.integer(item.lo.get(), item.hi.get()) : s_.types.error();
      declare(s_, env_, *item.binder);
    }
    const Decl* decl = find_global(s_, item.name);
    const FunctionDecl* thread = as_function(decl);
    if (thread && thread->is_thread) {
      item.thread = thread;
      arguments(item.args, thread->parameters, *thread, item.span);
    } else {
      unknown("TX0216", item.name, item.name_span, decl, "thread", [](const Decl& d) {
        const FunctionDecl* other = as_function(&d);
        return other && other->is_thread;
      });
      plain_arguments(item.args);
    }
    if (item.when) {
      const Fixed fixed(env_, "a condition of `run`");
      ExprChecker(s_, env_).condition(*item.when);
    }
    env_.scopes.pop_back();
  }

  void check_check(CheckItem& item) {
    const Decl* decl = find_global(s_, item.name);
    if (decl && decl->decl_kind == DeclKind::property) {
      item.property = static_cast<const PropertyDecl*>(decl);
      arguments(item.args, item.property->parameters, *decl, item.span);
      return;
    }
    unknown("TX0212", item.name, item.name_span, decl, "property",
            [](const Decl& d) { return d.decl_kind == DeclKind::property; });
    plain_arguments(item.args);
  }

  template <typename Predicate>
  void unknown(const char* code, const std::string& name, Span span, const Decl* decl,
               const std::string& wanted, Predicate predicate) {
    auto& error =
        s_.diagnostics.error(code, span,
                             decl ? "`" + name + "` is " + describe(*decl) + ", not a " + wanted
                                  : "there is no " + wanted + " `" + name + "`" +
                                        did_you_mean(name, global_names(s_, predicate)));
    if (decl) error.notes.push_back({decl->span, "declared here"});
  }

  CheckState& s_;
  StackDecl& stack_;
  Env env_;
};

bool is_check_list(const StackDecl& stack) {
  return stack.params.empty() && stack.instances.empty() && stack.runs.empty() &&
         stack.assumptions.empty() && !stack.checks.empty();
}

// A stack that has nothing but checks is a list of them: where another stack checks it, what is on
// the list is checked instead, except what that stack checks by itself.
void expand_check_lists(CheckState& state, StackDecl& stack) {
  if (is_check_list(stack)) return;
  std::vector<std::unique_ptr<CheckItem>> expanded;
  for (auto& item : stack.checks) {
    const Decl* decl = find_global(state, item->name);
    const bool names_stack = decl != nullptr && decl->decl_kind == DeclKind::stack;
    const auto* list = names_stack ? static_cast<const StackDecl*>(decl) : nullptr;
    if (list == nullptr || !is_check_list(*list) || !item->args.empty()) {
      expanded.push_back(std::move(item));
      continue;
    }
    for (const auto& listed : list->checks) {
      const auto is_same = [&](const std::unique_ptr<CheckItem>& other) {
        return other != nullptr && other->name == listed->name;
      };
      if (!listed->args.empty() || std::any_of(expanded.begin(), expanded.end(), is_same) ||
          std::any_of(stack.checks.begin(), stack.checks.end(), is_same)) {
        continue;
      }
      auto copy = std::make_unique<CheckItem>();
      copy->span = item->span;
      copy->name = listed->name;
      copy->name_span = listed->name_span;
      expanded.push_back(std::move(copy));
    }
  }
  stack.checks = std::move(expanded);
}

}  // namespace

void check_stack(CheckState& state, StackDecl& stack) {
  expand_check_lists(state, stack);
  StackChecker(state, stack).run();
}

}  // namespace txproof::lang
