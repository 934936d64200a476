// Expressions of a Program as Promela. Aggregates are written out, element by element.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::exporting {

// An expression, and its value where it is a constant.
struct Term {
  std::string text;
  std::optional<program::Word> constant;
};

// The cursors of the aggregates around an expression.
using Cursors = std::map<program::AggregateId, Term>;

class PromelaExpressions {
 public:
  explicit PromelaExpressions(const program::Program& program) : program_(program) {}

  // throws Refusal
  [[nodiscard]] Term value(program::ExprId id, const Cursors& cursors = {}) const;
  [[nodiscard]] Term slot(program::AddrId id, const Cursors& cursors = {}) const;
  // "value != 0", or "1" for no_id.
  [[nodiscard]] std::string truth(program::ExprId id, const Cursors& cursors = {}) const;
  // The cursor of the element in slot `element` of a container.
  [[nodiscard]] Term element_cursor(program::StructId structure, const Term& element) const;

  static Term number(program::Word value);
  static Term plus(const Term& a, const Term& b);
  static Term times(const Term& a, program::Word factor);
  static std::string at(const Term& slot) { return "S[" + slot.text + "]"; }

 private:
  struct Element {
    std::string there;  // condition
    Term cursor;
  };
  [[nodiscard]] Term binary(const program::Expr& e, const Cursors& cursors) const;
  [[nodiscard]] Term aggregate(program::AggregateId id, const Cursors& cursors) const;
  [[nodiscard]] std::string extremum(const program::Aggregate& a,
                                     const std::vector<std::pair<std::string, std::string>>& of,
                                     bool least) const;
  void elements(const program::Span& span, const Cursors& cursors,
                std::vector<Element>& into) const;

  const program::Program& program_;
};

}  // namespace txproof::checker::exporting
