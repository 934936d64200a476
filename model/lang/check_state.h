// What one check of a model shares, and the surroundings of the text that is being checked.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/syntax.h"
#include "model/lang/type_table.h"

namespace txproof::lang {

// What a function does to the world beyond its own locals; `calls` are followed by the caller.
struct Effects {
  bool direct = false;  // it writes, creates or ends something, or may stop
  Span where;
  std::string what;  // "writes `qlen` here"
  std::vector<const FunctionDecl*> calls;
};

// A call at a place that may only look; judged when the effects of all functions are known.
struct PureUse {
  const FunctionDecl* function = nullptr;
  Span span;
  std::string place;  // "a guard"
};

struct CheckState {
  CheckState(Model& m, Diagnostics& d) : model(m), diagnostics(d), types(m.types) {}

  Model& model;
  Diagnostics& diagnostics;
  TypeTable types;
  std::set<const Decl*> visiting;  // being resolved: meeting one again is a cycle
  std::set<const Decl*> resolved;  // enums whose values are known
  // Hooks as written; their functions are compared when all signatures are known.
  std::vector<std::pair<const TypeExpr*, const Type*>> hooks;
  std::map<const VarDecl*, StackDecl*> stack_of;
  std::map<const PropertyDecl*, std::vector<const VarDecl*>> ghost_fields;
  std::map<const FunctionDecl*, Effects> effects;
  std::vector<PureUse> pure_uses;
};

// Where a piece of text stands: what names mean there and what it may do.
struct Env {
  const TypeDecl* receiver = nullptr;   // bare names may be its members
  const TypeDecl* this_type = nullptr;  // type of `this`
  const PropertyDecl* property = nullptr;
  const FunctionDecl* function = nullptr;
  std::vector<std::map<std::string, const VarDecl*>> scopes{1};  // inner last
  Effects* effects = nullptr;                                    // of the function, if any
  std::string look_only;   // not empty: this is "a guard", "an invariant": nothing may change
  bool no_calls = false;   // ranges, sizes, constants
  bool no_thread = false;  // claims: true of a state, run by nobody
  bool in_probe = false;
  bool in_binding = false;  // a binding of an instance: lists and instances are possible
};

// Sets a member of an Env for the life of a block.
template <typename T>
class Restore {
 public:
  Restore(T& place, T value) : place_(place), old_(std::move(place)) { place = std::move(value); }
  ~Restore() { place_ = std::move(old_); }
  Restore(const Restore&) = delete;
  Restore& operator=(const Restore&) = delete;

 private:
  T& place_;
  T old_;
};

// The tree is handed around as const, since its shape never changes here; the checker alone owns
// the right to fill in its annotations.
template <typename D>
D& annotate(const D& decl) {
  return const_cast<D&>(decl);
}

}  // namespace txproof::lang
