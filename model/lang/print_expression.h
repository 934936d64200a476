// Expressions and types as text, with no more parentheses than the tree needs or the writer wrote.
#pragma once

#include <string>
#include <string_view>

#include "model/lang/syntax.h"

namespace txproof::lang {

class ExpressionPrinter {
 public:
  // `source` is the text that the spans point into, for numbers as they were written (0x10);
  // empty for a tree without a source.
  explicit ExpressionPrinter(std::string_view source = {}) : source_(source) {}

  // In parentheses if the expression binds less tightly than `level` (operators.h; 0 never).
  [[nodiscard]] std::string print(const Expr& expr, int level = 0) const;
  [[nodiscard]] std::string print(const TypeExpr& type) const;
  // ` in lo..hi`, or nothing
  [[nodiscard]] std::string range(const ExprPtr& lo, const ExprPtr& hi) const;
  // `{ f: value, … }`
  [[nodiscard]] std::string bindings(const Expr& expr) const;
  [[nodiscard]] std::string arguments(const std::vector<ExprPtr>& args, std::size_t from) const;
  [[nodiscard]] std::string_view written(Span span) const;

 private:
  [[nodiscard]] std::string bare(const Expr& expr) const;
  [[nodiscard]] std::string aggregate(const Expr& expr) const;
  [[nodiscard]] std::string operand(const Expr& expr, int level, bool number) const;

  std::string_view source_;
};

}  // namespace txproof::lang
