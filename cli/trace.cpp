// txproof trace show|replay FILE: runs a trace that was written again, against the model as it is.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/commands.h"
#include "cli/output.h"
#include "counterexamples/render_json.h"
#include "counterexamples/render_text.h"
#include "counterexamples/replay.h"

namespace txproof::cli {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using properties::ExitStatus;

namespace {

// A file that the trace names: as written, then beside the trace, then in the shipped library.
std::string find_file(const std::string& name, const std::string& trace_file) {
  if (name == "-" || fs::path(name).is_absolute()) return name;
  std::error_code error;
  if (fs::exists(name, error)) return name;
  const std::string library = library_root();
  for (const fs::path& folder : {fs::path(trace_file).parent_path(), fs::path(library)}) {
    if (!folder.empty() && fs::exists(folder / name, error)) return (folder / name).string();
  }
  return name;
}

struct Outcome {
  std::string text;  // for people
  ordered_json json;
  std::string itf;
  ExitStatus status = ExitStatus::good;
};

class Again {
 public:
  Again(const Options& options, const counterexamples::StoredTrace& stored,
        const std::string& trace_file, std::set<std::string>& said)
      : options_(options), stored_(stored), said_(said) {
    settings_.roots = options.roots;
    settings_.roots.insert(settings_.roots.end(), stored.origin.roots.begin(),
                           stored.origin.roots.end());
    settings_.stack = stored.origin.stack;
    for (const auto& [name, value] : stored.parameters) settings_.set.emplace_back(name, value);
    if (!stored.interleave.empty()) {
      settings_.interleave =
          stored.interleave == "fine" ? program::Interleave::fine : program::Interleave::coarse;
    }
    settings_.memory = stored.memory == "tso"    ? program::Memory::tso
                       : stored.memory == "weak" ? program::Memory::weak
                                                 : program::Memory::sc;
    if (stored.store_buffer != 0) settings_.store_depth = stored.store_buffer;
    file_ = find_file(stored.origin.file, trace_file);
    for (const std::string& patch : stored.origin.patches) {
      variant_.patches.push_back(find_file(patch, trace_file));
    }
    variant_.revision = stored.origin.revision;
  }

  Outcome run() {
    Outcome outcome;
    outcome.json = {{"property", stored_.property}, {"kind", stored_.kind}};
    if (file_ == "-") {
      say("the model of this trace came from standard input, which is gone");
      outcome.status = ExitStatus::unusable;
      return outcome;
    }
    Workspace workspace(settings_);
    std::vector<LoadedStack> stacks = workspace.load_stacks(file_, variant_);
    // The traces of one report mostly have one model, whose errors are told once.
    const std::string errors = diagnostics_text(workspace);
    if (said_.insert(errors).second) write_error(errors);
    if (stacks.empty()) {
      outcome.status = ExitStatus::unusable;
      return outcome;
    }
    const program::Program& program = *stacks[0].program;
    std::string reason;
    std::size_t step = 0;
    const auto path = counterexamples::resolve_path(stored_, program, reason);
    if (!path) {
      say("the trace of '" + stored_.property + "' cannot be replayed: " + reason);
      outcome.text = "cannot be replayed  " + stored_.property + "\n  " + reason + "\n";
      outcome.json["reproduced"] = false;
      outcome.json["step"] = 0;
      outcome.json["reason"] = reason;
      outcome.status = ExitStatus::unusable;
      return outcome;
    }
    // The file names the kind of violation, not its number: take the first that is there.
    for (const properties::Path& candidate : path->candidates) {
      counterexamples::Replay replay = counterexamples::replay(program, path->property, candidate);
      if (replay.trace) {
        found(*replay.trace, stacks[0], workspace.sources(), outcome);
        return outcome;
      }
      if (reason.empty() || replay.step > step) reason = replay.mismatch;
      step = std::max(step, replay.step);
    }
    outcome.text = "not violated by this trace any more  " + stored_.property + "\n  " +
                   (step > 0 ? "step " + std::to_string(step) + ": " : "") + reason + "\n";
    outcome.json["reproduced"] = false;
    outcome.json["step"] = step;
    outcome.json["reason"] = reason;
    return outcome;
  }

 private:
  void found(const counterexamples::Trace& trace, const LoadedStack& loaded,
             const lang::SourceSet& sources, Outcome& outcome) {
    counterexamples::TextOptions text;
    text.full = options_.full_traces;
    text.color = use_color(options_);
    outcome.text = counterexamples::render_text(trace, *loaded.program, sources, text);
    outcome.json["reproduced"] = true;
    outcome.json["trace"] =
        counterexamples::trace_to_json(trace, *loaded.program, sources, loaded.origin);
    outcome.itf = counterexamples::trace_to_itf(trace, *loaded.program, sources);
    if (options_.trace_action == "replay") outcome.status = ExitStatus::violation;
  }

  const Options& options_;
  const counterexamples::StoredTrace& stored_;
  std::set<std::string>& said_;
  Options settings_;  // those of the run that found the trace
  Variant variant_;
  std::string file_;
};

}  // namespace

ExitStatus run_trace(const Options& options) {
  if (options.format == Format::junit || options.format == Format::jsonl) {
    say("trace writes text, json and itf");
    return ExitStatus::unusable;
  }
  Workspace workspace(options);
  ExitStatus status = ExitStatus::good;
  std::string out;
  std::set<std::string> said;
  ordered_json results = ordered_json::array();
  for (const std::string& file : options.operands) {
    const lang::FileProvider::Answer answer = workspace.read(file);
    std::string error;
    if (!answer.text) error = answer.error.empty() ? "there is no such file" : answer.error;
    std::vector<counterexamples::StoredTrace> traces;
    if (error.empty()) traces = counterexamples::traces_from_json(*answer.text, error);
    if (!error.empty()) {
      say("'" + file + "' cannot be used as a trace: " + error);
      status = worse(status, ExitStatus::unusable);
      continue;
    }
    for (const counterexamples::StoredTrace& stored : traces) {
      Outcome outcome = Again(options, stored, file, said).run();
      status = worse(status, outcome.status);
      out += options.format == Format::itf ? outcome.itf : (out.empty() ? "" : "\n") + outcome.text;
      results.push_back(std::move(outcome.json));
    }
  }
  if (options.format == Format::json) {
    ordered_json report = {{"tool", "txproof"},
                           {"version", TXPROOF_VERSION},
                           {"schema", "txproof/replay/1"},
                           {"results", std::move(results)}};
    out = counterexamples::json_text(report, true);
  }
  return write_result(options, out, status);
}

}  // namespace txproof::cli
