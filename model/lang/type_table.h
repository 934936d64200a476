// Resolved types: making them, comparing them, and writing them as the language does.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/lang/syntax.h"

namespace txproof::lang {

// Makes types, each once: two types that are written alike are the same object. Ranges and sizes
// are compared as trees, so they must be checked before they come here.
class TypeTable {
 public:
  explicit TypeTable(std::vector<std::unique_ptr<Type>>& store) : store_(store) {}

  // Kinds without parts: error, void_, boolean, thread, none.
  const Type* basic(Type::Kind kind);
  const Type* error() { return basic(Type::Kind::error); }
  const Type* boolean() { return basic(Type::Kind::boolean); }
  const Type* integer(const Expr* lo = nullptr, const Expr* hi = nullptr);
  // u8, u16, u32: bits; `int mod size`: bits 0
  const Type* wrapping(int bits, const Expr* size);
  // enumeration, structure, weak, object
  const Type* named(Type::Kind kind, const TypeDecl& decl);
  // fifo, bag, array
  const Type* container(Type::Kind kind, const Type* element, const Expr* size);
  const Type* hook(std::vector<const FunctionDecl*> functions);

 private:
  const Type* intern(Type type);
  std::vector<std::unique_ptr<Type>>& store_;
  // By a hash of the tree: generated models have many thousand ranges.
  std::unordered_map<std::uint64_t, std::vector<const Type*>> by_hash_;
};

// The same type apart from ranges: what `&` asks of its argument.
bool same_type(const Type& a, const Type& b);

// The same tree: operators, names and what they refer to.
bool same_expr(const Expr* a, const Expr* b);

// As the language writes it: `fifo<sk_buff, R>`, `weak sk_buff`, `int in 0..3`.
std::string type_name(const Type& type);

inline bool is_kind(const Type* type, Type::Kind kind) { return type && type->kind == kind; }
inline bool is_error(const Type* type) { return !type || type->kind == Type::Kind::error; }
inline bool is_container(const Type& type) {
  return type.kind == Type::Kind::fifo || type.kind == Type::Kind::bag;
}
// What an array or a container holds, through all its levels; the type itself otherwise.
inline const Type* innermost(const Type* type) {
  while (type && type->element) type = type->element;
  return type;
}
// A number of any kind: mathematical or wrapping.
inline bool is_number(const Type& type) {
  return type.kind == Type::Kind::integer || type.kind == Type::Kind::wrapping;
}

}  // namespace txproof::lang
