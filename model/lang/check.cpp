// The order of the check: names, then types, then signatures, then bodies.

#include "model/lang/check_effects.h"
#include "model/lang/check_names.h"
#include "model/lang/check_property.h"
#include "model/lang/check_stack.h"
#include "model/lang/check_stmt.h"
#include "model/lang/check_types.h"
#include "model/lang/frontend.h"

namespace txproof::lang {

namespace {

template <typename D, typename Visit>
void for_each(Model& model, DeclKind kind, Visit visit) {
  for (const auto& file : model.files) {
    for (const auto& decl : file->decls) {
      if (decl->decl_kind == kind) visit(static_cast<D&>(*decl));
    }
  }
}

template <typename Visit>
void for_functions(Model& model, Visit visit) {
  for (const auto& file : model.files) {
    for (const auto& decl : file->decls) {
      if (decl->decl_kind == DeclKind::function) visit(static_cast<FunctionDecl&>(*decl));
      if (decl->decl_kind != DeclKind::type) continue;
      for (const auto& method : static_cast<TypeDecl&>(*decl).methods) visit(*method);
    }
  }
}

void check_body(CheckState& state, FunctionDecl& function) {
  if (!function.has_body) return;
  Env env;
  env.receiver = function.owner;
  env.this_type = function.owner;
  env.function = &function;
  env.effects = &state.effects[&function];
  for (const auto& parameter : function.parameters) {
    env.scopes.front().emplace(parameter->name, parameter.get());
  }
  StmtChecker(state, env).function_body(function);
}

void resolve_types(CheckState& state) {
  for_each<TypeDecl>(state.model, DeclKind::type, [&](TypeDecl& type) {
    denoted_type(state, type);
    if (type.kind == TypeDecl::Kind::enumeration) resolve_enum(state, type);
    for (const auto& field : type.fields) type_of(state, *field);
  });
  for_each<VarDecl>(state.model, DeclKind::variable,
                    [&](VarDecl& variable) { type_of(state, variable); });
}

}  // namespace

void check_model(Model& model, Diagnostics& diagnostics) {
  CheckState state(model, diagnostics);
  collect_names(state);
  for_each<StackDecl>(model, DeclKind::stack, [&](StackDecl& stack) {
    for (const auto& param : stack.params) state.stack_of[param.get()] = &stack;
    for (const auto& instance : stack.instances) state.stack_of[instance.get()] = &stack;
  });
  resolve_types(state);
  for_functions(model, [&](FunctionDecl& function) { resolve_signature(state, function); });
  check_hooks(state);
  check_interfaces(state);
  for_each<TypeDecl>(model, DeclKind::type,
                     [&](TypeDecl& type) { check_initial_values(state, type); });
  for_functions(model, [&](FunctionDecl& function) { check_body(state, function); });
  for_each<PropertyDecl>(model, DeclKind::property,
                         [&](PropertyDecl& property) { check_property(state, property); });
  for_each<StackDecl>(model, DeclKind::stack, [&](StackDecl& stack) { check_stack(state, stack); });
  check_effects(state);
}

}  // namespace txproof::lang
