// Types, and everything that declares a variable.
#include <utility>

#include "model/lang/parser.h"

namespace txproof::lang {

std::unique_ptr<TypeExpr> Parser::type() {
  Depth depth(*this, kNesting);
  const std::uint32_t begin = peek().begin;
  auto result = std::make_unique<TypeExpr>();
  using Kind = TypeExpr::Kind;
  if (accept("int")) {
    result->kind = Kind::integer;
    if (at("mod") && !at("=", 1) && !at(";", 1)) {
      advance();
      result->kind = Kind::mod;
      result->size = modulus();
    }
  } else if (accept("bool")) {
    result->kind = Kind::boolean;
  } else if (accept("u8")) {
    result->kind = Kind::u8;
  } else if (accept("u16")) {
    result->kind = Kind::u16;
  } else if (accept("u32")) {
    result->kind = Kind::u32;
  } else if (at("fifo") || at("bag")) {
    const std::string name(text(advance()));
    result->kind = name == "fifo" ? Kind::fifo : Kind::bag;
    expect("<", "after '" + name + "'");
    result->element = type();
    expect(",", "between the element and the capacity of a " + name);
    result->size = additive();
    expect(">", "after the capacity");
  } else if (accept("weak")) {
    result->kind = Kind::weak;
    result->name = expect_name("the name of a struct after 'weak'");
  } else if (accept("thread")) {
    result->kind = Kind::thread;
  } else if (at_name()) {
    result->name = std::string(text(advance()));
    if (at("<")) {
      fail("TX0108", result->span = since(begin),
           "'" + result->name + "' is no container; fifo and bag are");
    }
  } else {
    std::string message = "expected a type" + found();
    if (at("struct")) message += "; write the struct's name alone";
    fail("TX0108", here(), std::move(message));
  }
  result->span = since(begin);
  return result;
}

ExprPtr Parser::modulus() {
  const std::uint32_t begin = peek().begin;
  if (peek().kind == TokenKind::integer || at("(")) return primary();
  Span span;
  std::string name = expect_name("a number, a name or (…) after 'mod'", &span);
  ExprPtr result = make(ExprKind::name, begin);
  result->name = std::move(name);
  return result;
}

std::unique_ptr<TypeExpr> Parser::result_type() {
  std::unique_ptr<TypeExpr> result = type();
  range(result->lo, result->hi);
  return result;
}

bool Parser::at_local() const {
  for (const char* word : {"int", "bool", "fifo", "bag", "weak", "thread"}) {
    if (at(word)) return true;
  }
  if (at("u8") || at("u16") || at("u32")) return !at("(", 1);
  return at_name() && ((at_name(1) && !at("leads_to", 1)) || at("<", 1));
}

void Parser::range(ExprPtr& lo, ExprPtr& hi) {
  if (!accept("in")) return;
  lo = additive();
  expect("..", "between the ends of the range");
  hi = additive();
}

void Parser::variables(List<VarDecl>& out, VarDecl::Role role, std::uint32_t begin) {
  const std::size_t first = out.size();
  const std::size_t type_at = position_;
  std::unique_ptr<TypeExpr> written = type();
  for (;;) {
    auto variable = std::make_unique<VarDecl>();
    variable->role = role;
    variable->written_type = std::move(written);
    declarator(*variable);
    out.push_back(std::move(variable));
    if (!accept(",")) break;
    // Each variable owns its type: read the same tokens again.
    const std::size_t next = position_;
    position_ = type_at;
    written = type();
    position_ = next;
  }
  if (!out.back()->is_instance || at(";")) {
    expect_semicolon("the declaration of '" + out.back()->name + "'");
  }
  for (std::size_t i = first; i < out.size(); ++i) out[i]->full_span = since(begin);
}

void Parser::declarator(VarDecl& variable) {
  if (at("*")) {
    fail("TX0109", here(),
         "there are no pointers: a struct stands in its place, an object's name "
         "is a reference, `weak T` is a handle, `T &x` a borrowed place");
  }
  const bool ghost =
      variable.role == VarDecl::Role::ghost || variable.role == VarDecl::Role::ghost_field;
  variable.name = expect_name("a name after the type", &variable.span);
  if (ghost && accept(".")) {
    variable.role = VarDecl::Role::ghost_field;
    variable.owner_struct = std::move(variable.name);
    variable.name = expect_name("the name of the ghost field", &variable.span);
  } else if (ghost) {
    variable.role = VarDecl::Role::ghost;
  }
  if (accept("[")) {
    variable.is_array = true;
    if (!at("]")) variable.array_size = expression();
    expect("]", "after the length");
  }
  if (at("{") &&
      (variable.role == VarDecl::Role::field || variable.role == VarDecl::Role::instance)) {
    variable.is_instance = true;
    variable.init = bindings();
    return;
  }
  range(variable.lo, variable.hi);
  if (accept("=")) variable.init = value();
  if (accept("ticks")) {
    if (accept("up")) {
      variable.ticks = VarDecl::Ticks::up;
    } else if (accept("down")) {
      variable.ticks = VarDecl::Ticks::down;
    } else {
      fail("TX0101", here(), "expected 'up' or 'down' after 'ticks'" + found());
    }
  }
}

// hook NAME in { f, g } [= e] ;
std::unique_ptr<VarDecl> Parser::hook_field(std::uint32_t begin) {
  advance();
  auto result = std::make_unique<VarDecl>();
  result->role = VarDecl::Role::field;
  result->written_type = std::make_unique<TypeExpr>();
  result->written_type->kind = TypeExpr::Kind::hook;
  result->name = expect_name("the hook's name", &result->span);
  expect("in", "after the hook's name");
  expect("{", "before the hook's functions");
  if (at("}")) report("TX0102", here(), "expected a function" + found());
  while (!at("}")) {
    Span span;
    result->written_type->hooks.push_back(expect_name("a function", &span));
    result->written_type->hook_spans.push_back(span);
    if (!accept(",")) break;
  }
  expect("}", "after the hook's functions");
  result->written_type->span = since(begin);
  if (accept("=")) result->init = value();
  expect_semicolon("the hook '" + result->name + "'");
  result->full_span = since(begin);
  return result;
}

Parser::List<VarDecl> Parser::parameters() {
  List<VarDecl> result;
  expect("(", "before the parameters");
  if (accept(")")) return result;
  do {
    const std::uint32_t begin = peek().begin;
    auto parameter = std::make_unique<VarDecl>();
    parameter->role = VarDecl::Role::parameter;
    parameter->written_type = type();
    parameter->by_reference = accept("&");
    if (at("*")) {
      fail("TX0109", here(),
           "there are no pointers: `T x` gives it away, `T &x` lends the place, "
           "an object's name is a reference");
    }
    parameter->name = expect_name("the parameter's name", &parameter->span);
    range(parameter->lo, parameter->hi);
    parameter->full_span = since(begin);
    result.push_back(std::move(parameter));
  } while (accept(","));
  expect(")", "after the parameters");
  return result;
}

// ( a, b ): names bound to the arguments
Parser::List<VarDecl> Parser::probe_parameters() {
  List<VarDecl> result;
  expect("(", "before the names");
  if (accept(")")) return result;
  do {
    auto parameter = std::make_unique<VarDecl>();
    parameter->role = VarDecl::Role::parameter;
    parameter->name = expect_name("a name for the argument", &parameter->span);
    parameter->full_span = parameter->span;
    result.push_back(std::move(parameter));
  } while (accept(","));
  expect(")", "after the names");
  return result;
}

}  // namespace txproof::lang
