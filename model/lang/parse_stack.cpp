#include <algorithm>
#include <utility>

#include "model/lang/parser.h"

namespace txproof::lang {

std::unique_ptr<StackDecl> Parser::stack() {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<StackDecl>();
  result->name = expect_name("the stack's name", &result->span);
  const Span open = expect("{", "to begin the stack");
  while (!accept("}")) {
    if (at_end() || at_declaration()) unclosed(open);
    const std::size_t before = position_;
    try {
      if (accept(";")) continue;
      stack_item(*result);
    } catch (const SyntaxError&) {
      skip_statement(before);
      if (position_ == before && !at("}")) advance();
    }
  }
  accept(";");
  result->full_span = since(begin);
  return result;
}

void Parser::stack_item(StackDecl& stack) {
  const std::uint32_t begin = peek().begin;
  if (at("param")) {
    advance();
    return variables(stack.params, VarDecl::Role::param, begin);
  }
  if (at("run") && !at("(", 1)) return stack.runs.push_back(run());
  if (at("check") && (at_word(1) || at(";", 1))) return checks(stack);
  if (at("assume") && !at("{", 2)) {
    advance();
    stack.assumptions.push_back(expression());
    stack.assumption_spans.push_back(since(begin));
    return expect_semicolon("'assume'");
  }
  if (at("interleave")) {
    stack.interleave = setting({"coarse", "fine"}, "'coarse' or 'fine'");
    stack.interleave_span = since(begin);
    return;
  }
  if (at("memory")) {
    stack.memory = setting({"sc", "tso", "weak"}, "'sc', 'tso' or 'weak'");
    stack.memory_span = since(begin);
    return;
  }
  if (at("store_buffer") && !at_name(1)) {
    advance();
    constexpr std::int64_t deepest = 8;
    const Token token = peek();
    if (token.kind != TokenKind::integer || token.value < 1 || token.value > deepest) {
      fail("TX0121", here(), "expected how many stores may wait, 1 to 8" + found());
    }
    stack.store_buffer = static_cast<std::uint32_t>(token.value);
    advance();
    expect_semicolon("the setting");
    stack.store_buffer_span = since(begin);
    return;
  }
  instance(stack);
}

std::string Parser::setting(const std::vector<std::string>& allowed, const std::string& what) {
  advance();
  const bool known =
      at_word() && std::find(allowed.begin(), allowed.end(), text(peek())) != allowed.end();
  if (!known) fail("TX0121", here(), "expected " + what + found() + did_you_mean(allowed));
  std::string result(text(advance()));
  expect_semicolon("the setting");
  return result;
}

// TYPE NAME [ [e] ] [ { bindings } ] ;
void Parser::instance(StackDecl& stack) {
  const std::uint32_t begin = peek().begin;
  const bool call = at_name() && at("(", 1);
  if (!at_name() || !at_name(1)) {
    std::string message = "expected an item of a stack" + found();
    message += call ? "; `run` starts a thread"
                    : did_you_mean({"param", "run", "check", "assume", "interleave", "memory",
                                    "store_buffer"});
    fail("TX0121", here(), std::move(message));
  }
  if (at("(", 2)) {
    const std::string near = did_you_mean({"run", "check"});
    if (!near.empty()) fail("TX0121", here(), "unknown item of a stack" + near);
  }
  auto result = std::make_unique<VarDecl>();
  result->role = VarDecl::Role::instance;
  result->is_instance = true;
  result->written_type = type();
  result->name = expect_name("the instance's name", &result->span);
  if (accept("[")) {
    result->is_array = true;
    result->array_size = expression();
    expect("]", "after the number of instances");
  }
  const bool braces = at("{");
  if (braces) result->init = bindings();
  if (!braces || at(";")) expect_semicolon("the instance '" + result->name + "'");
  result->full_span = since(begin);
  stack.instances.push_back(std::move(result));
}

std::unique_ptr<RunItem> Parser::run() {
  const std::uint32_t begin = peek().begin;
  advance();
  auto result = std::make_unique<RunItem>();
  result->name = expect_name("the thread to run", &result->name_span);
  result->args = arguments();
  if (accept("for")) {
    result->binder = binder();
    expect("in", "after the name");
    result->lo = additive();
    expect("..", "between the ends of the range");
    result->hi = additive();
  }
  if (accept("when")) result->when = expression();
  expect_semicolon("'run'");
  result->span = since(begin);
  return result;
}

void Parser::checks(StackDecl& stack) {
  std::uint32_t begin = peek().begin;  // the first item's span has the word `check`
  advance();
  bool continues = false;
  do {
    auto item = std::make_unique<CheckItem>();
    if (continues) begin = peek().begin;
    item->continues = continues;
    item->name = expect_name("the property to check", &item->name_span);
    if (at("(")) item->args = arguments();
    item->span = since(begin);
    stack.checks.push_back(std::move(item));
    continues = true;
  } while (accept(","));
  expect_semicolon("'check'");
}

}  // namespace txproof::lang
