// From runs to estimates with bounds.
#include <algorithm>

#include "cli/sample_report.h"

namespace txproof::cli {

using checker::sampling::Bounds;
using checker::sampling::Histogram;
using checker::sampling::RunSummary;

namespace {

struct Quantile {
  const char* name;
  double share;
};
constexpr Quantile quantiles[] = {{"p5", 0.05}, {"p50", 0.5}, {"p95", 0.95}, {"p99", 0.99}};

std::vector<std::optional<double>> statistics_of(const Histogram& samples) {
  std::vector<std::optional<double>> out(1 + std::size(quantiles));
  if (samples.size() == 0) return out;
  out[0] = samples.mean();
  for (std::size_t i = 0; i < std::size(quantiles); ++i) {
    out[i + 1] = static_cast<double>(samples.quantile(quantiles[i].share));
  }
  return out;
}

SampledExpression estimated(const std::string& text, std::size_t index,
                            const std::vector<RunSummary>& runs) {
  SampledExpression out;
  out.text = text;
  const auto together = [&](const std::vector<std::size_t>& chosen) {
    std::vector<std::uint64_t> times(runs.size());
    for (const std::size_t run : chosen) ++times[run];
    Histogram all;
    for (std::size_t run = 0; run < runs.size(); ++run) {
      if (times[run] > 0) all.merge(runs[run].samples[index], times[run]);
    }
    return all;
  };
  std::vector<std::size_t> each(runs.size());
  for (std::size_t i = 0; i < each.size(); ++i) each[i] = i;
  const Histogram all = together(each);
  const auto values = statistics_of(all);
  const auto bounds = checker::sampling::bootstrap_all(
      runs.size(), values.size(),
      [&](const std::vector<std::size_t>& chosen) { return statistics_of(together(chosen)); });
  for (std::size_t i = 0; i < values.size(); ++i) {
    out.estimates.push_back({i == 0 ? "mean" : quantiles[i - 1].name, values[i], bounds[i]});
  }
  if (all.size() > 0) {
    out.least = all.least();
    out.most = all.most();
  }
  return out;
}

SampledRate estimated_rate(const std::string& text, std::size_t index,
                           const std::vector<RunSummary>& runs) {
  SampledRate out;
  out.text = text;
  const auto ratio = [&](const std::vector<std::size_t>& chosen) -> std::optional<double> {
    double above = 0;
    double below = 0;
    for (const std::size_t run : chosen) {
      above += static_cast<double>(runs[run].rates[index].first);
      below += static_cast<double>(runs[run].rates[index].second);
    }
    if (below == 0) return std::nullopt;
    return above / below;
  };
  std::vector<std::size_t> each(runs.size());
  for (std::size_t i = 0; i < each.size(); ++i) {
    each[i] = i;
    out.numerator += runs[i].rates[index].first;
    out.denominator += runs[i].rates[index].second;
  }
  out.estimate = {"ratio", ratio(each), checker::sampling::bootstrap(runs.size(), ratio)};
  return out;
}

}  // namespace

void estimate(const Options& options, SampleReport& report) {
  const std::vector<RunSummary>& runs = report.simulation.runs;
  for (std::size_t i = 0; i < options.expressions.size(); ++i) {
    report.expressions.push_back(estimated(options.expressions[i], i, runs));
  }
  for (std::size_t i = 0; i < options.rates.size(); ++i) {
    report.rates.push_back(estimated_rate(options.rates[i], i, runs));
  }
  const program::Program& program = *report.loaded.program;
  for (program::PropertyId id = 0; id < program.properties.size(); ++id) {
    const program::Property& property = program.properties[id];
    const auto& asked = report.loaded.questions;
    if (property.is_watch || std::find(asked.begin(), asked.end(), property.name) != asked.end()) {
      continue;
    }
    const bool wanted = options.properties.empty() ||
                        std::find(options.properties.begin(), options.properties.end(),
                                  property.name) != options.properties.end();
    if (!wanted) continue;
    SampledProperty entry;
    entry.id = id;
    entry.broken = report.simulation.broken[id];
    entry.largest = report.simulation.largest[id];
    entry.spoken = report.simulation.spoken[id] != 0;
    const bool infinite = std::any_of(
        property.claims.begin(), property.claims.end(), [](const program::Claim& claim) {
          return claim.kind == program::PropertyKind::leads_to ||
                 claim.kind == program::PropertyKind::infinitely_often ||
                 claim.kind == program::PropertyKind::rate;
        });
    entry.sampled = !infinite;
    if (!runs.empty()) {
      entry.share = checker::sampling::wilson(entry.broken ? entry.broken->runs : 0, runs.size());
    }
    report.properties.push_back(std::move(entry));
  }
}

}  // namespace txproof::cli
