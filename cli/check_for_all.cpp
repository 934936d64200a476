// txproof check STACK --for-all W,L,R: a verdict for each property, for all values.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/for_all.h"
#include "cli/json_parts.h"
#include "cli/output.h"
#include "cli/report.h"
#include "counterexamples/render_json.h"
#include "counterexamples/render_text.h"
#include "counterexamples/replay.h"

namespace txproof::cli {

using checker::forall::Decision;
using nlohmann::ordered_json;
using properties::ExitStatus;
using properties::Verdict;

namespace {

struct Item {
  Decision decision;
  std::optional<counterexamples::Trace> trace;  // violated
  std::vector<std::string> files;               // of its certificate
};

std::string names(const program::Program& program) {
  std::string out;
  for (const program::Parameter& parameter : program.parameters) {
    if (parameter.slot != program::no_id) out += (out.empty() ? "" : ", ") + parameter.name;
  }
  return out;
}

class Run {
 public:
  Run(const Options& options, const std::atomic<bool>& interrupted)
      : options_(options), interrupted_(interrupted), workspace_(options) {}

  ExitStatus run() {
    const std::string error = prepare_certificate_folder(options_);
    if (!error.empty()) {
      say(error);
      return ExitStatus::unusable;
    }
    Variant variant;
    variant.patches = options_.patches;
    std::vector<LoadedStack> stacks = workspace_.load_stacks(options_.stack_file, variant);
    write_diagnostics(workspace_);
    if (stacks.empty()) return ExitStatus::unusable;
    loaded_ = std::move(stacks[0]);
    ForAll for_all(loaded_, options_, interrupted_);
    checker::forall::Refuter refuter = for_all.refuter();
    ProgressLine line(loaded_.stack->name);
    checker::forall::Settings settings = for_all.settings();
    settings.progress = [&](const std::string& text) { line.note(text, for_all.seconds()); };
    checker::forall::Decider decider(program(), settings, refuter);
    for (Decision& decision : decider.decide(asked()))
      items_.push_back({std::move(decision), {}, {}});
    if (!for_all.trouble().empty()) {
      say("a concrete instance could not be made: " + for_all.trouble());
      status_ = worse(status_, ExitStatus::unusable);
    }
    for (Item& item : items_) finish(item);
    seconds_ = for_all.seconds();
    return write_result(options_, options_.format == Format::json ? json() : text(), status_);
  }

 private:
  [[nodiscard]] const program::Program& program() const { return *loaded_.program; }
  [[nodiscard]] const program::Property& property(const Item& item) const {
    return program().properties[item.decision.property];
  }

  [[nodiscard]] std::vector<program::PropertyId> asked() const {
    std::vector<program::PropertyId> out;
    for (program::PropertyId id = 0; id < program().properties.size(); ++id) {
      const program::Property& p = program().properties[id];
      if (p.is_watch) continue;
      const bool named = std::find(options_.properties.begin(), options_.properties.end(),
                                   p.name) != options_.properties.end();
      if (options_.properties.empty() || named) out.push_back(id);
    }
    return out;
  }

  // Replays what was refuted, writes down what was proved, and settles the exit status.
  void finish(Item& item) {
    Decision& decision = item.decision;
    if (decision.recheck_failed) {
      say("internal error: '" + property(item).instance + "': " + decision.reason);
      status_ = worse(status_, ExitStatus::internal_error);
    }
    switch (decision.verdict) {
      case Verdict::holds: {
        const std::string error = write_proof(options_, *decision.proof, item.files);
        if (!error.empty()) {
          say(error);
          status_ = worse(status_, ExitStatus::unusable);
        }
        if (decision.vacuous) status_ = worse(status_, ExitStatus::nothing_checked);
        break;
      }
      case Verdict::violated: {
        counterexamples::Replay replay = counterexamples::replay(
            *decision.instance->program, decision.result->property, *decision.result->path);
        if (replay.trace) {
          item.trace = std::move(replay.trace);
          status_ = worse(status_, ExitStatus::violation);
          break;
        }
        say("internal error: the interpreter does not confirm the violation of '" +
            property(item).instance + "' (" + replay.mismatch + ")");
        status_ = worse(status_, ExitStatus::internal_error);
        break;
      }
      case Verdict::inconclusive:
        status_ = worse(status_, ExitStatus::inconclusive);
        break;
    }
  }

  [[nodiscard]] std::string text() const {
    const std::string known = known_parameters_text(program());
    std::string out = loaded_.stack->name + " (" + loaded_.origin.file + ")  for all " +
                      names(program()) + (known.empty() ? "" : "; with " + known) + "\n";
    std::string assumed;
    for (const std::string& assumption : options_.assumptions) {
      assumed += (assumed.empty() ? "" : ", ") + assumption;
    }
    if (!assumed.empty()) out += "  assuming " + assumed + "\n";
    for (const Item& item : items_) out += line(item);
    out += fmt::format("  parametric: {:.1f} s\n", seconds_);
    for (const Item& item : items_) {
      if (!item.trace) continue;
      counterexamples::TextOptions options;
      options.full = options_.full_traces;
      options.color = use_color(options_);
      out += "\n" + counterexamples::render_text(*item.trace, *item.decision.instance->program,
                                                 workspace_.sources(), options);
    }
    return out;
  }

  [[nodiscard]] std::string line(const Item& item) const {
    const Decision& decision = item.decision;
    std::string out = fmt::format("  {:<13} {}\n", properties::to_string(decision.verdict),
                                  property(item).instance);
    switch (decision.verdict) {
      case Verdict::holds:
        out += fmt::format(
            "                  an invariant of {} facts; checked again by a fresh Z3{}\n",
            decision.proof->facts, decision.proof->report.asked_cvc5 ? " and by cvc5" : "");
        if (decision.vacuous) out += "                  vacuous: " + *decision.vacuous + "\n";
        break;
      case Verdict::violated:
        out += "                  at " + values(item) + ", the smallest such values\n";
        break;
      case Verdict::inconclusive:
        out += "                  " + decision.reason + "\n";
        break;
    }
    return out;
  }

  [[nodiscard]] std::string values(const Item& item) const {
    return checker::forall::values_text(program(), item.decision.instance->values);
  }

  [[nodiscard]] std::string json() const {
    ordered_json out = model_head(loaded_, "txproof/for-all/1");
    ordered_json unknown = ordered_json::array();
    ordered_json known = ordered_json::object();
    for (const program::Parameter& parameter : program().parameters) {
      if (parameter.slot != program::no_id) {
        unknown.push_back(parameter.name);
      } else {
        known[parameter.name] = number(parameter.value);
      }
    }
    out["for_all"] = std::move(unknown);
    out["parameters"] = std::move(known);
    out["assumptions"] = options_.assumptions;
    ordered_json results = ordered_json::array();
    for (const Item& item : items_) results.push_back(result(item));
    out["results"] = std::move(results);
    out["seconds"] = seconds_;
    return counterexamples::json_text(out, true);
  }

  [[nodiscard]] ordered_json result(const Item& item) const {
    const Decision& decision = item.decision;
    ordered_json out;
    out["property"] = property(item).name;
    if (property(item).instance != property(item).name) out["instance"] = property(item).instance;
    out["verdict"] = properties::to_string(decision.verdict);
    if (decision.vacuous) out["vacuous"] = *decision.vacuous;
    out["engine"] = "parametric";
    out["seconds"] = decision.seconds;
    if (decision.verdict == Verdict::inconclusive) {
      out["limit"] = properties::to_string(decision.limit);
      out["reason"] = decision.reason;
    }
    if (decision.proof) {
      out["facts"] = decision.proof->facts;
      ordered_json checked = {"z3"};
      if (decision.proof->report.asked_cvc5) checked.push_back("cvc5");
      out["checked_by"] = std::move(checked);
      if (!item.files.empty()) out["certificate"] = item.files;
    }
    if (decision.instance != nullptr) {
      ordered_json at = ordered_json::object();
      std::size_t next = 0;
      for (const program::Parameter& parameter : program().parameters) {
        if (parameter.slot == program::no_id) continue;
        at[parameter.name] = number(decision.instance->values[next++]);
      }
      out["at"] = std::move(at);
      out["states"] = decision.instance->exploration.states;
    }
    if (item.trace) {
      out["trace"] = counterexamples::trace_to_json(*item.trace, *decision.instance->program,
                                                    workspace_.sources(), loaded_.origin);
    }
    return out;
  }

  const Options& options_;
  const std::atomic<bool>& interrupted_;
  mutable Workspace workspace_;
  LoadedStack loaded_;
  std::vector<Item> items_;
  ExitStatus status_ = ExitStatus::good;
  double seconds_ = 0;
};

}  // namespace

ExitStatus run_check_for_all(const Options& options, const std::atomic<bool>& interrupted) {
  return Run(options, interrupted).run();
}

}  // namespace txproof::cli
