#include "checker/sampling/statistics.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "checker/sampling/random.h"

using namespace txproof::checker::sampling;

TEST_CASE("random numbers: the published sequence of SplitMix64 for seed 1234567") {
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317U);
  CHECK(random.next() == 3203168211198807973U);
  CHECK(random.next() == 9817491932198370423U);
}

TEST_CASE("random numbers: runs differ, and bounded ones reach every value about as often") {
  CHECK(Random::of_run(1, 0).next() != Random::of_run(1, 1).next());
  CHECK(Random::of_run(1, 0).next() != Random::of_run(2, 0).next());
  Random random(7);
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen[random.below(7)];
  for (const int times : seen) {
    CHECK(times > 850);
    CHECK(times < 1150);
  }
}

TEST_CASE("Wilson's interval: values computed by hand") {
  // p = 0.5, n = 10: (0.5 + 0.19207 -+ 1.95996 * sqrt(0.025 + 0.0096036)) / 1.384146
  CHECK(wilson(5, 10).low == doctest::Approx(0.2366).epsilon(0.001));
  CHECK(wilson(5, 10).high == doctest::Approx(0.7634).epsilon(0.001));
  // No hit: the upper end is z^2 / (n + z^2).
  CHECK(wilson(0, 20).low == 0.0);
  CHECK(wilson(0, 20).high == doctest::Approx(3.8415 / 23.8415).epsilon(0.001));
  CHECK(wilson(20, 20).high == 1.0);
}

TEST_CASE("histogram: mean and quantiles of 1..100") {
  Histogram samples;
  for (int i = 1; i <= 100; ++i) samples.add(i);
  CHECK(samples.mean() == doctest::Approx(50.5));
  CHECK(samples.quantile(0.5) == 50);
  CHECK(samples.quantile(0.95) == 95);
  CHECK(samples.quantile(1.0) == 100);
  CHECK(samples.least() == 1);
  CHECK(samples.most() == 100);
  Histogram twice;
  twice.merge(samples, 2);
  CHECK(twice.size() == 200);
  CHECK(twice.quantile(0.95) == 95);
}

TEST_CASE("bootstrap: about as wide as theory says, and about as often right") {
  // Means of 40 numbers from 0..99: standard error 28.87 / sqrt(40) = 4.56, so about +-8.9.
  int inside = 0;
  constexpr int experiments = 100;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    Random random(static_cast<std::uint64_t>(experiment));
    std::vector<double> runs;
    for (int i = 0; i < 40; ++i) runs.push_back(static_cast<double>(random.below(100)));
    const auto bounds = bootstrap(runs.size(), [&](const std::vector<std::size_t>& chosen) {
      double sum = 0;
      for (const std::size_t i : chosen) sum += runs[i];
      return std::optional<double>(sum / static_cast<double>(chosen.size()));
    });
    REQUIRE(bounds);
    CHECK(bounds->high - bounds->low > 12);
    CHECK(bounds->high - bounds->low < 24);
    if (bounds->low <= 49.5 && 49.5 <= bounds->high) ++inside;
  }
  CHECK(inside >= 86);  // 95 are expected; fewer than 86 has a chance of about 1 in 5000
  CHECK_FALSE(bootstrap(1, [](const auto&) { return std::optional<double>(1.0); }));
}
