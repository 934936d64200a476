#include "model/lang/check_names.h"

#include <set>

namespace txproof::lang {

namespace {

void declare_global(CheckState& state, const Decl& decl) {
  const auto [place, fresh] = state.model.names.emplace(decl.name, &decl);
  if (fresh) return;
  auto& error =
      state.diagnostics.error("TX0202", decl.span, "`" + decl.name + "` is declared a second time");
  error.notes.push_back(
      {place->second->span, "first declared here, as " + describe(*place->second)});
}

// Two members of one type, or a member and one that the interface has already.
void check_members(CheckState& state, const TypeDecl& type) {
  std::map<std::string, const Decl*> seen;
  const auto member = [&](const Decl& decl) {
    const auto [place, fresh] = seen.emplace(decl.name, &decl);
    if (!fresh) {
      state.diagnostics
          .error("TX0202", decl.span,
                 "`" + type.name + "` has a second member named `" + decl.name + "`")
          .notes.push_back({place->second->span, "the first is here"});
    }
  };
  for (const auto& field : type.fields) member(*field);
  for (const auto& method : type.methods) member(*method);
  if (!type.implements) return;
  for (const auto& [name, decl] : seen) {
    const Decl* other = find_field(state, *type.implements, name, nullptr);
    const bool is_method = decl->decl_kind == DeclKind::function;
    if (!other && !is_method) other = find_method(*type.implements, name);
    if (!other) continue;
    state.diagnostics
        .error("TX0209", decl->span,
               "`" + name + "` is a member of the interface `" + type.implements->name +
                   "` already; every object that implements it has it")
        .notes.push_back({other->span, "declared here"});
  }
}

void collect_type(CheckState& state, TypeDecl& type) {
  for (const auto& enumerator : type.enumerators) {
    enumerator->owner = &type;
    declare_global(state, *enumerator);
  }
  for (const auto& field : type.fields) field->owner = &type;
  for (const auto& method : type.methods) method->owner = &type;
}

void find_interface(CheckState& state, TypeDecl& type) {
  if (type.implements_name.empty()) return;
  const Decl* decl = find_global(state, type.implements_name);
  const TypeDecl* found = as_type(decl);
  if (found && found->kind == TypeDecl::Kind::interface) {
    type.implements = found;
    return;
  }
  const auto interfaces = global_names(state, [](const Decl& d) {
    return d.decl_kind == DeclKind::type &&
           static_cast<const TypeDecl&>(d).kind == TypeDecl::Kind::interface;
  });
  auto& error = state.diagnostics.error(
      "TX0206", type.implements_span,
      decl ? "`" + type.implements_name + "` is " + describe(*decl) + ", not an interface"
           : "there is no interface `" + type.implements_name + "`" +
                 did_you_mean(type.implements_name, interfaces));
  if (decl) error.notes.push_back({decl->span, "declared here"});
}

template <typename Visit>
void for_types(CheckState& state, Visit visit) {
  for (const auto& file : state.model.files) {
    for (const auto& decl : file->decls) {
      if (decl->decl_kind == DeclKind::type) visit(static_cast<TypeDecl&>(*decl));
    }
  }
}

}  // namespace

void collect_names(CheckState& state) {
  for (const auto& file : state.model.files) {
    for (const auto& decl : file->decls) {
      declare_global(state, *decl);
      if (decl->decl_kind == DeclKind::type) {
        collect_type(state, static_cast<TypeDecl&>(*decl));
      }
    }
  }
  if (!state.model.files.empty()) {
    for (const auto& decl : state.model.files.back()->decls) {
      if (decl->decl_kind == DeclKind::stack) {
        state.model.stacks.push_back(static_cast<const StackDecl*>(decl.get()));
      }
    }
  }
  for_types(state, [&](TypeDecl& type) { find_interface(state, type); });
  for_types(state, [&](TypeDecl& type) { check_members(state, type); });
}

namespace {

bool same_signature(const FunctionDecl& a, const FunctionDecl& b) {
  if (a.parameters.size() != b.parameters.size()) return false;
  for (std::size_t i = 0; i < a.parameters.size(); ++i) {
    const VarDecl& x = *a.parameters[i];
    const VarDecl& y = *b.parameters[i];
    if (x.by_reference != y.by_reference) return false;
    if (is_error(x.type) || is_error(y.type)) continue;
    if (!same_type(*x.type, *y.type)) return false;
  }
  return is_error(a.result) || is_error(b.result) || same_type(*a.result, *b.result);
}

}  // namespace

void check_interfaces(CheckState& state) {
  for_types(state, [&](TypeDecl& type) {
    if (!type.implements) return;
    for (const auto& wanted : type.implements->methods) {
      const FunctionDecl* found = nullptr;
      for (const auto& method : type.methods) {
        if (method->name == wanted->name) found = method.get();
      }
      if (!found && !wanted->has_body) {
        state.diagnostics
            .error("TX0207", type.span,
                   "`" + type.name + "` has no `" + wanted->name + "`, which `" +
                       type.implements->name + "` asks for" +
                       did_you_mean(wanted->name, method_names_of(type)))
            .notes.push_back({wanted->span, "asked for here"});
      }
      if (found && !same_signature(*found, *wanted)) {
        state.diagnostics
            .error("TX0208", found->span,
                   "`" + type.name + "." + found->name + "` differs from what the interface `" +
                       type.implements->name +
                       "` declares: parameters, `&` and result must be the same")
            .notes.push_back({wanted->span, "declared here"});
      }
    }
  });
}

void declare(CheckState& state, Env& env, const VarDecl& variable) {
  const auto [place, fresh] = env.scopes.back().emplace(variable.name, &variable);
  if (fresh || variable.name.empty()) return;
  state.diagnostics
      .error("TX0202", variable.span, "`" + variable.name + "` is declared a second time")
      .notes.push_back({place->second->span, "first declared here"});
}

const Decl* find_global(const CheckState& state, const std::string& name) {
  const auto found = state.model.names.find(name);
  return found == state.model.names.end() ? nullptr : found->second;
}

const VarDecl* find_local(const Env& env, const std::string& name) {
  for (auto scope = env.scopes.rbegin(); scope != env.scopes.rend(); ++scope) {
    const auto found = scope->find(name);
    if (found != scope->end()) return found->second;
  }
  return nullptr;
}

const VarDecl* find_field(const CheckState& state, const TypeDecl& type, const std::string& name,
                          const PropertyDecl* property) {
  for (const auto& field : type.fields) {
    if (field->name == name) return field.get();
  }
  if (type.implements) return find_field(state, *type.implements, name, property);
  const auto ghosts = state.ghost_fields.find(property);
  if (ghosts == state.ghost_fields.end()) return nullptr;
  for (const VarDecl* ghost : ghosts->second) {
    if (ghost->owner == &type && ghost->name == name) return ghost;
  }
  return nullptr;
}

const FunctionDecl* find_method(const TypeDecl& type, const std::string& name) {
  for (const auto& method : type.methods) {
    if (method->name == name) return method.get();
  }
  return type.implements ? find_method(*type.implements, name) : nullptr;
}

std::vector<const VarDecl*> all_fields(const TypeDecl& type) {
  std::vector<const VarDecl*> fields;
  if (type.implements) fields = all_fields(*type.implements);
  for (const auto& field : type.fields) fields.push_back(field.get());
  return fields;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() || nearest == name ? "" : " (did you mean `" + nearest + "`?)";
}

std::vector<std::string> field_names_of(const CheckState& state, const TypeDecl& type,
                                        const PropertyDecl* property) {
  std::vector<std::string> names;
  for (const VarDecl* field : all_fields(type)) names.push_back(field->name);
  const auto ghosts = state.ghost_fields.find(property);
  if (ghosts == state.ghost_fields.end()) return names;
  for (const VarDecl* ghost : ghosts->second) {
    if (ghost->owner == &type) names.push_back(ghost->name);
  }
  return names;
}

std::vector<std::string> method_names_of(const TypeDecl& type) {
  std::vector<std::string> names;
  if (type.implements) names = method_names_of(*type.implements);
  for (const auto& method : type.methods) names.push_back(method->name);
  return names;
}

std::vector<std::string> names_in_reach(const CheckState& state, const Env& env) {
  std::vector<std::string> names;
  if (too_many_to_suggest(state)) return names;
  for (const auto& scope : env.scopes) {
    for (const auto& [name, variable] : scope) names.push_back(name);
  }
  if (env.receiver) {
    for (auto& name : field_names_of(state, *env.receiver, nullptr)) names.push_back(name);
    for (auto& name : method_names_of(*env.receiver)) names.push_back(name);
  }
  for (const auto& [name, decl] : state.model.names) names.push_back(name);
  return names;
}

std::string describe(const Decl& decl) {
  switch (decl.decl_kind) {
    case DeclKind::function:
      return static_cast<const FunctionDecl&>(decl).is_thread ? "a thread" : "a function";
    case DeclKind::enumerator:
      return "an enumerator";
    case DeclKind::property:
      return "a property";
    case DeclKind::stack:
      return "a stack";
    case DeclKind::type:
      switch (static_cast<const TypeDecl&>(decl).kind) {
        case TypeDecl::Kind::enumeration:
          return "an enum";
        case TypeDecl::Kind::alias:
          return "a typedef";
        case TypeDecl::Kind::linear_struct:
        case TypeDecl::Kind::counted_struct:
          return "a struct";
        case TypeDecl::Kind::object:
          return "an object type";
        case TypeDecl::Kind::interface:
          return "an interface";
      }
      return "a type";
    case DeclKind::variable:
      switch (static_cast<const VarDecl&>(decl).role) {
        case VarDecl::Role::constant:
          return "a constant";
        case VarDecl::Role::param:
          return "a param";
        case VarDecl::Role::field:
          return "a field";
        case VarDecl::Role::parameter:
          return "a parameter";
        case VarDecl::Role::local:
          return "a local";
        case VarDecl::Role::binder:
          return "a bound name";
        case VarDecl::Role::ghost:
        case VarDecl::Role::ghost_field:
          return "ghost state";
        case VarDecl::Role::instance:
          return "an instance";
        case VarDecl::Role::counter:
          return "a counter";
      }
  }
  return "something else";
}

}  // namespace txproof::lang
