#include "cli/run.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "checker/engines/engines.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "counterexamples/replay.h"
#include "properties/memory_bounds.h"

namespace txproof::cli {

namespace fs = std::filesystem;

namespace {

bool is_builtin(const program::Property& property) {
  return property.kind == program::PropertyKind::builtin ||
         property.kind == program::PropertyKind::deadlock;
}

std::string file_name(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
    out += plain ? c : '_';
  }
  return out;
}

}  // namespace

properties::Exploration explore(const program::Program& program, const Options& options,
                                const RunSettings& settings, const std::atomic<bool>& interrupted) {
  ProgressLine line(settings.what);
  checker::SearchOptions search;
  search.jobs = options.jobs;
  search.max_depth = options.max_depth;
  search.time_limit = options.time_limit;
  search.memory_limit = options.memory_limit;
  search.coverage = options.coverage || settings.everything;
  search.stop_when_decided = !search.coverage;
  search.decide = settings.decide;
  search.interrupted = &interrupted;
  if (!settings.silent) {
    search.progress = [&line](const checker::Progress& progress) { line.show(progress); };
  }
  properties::Exploration exploration = checker::find_engine(options.engine)->run(program, search);
  properties::respect_bounds(program, exploration);
  return exploration;
}

StackReport run_stack(LoadedStack loaded, const Options& options, const RunSettings& settings,
                      const std::atomic<bool>& interrupted) {
  StackReport report;
  report.loaded = std::move(loaded);
  const program::Program& program = *report.loaded.program;
  report.exploration = explore(program, options, settings, interrupted);

  report.asked_by_name = !options.properties.empty();
  report.only_builtins = report.loaded.stack->checks.empty();
  report.traces.resize(report.exploration.results.size());
  for (std::size_t i = 0; i < report.exploration.results.size(); ++i) {
    const properties::Result& result = report.exploration.results[i];
    const program::Property& property = program.properties[result.property];
    if (property.is_watch) continue;
    const bool asked = options.properties.empty() ||
                       std::find(options.properties.begin(), options.properties.end(),
                                 property.name) != options.properties.end();
    if (!asked) continue;
    report.shown.push_back(i);
    if (result.verdict != properties::Verdict::violated || !result.path) continue;
    counterexamples::Replay replay =
        counterexamples::replay(program, result.property, *result.path);
    if (replay.trace) {
      report.traces[i] = std::move(replay.trace);
    } else {
      report.internal_errors.push_back("the interpreter does not confirm the violation of '" +
                                       property.instance + "' (step " +
                                       std::to_string(replay.step) + ": " + replay.mismatch +
                                       "); this is a bug of txproof, and no verdict");
    }
  }
  return report;
}

properties::ExitStatus status_of(const StackReport& report) {
  using properties::ExitStatus;
  ExitStatus status = ExitStatus::good;
  bool tested = false;
  for (const std::size_t i : report.shown) {
    const properties::Result& result = report.exploration.results[i];
    const program::Property& property = report.loaded.program->properties[result.property];
    if (result.verdict == properties::Verdict::violated) {
      status = worse(status, ExitStatus::violation);
    }
    if (result.verdict == properties::Verdict::inconclusive) {
      status = worse(status, ExitStatus::inconclusive);
    }
    // The built-in ones are there in any case: alone, they make no check, unless asked for by name.
    const bool counts = !is_builtin(property) || report.asked_by_name;
    if (counts && !result.vacuous) tested = true;
  }
  if (!report.loaded.unusable.empty()) status = worse(status, ExitStatus::inconclusive);
  if (!tested) status = worse(status, ExitStatus::nothing_checked);
  if (!report.internal_errors.empty()) status = worse(status, ExitStatus::internal_error);
  return status;
}

std::string prepare_traces_folder(const Options& options) {
  if (options.traces_folder.empty()) return "";
  std::error_code error;
  fs::create_directories(options.traces_folder, error);
  if (error && !fs::is_directory(options.traces_folder)) {
    return "cannot make the folder '" + options.traces_folder + "': " + error.message();
  }
  if (::access(options.traces_folder.c_str(), W_OK | X_OK) != 0) {
    return "the folder '" + options.traces_folder + "' cannot be written";
  }
  return "";
}

std::string write_traces(const StackReport& report, const lang::SourceSet& sources,
                         const Options& options, const std::string& prefix,
                         std::vector<std::string>& written) {
  written.assign(report.traces.size(), "");
  if (options.traces_folder.empty()) return "";
  const program::Program& program = *report.loaded.program;
  std::set<std::string> taken;
  for (std::size_t i = 0; i < report.traces.size(); ++i) {
    if (!report.traces[i]) continue;
    std::string name = file_name(prefix + program.properties[report.traces[i]->property].instance);
    while (!taken.insert(name).second) name += "_";  // f(a) and f[a] are written alike
    const bool itf = options.format == Format::itf;
    const fs::path path = fs::path(options.traces_folder) / (name + (itf ? ".itf.json" : ".json"));
    const std::string text =
        itf ? counterexamples::trace_to_itf(*report.traces[i], program, sources)
            : counterexamples::json_text(
                  counterexamples::trace_to_json(*report.traces[i], program, sources,
                                                 report.loaded.origin),
                  true);
    std::string error = write_file(path.string(), text);
    if (!error.empty()) return error;
    written[i] = path.string();
  }
  return "";
}

}  // namespace txproof::cli
