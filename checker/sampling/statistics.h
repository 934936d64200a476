// Statistics of independent runs, with bounds that say how sure they are.
//
// Samples within one run depend on each other, runs do not; so every bound is about runs:
//   share of runs    Wilson's score interval (Wilson, JASA 22, 1927)
//   everything else  the percentile bootstrap over runs (Efron, Annals of Statistics 7, 1979)
// Both at 95 %. The bootstrap draws from a generator of its own with a fixed seed, so the same runs
// give the same bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::sampling {

struct Bounds {
  double low = 0, high = 0;
  bool operator==(const Bounds&) const = default;
};

// The 95 % interval for the share of which `hits` of `runs` is a sample.
//   requires: runs >= 1, hits <= runs
Bounds wilson(std::uint64_t hits, std::uint64_t runs);

// How often each value was seen.
class Histogram {
 public:
  void add(program::Word value, std::uint64_t times = 1);
  void merge(const Histogram& other, std::uint64_t times = 1);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::map<program::Word, std::uint64_t>& values() const { return values_; }
  // The following require: size() >= 1.
  [[nodiscard]] double mean() const;
  // The least value that at least `share` of all samples do not exceed. share: 0 to 1.
  [[nodiscard]] program::Word quantile(double share) const;
  [[nodiscard]] program::Word least() const { return values_.begin()->first; }
  [[nodiscard]] program::Word most() const { return values_.rbegin()->first; }

 private:
  std::map<program::Word, std::uint64_t> values_;
  std::uint64_t size_ = 0;
};

// Bounds of a statistic of `runs` runs: `statistic` computes it for a list of runs, with
// repetition.
//   ensures: absent with fewer than two runs, or where the statistic is absent too often
using Statistic = std::function<std::optional<double>(const std::vector<std::size_t>& runs)>;
std::optional<Bounds> bootstrap(std::size_t runs, const Statistic& statistic);

// As bootstrap, with several statistics of the same resamples.
std::vector<std::optional<Bounds>> bootstrap_all(
    std::size_t runs, std::size_t statistics,
    const std::function<std::vector<std::optional<double>>(const std::vector<std::size_t>& runs)>&
        compute);

}  // namespace txproof::checker::sampling
