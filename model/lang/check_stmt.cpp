#include "model/lang/check_stmt.h"

#include "model/lang/check_names.h"
#include "model/lang/check_types.h"
#include "model/lang/frontend.h"

namespace txproof::lang {

using Kind = Type::Kind;
using Role = VarDecl::Role;

void StmtChecker::function_body(FunctionDecl& function) {
  collect_labels(function.body);
  // Locals share the scope of the parameters, as in C: a local named like one is a second
  // declaration.
  check_list(function.body);
  check_constant_locals();
  if (function.result && function.result->kind != Kind::void_ && !is_error(function.result) &&
      completes(function.body)) {
    s_.diagnostics.error("TX0323", function.span,
                         "`" + function.name + "` returns `" + type_name(*function.result) +
                             "`, and its end can be reached without a `return`");
  }
}

void StmtChecker::probe_body(std::vector<StmtPtr>& body) {
  const Restore probe(env_.in_probe, true);
  collect_labels(body);
  check_list(body);
  check_constant_locals();
}

void StmtChecker::collect_labels(const std::vector<StmtPtr>& list) {
  for (const auto& stmt : list) {
    if (!stmt) continue;
    if (stmt->kind == StmtKind::label) {
      const auto [place, fresh] = labels_.emplace(stmt->name, stmt->span);
      if (!fresh) {
        s_.diagnostics
            .error("TX0202", stmt->span, "the label `" + stmt->name + "` stands a second time")
            .notes.push_back({place->second, "the first is here"});
      }
    }
    collect_labels(stmt->body);
    for (const auto& branch : stmt->branches) collect_labels(branch.body);
  }
}

void StmtChecker::check_constant_locals() {
  for (const VarDecl* local : constant_locals_) {
    if (!local->is_assigned) continue;
    s_.diagnostics.error("TX0306", local->span,
                         "`" + local->name +
                             "` begins as a constant and is assigned later, so it needs a range: "
                             "`int " +
                             local->name + " in lo..hi`");
  }
}

void StmtChecker::check_list(std::vector<StmtPtr>& list, bool may_begin_with_wait) {
  frames_.push_back({&list, 0});
  for (std::size_t i = 0; i < list.size(); ++i) {
    frames_.back().at = i;
    if (list[i]) check(*list[i], may_begin_with_wait && i == 0);
  }
  frames_.pop_back();
}

void StmtChecker::check_body(Stmt& stmt) {
  env_.scopes.emplace_back();
  check(stmt, false);
  env_.scopes.pop_back();
}

void StmtChecker::loop_body(Stmt& stmt) {
  ++loops_;
  for (const auto& body : stmt.body) {
    if (body) check_body(*body);
  }
  --loops_;
}

void StmtChecker::stop_point(const Stmt& stmt, const char* word) {
  const std::string text = "`" + std::string(word) + "`";
  if (env_.in_probe) {
    s_.diagnostics.error("TX0326", stmt.span,
                         text + " is a stop point, and a probe is part of a step");
  } else if (atomics_ > 0) {
    s_.diagnostics.error("TX0325", stmt.span,
                         text +
                             " is a stop point, and `atomic` is one step; only a `wait` may "
                             "stand there, as the first statement");
  }
  if (env_.effects && !env_.effects->direct) {
    *env_.effects = {true, stmt.span, "may stop at " + text, std::move(env_.effects->calls)};
  }
}

void StmtChecker::check_leave(const Stmt& stmt, const char* word) {
  if (loops_ > 0) return;
  s_.diagnostics.error("TX0324", stmt.span,
                       "`" + std::string(word) + "` leaves or continues a loop, and none is here");
}

void StmtChecker::check_rounds(Stmt& stmt, std::size_t at) {
  if (stmt.exprs.size() <= at || !stmt.exprs[at]) return;
  const Restore look(env_.look_only, std::string("a bound of rounds"));
  expr_.number(*stmt.exprs[at], "a bound of rounds");
}

void StmtChecker::check(Stmt& stmt, bool may_wait) {
  switch (stmt.kind) {
    case StmtKind::block:
      env_.scopes.emplace_back();
      check_list(stmt.body);
      env_.scopes.pop_back();
      return;
    case StmtKind::local:
      check_local(stmt);
      return;
    case StmtKind::assign:
      check_assign(stmt);
      return;
    case StmtKind::call:
      expr_.check(*stmt.exprs[0]);
      return;
    case StmtKind::if_:
      expr_.condition(*stmt.exprs[0]);
      for (const auto& body : stmt.body) {
        if (body) check_body(*body);
      }
      return;
    case StmtKind::while_:
      expr_.condition(*stmt.exprs[0]);
      check_rounds(stmt, 1);
      loop_body(stmt);
      return;
    case StmtKind::do_while:
      loop_body(stmt);
      expr_.condition(*stmt.exprs[0]);
      check_rounds(stmt, 1);
      return;
    case StmtKind::for_:
      check_for(stmt);
      return;
    case StmtKind::loop:
      stop_point(stmt, "loop");
      loop_body(stmt);
      return;
    case StmtKind::either:
      check_either(stmt);
      return;
    case StmtKind::wait:
      if (!may_wait) stop_point(stmt, "wait");
      expr_.looking_condition(*stmt.exprs[0], "`wait`");
      return;
    case StmtKind::rest:
      stop_point(stmt, "rest");
      expr_.looking_condition(*stmt.exprs[0], "`rest`");
      return;
    case StmtKind::pause:
      stop_point(stmt, "pause");
      return;
    case StmtKind::yield:
      stop_point(stmt, "yield");
      return;
    case StmtKind::tick:
      stop_point(stmt, "tick");
      return;
    case StmtKind::atomic:
      check_atomic(stmt);
      return;
    case StmtKind::return_:
      check_return(stmt);
      return;
    case StmtKind::break_:
      check_leave(stmt, "break");
      return;
    case StmtKind::continue_:
      check_leave(stmt, "continue");
      return;
    case StmtKind::goto_:
      check_goto(stmt);
      return;
    case StmtKind::label:
      return;
    case StmtKind::fence:
      expr_.effect(stmt.span, "orders memory");
      return;
    case StmtKind::destroy:
      if (expr_.given_away(*stmt.exprs[0], "`destroy`")) {
        expr_.effect(stmt.span, "ends a packet");
      }
      return;
    case StmtKind::assert_:
      check_assert(stmt);
      return;
    case StmtKind::count:
      check_count(stmt);
      return;
  }
}

bool StmtChecker::is_misspelt_statement(const Stmt& stmt) {
  if (stmt.vars.size() != 1) return false;
  const VarDecl& variable = *stmt.vars[0];
  if (variable.init || !variable.written_type || variable.is_array) return false;
  const TypeExpr& type = *variable.written_type;
  if (type.kind != TypeExpr::Kind::named || find_global(s_, type.name)) return false;
  if (!find_local(env_, variable.name) && !find_global(s_, variable.name)) return false;
  const std::string meant =
      nearest_name(type.name, {"destroy", "return", "goto", "wait", "rest", "assert", "count"});
  if (meant.empty()) return false;
  s_.diagnostics.error(
      "TX0203", type.span,
      "there is no type and no statement `" + type.name + "`; did you mean `" + meant + "`?");
  return true;
}

void StmtChecker::check_local(Stmt& stmt) {
  if (is_misspelt_statement(stmt)) return;
  for (const auto& variable : stmt.vars) {
    variable->role = Role::local;
    const Type* type = resolve_variable(s_, env_, *variable, false);
    if (variable->is_instance) {
      s_.diagnostics.error("TX0320", variable->span,
                           "`" + variable->name +
                               "` would be an object made here; objects live in a stack or in "
                               "another object");
    } else if (variable->init) {
      expr_.value(*variable->init, type, "`" + variable->name + "`");
      if (is_kind(type, Kind::integer) && !type->lo && constant_value(*variable->init)) {
        constant_locals_.push_back(variable.get());
      }
    } else if (is_kind(type, Kind::integer) && !type->lo) {
      s_.diagnostics.error("TX0305", variable->span,
                           "`" + variable->name + "` needs a range or a value: `int " +
                               variable->name + " in lo..hi`");
    }
    declare(s_, env_, *variable);
  }
}

void StmtChecker::check_assign(Stmt& stmt) {
  Expr& left = *stmt.exprs[0];
  Expr& right = *stmt.exprs[1];
  const std::string& op = stmt.name;
  const Type* type = expr_.written_place(left, "assigned");
  if (is_error(type)) {
    expr_.check(right, left.type);
    return;
  }
  if (op == "=" || op.empty()) {
    const VarDecl* variable = place_variable(left);
    expr_.value(right, type, "`" + (variable ? variable->name : print_expr(left)) + "`");
    return;
  }
  check_compound(stmt, *type);
}

void StmtChecker::check_compound(Stmt& stmt, const Type& type) {
  Expr& left = *stmt.exprs[0];
  Expr& right = *stmt.exprs[1];
  const std::string op = stmt.name.substr(0, stmt.name.size() - 1);
  const bool bits = op == "&" || op == "|" || op == "^";
  const bool shift = op == "<<" || op == ">>";
  if (type.kind == Kind::boolean && bits) {
    expr_.value(right, left.type, "`" + stmt.name + "` on a `bool`");
    return;
  }
  if (!is_number(type)) {
    expr_.check(right);
    s_.diagnostics.error(
        "TX0307", stmt.op_span,
        "`" + stmt.name + "` changes a number, and this is `" + type_name(type) + "`");
    return;
  }
  const bool wraps = type.kind == Kind::wrapping;
  if (wraps && !shift) {
    expr_.value(right, left.type, "`" + stmt.name + "` on `" + type_name(type) + "`");
    return;
  }
  if (!expr_.number(right, "the right side here")) return;
  const auto constant = constant_value(right);
  if ((op == "/" || op == "%") && constant == 0) {
    s_.diagnostics.error("TX0333", right.span, "this divides by zero");
  }
  if ((bits || shift) && !wraps && !constant && right.type->kind != Kind::wrapping) {
    s_.diagnostics.error("TX0307", stmt.op_span,
                         "`" + stmt.name + "` needs a constant on its right, or a wrapping type");
  }
}

void StmtChecker::check_for(Stmt& stmt) {
  const bool good = expr_.number(*stmt.exprs[0], "the end of a range");
  const bool both = expr_.number(*stmt.exprs[1], "the end of a range") && good;
  env_.scopes.emplace_back();
  VarDecl& binder = *stmt.vars[0];
  binder.role = Role::binder;
  binder.type =
      both ? s_.types.integer(stmt.exprs[0].get(), stmt.exprs[1].get()) : s_.types.error();
  declare(s_, env_, binder);
  loop_body(stmt);
  env_.scopes.pop_back();
}

void StmtChecker::check_either(Stmt& stmt) {
  bool guarded = false;
  for (const auto& branch : stmt.branches) guarded = guarded || branch.guard;
  if (guarded || stmt.is_wait) stop_point(stmt, stmt.is_wait ? "wait either" : "when");
  if (!guarded && env_.effects && !env_.in_probe && !env_.effects->direct) {
    *env_.effects = {true, stmt.span, "chooses", std::move(env_.effects->calls)};
  }
  for (auto& branch : stmt.branches) {
    if (branch.guard) expr_.looking_condition(*branch.guard, "a guard");
    env_.scopes.emplace_back();
    check_list(branch.body);
    env_.scopes.pop_back();
  }
}

void StmtChecker::check_atomic(Stmt& stmt) {
  const bool outermost = atomics_ == 0 && !env_.in_probe;
  ++atomics_;
  for (const auto& body : stmt.body) {
    if (!body) continue;
    env_.scopes.emplace_back();
    if (body->kind == StmtKind::block) {
      frames_.push_back({&stmt.body, 0});
      if (outermost && !body->body.empty() && body->body[0]->kind == StmtKind::wait &&
          env_.effects && !env_.effects->direct) {
        *env_.effects = {true, body->body[0]->span, "may stop at `wait`",
                         std::move(env_.effects->calls)};
      }
      check_list(body->body, outermost);
      frames_.pop_back();
    } else {
      check(*body, outermost);
    }
    env_.scopes.pop_back();
  }
  --atomics_;
}

void StmtChecker::check_return(Stmt& stmt) {
  Expr* value = stmt.exprs.empty() ? nullptr : stmt.exprs[0].get();
  if (env_.in_probe) {
    if (value) expr_.check(*value);
    s_.diagnostics.error("TX0326", stmt.span, "a probe returns nothing to anybody");
    return;
  }
  const Type* result = env_.function ? env_.function->result : nullptr;
  if (is_error(result)) {
    if (value) expr_.check(*value);
  } else if (result->kind == Kind::void_) {
    if (!value) return;
    expr_.check(*value);
    s_.diagnostics
        .error("TX0322", value->span,
               "`" + env_.function->name + "` returns nothing" +
                   (env_.function->is_thread ? ", being a thread" : ""))
        .notes.push_back({env_.function->span, "declared here"});
  } else if (!value) {
    s_.diagnostics
        .error("TX0322", stmt.span,
               "`" + env_.function->name + "` returns `" + type_name(*result) +
                   "`, so `return` needs a value")
        .notes.push_back({env_.function->span, "declared here"});
  } else {
    expr_.value(*value, result, "the result of `" + env_.function->name + "`");
  }
}

void StmtChecker::check_goto(const Stmt& stmt) {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    for (std::size_t i = 0; i < frame->list->size(); ++i) {
      const Stmt* target = (*frame->list)[i].get();
      if (!target || target->kind != StmtKind::label || target->name != stmt.name) continue;
      if (i > frame->at) return;
      s_.diagnostics
          .error("TX0213", stmt.span,
                 "`goto " + stmt.name + "` goes back; write a `while` or a `loop`")
          .notes.push_back({target->span, "the label is here"});
      return;
    }
  }
  const auto known = labels_.find(stmt.name);
  if (known != labels_.end()) {
    s_.diagnostics
        .error("TX0213", stmt.span,
               "`goto " + stmt.name + "` goes into a block; the label must be in one around it")
        .notes.push_back({known->second, "the label is here"});
    return;
  }
  std::vector<std::string> names;
  for (const auto& [name, span] : labels_) names.push_back(name);
  s_.diagnostics.error(
      "TX0213", stmt.span,
      "there is no label `" + stmt.name + "` in this function" + did_you_mean(stmt.name, names));
}

void StmtChecker::check_assert(Stmt& stmt) {
  const Restore look(env_.look_only, std::string("`assert`"));
  expr_.condition(*stmt.exprs[0]);
  if (stmt.name.empty()) return;
  static const std::vector<std::string> known = {"assert", "call",      "container", "deadlock",
                                                 "int",    "lock",      "loop",      "own",
                                                 "range",  "recursion", "weak"};
  const std::string first = stmt.name.substr(0, stmt.name.find('.'));
  for (const auto& name : known) {
    if (name == first) return;
  }
  s_.diagnostics.error("TX0219", stmt.op_span,
                       "a fault's name begins with a built-in property, and `" + first +
                           "` is none" + did_you_mean(first, known));
}

void StmtChecker::check_count(Stmt& stmt) {
  if (!env_.in_probe) expr_.effect(stmt.span, "counts");
  check_counter(s_, env_, *stmt.exprs[0]);
  expr_.number(*stmt.exprs[1], "what is counted");
}

bool check_counter(CheckState& state, Env& env, Expr& expr) {
  ExprChecker checker(state, env);
  Expr& name = expr.kind == ExprKind::index ? *expr.args[0] : expr;
  if (expr.kind == ExprKind::index) checker.number(*expr.args[1], "an index");
  const Decl* decl = name.kind == ExprKind::name ? find_global(state, name.name) : nullptr;
  const VarDecl* counter = as_variable(decl);
  if (!counter || counter->role != Role::counter) {
    const auto known = global_names(state, [](const Decl& d) {
      const VarDecl* variable = as_variable(&d);
      return variable && variable->role == Role::counter;
    });
    auto& error = state.diagnostics.error(
        "TX0217", name.span,
        (decl ? "`" + name.name + "` is " + describe(*decl) + ", not a counter"
              : "a counter is wanted here" + (name.kind == ExprKind::name
                                                  ? ", and there is none named `" + name.name +
                                                        "`" + did_you_mean(name.name, known)
                                                  : std::string())));
    if (decl) error.notes.push_back({decl->span, "declared here"});
    name.type = expr.type = state.types.error();
    return false;
  }
  name.decl = counter;
  name.type = type_of(state, *counter);
  const bool element = expr.kind == ExprKind::index;
  if (is_error(name.type)) {
    expr.type = name.type;
    return false;
  }
  if (element != (name.type->kind == Kind::array)) {
    state.diagnostics
        .error("TX0330", expr.span,
               element ? "`" + name.name + "` is one counter and has no elements"
                       : "`" + name.name + "` is an array of counters; name one of them: `" +
                             name.name + "[i]`")
        .notes.push_back({counter->span, "declared here"});
    expr.type = state.types.error();
    return false;
  }
  expr.type = state.types.integer();
  return true;
}

}  // namespace txproof::lang
