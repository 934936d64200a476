#include "model/lang/ask.h"

#include <utility>

#include "model/lang/frontend.h"

namespace txproof::lang {

namespace {

// Above what fits the ranges of a model, and far from where sums would overflow.
constexpr std::int64_t unreached = std::int64_t{1} << 61;

// What a question says, or nothing with an error.
std::unique_ptr<Claim> claim_of(SourceSet& sources, const Question& question,
                                Diagnostics& diagnostics) {
  auto claim = std::make_unique<Claim>();
  ExprPtr expression = parse_expression(sources, question.text, diagnostics);
  if (expression == nullptr) return nullptr;
  claim->span = expression->span;
  const auto number = [&](std::int64_t value) {
    auto expr = std::make_unique<Expr>();
    expr->span = claim->span;
    expr->value = value;
    return expr;
  };
  if (!question.is_rate) {
    claim->kind = Claim::Kind::maximum;
    claim->left = std::move(expression);
    claim->right = number(unreached);
    return claim;
  }
  if (expression->kind != ExprKind::binary || expression->name != "/") {
    diagnostics.error("TX0101", expression->span, "expected `A / B`, two counters, as a rate");
    return nullptr;
  }
  claim->kind = Claim::Kind::rate;
  claim->left = std::move(expression->args[0]);
  claim->right = std::move(expression->args[1]);
  claim->bound_numerator = number(0);
  return claim;
}

// Adds a property with this claim to the stack.
void watch(StackDecl& stack, const std::string& name, std::unique_ptr<Claim> claim,
           FileSyntax& questions) {
  auto property = std::make_unique<PropertyDecl>();
  property->name = name;
  property->span = property->full_span = claim->span;
  property->asked_about = &stack;
  property->claims.push_back(std::move(claim));
  auto check = std::make_unique<CheckItem>();
  check->name = property->name;
  check->span = check->name_span = property->span;
  stack.checks.push_back(std::move(check));
  questions.decls.push_back(std::move(property));
}

}  // namespace

std::string question_about(const StackDecl& stack) { return "<expression> of " + stack.name; }

std::string question_about(const StackDecl& stack, std::size_t index) {
  return "<expression " + std::to_string(index) + "> of " + stack.name;
}

void ask_for_maximum(Model& model, SourceSet& sources, FileId expression,
                     Diagnostics& diagnostics) {
  auto questions = std::make_unique<FileSyntax>();
  questions->file = expression;
  for (const auto& decl : model.files.back()->decls) {
    if (decl->decl_kind != DeclKind::stack) continue;
    auto& stack = static_cast<StackDecl&>(*decl);
    std::unique_ptr<Claim> claim = claim_of(sources, {expression, false}, diagnostics);
    if (claim == nullptr) return;
    watch(stack, question_about(stack), std::move(claim), *questions);
  }
  // The main file stays the last.
  model.files.insert(model.files.end() - 1, std::move(questions));
}

void add_assumption(Model& model, SourceSet& sources, FileId expression, Diagnostics& diagnostics) {
  for (const auto& decl : model.files.back()->decls) {
    if (decl->decl_kind != DeclKind::stack) continue;
    ExprPtr assumed = parse_expression(sources, expression, diagnostics);
    if (assumed == nullptr) return;
    auto& stack = static_cast<StackDecl&>(*decl);
    stack.assumption_spans.push_back(assumed->span);
    stack.assumptions.push_back(std::move(assumed));
  }
}

void ask(Model& model, SourceSet& sources, const std::vector<Question>& questions,
         Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    auto file = std::make_unique<FileSyntax>();
    file->file = questions[i].text;
    for (const auto& decl : model.files.back()->decls) {
      if (decl->decl_kind != DeclKind::stack) continue;
      auto& stack = static_cast<StackDecl&>(*decl);
      std::unique_ptr<Claim> claim = claim_of(sources, questions[i], diagnostics);
      if (claim == nullptr) return;
      watch(stack, question_about(stack, i), std::move(claim), *file);
    }
    model.files.insert(model.files.end() - 1, std::move(file));
  }
}

}  // namespace txproof::lang
