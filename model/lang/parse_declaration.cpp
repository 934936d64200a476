#include <utility>

#include "model/lang/parser.h"

namespace txproof::lang {

namespace {

const std::vector<std::string>& declaration_words() {
  static const std::vector<std::string> kWords = {
      "import", "const",     "typedef", "enum",   "linear",  "counted",  "struct", "object",
      "fn",     "interface", "urgent",  "strong", "counter", "property", "stack",  "thread"};
  return kWords;
}

// The value of a plain integer, with or without a minus sign.
bool plain_integer(const Expr& expr, std::int64_t& value) {
  if (expr.kind == ExprKind::integer) {
    value = expr.value;
    return true;
  }
  if (expr.kind != ExprKind::unary || expr.name != "-" || expr.args[0]->kind != ExprKind::integer) {
    return false;
  }
  value = -expr.args[0]->value;
  return true;
}

}  // namespace

std::unique_ptr<FileSyntax> Parser::file() {
  auto result = std::make_unique<FileSyntax>();
  result->file = file_;
  try {
    while (!at_end()) {
      const std::size_t before = position_;
      try {
        if (accept(";")) continue;
        if (at("import")) {
          const std::uint32_t begin = peek().begin;
          advance();
          if (peek().kind != TokenKind::string) {
            fail("TX0115", here(), "expected the file's name in quotes after 'import'" + found());
          }
          Import import;
          import.path = unquote(text(advance()));
          import.span = since(begin);
          result->imports.push_back(import);
          expect_semicolon("'import'");
        } else {
          declaration(result->decls);
        }
      } catch (const SyntaxError&) {
        if (position_ == before) advance();
        skip_declaration();
      } catch (const UnclosedBrace&) {
      }
    }
  } catch (const HopelessFile&) {
  }
  return result;
}

void Parser::declaration(List<Decl>& out) {
  if (at("const")) return constants(out);
  if (at("typedef")) return out.push_back(type_alias());
  if (at("enum")) return out.push_back(enumeration());
  if ((at("linear") || at("counted")) && at_word(1)) return out.push_back(structure());
  if (at("object") || at("interface")) return out.push_back(object_or_interface());
  if (at("fn")) return out.push_back(function(false));
  if (at("thread") || ((at("urgent") || at("strong")) && at_word(1))) {
    return out.push_back(thread());
  }
  if (at("counter") && at_name(1)) return counters(out);
  if (at("property")) return out.push_back(property());
  if (at("stack")) return out.push_back(stack());

  if (at("}")) fail("TX0106", here(), "this '}' closes nothing");
  if (at("struct")) {
    fail("TX0116", here(), "a struct is `linear struct` (in one place) or `counted struct`");
  }
  if (at("#")) fail("TX0116", here(), "there is no preprocessor");
  std::string message = "expected a declaration" + found();
  const std::string near = did_you_mean(declaration_words());
  if (!near.empty()) {
    message += near;
  } else if (at_word() && at_word(1) &&
             (at("(", 2) || (at_word(2) && (at("(", 3) || (at_word(3) && at("(", 4)))))) {
    message += "; a function begins with 'fn', its type stands behind: `fn f(…) : int`";
  } else if (at("if") || at("while") || at("return") || at("for")) {
    message += "; statements stand in functions";
  }
  fail("TX0116", here(), std::move(message));
}

void Parser::constants(List<Decl>& out) {
  const std::uint32_t begin = peek().begin;
  const std::size_t first = out.size();
  advance();
  if (at("int") || at("bool")) {
    fail("TX0102", here(), "expected a name after 'const'" + found() + "; constants have no type");
  }
  do {
    auto constant = std::make_unique<VarDecl>();
    constant->role = VarDecl::Role::constant;
    constant->name = expect_name("the constant's name", &constant->span);
    expect("=", "after the constant's name");
    constant->init = expression();
    out.push_back(std::move(constant));
  } while (accept(","));
  expect_semicolon("the constant");
  for (std::size_t i = first; i < out.size(); ++i) out[i]->full_span = since(begin);
}

void Parser::counters(List<Decl>& out) {
  const std::uint32_t begin = peek().begin;
  advance();
  auto counter = std::make_unique<VarDecl>();
  counter->role = VarDecl::Role::counter;
  counter->name = expect_name("the counter's name", &counter->span);
  if (accept("[")) {
    counter->is_array = true;
    counter->array_size = expression();
    expect("]", "after the length");
  }
  expect_semicolon("the counter");
  counter->full_span = since(begin);
  out.push_back(std::move(counter));
}

std::unique_ptr<TypeDecl> Parser::type_alias() {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<TypeDecl>();
  result->kind = TypeDecl::Kind::alias;
  result->alias = type();
  result->name = expect_name("the new type's name", &result->span);
  range(result->alias_lo, result->alias_hi);
  expect_semicolon("the typedef");
  result->full_span = since(begin);
  return result;
}

std::unique_ptr<TypeDecl> Parser::enumeration() {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<TypeDecl>();
  result->kind = TypeDecl::Kind::enumeration;
  result->name = expect_name("the enum's name", &result->span);
  const Span open = expect("{", "before the enumerators");
  std::int64_t next = 0;
  bool known = true;  // until an initialiser that is more than an integer
  while (!at("}")) {
    if (at_end() || at_declaration()) unclosed(open);
    auto enumerator = std::make_unique<Enumerator>();
    const std::uint32_t from = peek().begin;
    enumerator->name = expect_name("an enumerator", &enumerator->span);
    if (accept("=")) {
      enumerator->written_value = expression();
      known = plain_integer(*enumerator->written_value, next);
    }
    if (known) enumerator->value = next;
    if (next < INT64_MAX) ++next;
    enumerator->full_span = since(from);
    result->enumerators.push_back(std::move(enumerator));
    if (!accept(",")) break;
  }
  expect("}", "or ',' after an enumerator");
  accept(";");
  result->full_span = since(begin);
  return result;
}

std::unique_ptr<TypeDecl> Parser::structure() {
  const std::uint32_t begin = peek().begin;
  auto result = std::make_unique<TypeDecl>();
  result->kind = at("linear") ? TypeDecl::Kind::linear_struct : TypeDecl::Kind::counted_struct;
  advance();
  expect("struct", "before the struct's name");
  result->name = expect_name("the struct's name", &result->span);
  members(*result);
  result->full_span = since(begin);
  return result;
}

std::unique_ptr<TypeDecl> Parser::object_or_interface() {
  const std::uint32_t begin = peek().begin;
  auto result = std::make_unique<TypeDecl>();
  const bool object = at("object");
  result->kind = object ? TypeDecl::Kind::object : TypeDecl::Kind::interface;
  advance();
  result->name = expect_name(object ? "the object's name" : "the interface's name", &result->span);
  if (object && accept(":")) {
    result->implements_name =
        expect_name("the interface that it implements", &result->implements_span);
  }
  members(*result);
  result->full_span = since(begin);
  return result;
}

void Parser::members(TypeDecl& owner) {
  const Span open = expect("{", "before the members of '" + owner.name + "'");
  const bool functions = !owner.is_struct();
  while (!accept("}")) {
    if (at_end() || (at_declaration() && !at("fn"))) unclosed(open);
    const std::size_t before = position_;
    try {
      if (accept(";")) continue;
      member(owner, functions);
    } catch (const SyntaxError&) {
      skip_statement(before);
      if (position_ == before && !at("}")) advance();
    }
  }
  accept(";");
}

void Parser::member(TypeDecl& owner, bool functions) {
  const std::uint32_t begin = peek().begin;
  if (at("fn")) {
    if (!functions) {
      report("TX0117", here(), "a struct has no methods; write `fn f(" + owner.name + " &x)`");
    }
    owner.methods.push_back(function(owner.kind == TypeDecl::Kind::interface));
    return;
  }
  if (at("hook") && at_name(1) && at("in", 2)) {
    owner.fields.push_back(hook_field(begin));
    return;
  }
  if (at("param")) {
    advance();
    variables(owner.fields, VarDecl::Role::param, begin);
    return;
  }
  if (at_word(0) && at_word(1) && at("(", 2) && !at("mod", 1)) {
    fail("TX0117", here(),
         "a method begins with 'fn', its type stands behind: `fn " + std::string(text(peek(1))) +
             "(…) : " + std::string(text(peek())) + "`");
  }
  variables(owner.fields, VarDecl::Role::field, begin);
}

std::unique_ptr<FunctionDecl> Parser::function(bool may_lack_body) {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<FunctionDecl>();
  result->name = expect_name("the function's name", &result->span);
  result->parameters = parameters();
  if (accept(":")) result->written_result = result_type();
  if (accept("recursion")) {
    expect("<=", "after 'recursion'");
    result->recursion = additive();
  }
  if (at(";")) {
    if (!may_lack_body) {
      report("TX0118", here(),
             "'" + result->name + "' needs a body; only an interface declares without one");
    }
    advance();
    result->has_body = false;
  } else {
    if (!at("{")) {
      std::string message = "expected '{' to begin the body of '" + result->name + "'" + found();
      if (at("->")) message += "; the type of the result stands behind ':'";
      fail("TX0101", here(), std::move(message));
    }
    try {
      result->body = block();
    } catch (const UnclosedBrace&) {
      // Reported. What follows is a declaration: go on with it.
      if (at_end()) throw;
    }
  }
  result->full_span = since(begin);
  return result;
}

std::unique_ptr<FunctionDecl> Parser::thread() {
  const std::uint32_t begin = peek().begin;
  auto result = std::make_unique<FunctionDecl>();
  result->is_thread = true;
  while (at("urgent") || at("strong")) {
    (at("urgent") ? result->is_urgent : result->is_strong) = true;
    advance();
  }
  expect("thread", "after 'urgent' or 'strong'");
  result->name = expect_name("the thread's name", &result->span);
  result->parameters = parameters();
  try {
    result->body = block();
  } catch (const UnclosedBrace&) {
    if (at_end()) throw;
  }
  result->full_span = since(begin);
  return result;
}

}  // namespace txproof::lang
