// The precedence of the operators, shared by the parser and the printer.
#pragma once

#include <string_view>

namespace txproof::lang {

// Higher binds tighter. C's order, with implication below everything.
enum Level : int {
  kImplication = 1,  // =>, to the right
  kConditional = 2,  // ?:, to the right
  kOr = 3,
  kAdditive = 11,
  kUnary = 13,
  kPostfix = 14,
};

// The level of a binary operator that groups to the left, 0 if `op` is none.
constexpr int binary_level(std::string_view op) {
  if (op == "||") return kOr;
  if (op == "&&") return 4;
  if (op == "|") return 5;
  if (op == "^") return 6;
  if (op == "&") return 7;
  if (op == "==" || op == "!=") return 8;
  if (op == "<" || op == "<=" || op == ">" || op == ">=") return 9;
  if (op == "<<" || op == ">>") return 10;
  if (op == "+" || op == "-") return kAdditive;
  if (op == "*" || op == "/" || op == "%") return 12;
  return 0;
}

}  // namespace txproof::lang
