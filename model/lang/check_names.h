// What names stand for: the global scope, members, and the nearest known name for a slip.
#pragma once

#include <string>
#include <vector>

#include "model/lang/check_state.h"

namespace txproof::lang {

// Fills Model.names and Model.stacks, owners of members, and what objects implement.
void collect_names(CheckState& state);

// Checks objects against their interfaces: missing methods, signatures. Requires signatures.
void check_interfaces(CheckState& state);

// A new name in the innermost scope; a second one of the same name there is an error.
void declare(CheckState& state, Env& env, const VarDecl& variable);

const Decl* find_global(const CheckState& state, const std::string& name);
const VarDecl* find_local(const Env& env, const std::string& name);

// Fields, params and methods of an object, then of its interface; fields of a struct, then its
// ghost fields in `property`. Null if there is none.
const VarDecl* find_field(const CheckState& state, const TypeDecl& type, const std::string& name,
                          const PropertyDecl* property);
const FunctionDecl* find_method(const TypeDecl& type, const std::string& name);

// Every field and param of an object, those of its interface first.
std::vector<const VarDecl*> all_fields(const TypeDecl& type);

// " (did you mean `x`?)", or nothing.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

std::vector<std::string> field_names_of(const CheckState& state, const TypeDecl& type,
                                        const PropertyDecl* property);
std::vector<std::string> method_names_of(const TypeDecl& type);
// Everything that a bare name could mean here.
std::vector<std::string> names_in_reach(const CheckState& state, const Env& env);
// Suggestions look at every name, so only the first errors of a run have them: a file of nothing
// but slips must not take quadratic time.
inline bool too_many_to_suggest(const CheckState& state) {
  return state.diagnostics.error_count() > 200;
}

// The global names of one kind.
template <typename Predicate>
std::vector<std::string> global_names(const CheckState& state, Predicate wanted) {
  std::vector<std::string> names;
  if (too_many_to_suggest(state)) return names;
  for (const auto& [name, decl] : state.model.names) {
    if (wanted(*decl)) names.push_back(name);
  }
  return names;
}

// "a function", "a type": what a declaration is.
std::string describe(const Decl& decl);

inline const VarDecl* as_variable(const Decl* decl) {
  return decl && decl->decl_kind == DeclKind::variable ? static_cast<const VarDecl*>(decl)
                                                       : nullptr;
}
inline const FunctionDecl* as_function(const Decl* decl) {
  return decl && decl->decl_kind == DeclKind::function ? static_cast<const FunctionDecl*>(decl)
                                                       : nullptr;
}
inline const TypeDecl* as_type(const Decl* decl) {
  return decl && decl->decl_kind == DeclKind::type ? static_cast<const TypeDecl*>(decl) : nullptr;
}

}  // namespace txproof::lang
