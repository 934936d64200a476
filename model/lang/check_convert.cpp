// What fits where, what moves when it goes there, and what may be written.

#include "model/lang/check_expr.h"
#include "model/lang/check_names.h"
#include "model/lang/check_types.h"
#include "model/lang/frontend.h"

namespace txproof::lang {

using Kind = Type::Kind;
using Role = VarDecl::Role;

const VarDecl* place_variable(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::name:
    case ExprKind::field: {
      const VarDecl* variable = as_variable(expr.decl);
      return variable && variable->role != Role::constant ? variable : nullptr;
    }
    case ExprKind::index:
      return place_variable(*expr.args[0]);
    default:
      return nullptr;
  }
}

const VarDecl* root_variable(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::name:
      return as_variable(expr.decl);
    case ExprKind::field:
    case ExprKind::index:
      return root_variable(*expr.args[0]);
    default:
      return nullptr;
  }
}

bool through_weak(const Expr& expr) {
  if (is_kind(expr.type, Kind::weak)) return true;
  return (expr.kind == ExprKind::field || expr.kind == ExprKind::index) &&
         through_weak(*expr.args[0]);
}

namespace {

// A name of this function's own: a local or a parameter, which gives its packet away by itself.
bool is_own_name(const Expr& expr) {
  if (expr.kind != ExprKind::name || expr.via_this) return false;
  const VarDecl* variable = as_variable(expr.decl);
  return variable && (variable->role == Role::local || variable->role == Role::parameter);
}

// The text of an operand for a mend that puts a comparison or `?:` behind it.
std::string operand_text(const Expr& expr) {
  const bool loose = expr.kind == ExprKind::conditional || expr.kind == ExprKind::aggregate ||
                     (expr.kind == ExprKind::binary &&
                      std::string("+-*/%<<>>").find(expr.name) == std::string::npos);
  return loose && !expr.parens ? "(" + print_expr(expr) + ")" : print_expr(expr);
}

// Types in messages about fitting: ranges do not matter there.
std::string shown(const Type& type) { return type.kind == Kind::integer ? "int" : type_name(type); }

}  // namespace

void ExprChecker::effect(Span span, const std::string& what) {
  if (!env_.look_only.empty()) {
    report("TX0327", span, "this " + what + ", and " + env_.look_only + " may only look");
  } else if (env_.in_probe) {
    report("TX0326", span, "this " + what + ", and a probe may only write ghost state");
  } else if (env_.effects && !env_.effects->direct) {
    *env_.effects = {true, span, what, std::move(env_.effects->calls)};
  }
}

void ExprChecker::note_write(const Expr& expr) {
  const VarDecl* variable = place_variable(expr);
  if (!variable) return;
  annotate(*variable).is_assigned = true;
  const bool own = variable->role == Role::local ||
                   (variable->role == Role::parameter && !variable->by_reference);
  const bool ghost = variable->role == Role::ghost || variable->role == Role::ghost_field;
  if (env_.look_only.empty() && (own || (ghost && env_.in_probe))) return;
  effect(expr.span, "writes `" + variable->name + "`");
}

bool ExprChecker::writable(const Expr& expr, const char* verb) {
  const VarDecl* variable = place_variable(expr);
  std::string why;
  if (!variable) {
    report("TX0311", expr.span,
           "this is a value and no place, so it cannot be " + std::string(verb));
    return false;
  }
  switch (variable->role) {
    case Role::param:
      why = "is a param, which never changes";
      break;
    case Role::instance:
      why = "is an instance, which never changes";
      break;
    case Role::binder:
      why = "is bound by the text around it and can only be read";
      break;
    default:
      if (variable->is_instance) why = "is an object of its own, which never changes";
  }
  if (why.empty()) return true;
  s_.diagnostics
      .error("TX0311", expr.span, "`" + variable->name + "` " + why + ", so it cannot be " + verb)
      .notes.push_back({variable->span, "declared here"});
  return false;
}

const Type* ExprChecker::written_place(Expr& expr, const char* verb) {
  check(expr);
  if (is_error(expr.type)) return error();
  if (!writable(expr, verb)) return error();
  note_write(expr);
  return expr.type;
}

// ---------------------------------------------------------------- fitting

void ExprChecker::mismatch(const Expr& expr, const Type& target, const std::string& what) {
  std::string message = what + " wants `" + shown(target) + "`, found `" + shown(*expr.type) + "`";
  if (expr.type->kind == Kind::void_)
    message = what + " wants `" + shown(target) + "`, and this function returns nothing";
  report("TX0301", expr.span, message);
}

void ExprChecker::value(Expr& expr, const Type* target, const std::string& what) {
  check(expr, target);
  if (is_error(expr.type) || is_error(target)) return;
  convert(expr, *target, what);
}

void ExprChecker::convert(Expr& expr, const Type& target, const std::string& what) {
  const Type& type = *expr.type;
  switch (target.kind) {
    case Kind::boolean:
      if (type.kind == Kind::boolean) return;
      if (is_number(type)) {
        report("TX0302", expr.span,
               what + " wants `bool`, found a number; write `" +
                   (expr.kind == ExprKind::integer ? std::string(expr.value != 0 ? "true" : "false")
                                                   : operand_text(expr) + " != 0") +
                   "`");
        return;
      }
      break;
    case Kind::integer:
    case Kind::wrapping:
      convert_number(expr, target, what);
      return;
    case Kind::enumeration:
      if (type.kind == Kind::enumeration && type.decl == target.decl) return;
      break;
    case Kind::structure:
      move(expr, target, what);
      return;
    case Kind::weak:
      if (type.kind == Kind::none) return;
      if (type.decl != target.decl) break;
      if (type.kind == Kind::weak) return;
      if (type.kind == Kind::structure) {
        if (!place_variable(expr)) {
          report("TX0314", expr.span,
                 "nobody would own this packet: a weak handle does not; put it into a local "
                 "first");
        }
        return;
      }
      break;
    case Kind::object:
      if (type.kind == Kind::none) return;
      if (type.kind == Kind::object && refers_to(type.decl, target.decl)) return;
      break;
    case Kind::thread:
      if (type.kind == Kind::none || type.kind == Kind::thread) return;
      break;
    case Kind::hook:
      if (type.kind == Kind::none || (type.kind == Kind::hook && same_type(type, target))) return;
      break;
    case Kind::fifo:
    case Kind::bag:
    case Kind::array:
      report("TX0301", expr.span,
             what + " is a `" + shown(target) +
                 "`, which stays where it is; pass it with `&`, or move its elements");
      return;
    default:
      break;
  }
  mismatch(expr, target, what);
}

void ExprChecker::convert_number(Expr& expr, const Type& target, const std::string& what) {
  const Type& type = *expr.type;
  if (type.kind == Kind::boolean) {
    report("TX0302", expr.span,
           what + " wants `" + shown(target) + "`, found `bool`; write `" + operand_text(expr) +
               " ? 1 : 0`");
    return;
  }
  if (!is_number(type) && !is_enumerator(expr)) {
    mismatch(expr, target, what);
    return;
  }
  if (target.kind == Kind::integer || same_type(type, target)) return;
  const auto constant = constant_value(expr);
  if (!constant) {
    report("TX0303", expr.span,
           what + " wants `" + type_name(target) + "`, found `" + shown(type) + "`; write `" +
               type_name(target) + "(" + print_expr(expr) + ")` to let it wrap");
    return;
  }
  auto limit = target.bits != 0 ? std::optional<std::int64_t>(std::int64_t{1} << target.bits)
               : target.size    ? constant_value(*target.size)
                                : std::nullopt;
  if (*constant < 0 || (limit && *constant >= *limit)) {
    report("TX0304", expr.span,
           std::to_string(*constant) + " is outside of `" + type_name(target) + "`");
  }
}

// ---------------------------------------------------------------- packets

void ExprChecker::move(Expr& expr, const Type& target, const std::string& what) {
  const Type& type = *expr.type;
  if (type.kind == Kind::none) return;
  if (type.kind == Kind::weak && type.decl == target.decl) {
    report("TX0314", expr.span,
           what +
               " wants the packet itself, and a weak handle does not own it; move it from the "
               "place that holds it, or `copy` it");
    return;
  }
  if (type.kind != Kind::structure || type.decl != target.decl) {
    mismatch(expr, target, what);
    return;
  }
  const VarDecl* variable = place_variable(expr);
  if (!variable) return;
  if (is_own_name(expr)) {
    note_write(expr);
  } else if (variable->role == Role::binder && expr.kind == ExprKind::name) {
    report("TX0311", expr.span,
           "`" + expr.name + "` is bound by the text around it and can only be read");
  } else {
    report("TX0313", expr.span,
           "a field or slot keeps its packet unless it is taken; write `take " + print_expr(expr) +
               "`");
  }
}

bool ExprChecker::given_away(Expr& expr, const std::string& what) {
  check(expr);
  if (is_error(expr.type)) return false;
  if (expr.type->kind == Kind::structure) {
    move(expr, *expr.type, what);
    return true;
  }
  report("TX0314", expr.span,
         what + " wants a packet, found `" + shown(*expr.type) + "`" +
             (expr.type->kind == Kind::weak ? ", which does not own it" : ""));
  return false;
}

const Type* ExprChecker::check_take(Expr& expr) {
  Expr& place = *expr.args[0];
  check(place);
  if (is_error(place.type)) return error();
  if (through_weak(place)) {
    return report("TX0314", expr.span,
                  "`take` goes through a weak handle, which does not own the packet");
  }
  if (place.type->kind != Kind::structure) {
    return report("TX0314", place.span,
                  "`take` wants a place of a packet, found `" + shown(*place.type) + "`");
  }
  if (!place_variable(place)) {
    return report("TX0314", place.span,
                  "this gives its packet away already; `take` is for fields and slots");
  }
  if (!writable(place, "taken from")) return error();
  note_write(place);
  return place.type;
}

const Type* ExprChecker::check_copy(Expr& expr) {
  const char* word = expr.kind == ExprKind::copy ? "copy" : "get";
  Expr& place = *expr.args[0];
  check(place);
  effect(expr.span, "makes a packet");
  if (is_error(place.type)) return error();
  const Type& type = *place.type;
  const bool is_packet =
      type.kind == Kind::weak || (type.kind == Kind::structure && place_variable(place));
  if (!is_packet) {
    return report("TX0314", place.span,
                  "`" + std::string(word) +
                      "` wants a place of a packet or a weak handle, found `" + shown(type) + "`");
  }
  if (expr.kind == ExprKind::get && type.decl->kind != TypeDecl::Kind::counted_struct) {
    s_.diagnostics
        .error("TX0314", expr.span,
               "`get` makes one more reference, and `" + type.decl->name +
                   "` is not `counted`: a packet has one owner")
        .notes.push_back({type.decl->span, "declared here"});
    return error();
  }
  return denoted_type(s_, *type.decl);
}

const Type* ExprChecker::check_literal(Expr& expr, const Type* expected) {
  if (!is_kind(expected, Kind::structure)) {
    check_rest(expr);
    return is_kind(expected, Kind::error)
               ? error()
               : report("TX0318", expr.span,
                        "`{ … }` makes a packet; it can stand where a struct is initialised or "
                        "passed by value");
  }
  effect(expr.span, "makes a packet");
  const TypeDecl& type = *expected->decl;
  std::map<std::string, Span> seen;
  for (std::size_t i = 0; i < expr.args.size(); ++i) {
    const std::string& name = expr.field_names[i];
    const VarDecl* field = find_field(s_, type, name, nullptr);
    if (!field) {
      s_.diagnostics
          .error("TX0205", expr.field_spans[i],
                 "`" + type.name + "` has no member `" + name + "`" +
                     did_you_mean(name, field_names_of(s_, type, nullptr)))
          .notes.push_back({type.span, "`" + type.name + "` is declared here"});
      check(*expr.args[i]);
      continue;
    }
    if (!seen.emplace(name, expr.field_spans[i]).second) {
      report("TX0318", expr.field_spans[i], "`" + name + "` is given a second time");
    }
    value(*expr.args[i], type_of(s_, *field), "`" + name + "`");
  }
  return expected;
}

void ExprChecker::check_rest(Expr& expr) {
  for (const auto& arg : expr.args) {
    if (arg) check(*arg);
  }
}

}  // namespace txproof::lang
