#include "checker/parametric/rank.h"

namespace txproof::checker::parametric {

namespace {

constexpr std::uint64_t prime = 2'147'483'647;
constexpr VariableId no_variable = 0xffffffffU;

std::uint64_t residue(Word value) {
  const Word rest = value % static_cast<Word>(prime);
  return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<Word>(prime) : rest);
}

std::uint64_t inverse(std::uint64_t value) {
  std::uint64_t result = 1;
  for (std::uint64_t exponent = prime - 2; exponent > 0; exponent >>= 1U) {
    if ((exponent & 1U) != 0) result = result * value % prime;
    value = value * value % prime;
  }
  return result;
}

}  // namespace

bool Rank::add(const Linear& equation) {
  Row row;
  for (const auto& [variable, coefficient] : equation.terms) {
    if (residue(coefficient) != 0) row[variable] = residue(coefficient);
  }
  if (residue(equation.constant) != 0) row[no_variable] = residue(equation.constant);
  while (!row.empty() && row.begin()->first != no_variable) {
    const VariableId pivot = row.begin()->first;
    const auto known = rows_.find(pivot);
    const std::uint64_t factor = row.begin()->second;
    if (known == rows_.end()) {
      const std::uint64_t scale = inverse(factor);
      for (auto& [variable, entry] : row) entry = entry * scale % prime;
      rows_.emplace(pivot, std::move(row));
      return true;
    }
    for (const auto& [variable, entry] : known->second) {
      std::uint64_t& mine = row[variable];
      mine = (mine + (prime - factor * entry % prime)) % prime;
      if (mine == 0) row.erase(variable);
    }
  }
  return !row.empty();  // a constant is left: it contradicts the others
}

}  // namespace txproof::checker::parametric
