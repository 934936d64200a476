#include <utility>

#include "model/lang/operators.h"
#include "model/lang/parser.h"

namespace txproof::lang {

ExprPtr Parser::make(ExprKind kind, std::uint32_t begin) const {
  auto result = std::make_unique<Expr>();
  result->kind = kind;
  result->span = since(begin);
  result->op_span = result->span;
  return result;
}

ExprPtr Parser::whole_expression() {
  try {
    ExprPtr result = value();
    if (!at_end()) fail("TX0101", here(), "expected the end of the expression" + found());
    return result;
  } catch (const SyntaxError&) {
  } catch (const UnclosedBrace&) {
  } catch (const HopelessFile&) {
  }
  return nullptr;
}

ExprPtr Parser::expression() {
  Depth depth(*this, kNesting);
  const std::uint32_t begin = peek().begin;
  ExprPtr left = conditional();
  if (!at("=>")) return left;
  const Span op = span_of(advance());
  ExprPtr right = expression();
  ExprPtr result = make(ExprKind::binary, begin);
  result->op_span = op;
  result->name = "=>";
  result->args.push_back(std::move(left));
  result->args.push_back(std::move(right));
  return result;
}

ExprPtr Parser::conditional() {
  Depth depth(*this, 1);
  const std::uint32_t begin = peek().begin;
  ExprPtr condition = binary(kOr);
  if (!at("?")) return condition;
  const Span op = span_of(advance());
  ExprPtr yes = expression();
  expect(":", "between the two values of '?'");
  ExprPtr no = conditional();
  ExprPtr result = make(ExprKind::conditional, begin);
  result->op_span = op;
  result->args.push_back(std::move(condition));
  result->args.push_back(std::move(yes));
  result->args.push_back(std::move(no));
  return result;
}

ExprPtr Parser::binary(int level) {
  Depth depth(*this, 1);
  const std::uint32_t begin = peek().begin;
  ExprPtr left = unary();
  for (;;) {
    const Token& token = peek();
    const int next = token.kind == TokenKind::punctuation ? binary_level(text(token)) : 0;
    if (next == 0 || next < level) return left;
    depth.add(1);
    const Span op = span_of(advance());
    ExprPtr right = next == 12 ? unary() : binary(next + 1);
    ExprPtr result = make(ExprKind::binary, begin);
    result->op_span = op;
    result->name = std::string(text_.substr(op.begin, op.end - op.begin));
    result->args.push_back(std::move(left));
    result->args.push_back(std::move(right));
    left = std::move(result);
  }
}

bool Parser::at_binder(std::size_t ahead) const {
  return at("(", ahead) && at_name(ahead + 1) && at("in", ahead + 2);
}

// Can an operand of a prefix word begin there? `copy` and the like are names everywhere else.
bool Parser::at_operand(std::size_t ahead) const {
  return at("(", ahead) || (at_word(ahead) && begins_operand(text(peek(ahead))));
}

ExprPtr Parser::unary() {
  Depth depth(*this, 1);
  const std::uint32_t begin = peek().begin;
  if (at("-") || at("!") || at("~")) {
    const Span op = span_of(advance());
    ExprPtr operand = unary();
    ExprPtr result = make(ExprKind::unary, begin);
    result->op_span = op;
    result->name = std::string(text_.substr(op.begin, 1));
    result->args.push_back(std::move(operand));
    return result;
  }
  if (at("forall") || at("exists")) return quantifier();
  if ((at("sum") || at("count") || at("min") || at("max")) && at_binder(1)) return aggregate();
  if (at("any") && (at_operand(1) || peek(1).kind == TokenKind::integer || at("-", 1))) {
    const Span op = span_of(advance());
    ExprPtr low = additive();
    expect("..", "between the ends of 'any'");
    ExprPtr high = additive();
    ExprPtr result = make(ExprKind::any, begin);
    result->op_span = op;
    result->args.push_back(std::move(low));
    result->args.push_back(std::move(high));
    return result;
  }
  if (at("take") && at_binder(1)) return take();
  if ((at("take") || at("copy") || at("get")) && at_operand(1)) {
    const ExprKind kind = at("take") ? ExprKind::take : at("copy") ? ExprKind::copy : ExprKind::get;
    const Span op = span_of(advance());
    ExprPtr operand = postfix();
    ExprPtr result = make(kind, begin);
    result->op_span = op;
    result->args.push_back(std::move(operand));
    return result;
  }
  return postfix();
}

ExprPtr Parser::postfix() {
  Depth depth(*this, 1);
  const std::uint32_t begin = peek().begin;
  ExprPtr left = primary();
  for (;;) {
    ExprPtr result;
    if (at(".") || at("->")) {
      depth.add(1);
      const bool arrow = at("->");
      advance();
      Span span;
      std::string name = expect_word("a field or method name after the dot", &span);
      result = make(ExprKind::field, begin);
      result->arrow = arrow;
      result->op_span = span;
      result->name = std::move(name);
      result->args.push_back(std::move(left));
    } else if (at("[")) {
      depth.add(1);
      advance();
      ExprPtr index = expression();
      const Span close = expect("]", "after the index");
      result = make(ExprKind::index, begin);
      result->op_span = index->span;
      result->op_span.end = close.begin;
      result->args.push_back(std::move(left));
      result->args.push_back(std::move(index));
    } else if (at("(")) {
      depth.add(1);
      std::vector<ExprPtr> values = arguments();
      result = make(ExprKind::call, begin);
      result->op_span = left->op_span;
      result->args.push_back(std::move(left));
      for (ExprPtr& argument : values) result->args.push_back(std::move(argument));
    } else {
      return left;
    }
    left = std::move(result);
  }
}

std::vector<ExprPtr> Parser::arguments() {
  std::vector<ExprPtr> result;
  expect("(", "before the arguments");
  if (accept(")")) return result;
  do {
    result.push_back(value());
  } while (accept(","));
  expect(")", "after the arguments");
  return result;
}

ExprPtr Parser::primary() {
  const std::uint32_t begin = peek().begin;
  const Token& token = peek();
  if (token.kind == TokenKind::integer) {
    const std::int64_t number = advance().value;
    ExprPtr result = make(ExprKind::integer, begin);
    result->value = number;
    return result;
  }
  if (accept("(")) {
    ExprPtr result = expression();
    expect(")", "to close the parenthesis");
    result->parens = true;
    return result;
  }
  if (at("u8") || at("u16") || at("u32") || at("int")) {
    const bool wraps = !at("int");
    std::unique_ptr<TypeExpr> target = type();
    if (!wraps && target->kind != TypeExpr::Kind::mod) {
      fail("TX0107", target->span, "'int' is no cast; u8, u16, u32 and `int mod N` are");
    }
    const Span op = target->span;
    expect("(", "after the type of a cast");
    ExprPtr operand = expression();
    expect(")", "to close the cast");
    ExprPtr result = make(ExprKind::cast, begin);
    result->op_span = op;
    result->written_type = std::move(target);
    result->args.push_back(std::move(operand));
    return result;
  }
  struct Word {
    const char* text;
    ExprKind kind;
    std::int64_t value;
  };
  for (const Word& word : {Word{"none", ExprKind::none, 0}, Word{"NULL", ExprKind::none, 0},
                           Word{"true", ExprKind::boolean, 1}, Word{"false", ExprKind::boolean, 0},
                           Word{"self", ExprKind::self, 0}, Word{"this", ExprKind::this_, 0},
                           Word{"ticks", ExprKind::ticks, 0}}) {
    if (!at(word.text)) continue;
    advance();
    ExprPtr result = make(word.kind, begin);
    result->value = word.value;
    return result;
  }
  if (!at_name()) {
    std::string message = "expected an expression" + found();
    if (at_word()) message += ", which is a word of the language";
    if (at("{")) message += "; { … } stands only as an initialiser or an argument";
    if (at("*") || at("&")) message += "; there are no pointers: a name is the place itself";
    if (at("++") || at("--")) message += "; `x++;` is a statement of its own";
    fail("TX0107", here(), std::move(message));
  }
  std::string name(text(advance()));
  ExprPtr result = make(ExprKind::name, begin);
  result->name = std::move(name);
  return result;
}

std::unique_ptr<VarDecl> Parser::binder() {
  auto result = std::make_unique<VarDecl>();
  result->role = VarDecl::Role::binder;
  result->name = expect_name("a name for the element", &result->span);
  result->full_span = result->span;
  return result;
}

// TYPE, TYPE.field, a container, array or object, or lo..hi
ExprPtr Parser::domain() {
  const std::uint32_t begin = peek().begin;
  ExprPtr low = additive();
  if (!at("..")) return low;
  const Span op = span_of(advance());
  ExprPtr high = additive();
  ExprPtr result = make(ExprKind::range, begin);
  result->op_span = op;
  result->args.push_back(std::move(low));
  result->args.push_back(std::move(high));
  return result;
}

ExprPtr Parser::aggregate() {
  Depth depth(*this, kNesting);
  const std::uint32_t begin = peek().begin;
  const Span op_span = here();
  const std::string op(text(advance()));
  expect("(", "after '" + op + "'");
  std::unique_ptr<VarDecl> element = binder();
  expect("in", "after the element's name");
  ExprPtr over = domain();
  ExprPtr where = accept("where") ? expression() : nullptr;
  expect(")", "to close the domain of '" + op + "'");
  ExprPtr what = op == "count" ? nullptr : unary();
  ExprPtr result = make(ExprKind::aggregate, begin);
  result->op_span = op_span;
  result->name = element->name;
  result->aggregate_op = op == "sum"     ? AggregateOp::sum
                         : op == "count" ? AggregateOp::count
                         : op == "min"   ? AggregateOp::minimum
                                         : AggregateOp::maximum;
  result->binder = std::move(element);
  result->args.push_back(std::move(over));
  result->args.push_back(std::move(where));
  result->args.push_back(std::move(what));
  return result;
}

ExprPtr Parser::quantifier() {
  const std::uint32_t begin = peek().begin;
  const Span op_span = here();
  const std::string op(text(advance()));
  std::unique_ptr<VarDecl> element = binder();
  expect("in", "after the element's name");
  ExprPtr over = domain();
  ExprPtr where = accept("where") ? expression() : nullptr;
  expect(":", "before what holds for " + std::string(op == "forall" ? "all" : "one") + " of them");
  ExprPtr what = expression();
  ExprPtr result = make(ExprKind::aggregate, begin);
  result->op_span = op_span;
  result->name = element->name;
  result->aggregate_op = op == "forall" ? AggregateOp::forall : AggregateOp::exists;
  result->binder = std::move(element);
  result->args.push_back(std::move(over));
  result->args.push_back(std::move(where));
  result->args.push_back(std::move(what));
  return result;
}

// take(p in container where E)
ExprPtr Parser::take() {
  const std::uint32_t begin = peek().begin;
  const Span op_span = span_of(advance());
  expect("(", "after 'take'");
  std::unique_ptr<VarDecl> element = binder();
  expect("in", "after the element's name");
  ExprPtr over = postfix();
  expect("where", "after the container");
  ExprPtr where = expression();
  expect(")", "to close 'take'");
  ExprPtr result = make(ExprKind::take_where, begin);
  result->op_span = op_span;
  result->name = element->name;
  result->binder = std::move(element);
  result->args.push_back(std::move(over));
  result->args.push_back(std::move(where));
  return result;
}

ExprPtr Parser::value() { return at("{") ? bindings() : expression(); }

ExprPtr Parser::binding_value() {
  Depth depth(*this, kNesting / 2);
  const std::uint32_t begin = peek().begin;
  if (at("{")) return bindings();
  if (at("[")) {
    const Span open = span_of(advance());
    std::vector<ExprPtr> values;
    while (!at("]")) {
      values.push_back(binding_value());
      if (!accept(",")) break;
    }
    expect("]", "to close the list");
    ExprPtr result = make(ExprKind::list, begin);
    result->op_span = open;
    result->args = std::move(values);
    return result;
  }
  if (at_name() && at("{", 1)) {
    const Token& name = advance();
    ExprPtr result = bindings();
    result->kind = ExprKind::instance;
    result->type_name = std::string(text(name));
    result->op_span = span_of(name);
    result->span = since(begin);
    return result;
  }
  return expression();
}

ExprPtr Parser::bindings() {
  Depth depth(*this, kNesting / 2);
  const std::uint32_t begin = peek().begin;
  const Span open = expect("{", "before the values");
  ExprPtr result = make(ExprKind::literal, begin);
  while (!at("}")) {
    if (at_end()) unclosed(open);
    Span span;
    std::string name = expect_word("a field name", &span);
    if (at("=")) fail("TX0101", here(), "expected ':' after '" + name + "', found '='");
    expect(":", "after '" + name + "'");
    ExprPtr bound = binding_value();
    result->field_names.push_back(std::move(name));
    result->field_spans.push_back(span);
    result->args.push_back(std::move(bound));
    if (!accept(",")) break;
  }
  if (!accept("}")) {
    std::string message = "expected ',' or '}' after the value" + found();
    if (Diagnostic* diagnostic = report("TX0101", here(), std::move(message))) {
      diagnostic->notes.push_back({open, "the '{' that is open"});
    }
    throw SyntaxError{};
  }
  result->span = since(begin);
  result->op_span = open;
  return result;
}

}  // namespace txproof::lang
