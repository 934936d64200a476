#include "model/lang/ask.h"

#include <utility>

#include "model/lang/frontend.h"

namespace txproof::lang {

namespace {

// Above what fits the ranges of a model, and far from where sums would overflow.
constexpr std::int64_t unreached = std::int64_t{1} << 61;

}  // namespace

std::string question_about(const StackDecl& stack) { return "<expression> of " + stack.name; }

void ask_for_maximum(Model& model, SourceSet& sources, FileId expression,
                     Diagnostics& diagnostics) {
  auto questions = std::make_unique<FileSyntax>();
  questions->file = expression;
  for (const auto& decl : model.files.back()->decls) {
    if (decl->decl_kind != DeclKind::stack) continue;
    auto& stack = static_cast<StackDecl&>(*decl);
    auto claim = std::make_unique<Claim>();
    claim->kind = Claim::Kind::maximum;
    claim->left = parse_expression(sources, expression, diagnostics);
    if (claim->left == nullptr) return;
    claim->span = claim->left->span;
    claim->right = std::make_unique<Expr>();
    claim->right->span = claim->span;
    claim->right->value = unreached;
    auto property = std::make_unique<PropertyDecl>();
    property->name = question_about(stack);
    property->span = property->full_span = claim->span;
    property->asked_about = &stack;
    property->claims.push_back(std::move(claim));
    auto check = std::make_unique<CheckItem>();
    check->name = property->name;
    check->span = check->name_span = property->span;
    stack.checks.push_back(std::move(check));
    questions->decls.push_back(std::move(property));
  }
  // The main file stays the last.
  model.files.insert(model.files.end() - 1, std::move(questions));
}

void add_assumption(Model& model, SourceSet& sources, FileId expression,
                    Diagnostics& diagnostics) {
  for (const auto& decl : model.files.back()->decls) {
    if (decl->decl_kind != DeclKind::stack) continue;
    ExprPtr assumed = parse_expression(sources, expression, diagnostics);
    if (assumed == nullptr) return;
    auto& stack = static_cast<StackDecl&>(*decl);
    stack.assumption_spans.push_back(assumed->span);
    stack.assumptions.push_back(std::move(assumed));
  }
}

}  // namespace txproof::lang
