#include "checker/sampling/statistics.h"

#include <algorithm>
#include <cmath>

#include "checker/sampling/random.h"

namespace txproof::checker::sampling {

namespace {

constexpr double z95 = 1.959963984540054;  // of the normal distribution, two-sided
constexpr std::size_t resamples = 1000;
constexpr std::uint64_t bootstrap_seed = 20100705;

}  // namespace

Bounds wilson(std::uint64_t hits, std::uint64_t runs) {
  const auto n = static_cast<double>(runs);
  const double p = static_cast<double>(hits) / n;
  const double z2 = z95 * z95;
  const double centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const double half = z95 / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
  // At the ends the formula gives 0 and 1, up to rounding.
  return {hits == 0 ? 0.0 : std::max(0.0, centre - half),
          hits == runs ? 1.0 : std::min(1.0, centre + half)};
}

void Histogram::add(program::Word value, std::uint64_t times) {
  values_[value] += times;
  size_ += times;
}

void Histogram::merge(const Histogram& other, std::uint64_t times) {
  for (const auto& [value, count] : other.values_) values_[value] += count * times;
  size_ += other.size_ * times;
}

double Histogram::mean() const {
  double sum = 0;
  for (const auto& [value, count] : values_) {
    sum += static_cast<double>(value) * static_cast<double>(count);
  }
  return sum / static_cast<double>(size_);
}

program::Word Histogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(size_)));
  std::uint64_t below = 0;
  for (const auto& [value, count] : values_) {
    below += count;
    if (below >= wanted) return value;
  }
  return most();
}

std::vector<std::optional<Bounds>> bootstrap_all(
    std::size_t runs, std::size_t statistics,
    const std::function<std::vector<std::optional<double>>(const std::vector<std::size_t>& runs)>&
        compute) {
  std::vector<std::optional<Bounds>> out(statistics);
  if (runs < 2) return out;
  Random random(bootstrap_seed);
  std::vector<std::vector<double>> seen(statistics);
  std::vector<std::size_t> chosen(runs);
  for (std::size_t i = 0; i < resamples; ++i) {
    for (std::size_t& run : chosen) run = random.below(runs);
    const std::vector<std::optional<double>> values = compute(chosen);
    for (std::size_t k = 0; k < statistics; ++k) {
      if (values[k]) seen[k].push_back(*values[k]);
    }
  }
  for (std::size_t k = 0; k < statistics; ++k) {
    if (seen[k].size() < resamples / 2) continue;
    std::sort(seen[k].begin(), seen[k].end());
    const auto at = [&](double share) {
      return seen[k][static_cast<std::size_t>(share * static_cast<double>(seen[k].size() - 1))];
    };
    out[k] = Bounds{at(0.025), at(0.975)};
  }
  return out;
}

std::optional<Bounds> bootstrap(std::size_t runs, const Statistic& statistic) {
  return bootstrap_all(runs, 1, [&](const std::vector<std::size_t>& chosen) {
    return std::vector<std::optional<double>>{statistic(chosen)};
  })[0];
}

}  // namespace txproof::checker::sampling
