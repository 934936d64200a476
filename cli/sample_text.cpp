#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checker/explicit/conclude.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/sample_report.h"
#include "counterexamples/render_text.h"

namespace txproof::cli {

using checker::sampling::Bounds;

namespace {

std::string decimal(double value) {
  std::string text = fmt::format("{:.4g}", value);
  // Large numbers in full.
  if (text.find('e') != std::string::npos && std::abs(value) >= 1) {
    text = fmt::format("{:.0f}", value);
  }
  return text;
}

std::string with_bounds(const Estimate& estimate) {
  if (!estimate.value) return estimate.name + " -";
  std::string text = estimate.name + " " + decimal(*estimate.value);
  if (estimate.bounds) {
    text += " [" + decimal(estimate.bounds->low) + ", " + decimal(estimate.bounds->high) + "]";
  }
  return text;
}

std::string percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string property_remark(const SampledProperty& entry, std::size_t runs) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (!entry.sampled) add("about infinite runs, which no sample shows");
  if (entry.broken) {
    add(fmt::format("in {} of {} runs, {} to {}, first in run {} at step {}", entry.broken->runs,
                    runs, percent(entry.share->low), percent(entry.share->high),
                    entry.broken->first_run, entry.broken->step));
  } else if (entry.sampled && entry.share) {
    add("at most " + percent(entry.share->high) + " of runs");
  }
  if (entry.largest) add("maximum seen " + std::to_string(*entry.largest));
  return text;
}

std::string ends(const checker::sampling::Simulation& simulation) {
  const auto stuck = std::count_if(simulation.runs.begin(), simulation.runs.end(),
                                   [](const auto& run) { return run.stuck; });
  const auto faults = std::count_if(simulation.runs.begin(), simulation.runs.end(),
                                    [](const auto& run) { return run.fault; });
  std::string text;
  if (stuck > 0) text += fmt::format("; {} ended early as nobody could move", stuck);
  if (faults > 0) text += fmt::format("; {} ended early in a violation of a built-in", faults);
  return text;
}

}  // namespace

std::string sample_text(const SampleReport& report, const lang::SourceSet& sources,
                        const Options& options) {
  const program::Program& program = *report.loaded.program;
  const checker::sampling::Simulation& simulation = report.simulation;
  const std::string parameters = parameters_text(program);
  std::string out = report.loaded.stack->name + " (" + report.loaded.origin.file + ")" +
                    (parameters.empty() ? "" : "  " + parameters) + "\n";
  std::size_t width = 0;
  for (const SampledProperty& entry : report.properties) {
    width = std::max(width, program.properties[entry.id].instance.size());
  }
  for (const SampledProperty& entry : report.properties) {
    const char* const verdict = entry.broken     ? "violated"
                                : !entry.sampled ? "not sampled"
                                                 : "not broken";
    out += fmt::format("  {:<{}}  {:<11}  {}\n", program.properties[entry.id].instance, width,
                       verdict, property_remark(entry, simulation.runs.size()));
  }
  for (const SampledExpression& expression : report.expressions) {
    out += "  " + expression.text + "\n   ";
    for (const Estimate& estimate : expression.estimates) out += " " + with_bounds(estimate);
    out += expression.least ? fmt::format("; seen {} to {}\n", *expression.least, *expression.most)
                            : "\n";
  }
  for (const SampledRate& rate : report.rates) {
    out += fmt::format("  {}\n    {}; {} / {}\n", rate.text, with_bounds(rate.estimate),
                       rate.numerator, rate.denominator);
  }
  out += fmt::format("  sampling: {} of {} runs of {} steps, seed {}, {} steps made, {:.1f} s{}\n",
                     simulation.runs.size(), options.runs, options.steps, options.seed,
                     checker::grouped(simulation.steps), simulation.seconds, ends(simulation));
  out += "  sampling proves nothing: what was not broken has not been shown to hold";
  if (simulation.runs.size() >= 2) {
    out += "; bounds: 95 %, shares by Wilson's interval, the rest by the bootstrap over runs";
  }
  out += "\n";
  if (simulation.limit != properties::Limit::none) {
    out +=
        fmt::format("  inconclusive: ended early ({})\n", properties::to_string(simulation.limit));
  }
  for (const SampledProperty& entry : report.properties) {
    if (!entry.broken) continue;
    if (entry.trace) {
      counterexamples::TextOptions text;
      text.full = options.full_traces;
      text.color = use_color(options);
      out += "\n" + counterexamples::render_text(*entry.trace, program, sources, text);
      if (!entry.shortest) out += "  = perhaps not the shortest\n";
    } else {
      out += fmt::format(
          "\nviolated  {}: confirmed by the interpreter after {} steps; the state is too large for "
          "a trace\n",
          program.properties[entry.id].instance, entry.moves);
    }
  }
  return out;
}

}  // namespace txproof::cli
