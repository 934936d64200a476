#include "model/lang/type_table.h"

#include "model/lang/frontend.h"

namespace txproof::lang {

bool same_expr(const Expr* a, const Expr* b) {
  if (a == b) return true;
  if (!a || !b) return false;
  if (a->kind != b->kind || a->value != b->value || a->name != b->name || a->decl != b->decl ||
      a->builtin != b->builtin || a->args.size() != b->args.size()) {
    return false;
  }
  // Binders make two equal texts mean different places; they are too rare in ranges to compare.
  if (a->binder || b->binder || a->written_type || b->written_type) return false;
  for (std::size_t i = 0; i < a->args.size(); ++i) {
    if (!same_expr(a->args[i].get(), b->args[i].get())) return false;
  }
  return true;
}

namespace {

bool same_parts(const Type& a, const Type& b) {
  return a.kind == b.kind && a.decl == b.decl && a.bits == b.bits && a.hooks == b.hooks;
}

// Equal for trees that same_expr calls equal. Addresses are mixed in, so the order of nothing may
// depend on it.
void mix(std::uint64_t& hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
  hash ^= hash >> 29U;
}

void mix(std::uint64_t& hash, const void* address) {
  mix(hash, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address)));
}

void mix(std::uint64_t& hash, const Expr* expr) {
  if (!expr) return mix(hash, std::uint64_t{1});
  mix(hash, static_cast<std::uint64_t>(expr->kind));
  mix(hash, static_cast<std::uint64_t>(expr->value));
  mix(hash, static_cast<const void*>(expr->decl));
  for (const auto& arg : expr->args) mix(hash, arg.get());
}

std::uint64_t hash_of(const Type& type) {
  std::uint64_t hash = static_cast<std::uint64_t>(type.kind);
  mix(hash, static_cast<const void*>(type.decl));
  mix(hash, static_cast<const void*>(type.element));
  mix(hash, static_cast<std::uint64_t>(type.bits));
  mix(hash, type.lo);
  mix(hash, type.hi);
  mix(hash, type.size);
  return hash;
}

}  // namespace

bool same_type(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (!same_parts(a, b)) return false;
  if (a.element || b.element) {
    if (!a.element || !b.element || !same_type(*a.element, *b.element)) return false;
  }
  // Containers of any capacity are alike: capacities are often parameters, known only later.
  return a.kind != Type::Kind::wrapping || same_expr(a.size, b.size);
}

const Type* TypeTable::intern(Type type) {
  std::vector<const Type*>& bucket = by_hash_[hash_of(type)];
  for (const Type* known : bucket) {
    if (same_parts(*known, type) && known->element == type.element &&
        same_expr(known->lo, type.lo) && same_expr(known->hi, type.hi) &&
        same_expr(known->size, type.size)) {
      return known;
    }
  }
  store_.push_back(std::make_unique<Type>(std::move(type)));
  bucket.push_back(store_.back().get());
  return bucket.back();
}

const Type* TypeTable::basic(Type::Kind kind) {
  Type type;
  type.kind = kind;
  return intern(std::move(type));
}

const Type* TypeTable::integer(const Expr* lo, const Expr* hi) {
  Type type;
  type.kind = Type::Kind::integer;
  type.lo = lo;
  type.hi = hi;
  return intern(std::move(type));
}

const Type* TypeTable::wrapping(int bits, const Expr* size) {
  Type type;
  type.kind = Type::Kind::wrapping;
  type.bits = bits;
  type.size = size;
  return intern(std::move(type));
}

const Type* TypeTable::named(Type::Kind kind, const TypeDecl& decl) {
  Type type;
  type.kind = kind;
  type.decl = &decl;
  return intern(std::move(type));
}

const Type* TypeTable::container(Type::Kind kind, const Type* element, const Expr* size) {
  Type type;
  type.kind = kind;
  type.element = element;
  type.size = size;
  return intern(std::move(type));
}

const Type* TypeTable::hook(std::vector<const FunctionDecl*> functions) {
  Type type;
  type.kind = Type::Kind::hook;
  type.hooks = std::move(functions);
  return intern(std::move(type));
}

std::string type_name(const Type& type) {
  switch (type.kind) {
    case Type::Kind::error:
      return "unknown";
    case Type::Kind::void_:
      return "no value";
    case Type::Kind::boolean:
      return "bool";
    case Type::Kind::integer:
      if (type.lo && type.hi) {
        return "int in " + print_expr(*type.lo) + ".." + print_expr(*type.hi);
      }
      return "int";
    case Type::Kind::wrapping:
      if (type.bits == 0) return "int mod " + (type.size ? print_expr(*type.size) : "?");
      return "u" + std::to_string(type.bits);
    case Type::Kind::enumeration:
    case Type::Kind::structure:
    case Type::Kind::object:
      return type.decl->name;
    case Type::Kind::weak:
      return "weak " + type.decl->name;
    case Type::Kind::fifo:
    case Type::Kind::bag:
      return std::string(type.kind == Type::Kind::fifo ? "fifo<" : "bag<") +
             type_name(*type.element) + ", " + (type.size ? print_expr(*type.size) : "?") + ">";
    case Type::Kind::array:
      return type_name(*type.element) + "[" + (type.size ? print_expr(*type.size) : "") + "]";
    case Type::Kind::thread:
      return "thread";
    case Type::Kind::hook: {
      std::string text = "hook in { ";
      for (std::size_t i = 0; i < type.hooks.size(); ++i) {
        text += (i ? ", " : "") + type.hooks[i]->name;
      }
      return text + " }";
    }
    case Type::Kind::none:
      return "none";
  }
  return "unknown";
}

}  // namespace txproof::lang
