// What `simulate` prints: pure functions of what the runs gave.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/sampling/simulate.h"
#include "cli/options.h"
#include "cli/workspace.h"
#include "counterexamples/trace.h"
#include "model/lang/source.h"

namespace txproof::cli {

// A statistic, with its 95 % bounds where there are several runs.
struct Estimate {
  std::string name;  // "mean", "p95", …
  std::optional<double> value;
  std::optional<checker::sampling::Bounds> bounds;
};

struct SampledExpression {
  std::string text;
  std::vector<Estimate> estimates;  // mean, p5, p50, p95, p99
  std::optional<program::Word> least, most;
};

struct SampledRate {
  std::string text;
  Estimate estimate;
  program::Word numerator = 0, denominator = 0;
};

// A property of the stack, as the runs saw it.
struct SampledProperty {
  program::PropertyId id = program::no_id;
  bool sampled = true;  // false: of a kind that only infinite runs tell
  std::optional<checker::sampling::Broken> broken;
  std::optional<checker::sampling::Bounds> share;  // of runs that break it
  std::optional<program::Word> largest;
  bool spoken = false;
  std::optional<counterexamples::Trace> trace;
  std::size_t moves = 0;  // of the trace, or of the way that is too large for one
  bool shortest = false;
};

struct SampleReport {
  LoadedStack loaded;
  checker::sampling::Simulation simulation;
  std::vector<SampledProperty> properties;
  std::vector<SampledExpression> expressions;
  std::vector<SampledRate> rates;
  std::vector<std::string> internal_errors;
};

// Everything but the traces.
void estimate(const Options& options, SampleReport& report);

std::string sample_text(const SampleReport& report, const lang::SourceSet& sources,
                        const Options& options);
std::string sample_json(const SampleReport& report, const lang::SourceSet& sources,
                        const Options& options);

}  // namespace txproof::cli
