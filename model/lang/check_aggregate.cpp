// Sums, counts, quantifiers, and the choice of an element: what a domain ranges over.

#include <set>

#include "model/lang/check_expr.h"
#include "model/lang/check_names.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

using Kind = Type::Kind;

const Type* ExprChecker::check_aggregate(Expr& expr) {
  const Type* element = domain_element(expr);
  with_binder(expr, element, false);
  switch (expr.aggregate_op) {
    case AggregateOp::forall:
    case AggregateOp::exists:
      return s_.types.boolean();
    default:
      return s_.types.integer();
  }
}

// Condition and body see the binder; they only look.
void ExprChecker::with_binder(Expr& expr, const Type* element, bool is_take) {
  const Restore look(env_.look_only,
                     env_.look_only.empty()
                         ? std::string(is_take ? "the choice of an element" : "an aggregate")
                         : env_.look_only);
  env_.scopes.emplace_back();
  if (expr.binder) {
    expr.binder->role = VarDecl::Role::binder;
    expr.binder->type = element;
    declare(s_, env_, *expr.binder);
  }
  if (expr.args.size() > 1 && expr.args[1]) condition(*expr.args[1]);
  if (expr.args.size() > 2 && expr.args[2]) {
    const bool quantifier =
        expr.aggregate_op == AggregateOp::forall || expr.aggregate_op == AggregateOp::exists;
    if (quantifier) {
      condition(*expr.args[2]);
    } else {
      number(*expr.args[2], "what is added up");
    }
  }
  env_.scopes.pop_back();
}

const Type* ExprChecker::domain_element(Expr& expr) {
  Expr& domain = *expr.args[0];
  if (domain.kind == ExprKind::range) {
    expr.domain = Expr::Domain::of_range;
    const bool good = number(*domain.args[0], "the end of a range");
    if (!number(*domain.args[1], "the end of a range") || !good) return domain.type = error();
    domain.type = s_.types.integer(domain.args[0].get(), domain.args[1].get());
    return domain.type;
  }
  const auto named_type = [&](const Expr& name) -> const TypeDecl* {
    if (name.kind != ExprKind::name || find_local(env_, name.name)) return nullptr;
    if (env_.receiver && find_field(s_, *env_.receiver, name.name, nullptr)) return nullptr;
    return as_type(find_global(s_, name.name));
  };
  if (const TypeDecl* type = named_type(domain)) return type_domain(expr, *type);
  if (domain.kind == ExprKind::field) {
    if (const TypeDecl* type = named_type(*domain.args[0])) return field_domain(expr, *type);
  }
  return value_domain(expr);
}

const Type* ExprChecker::type_domain(Expr& expr, const TypeDecl& type) {
  Expr& domain = *expr.args[0];
  expr.domain = Expr::Domain::of_type;
  domain.decl = &type;
  domain.type = denoted_type(s_, type);
  if (type.kind != TypeDecl::Kind::alias) {
    if (type.kind == TypeDecl::Kind::enumeration) resolve_enum(s_, type);
    return domain.type;
  }
  s_.diagnostics
      .error("TX0317", domain.span,
             "`" + type.name + "` is a typedef; a range is written `lo..hi` here")
      .notes.push_back({type.span, "declared here"});
  return domain.type = error();
}

const Type* ExprChecker::field_domain(Expr& expr, const TypeDecl& type) {
  Expr& domain = *expr.args[0];
  expr.domain = Expr::Domain::of_type_field;
  domain.args[0]->decl = &type;
  domain.args[0]->type = denoted_type(s_, type);
  if (type.kind == TypeDecl::Kind::alias || type.kind == TypeDecl::Kind::enumeration) {
    domain.type = error();
    return report("TX0317", domain.span,
                  "`" + type.name +
                      "` has no fields to range over; write an object type or a "
                      "struct");
  }
  const VarDecl* field = find_field(s_, type, domain.name, env_.property);
  if (!field) {
    domain.type = error();
    return unknown_member(domain, type, false);
  }
  domain.decl = field;
  domain.type = type_of(s_, *field);
  return innermost(domain.type);
}

const Type* ExprChecker::value_domain(Expr& expr) {
  Expr& domain = *expr.args[0];
  expr.domain = Expr::Domain::of_value;
  const Type* type = check(domain);
  if (is_error(type)) return error();
  if (type->element) return innermost(type);
  if (type->kind == Kind::object || type->kind == Kind::structure || type->kind == Kind::weak) {
    return packets_inside(domain, *type->decl);
  }
  return report("TX0317", domain.span,
                "this ranges over a type, a container, an array, an object or `lo..hi`, and `" +
                    type_name(*type) + "` is none of them");
}

// The struct whose places are in an object: `s in eth0` is every packet in it. An interface stands
// for all that implement it.
const Type* ExprChecker::packets_inside(const Expr& domain, const TypeDecl& type) {
  std::set<const TypeDecl*> structs;
  const Type* found = nullptr;
  const auto visit = [&](const TypeDecl& decl) {
    for (const VarDecl* field : all_fields(decl)) {
      const Type* inner = innermost(type_of(s_, *field));
      if (inner->kind != Kind::structure) continue;
      structs.insert(inner->decl);
      found = inner;
    }
  };
  visit(type);
  if (type.kind == TypeDecl::Kind::interface) {
    for (const auto& [name, decl] : s_.model.names) {
      const TypeDecl* other = as_type(decl);
      if (other && other->implements == &type) visit(*other);
    }
  }
  if (structs.size() == 1) return found;
  return report("TX0317", domain.span,
                structs.empty()
                    ? "`" + type.name + "` holds no packets that this could range over"
                    : "`" + type.name + "` holds packets of several structs; name the field");
}

const Type* ExprChecker::check_take_where(Expr& expr) {
  Expr& domain = *expr.args[0];
  const Type* type = check(domain);
  const Type* element = error();
  if (!is_error(type)) {
    const bool slots = is_kind(type->element, Kind::structure);
    if (through_weak(domain)) {
      report("TX0314", expr.span,
             "`take` goes through a weak handle, which does not own what it holds");
    } else if (!is_container(*type) && !slots) {
      report("TX0317", domain.span,
             "`take(… in …)` chooses from a container or an array of packets, found `" +
                 type_name(*type) + "`");
    } else if (!place_variable(domain)) {
      report("TX0311", domain.span, "this is no place that can be taken from");
    } else {
      element = type->element;
      note_write(domain);
    }
  }
  with_binder(expr, element, true);
  return element;
}

}  // namespace txproof::lang
