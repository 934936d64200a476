#include <utility>

#include "model/lang/parser.h"

namespace txproof::lang {

namespace {

const std::vector<std::string>& statement_words() {
  static const std::vector<std::string> kWords = {
      "if",   "while", "do",    "for",  "loop",   "either", "wait",    "rest",   "pause",   "yield",
      "tick", "count", "break", "goto", "return", "assert", "destroy", "atomic", "continue"};
  return kWords;
}

}  // namespace

StmtPtr Parser::make(StmtKind kind) const {
  auto result = std::make_unique<Stmt>();
  result->kind = kind;
  result->span = here();
  result->op_span = here();
  return result;
}

std::vector<StmtPtr> Parser::block() {
  const Span open = expect("{", "to begin a block");
  return statements(open);
}

std::vector<StmtPtr> Parser::statements(Span open) {
  Depth depth(*this, kNesting / 2);
  std::vector<StmtPtr> result;
  while (!accept("}")) {
    if (at_end() || at_declaration()) unclosed(open);
    const std::size_t before = position_;
    try {
      if (accept(";")) continue;
      result.push_back(statement());
    } catch (const SyntaxError&) {
      skip_statement(before);
      if (position_ == before && !at("}")) advance();
    }
  }
  return result;
}

StmtPtr Parser::body() {
  Depth depth(*this, kNesting / 2);
  if (at_end() || at("}")) fail("TX0110", here(), "expected a statement" + found());
  StmtPtr result = make(StmtKind::block);
  if (accept(";")) return result;
  return statement();
}

StmtPtr Parser::statement() {
  const std::uint32_t begin = peek().begin;
  StmtPtr result = keyword_statement();
  result->span = since(begin);
  return result;
}

StmtPtr Parser::simple(StmtKind kind) {
  StmtPtr result = make(kind);
  const std::string word(text(advance()));
  expect_semicolon("'" + word + "'");
  return result;
}

StmtPtr Parser::keyword_statement() {
  if (at("{")) {
    StmtPtr result = make(StmtKind::block);
    result->body = block();
    return result;
  }
  if (at("if")) return if_statement();
  if (at("while")) return while_statement();
  if (at("do")) return do_statement();
  if (at("for")) return for_statement();
  if (at("either")) return either_statement();
  if (at("wait") || at("rest")) return wait_statement();
  if (at("assert")) return assert_statement();
  if (at("pause")) return simple(StmtKind::pause);
  if (at("yield")) return simple(StmtKind::yield);
  if (at("tick")) return simple(StmtKind::tick);
  if (at("break")) return simple(StmtKind::break_);
  if (at("continue")) return simple(StmtKind::continue_);
  if (at("count") && at_name(1)) return count_statement();
  if (at("loop") || at("atomic")) {
    StmtPtr result = make(at("loop") ? StmtKind::loop : StmtKind::atomic);
    advance();
    if (result->kind == StmtKind::atomic) {
      for (const char* order : {"acquire", "release", "relaxed"}) {
        if (accept(order)) result->name = order;
      }
      if (!at("{")) expect("{", "after 'atomic'");
    }
    result->body.push_back(body());
    return result;
  }
  if (at("fence") && (at("full", 1) || at("read", 1) || at("write", 1)) && at(";", 2)) {
    StmtPtr result = make(StmtKind::fence);
    advance();
    result->name = text(advance());
    expect_semicolon("the fence");
    return result;
  }
  if (at("return")) {
    StmtPtr result = make(StmtKind::return_);
    advance();
    if (!at(";") && !at("}")) result->exprs.push_back(value());
    expect_semicolon("'return'");
    return result;
  }
  if (at("goto")) {
    StmtPtr result = make(StmtKind::goto_);
    advance();
    result->name = expect_name("a label after 'goto'", &result->op_span);
    expect_semicolon("'goto'");
    return result;
  }
  if (at("destroy")) {
    StmtPtr result = make(StmtKind::destroy);
    advance();
    result->exprs.push_back(expression());
    expect_semicolon("'destroy'");
    return result;
  }
  if (at_name() && at(":", 1)) {
    StmtPtr result = make(StmtKind::label);
    result->name = std::string(text(advance()));
    advance();
    return result;
  }
  reject_c_habits();
  if (at_local()) {
    StmtPtr result = make(StmtKind::local);
    variables(result->vars, VarDecl::Role::local, peek().begin);
    return result;
  }
  return expression_statement();
}

// Mistakes that a kernel developer's fingers make, each with what to write instead.
void Parser::reject_c_habits() {
  if (at("struct")) fail("TX0109", here(), "write the struct's name alone, without 'struct'");
  if (at("const")) fail("TX0109", here(), "'const' stands outside functions; a local needs none");
  if (at("switch") && at("(", 1))
    fail("TX0109", here(), "there is no 'switch'; use 'if' and 'else'");
  if (at_name() && at("*", 1) && at_name(2) && (at("=", 3) || at(";", 3) || at(",", 3))) {
    fail("TX0109", span_of(peek(1)),
         "there are no pointers: `" + std::string(text(peek())) + " " + std::string(text(peek(2))) +
             "` holds a struct or refers to an object, `weak " + std::string(text(peek())) +
             "` is a handle");
  }
}

StmtPtr Parser::if_statement() {
  StmtPtr result = make(StmtKind::if_);
  advance();
  expect("(", "after 'if'");
  result->exprs.push_back(expression());
  expect(")", "after the condition");
  result->body.push_back(body());
  if (accept("else")) result->body.push_back(body());
  return result;
}

// rounds <= N. Without it nobody knows that the loop ends: reported, and read on.
void Parser::rounds(Stmt& loop) {
  if (!accept("rounds")) {
    report("TX0111", at("{") || at(";") ? behind_previous() : here(),
           "a loop inside a step says `rounds <= N`; use `loop` for one that never ends" +
               did_you_mean({"rounds"}));
    if (!at("{") && !at(";")) throw SyntaxError{};
    return;
  }
  expect("<=", "after 'rounds'");
  loop.exprs.push_back(additive());
}

StmtPtr Parser::while_statement() {
  StmtPtr result = make(StmtKind::while_);
  advance();
  expect("(", "after 'while'");
  result->exprs.push_back(expression());
  expect(")", "after the condition");
  rounds(*result);
  result->body.push_back(body());
  return result;
}

StmtPtr Parser::do_statement() {
  StmtPtr result = make(StmtKind::do_while);
  advance();
  result->body.push_back(body());
  expect("while", "after the body of 'do'");
  expect("(", "after 'while'");
  result->exprs.push_back(expression());
  expect(")", "after the condition");
  rounds(*result);
  expect_semicolon("'do … while'");
  return result;
}

StmtPtr Parser::for_statement() {
  StmtPtr result = make(StmtKind::for_);
  advance();
  expect("(", "after 'for'");
  if (!at_name() || !at("in", 1)) {
    report("TX0112", here(), "expected `NAME in lo..hi` after 'for ('" + found());
    for (std::size_t open = 1; open > 0 && !at_end() && !at("{") && !at("}");) {
      if (at("(")) ++open;
      if (at(")")) --open;
      advance();
    }
    result->body.push_back(body());
    return result;
  }
  result->vars.push_back(binder());
  advance();
  result->exprs.push_back(additive());
  expect("..", "between the ends of the range");
  result->exprs.push_back(additive());
  expect(")", "after the range");
  result->body.push_back(body());
  return result;
}

Branch Parser::branch() {
  Branch result;
  const std::uint32_t begin = peek().begin;
  const Span open = expect("{", "to begin a branch");
  if (at("when") && !at(":", 1)) {
    advance();
    try {
      result.guard = expression();
      expect(":", "after the guard");
    } catch (const SyntaxError&) {
      while (!at_end() && !at(":") && !at(";") && !at("{") && !at("}")) advance();
      accept(":");
    }
  }
  result.body = statements(open);
  result.span = since(begin);
  return result;
}

StmtPtr Parser::either_statement() {
  StmtPtr result = make(StmtKind::either);
  result->is_wait = accept("wait");
  expect("either", "after 'wait'");
  do {
    result->branches.push_back(branch());
    result->has_guards = result->has_guards || result->branches.back().guard != nullptr;
  } while (accept("or"));
  return result;
}

StmtPtr Parser::wait_statement() {
  if (at("either", 1)) return either_statement();
  StmtPtr result = make(at("wait") ? StmtKind::wait : StmtKind::rest);
  const std::string word(text(advance()));
  result->exprs.push_back(expression());
  if (word == "wait") result->is_fair = accept("fair");
  expect_semicolon("'" + word + "'");
  return result;
}

StmtPtr Parser::assert_statement() {
  StmtPtr result = make(StmtKind::assert_);
  advance();
  result->exprs.push_back(expression());
  if (accept(",")) {
    const std::uint32_t begin = peek().begin;
    result->name = expect_word("the fault's name");
    while (accept(".")) result->name += "." + expect_word("the rest of the fault's name");
    result->op_span = since(begin);
  }
  expect_semicolon("'assert'");
  return result;
}

StmtPtr Parser::count_statement() {
  StmtPtr result = make(StmtKind::count);
  advance();
  result->exprs.push_back(postfix());
  expect("+=", "after the counter");
  result->exprs.push_back(expression());
  expect_semicolon("'count'");
  return result;
}

StmtPtr Parser::expression_statement() {
  StmtPtr result = make(StmtKind::call);
  const std::string misspelt = at_name() ? did_you_mean(statement_words()) : "";
  if (!at_operand(0) && peek().kind != TokenKind::integer && !at_word()) {
    fail("TX0110", here(), "expected a statement" + found());
  }
  if (at("else") || at("or")) {
    fail("TX0110", here(),
         std::string(at("else") ? "'else' without an 'if' before it"
                                : "'or' without an 'either' before it"));
  }
  const Span begin = here();
  ExprPtr left = expression();
  for (const char* op : {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}) {
    if (!at(op)) continue;
    result->kind = StmtKind::assign;
    result->name = op;
    result->op_span = span_of(advance());
    break;
  }
  const bool steps = at("++") || at("--");
  const bool place = left->kind == ExprKind::name || left->kind == ExprKind::field ||
                     left->kind == ExprKind::index;
  if ((steps || result->kind == StmtKind::assign) && !place) {
    fail("TX0113", left->span, "this is no place that can be assigned to");
  }
  if (steps) {
    result->kind = StmtKind::assign;
    result->name = at("++") ? "+=" : "-=";
    result->op_span = span_of(advance());
    result->exprs.push_back(std::move(left));
    ExprPtr one = make(ExprKind::integer, result->op_span.begin);
    one->value = 1;
    result->exprs.push_back(std::move(one));
  } else if (result->kind == StmtKind::assign) {
    result->exprs.push_back(std::move(left));
    result->exprs.push_back(value());
  } else {
    if (left->kind != ExprKind::call && (at(";") || misspelt.empty())) {
      if (!at(";")) {
        std::string message = "expected an assignment or ';'" + found();
        if (at_word() && !at_name()) message += ", which is a word of the language and no name";
        fail("TX0103", here(), std::move(message));
      }
      if (left->kind == ExprKind::name && !misspelt.empty()) {
        fail("TX0110", begin, "unknown statement" + misspelt);
      }
      report("TX0114", left->span, "this statement has no effect; only a call may stand alone");
    }
    result->op_span = left->op_span;
    result->exprs.push_back(std::move(left));
    if (!at(";") && !misspelt.empty() && !is_first_on_line()) {
      fail("TX0110", begin, "unknown statement" + misspelt);
    }
  }
  expect_semicolon("the statement");
  return result;
}

}  // namespace txproof::lang
