// txproof simulate STACK: random runs, and what they say about sizes that no search reaches.
#include "checker/sampling/simulate.h"

#include <algorithm>
#include <stdexcept>

#include "checker/sampling/shorten.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "cli/progress.h"
#include "cli/sample_report.h"
#include "counterexamples/replay.h"

namespace txproof::cli {

using checker::sampling::Plan;
using checker::sampling::SimulateOptions;
using properties::ExitStatus;

namespace {

// A trace keeps every state and follows every packet: beyond so many words it is only confirmed.
constexpr std::size_t most_trace_words = 20'000'000;

std::vector<program::PropertyId> ids_of(const LoadedStack& loaded, std::size_t first,
                                        std::size_t count) {
  std::vector<program::PropertyId> out;
  const auto& properties = loaded.program->properties;
  for (std::size_t i = first; i < first + count; ++i) {
    const auto found = std::find_if(
        properties.begin(), properties.end(),
        [&](const program::Property& property) { return property.name == loaded.questions[i]; });
    if (found == properties.end()) throw std::logic_error("a question was lost");
    out.push_back(static_cast<program::PropertyId>(found - properties.begin()));
  }
  return out;
}

// Whether the interpreter goes the same way and meets the same violation. Keeps one state only.
bool interpreter_confirms(const program::Program& program, program::PropertyId property,
                          const properties::Path& path) {
  const program::Interpreter interpreter(program);
  program::State state = program::initial_state(program);
  program::Successor next;
  for (const program::Move& move : path.moves) {
    if (!interpreter.run(state, move, next)) return false;
    state = std::move(next.state);
  }
  if (path.violation != program::no_id) {
    return std::any_of(next.faults.begin(), next.faults.end(), [&](const program::Fault& fault) {
      return fault.violation == path.violation;
    });
  }
  const program::Property& p = program.properties[property];
  if (p.claims.size() <= path.claim ||
      p.claims[path.claim].kind == program::PropertyKind::deadlock) {
    return interpreter.deadlocked(state);
  }
  const program::Claim& claim = p.claims[path.claim];
  switch (claim.kind) {
    case program::PropertyKind::always:
      return interpreter.evaluate(state, claim.condition) == 0;
    case program::PropertyKind::at_rest:
      return interpreter.at_rest(state) && interpreter.evaluate(state, claim.condition) == 0;
    case program::PropertyKind::maximum:
      return interpreter.evaluate(state, claim.left) > interpreter.evaluate(state, claim.right);
    default:
      return false;
  }
}

void add_trace(const Plan& plan, const SimulateOptions& settings, const Options& options,
               SampledProperty& entry, std::vector<std::string>& internal_errors) {
  checker::sampling::ShortenOptions limits;
  limits.memory_limit = std::min<std::uint64_t>(options.memory_limit, std::uint64_t{1} << 30U);
  limits.interrupted = settings.interrupted;
  const checker::sampling::Shortened shortened = checker::sampling::shorten(
      plan, entry.id, path_of(plan, settings, entry.broken->first_run, entry.id), limits);
  const program::Program& program = plan.program;
  entry.moves = shortened.path.moves.size();
  entry.shortest = shortened.shortest;
  const std::string where = program.properties[entry.id].instance;
  if (entry.moves * program.slots.size() > most_trace_words) {
    if (!interpreter_confirms(program, entry.id, shortened.path)) {
      internal_errors.push_back("the interpreter does not confirm the violation of '" + where +
                                "'; this is a bug of txproof, and no verdict");
    }
    return;
  }
  counterexamples::Replay replay = counterexamples::replay(program, entry.id, shortened.path);
  if (!replay.trace) {
    internal_errors.push_back("the interpreter does not confirm the violation of '" + where +
                              "' (step " + std::to_string(replay.step) + ": " + replay.mismatch +
                              "); this is a bug of txproof, and no verdict");
    return;
  }
  entry.trace = std::move(replay.trace);
}

std::string write_plot(const SampleReport& report, const Options& options, std::size_t points) {
  if (options.plot.empty()) return "";
  const std::vector<Course> courses =
      courses_of(report.simulation, options.expressions, options.steps, points);
  const bool csv = options.plot.ends_with(".csv");
  const std::string title = "sampling: " + report.loaded.stack->name + ", " +
                            std::to_string(report.simulation.runs.size()) + " runs, seed " +
                            std::to_string(options.seed) + "; mean, least to most";
  return write_file(options.plot, csv ? course_csv(courses) : course_svg(courses, title));
}

ExitStatus status_of(const SampleReport& report) {
  if (!report.internal_errors.empty()) return ExitStatus::internal_error;
  ExitStatus status = ExitStatus::good;
  if (report.simulation.limit != properties::Limit::none) status = ExitStatus::inconclusive;
  for (const SampledProperty& entry : report.properties) {
    if (entry.broken) status = worse(status, ExitStatus::violation);
  }
  const bool asked = !report.loaded.stack->checks.empty();
  return asked ? status : worse(status, ExitStatus::nothing_checked);
}

}  // namespace

ExitStatus run_simulate(const Options& options, const std::atomic<bool>& interrupted) {
  Workspace workspace(options);
  Variant variant;
  variant.patches = options.patches;
  for (const std::string& text : options.expressions) variant.questions.push_back({text, false});
  for (const std::string& text : options.rates) variant.questions.push_back({text, true});
  std::vector<LoadedStack> stacks = workspace.load_stacks(options.stack_file, variant);
  write_diagnostics(workspace);
  if (stacks.empty()) return ExitStatus::unusable;
  SampleReport report;
  report.loaded = std::move(stacks[0]);

  ProgressLine line("simulate " + report.loaded.stack->name);
  SimulateOptions settings;
  settings.seed = options.seed;
  settings.steps = options.steps;
  settings.runs = options.runs;
  settings.schedule = options.by_function ? checker::sampling::Schedule::functions
                                          : checker::sampling::Schedule::threads;
  settings.jobs = options.jobs;
  settings.time_limit = options.time_limit;
  settings.interrupted = &interrupted;
  settings.expressions = ids_of(report.loaded, 0, options.expressions.size());
  settings.rates = ids_of(report.loaded, options.expressions.size(), options.rates.size());
  std::vector<program::PropertyId> unwatched = settings.expressions;
  unwatched.insert(unwatched.end(), settings.rates.begin(), settings.rates.end());
  const Plan plan(*report.loaded.program, std::move(unwatched));
  report.simulation = checker::sampling::simulate(plan, settings);
  line.clear();
  estimate(options, report);
  for (SampledProperty& entry : report.properties) {
    if (entry.broken) add_trace(plan, settings, options, entry, report.internal_errors);
  }
  for (const std::string& error : report.internal_errors) say("internal error: " + error);
  const std::string failed = write_plot(report, options, settings.points);
  if (!failed.empty()) {
    say(failed);
    return ExitStatus::unusable;
  }
  return write_result(options,
                      options.format == Format::json
                          ? sample_json(report, workspace.sources(), options)
                          : sample_text(report, workspace.sources(), options),
                      status_of(report));
}

}  // namespace txproof::cli
