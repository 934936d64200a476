#include "model/lang/check_property.h"

#include "model/lang/check_expr.h"
#include "model/lang/check_names.h"
#include "model/lang/check_stmt.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

namespace {

using Kind = Type::Kind;
using Role = VarDecl::Role;

class PropertyChecker {
 public:
  PropertyChecker(CheckState& state, PropertyDecl& property) : s_(state), property_(property) {
    env_.property = &property;
  }

  void run() {
    if (property_.asked_about) {
      for (const auto& param : property_.asked_about->params) declare(s_, env_, *param);
      for (const auto& instance : property_.asked_about->instances) declare(s_, env_, *instance);
      env_.scopes.emplace_back();
    }
    for (const auto& parameter : property_.parameters) {
      resolve_variable(s_, env_, *parameter, false);
      if (is_kind(parameter->type, Kind::structure) || parameter->type->element) {
        s_.diagnostics.error("TX0331", parameter->span,
                             "a property is about objects and numbers; a `" +
                                 type_name(*parameter->type) + "` cannot be bound in a stack");
        parameter->type = s_.types.error();
      }
      declare(s_, env_, *parameter);
    }
    for (const auto& ghost : property_.ghosts) check_ghost(*ghost);
    for (const auto& claim : property_.claims) check_claim(*claim);
    for (const auto& probe : property_.probes) check_probe(*probe, nullptr);
    for (const auto& per_call : property_.per_calls) check_per_call(*per_call);
  }

 private:
  // ---------------------------------------------------------------- ghost state

  void check_ghost(VarDecl& ghost) {
    const bool is_field = !ghost.owner_struct.empty();
    ghost.role = is_field ? Role::ghost_field : Role::ghost;
    resolve_variable(s_, env_, ghost, true);
    const Type* inner = innermost(ghost.type);
    if (inner->kind == Kind::structure) {
      s_.diagnostics.error("TX0331", ghost.span,
                           "ghost state holds no packets, since it must not change where they "
                           "are; write `weak " +
                               inner->decl->name + "`");
      ghost.type = s_.types.error();
    }
    if (ghost.is_instance) {
      s_.diagnostics.error("TX0320", ghost.span, "a property has no objects of its own");
    } else if (ghost.init) {
      const Restore look(env_.look_only, std::string("an initial value"));
      const Restore calls(env_.no_calls, true);
      const Type* target = ghost.type->kind == Kind::array ? ghost.type->element : ghost.type;
      ExprChecker(s_, env_).value(*ghost.init, target, "`" + ghost.name + "`");
    }
    if (is_field) {
      add_ghost_field(ghost);
    } else {
      declare(s_, env_, ghost);
    }
  }

  void add_ghost_field(VarDecl& ghost) {
    const Decl* decl = find_global(s_, ghost.owner_struct);
    const TypeDecl* type = as_type(decl);
    if (!type || !type->is_struct()) {
      const auto known = global_names(s_, [](const Decl& d) {
        const TypeDecl* other = as_type(&d);
        return other && other->is_struct();
      });
      s_.diagnostics.error("TX0214", ghost.span,
                           decl ? "`" + ghost.owner_struct + "` is " + describe(*decl) +
                                      "; only a struct can have ghost fields"
                                : "there is no struct `" + ghost.owner_struct + "`" +
                                      did_you_mean(ghost.owner_struct, known));
      return;
    }
    if (const VarDecl* other = find_field(s_, *type, ghost.name, &property_)) {
      s_.diagnostics
          .error("TX0202", ghost.span,
                 "`" + type->name + "` has a member `" + ghost.name + "` already")
          .notes.push_back({other->span, "declared here"});
      return;
    }
    ghost.owner = type;
    annotate(*type).ghost_fields.push_back(&ghost);
    s_.ghost_fields[&property_].push_back(&ghost);
  }

  // ---------------------------------------------------------------- claims

  void condition(ExprPtr& expr) {
    if (expr) ExprChecker(s_, env_).looking_condition(*expr, "a property");
  }

  void number(ExprPtr& expr) {
    if (!expr) return;
    const Restore look(env_.look_only, std::string("a property"));
    ExprChecker(s_, env_).number(*expr, "what is compared");
  }

  void growing(ExprPtr& expr) {
    if (!expr) return;
    if (expr->kind == ExprKind::ticks) {
      expr->type = s_.types.integer();
      return;
    }
    const Restore look(env_.look_only, std::string("a property"));
    check_counter(s_, env_, *expr);
  }

  void check_claim(Claim& claim) {
    const Restore thread(env_.no_thread, true);
    switch (claim.kind) {
      case Claim::Kind::maximum:
        number(claim.left);
        number(claim.right);
        return;
      case Claim::Kind::rate:
        growing(claim.left);
        growing(claim.right);
        number(claim.bound_numerator);
        number(claim.bound_denominator);
        return;
      default:
        condition(claim.left);
        condition(claim.right);
        condition(claim.assuming);
    }
    for (std::size_t i = 0; i < claim.outside.size(); ++i) {
      const std::string& text = claim.outside[i];
      const std::size_t dot = text.find('.');
      const std::string owner = dot == std::string::npos ? "" : text.substr(0, dot);
      const std::string name = dot == std::string::npos ? text : text.substr(dot + 1);
      const Span span = i < claim.outside_spans.size() ? claim.outside_spans[i] : claim.span;
      if (const FunctionDecl* function = probed(owner, name, span, true)) {
        claim.outside_functions.push_back(function);
      }
    }
  }

  // ---------------------------------------------------------------- probes

  // `F` or `TYPE.F`; reports what is wrong with it.
  const FunctionDecl* probed(const std::string& owner, const std::string& name, Span span,
                             bool may_be_thread) {
    if (!owner.empty()) return probed_method(owner, name, span);
    const Decl* decl = find_global(s_, name);
    const FunctionDecl* function = as_function(decl);
    if (function && (may_be_thread || !function->is_thread)) return function;
    if (decl) {
      s_.diagnostics
          .error("TX0211", span,
                 "`" + name + "` is " + describe(*decl) + "; probes attach to functions")
          .notes.push_back({decl->span, "declared here"});
      return nullptr;
    }
    const auto known = global_names(s_, [&](const Decl& d) {
      const FunctionDecl* other = as_function(&d);
      return other && (may_be_thread || !other->is_thread);
    });
    std::string hint = did_you_mean(name, known);
    for (const auto& [type_name_, type_decl] : s_.model.names) {
      const TypeDecl* type = as_type(type_decl);
      if (!type || type->implements) continue;
      if (find_method(*type, name)) hint = "; the method is `" + type_name_ + "." + name + "`";
    }
    s_.diagnostics.error("TX0211", span, "there is no function `" + name + "`" + hint);
    return nullptr;
  }

  const FunctionDecl* probed_method(const std::string& owner, const std::string& name, Span span) {
    const Decl* decl = find_global(s_, owner);
    const TypeDecl* type = as_type(decl);
    if (!type) {
      const auto known = global_names(s_, [](const Decl& d) { return as_type(&d) != nullptr; });
      s_.diagnostics.error(
          "TX0211", span,
          decl ? "`" + owner + "` is " + describe(*decl) + " and has no methods"
               : "there is no object or interface `" + owner + "`" + did_you_mean(owner, known));
      return nullptr;
    }
    if (const FunctionDecl* method = find_method(*type, name)) return method;
    s_.diagnostics
        .error("TX0211", span,
               "`" + owner + "` has no method `" + name + "`" +
                   did_you_mean(name, method_names_of(*type)))
        .notes.push_back({type->span, "`" + owner + "` is declared here"});
    return nullptr;
  }

  // The type under which a probe sees a value: packets as weak handles.
  const Type* seen(const Type* type) {
    return is_kind(type, Kind::structure) ? s_.types.named(Kind::weak, *type->decl) : type;
  }

  void bind(const std::vector<std::unique_ptr<VarDecl>>& names, const FunctionDecl* function,
            Span span) {
    if (function && names.size() != function->parameters.size()) {
      s_.diagnostics
          .error("TX0309", span,
                 "`" + function->name + "` has " + std::to_string(function->parameters.size()) +
                     (function->parameters.size() == 1 ? " parameter, and " : " parameters, and ") +
                     std::to_string(names.size()) + " are named here; name all or none")
          .notes.push_back({function->span, "declared here"});
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
      names[i]->role = Role::parameter;
      const bool known = function && i < function->parameters.size();
      names[i]->type = known ? seen(function->parameters[i]->type) : s_.types.error();
      if (!names[i]->type) names[i]->type = s_.types.error();
      declare(s_, env_, *names[i]);
    }
  }

  void bind_result(Probe& probe) {
    if (!probe.result) return;
    const Type* result = probe.function ? probe.function->result : nullptr;
    if (is_kind(result, Kind::void_)) {
      s_.diagnostics
          .error("TX0322", probe.result->span,
                 "`" + probe.function->name + "` returns nothing that could be named `" +
                     probe.result->name + "`")
          .notes.push_back({probe.function->span, "declared here"});
      result = nullptr;
    }
    probe.result->role = Role::parameter;
    probe.result->type = result ? seen(result) : s_.types.error();
    declare(s_, env_, *probe.result);
  }

  void find_structure(Probe& probe) {
    const Decl* decl = find_global(s_, probe.name);
    const TypeDecl* type = as_type(decl);
    if (type && type->is_struct()) {
      probe.structure = type;
    } else {
      const auto known = global_names(s_, [](const Decl& d) {
        const TypeDecl* other = as_type(&d);
        return other && other->is_struct();
      });
      s_.diagnostics.error(
          "TX0214", probe.name_span,
          decl ? "`" + probe.name + "` is " + describe(*decl) + "; only structs are made and ended"
               : "there is no struct `" + probe.name + "`" + did_you_mean(probe.name, known));
    }
    if (probe.parameters.size() > 1) {
      s_.diagnostics.error("TX0309", probe.parameters[1]->span, "one name, for the packet");
    }
    for (const auto& name : probe.parameters) {
      name->role = Role::parameter;
      name->type =
          probe.structure ? s_.types.named(Kind::weak, *probe.structure) : s_.types.error();
      declare(s_, env_, *name);
    }
  }

  void check_probe(Probe& probe, const FunctionDecl* around) {
    env_.scopes.emplace_back();
    if (probe.event == Probe::Event::new_ || probe.event == Probe::Event::destroy) {
      find_structure(probe);
    } else {
      if (!probe.name.empty()) {
        probe.function = probed(probe.owner_name, probe.name, probe.name_span, false);
      } else if (around) {
        probe.function = around;
      } else {
        s_.diagnostics.error("TX0211", probe.span,
                             "name the function: `on return of F`; without it stands only inside "
                             "`per call F`");
      }
      if (probe.has_parameters) bind(probe.parameters, probe.function, probe.name_span);
      bind_result(probe);
    }
    const Restore receiver(env_.this_type, probe.function ? probe.function->owner : nullptr);
    if (probe.when) {
      ExprChecker(s_, env_).looking_condition(*probe.when, "the condition of a probe");
    }
    StmtChecker(s_, env_).probe_body(probe.body);
    env_.scopes.pop_back();
  }

  void check_per_call(PerCall& per_call) {
    per_call.function = probed(per_call.owner_name, per_call.name, per_call.name_span, false);
    env_.scopes.emplace_back();
    if (per_call.has_parameters) {
      bind(per_call.parameters, per_call.function, per_call.name_span);
    }
    const Restore receiver(env_.this_type, per_call.function ? per_call.function->owner : nullptr);
    for (const auto& ghost : per_call.ghosts) {
      if (!ghost->owner_struct.empty()) {
        s_.diagnostics.error("TX0214", ghost->span,
                             "a ghost field belongs to the property, not to one activation; "
                             "declare it outside of `per call`");
      }
      ghost->owner_struct.clear();
      check_ghost(*ghost);
    }
    for (const auto& probe : per_call.probes) check_probe(*probe, per_call.function);
    env_.scopes.pop_back();
  }

  CheckState& s_;
  PropertyDecl& property_;
  Env env_;
};

}  // namespace

void check_property(CheckState& state, PropertyDecl& property) {
  PropertyChecker(state, property).run();
}

}  // namespace txproof::lang
