// The affine hull of integer points, exactly: every linear equation that all of them satisfy.
#pragma once

#include <optional>
#include <vector>

#include "checker/parametric/linear.h"

namespace txproof::checker::parametric {

// Takes points one by one and keeps a basis of the differences to the first, in echelon form over
// the rationals. So a point that adds nothing costs one pass over the basis, and nothing is kept of
// it.
class AffineHull {
 public:
  // The variables that the equations may mention, those that should be expressed by the others
  // first.
  explicit AffineHull(std::vector<VariableId> variables);

  void add(const std::vector<Word>& values);
  // The numbers became too large for exact arithmetic: equations() is then empty.
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] bool empty() const { return !origin_.has_value(); }
  [[nodiscard]] std::size_t dimension() const { return rows_.size(); }

  // A basis of the equations, with whole coefficients that have no common divisor. Each but the
  // first-ranked variable of an equation is a free one, so equations are short where they can be.
  [[nodiscard]] std::vector<Linear> equations() const;

 private:
  struct Row {
    std::size_t pivot = 0;
    std::vector<Word> entries;  // by position in variables_
  };

  std::vector<VariableId> variables_;
  std::optional<std::vector<Word>> origin_;
  std::vector<Row> rows_;  // reduced: the pivot column of a row is 0 in all others
  bool overflowed_ = false;
};

}  // namespace txproof::checker::parametric
