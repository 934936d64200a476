#include "cli/json_parts.h"
#include "cli/sample_report.h"
#include "counterexamples/render_json.h"

namespace txproof::cli {

using nlohmann::ordered_json;

namespace {

ordered_json bounds_json(const checker::sampling::Bounds& bounds) {
  return ordered_json::array({bounds.low, bounds.high});
}

ordered_json estimate_json(const Estimate& estimate) {
  ordered_json out;
  if (estimate.value) out["value"] = *estimate.value;
  if (estimate.bounds) out["bounds"] = bounds_json(*estimate.bounds);
  return out;
}

}  // namespace

std::string sample_json(const SampleReport& report, const lang::SourceSet& sources,
                        const Options& options) {
  const program::Program& program = *report.loaded.program;
  const checker::sampling::Simulation& simulation = report.simulation;
  ordered_json out = model_head(report.loaded, "txproof/simulate/1");
  out["method"] = "sampling";
  out["proves"] = "nothing";
  out["seed"] = number(static_cast<std::int64_t>(options.seed));
  out["steps_of_a_run"] = options.steps;
  out["runs_wanted"] = options.runs;
  out["runs"] = simulation.runs.size();
  out["steps"] = simulation.steps;
  out["seconds"] = simulation.seconds;
  out["schedule"] = options.by_function ? "functions" : "threads";
  out["confidence"] = 0.95;
  out["bounds_of_shares"] = "wilson";
  out["bounds_of_estimates"] = "bootstrap over runs";
  if (simulation.limit != properties::Limit::none) {
    out["limit"] = properties::to_string(simulation.limit);
  }
  out["results"] = ordered_json::array();
  for (const SampledProperty& entry : report.properties) {
    ordered_json item;
    item["property"] = program.properties[entry.id].instance;
    item["result"] = entry.broken ? "violated" : entry.sampled ? "not broken" : "not sampled";
    if (entry.broken) {
      item["runs"] = entry.broken->runs;
      item["first_run"] = entry.broken->first_run;
      item["step"] = entry.broken->step;
    }
    if (entry.share && entry.sampled) item["share_of_runs"] = bounds_json(*entry.share);
    if (entry.largest) item["maximum_seen"] = number(*entry.largest);
    item["tested"] = entry.spoken;
    if (entry.broken) {
      item["trace_steps"] = entry.moves;
      item["shortest"] = entry.shortest;
    }
    if (entry.trace) {
      item["trace"] =
          counterexamples::trace_to_json(*entry.trace, program, sources, report.loaded.origin);
    }
    out["results"].push_back(std::move(item));
  }
  out["expressions"] = ordered_json::array();
  for (const SampledExpression& expression : report.expressions) {
    ordered_json item;
    item["expression"] = expression.text;
    for (const Estimate& estimate : expression.estimates) {
      item[estimate.name] = estimate_json(estimate);
    }
    if (expression.least) item["least"] = number(*expression.least);
    if (expression.most) item["most"] = number(*expression.most);
    out["expressions"].push_back(std::move(item));
  }
  out["rates"] = ordered_json::array();
  for (const SampledRate& rate : report.rates) {
    ordered_json item = estimate_json(rate.estimate);
    item["rate"] = rate.text;
    item["numerator"] = number(rate.numerator);
    item["denominator"] = number(rate.denominator);
    out["rates"].push_back(std::move(item));
  }
  return counterexamples::json_text(out, true);
}

}  // namespace txproof::cli
