#include <utility>

#include "model/lang/parser.h"

namespace txproof::lang {

std::unique_ptr<PropertyDecl> Parser::property() {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<PropertyDecl>();
  result->name = expect_name("the property's name", &result->span);
  for (int i = 0; i < 2; ++i) {
    if (peek().kind == TokenKind::string && result->text.empty()) {
      result->text = unquote(text(advance()));
    }
    if (at("(") && result->parameters.empty()) result->parameters = parameters();
  }
  const Span open = expect("{", "to begin the property");
  while (!accept("}")) {
    if (at_end() || at_declaration()) unclosed(open);
    const std::size_t before = position_;
    try {
      if (accept(";")) continue;
      property_item(*result);
    } catch (const SyntaxError&) {
      skip_statement(before);
      if (position_ == before && !at("}")) advance();
    }
  }
  accept(";");
  result->full_span = since(begin);
  return result;
}

void Parser::property_item(PropertyDecl& property) {
  if (at("per") && at("call", 1)) return property.per_calls.push_back(per_call());
  if (at("on")) return property.probes.push_back(probe());
  const bool claims = at("always") || at("maximum") || at("infinitely_often") ||
                      (at("at") && at("rest", 1)) || at("rate");
  if (!claims && (at("ghost") || at_local())) {
    if (at_name() && at_name(1) && !at("=", 2) && !at(";", 2) && !at("in", 2) && !at("[", 2) &&
        !at(".", 2) && !at(",", 2) && !at("ghost")) {
      fail("TX0119", here(),
           "expected an item of a property" + found() +
               did_you_mean({"always", "maximum", "infinitely_often", "rate", "ghost", "per"}));
    }
    return ghosts(property.ghosts);
  }
  property.claims.push_back(claim());
}

// [ghost] type declarator ;   or   ghost type STRUCT.NAME …;
void Parser::ghosts(List<VarDecl>& out) {
  const std::uint32_t begin = peek().begin;
  if (at("ghost") && at_word(1)) advance();
  variables(out, VarDecl::Role::ghost, begin);
}

std::unique_ptr<Claim> Parser::claim() {
  const std::uint32_t begin = peek().begin;
  auto result = std::make_unique<Claim>();
  using Kind = Claim::Kind;
  if (accept("always")) {
    result->kind = Kind::always;
    result->left = expression();
    if (accept("outside")) {
      do {
        std::string owner;
        std::string name;
        Span span;
        probed_function(owner, name, span);
        result->outside.push_back(owner.empty() ? name : owner + "." + name);
        result->outside_spans.push_back(span);
      } while (accept(","));
    }
  } else if (at("at")) {
    advance();
    advance();
    result->kind = Kind::at_rest;
    result->left = expression();
  } else if (accept("maximum")) {
    result->kind = Kind::maximum;
    result->left = additive();
    expect("<=", "between the expression and its maximum");
    result->right = expression();
  } else if (accept("infinitely_often")) {
    result->kind = Kind::infinitely_often;
    result->left = expression();
  } else if (accept("rate")) {
    result = rate(std::move(result));
  } else {
    if (!at_operand(0) && !at("!") && !at("forall") && !at("exists")) {
      fail("TX0119", here(), "expected an item of a property" + found());
    }
    const std::string near =
        did_you_mean({"always", "maximum", "infinitely_often", "rate", "ghost", "on"});
    const Span first = here();
    result->left = expression();
    if (!at("leads_to")) {
      if (!near.empty()) fail("TX0119", first, "unknown item of a property" + near);
      fail("TX0119", here(),
           "expected 'leads_to' after the condition" + found() +
               "; an invariant begins with 'always'");
    }
    advance();
    result->kind = Kind::leads_to;
    result->right = expression();
    if (accept("assuming")) {
      expect("infinitely_often", "after 'assuming'");
      result->assuming = expression();
    }
  }
  expect_semicolon("the claim");
  result->span = since(begin);
  return result;
}

// rate A / B >= p / q: the ends are read tighter than `/`, which separates
std::unique_ptr<Claim> Parser::rate(std::unique_ptr<Claim> result) {
  result->kind = Claim::Kind::rate;
  result->left = postfix();
  expect("/", "between the two counters of a rate");
  result->right = postfix();
  if (!at(">=") && !at("<=")) {
    fail("TX0101", here(), "expected '>=' or '<=' after the rate" + found());
  }
  result->at_least = at(">=");
  advance();
  result->bound_numerator = unary();
  if (accept("/")) result->bound_denominator = unary();
  return result;
}

// F := NAME | TYPE.NAME
void Parser::probed_function(std::string& owner, std::string& name, Span& span) {
  const std::uint32_t begin = peek().begin;
  name = expect_name("the name of a function");
  if (accept(".")) {
    owner = std::move(name);
    name = expect_word("the name of a method");
  }
  span = since(begin);
}

std::unique_ptr<PerCall> Parser::per_call() {
  const std::uint32_t begin = peek().begin;
  advance();
  advance();
  auto result = std::make_unique<PerCall>();
  probed_function(result->owner_name, result->name, result->name_span);
  if (at("(")) {
    result->has_parameters = true;
    result->parameters = probe_parameters();
  }
  const Span open = expect("{", "after 'per call " + result->name + "'");
  while (!accept("}")) {
    if (at_end() || at_declaration()) unclosed(open);
    const std::size_t before = position_;
    try {
      if (accept(";")) continue;
      if (at("on")) {
        result->probes.push_back(probe());
      } else if (at("ghost") || at_local()) {
        ghosts(result->ghosts);
      } else {
        fail("TX0119", here(), "expected a ghost variable or 'on' inside 'per call'" + found());
      }
    } catch (const SyntaxError&) {
      skip_statement(before);
      if (position_ == before && !at("}")) advance();
    }
  }
  result->span = since(begin);
  return result;
}

std::unique_ptr<Probe> Parser::probe() {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<Probe>();
  result->name_span = here();
  using Event = Probe::Event;
  if (accept("entry")) {
    probed_function(result->owner_name, result->name, result->name_span);
  } else if (accept("return")) {
    result->event = Event::return_;
    if (at_name() && !at("of") && !at("when")) {
      result->result = std::make_unique<VarDecl>();
      result->result->role = VarDecl::Role::parameter;
      result->result->name = expect_name("a name for the result", &result->result->span);
      result->result->full_span = result->result->span;
    }
    if (accept("of")) probed_function(result->owner_name, result->name, result->name_span);
  } else if (at("new") || at("destroy")) {
    result->event = at("new") ? Event::new_ : Event::destroy;
    advance();
    result->name = expect_name("the name of a struct", &result->name_span);
    if (!at("(")) expect("(", "and a name for the packet after the struct");
  } else {
    fail("TX0120", here(),
         "expected 'entry', 'return', 'new' or 'destroy' after 'on'" + found() +
             did_you_mean({"entry", "return", "new", "destroy"}));
  }
  if (at("(") && !result->name.empty()) {
    result->has_parameters = true;
    result->parameters = probe_parameters();
  }
  if (accept("when")) result->when = expression();
  result->body = block();
  result->span = since(begin);
  return result;
}

}  // namespace txproof::lang
