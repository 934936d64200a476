#include "model/lang/check_effects.h"

#include <set>

#include "model/lang/check_names.h"

namespace txproof::lang {

namespace {

using Visited = std::set<const FunctionDecl*>;

// The first effect that `function` reaches, or null. A method of an interface stands for all that
// implement it.
const Effects* reached_effect(const CheckState& state, const FunctionDecl& function,
                              Visited& visited) {
  if (!visited.insert(&function).second) return nullptr;
  const auto own = state.effects.find(&function);
  if (own != state.effects.end()) {
    if (own->second.direct) return &own->second;
    for (const FunctionDecl* callee : own->second.calls) {
      if (const Effects* effect = reached_effect(state, *callee, visited)) return effect;
    }
  }
  if (!function.owner || function.owner->kind != TypeDecl::Kind::interface) return nullptr;
  for (const auto& [name, decl] : state.model.names) {
    const TypeDecl* type = as_type(decl);
    if (!type || type->implements != function.owner) continue;
    const FunctionDecl* method = find_method(*type, function.name);
    if (!method) continue;
    if (const Effects* effect = reached_effect(state, *method, visited)) return effect;
  }
  return nullptr;
}

}  // namespace

void check_effects(CheckState& state) {
  for (const PureUse& use : state.pure_uses) {
    Visited visited;
    const Effects* effect = reached_effect(state, *use.function, visited);
    if (!effect) continue;
    const bool probe = use.place == "a probe";
    state.diagnostics
        .error(
            probe ? "TX0326" : "TX0327", use.span,
            "`" + use.function->name + "` does more than look, so " + use.place + " cannot call it")
        .notes.push_back({effect->where, "it " + effect->what + " here"});
  }
}

}  // namespace txproof::lang
