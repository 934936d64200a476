#include "checker/parametric/linear.h"

#include <algorithm>

namespace txproof::checker::parametric {

namespace {

void append(std::string& side, Word coefficient, const std::string& name) {
  if (!side.empty()) side += " + ";
  if (coefficient != 1) side += std::to_string(coefficient) + "*";
  side += name;
}

}  // namespace

Word evaluate(const Linear& linear, const std::vector<Word>& values) {
  Word sum = linear.constant;
  for (const auto& [variable, coefficient] : linear.terms) sum += coefficient * values[variable];
  return sum;
}

bool holds(const Literal& literal, const std::vector<Word>& values) {
  return (values[literal.variable] == literal.value) == literal.equal;
}

bool holds(const Fact& fact, const std::vector<Word>& values) {
  const bool guarded = std::all_of(fact.guard.begin(), fact.guard.end(),
                                   [&](const Literal& literal) { return holds(literal, values); });
  if (!guarded) return true;
  const Word value = evaluate(fact.linear, values);
  return fact.equality ? value == 0 : value >= 0;
}

std::string to_text(const Linear& linear, bool equality, const std::vector<Variable>& variables) {
  // What is subtracted is shown as bounded by what is added.
  std::string small;
  std::string large;
  for (const auto& [variable, coefficient] : linear.terms) {
    append(coefficient < 0 ? small : large, coefficient < 0 ? -coefficient : coefficient,
           variables[variable].name);
  }
  const Word constant = linear.constant;
  if (constant > 0 && !large.empty()) {
    large += " + " + std::to_string(constant);
  } else if (constant < 0 && !large.empty() && !small.empty()) {
    large += " - " + std::to_string(-constant);
  } else if (constant < 0) {
    small = std::to_string(-constant);
  }
  if (large.empty()) large = std::to_string(std::max<Word>(constant, 0));
  if (small.empty()) small = "0";
  return small + (equality ? " = " : " <= ") + large;
}

std::string to_text(const Fact& fact, const std::vector<Variable>& variables) {
  std::string text;
  for (const Literal& literal : fact.guard) {
    text += (text.empty() ? "" : " and ") + variables[literal.variable].name +
            (literal.equal ? " = " : " != ") + std::to_string(literal.value);
  }
  if (!text.empty()) text += " => ";
  return text + to_text(fact.linear, fact.equality, variables);
}

}  // namespace txproof::checker::parametric
