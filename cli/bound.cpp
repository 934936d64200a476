// txproof bound STACK EXPR: the largest value of an expression, and a shortest way to it.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/json_parts.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/run.h"
#include "counterexamples/render_json.h"
#include "counterexamples/render_text.h"
#include "counterexamples/replay.h"

namespace txproof::cli {

using nlohmann::ordered_json;
using properties::ExitStatus;

namespace {

struct Bound {
  LoadedStack loaded;
  properties::Exploration exploration;
  const properties::Result* result = nullptr;
  std::optional<counterexamples::Trace> trace;
  std::string internal_error;
};

// The witness as a trace. The replay confirms a violation, so it is asked to confirm that one less
// would be exceeded.
void replay_witness(Bound& bound) {
  program::Program& program = *bound.loaded.program;
  program::Expr below;
  below.value = *bound.result->value - 1;
  below.range = {below.value, below.value};
  program.exprs.push_back(below);
  program.properties[bound.result->property].claims[0].right =
      static_cast<program::ExprId>(program.exprs.size() - 1);
  counterexamples::Replay replay =
      counterexamples::replay(program, bound.result->property, *bound.result->value_path);
  if (!replay.trace) {
    bound.internal_error = "the interpreter does not confirm the value (step " +
                           std::to_string(replay.step) + ": " + replay.mismatch + ")";
    return;
  }
  bound.trace = std::move(replay.trace);
  bound.trace->kind = "maximum";
  bound.trace->message = "reaches " + std::to_string(*bound.result->value);
}

std::string bound_json(const Bound& bound, const lang::SourceSet& sources, const Options& options) {
  ordered_json out = model_head(bound.loaded, "txproof/bound/1");
  const properties::Exploration& e = bound.exploration;
  out["expression"] = options.expression;
  if (bound.result->value) out["value"] = number(*bound.result->value);
  out["value_is_exact"] = bound.result->value_is_exact;
  if (!bound.result->value_is_exact) {
    out["limit"] = properties::to_string(bound.result->limit);
    out["reason"] = bound.result->reason;
  }
  out["engine"] = e.engine;
  out["states"] = e.states;
  out["transitions"] = e.transitions;
  out["depth"] = e.depth;
  out["seconds"] = e.seconds;
  out["stopped_by_fault"] = e.stopped_by_fault;
  if (bound.trace) {
    out["trace"] = counterexamples::trace_to_json(*bound.trace, *bound.loaded.program, sources,
                                                  bound.loaded.origin);
  }
  return counterexamples::json_text(out, true);
}

std::string bound_text(const Bound& bound, const lang::SourceSet& sources, const Options& options) {
  const properties::Exploration& e = bound.exploration;
  const std::string parameters = parameters_text(*bound.loaded.program);
  std::string out = bound.loaded.stack->name + " (" + bound.loaded.origin.file + ")" +
                    (parameters.empty() ? "" : "  " + parameters) + "\n";
  if (bound.result->value) {
    out += "  " + options.expression +
           (bound.result->value_is_exact ? " is at most " : " is at least once ") +
           std::to_string(*bound.result->value) +
           (bound.result->value_is_exact ? ", and that is reached\n" : "\n");
  }
  if (!bound.result->value_is_exact) out += "  inconclusive: " + bound.result->reason + "\n";
  out += fmt::format("  {}: {} states, {} transitions, depth {}, {:.1f} s\n", e.engine, e.states,
                     e.transitions, e.depth, e.seconds);
  if (e.stopped_by_fault) {
    out += "  not looked at: what comes after a violation of a built-in property\n";
  }
  if (!bound.trace) return out;
  counterexamples::TextOptions text;
  text.full = options.full_traces;
  text.color = use_color(options);
  text.witness_of = options.expression;
  return out + "\n" +
         counterexamples::render_text(*bound.trace, *bound.loaded.program, sources, text);
}

}  // namespace

ExitStatus run_bound(const Options& options, const std::atomic<bool>& interrupted) {
  if (!options.for_all.empty()) return run_bound_for_all(options, interrupted);
  Workspace workspace(options);
  Variant variant;
  variant.patches = options.patches;
  variant.expression = options.expression;
  std::vector<LoadedStack> stacks = workspace.load_stacks(options.stack_file, variant);
  write_diagnostics(workspace);
  if (stacks.empty()) return ExitStatus::unusable;

  Bound bound;
  bound.loaded = std::move(stacks[0]);
  RunSettings settings;
  settings.what = "bound";
  bound.exploration = explore(*bound.loaded.program, options, settings, interrupted);
  for (const properties::Result& result : bound.exploration.results) {
    const program::Property& property = bound.loaded.program->properties[result.property];
    if (property.name == bound.loaded.question) bound.result = &result;
  }
  if (bound.result == nullptr) {
    say("internal error: the question was lost");
    return ExitStatus::internal_error;
  }
  if (bound.result->value && bound.result->value_path) replay_witness(bound);
  if (!bound.internal_error.empty()) {
    say("internal error: " + bound.internal_error);
    return ExitStatus::internal_error;
  }
  const ExitStatus status =
      bound.result->value_is_exact ? ExitStatus::good : ExitStatus::inconclusive;
  if (options.format == Format::itf) {
    const std::string itf = bound.trace
                                ? counterexamples::trace_to_itf(*bound.trace, *bound.loaded.program,
                                                                workspace.sources())
                                : "";
    return write_result(options, itf, status);
  }
  return write_result(options,
                      options.format == Format::json
                          ? bound_json(bound, workspace.sources(), options)
                          : bound_text(bound, workspace.sources(), options),
                      status);
}

}  // namespace txproof::cli
