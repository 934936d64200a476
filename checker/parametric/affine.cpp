#include "checker/parametric/affine.h"

#include <algorithm>
#include <numeric>

namespace txproof::checker::parametric {

namespace {

__extension__ using Wide = __int128;
constexpr Wide largest = Wide{1} << 40;

// row := row * factor - other * times, divided by its content. Returns false on overflow.
bool combine(std::vector<Word>& row, Word factor, const std::vector<Word>& other, Word times) {
  Word content = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const Wide value = Wide{row[i]} * factor - Wide{other[i]} * times;
    if (value > largest || value < -largest) return false;
    row[i] = static_cast<Word>(value);
    content = std::gcd(content, row[i]);
  }
  if (content > 1) {
    for (Word& entry : row) entry /= content;
  }
  return true;
}

}  // namespace

AffineHull::AffineHull(std::vector<VariableId> variables) : variables_(std::move(variables)) {
  // The pivots of the basis are free variables, found from the front: those to be expressed last.
  std::reverse(variables_.begin(), variables_.end());
}

void AffineHull::add(const std::vector<Word>& values) {
  if (overflowed_ || rows_.size() == variables_.size()) return;
  std::vector<Word> point(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) point[i] = values[variables_[i]];
  if (!origin_) {
    origin_ = std::move(point);
    return;
  }
  for (std::size_t i = 0; i < point.size(); ++i) point[i] -= (*origin_)[i];
  for (const Row& row : rows_) {
    if (point[row.pivot] == 0) continue;
    if (!combine(point, row.entries[row.pivot], row.entries, point[row.pivot])) {
      overflowed_ = true;
      return;
    }
  }
  const auto first = std::find_if(point.begin(), point.end(), [](Word w) { return w != 0; });
  if (first == point.end()) return;
  Row added{static_cast<std::size_t>(first - point.begin()), std::move(point)};
  if (added.entries[added.pivot] < 0) {
    for (Word& entry : added.entries) entry = -entry;
  }
  for (Row& row : rows_) {
    if (row.entries[added.pivot] == 0) continue;
    if (!combine(row.entries, added.entries[added.pivot], added.entries,
                 row.entries[added.pivot])) {
      overflowed_ = true;
      return;
    }
  }
  rows_.push_back(std::move(added));
}

// For a variable that is no pivot: x = sum over the rows of entry/pivot * (their pivot variable),
// relative to the origin.
std::vector<Linear> AffineHull::equations() const {
  std::vector<Linear> out;
  if (overflowed_ || !origin_) return out;
  std::vector<char> is_pivot(variables_.size(), 0);
  for (const Row& row : rows_) is_pivot[row.pivot] = 1;
  for (std::size_t x = 0; x < variables_.size(); ++x) {
    if (is_pivot[x] != 0) continue;
    Word scale = 1;
    for (const Row& row : rows_) {
      if (row.entries[x] == 0) continue;
      const Word pivot = row.entries[row.pivot];
      const Word part = pivot / std::gcd(pivot, row.entries[x]);
      scale = std::lcm(scale, part < 0 ? -part : part);
      if (scale > (Word{1} << 30)) break;
    }
    if (scale > (Word{1} << 30)) continue;
    Linear linear;
    linear.terms.emplace_back(variables_[x], scale);
    linear.constant = -scale * (*origin_)[x];
    for (const Row& row : rows_) {
      if (row.entries[x] == 0) continue;
      const Word coefficient = scale * row.entries[x] / row.entries[row.pivot];
      linear.terms.emplace_back(variables_[row.pivot], -coefficient);
      linear.constant += coefficient * (*origin_)[row.pivot];
    }
    std::sort(linear.terms.begin(), linear.terms.end());
    out.push_back(std::move(linear));
  }
  return out;
}

}  // namespace txproof::checker::parametric
