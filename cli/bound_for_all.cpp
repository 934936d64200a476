// txproof bound STACK EXPR --for-all W,L,R: the least linear bound that holds for all values.
#include <fmt/format.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/for_all.h"
#include "cli/json_parts.h"
#include "cli/output.h"
#include "cli/run.h"
#include "counterexamples/render_json.h"

namespace txproof::cli {

using checker::forall::Proof;
using checker::forall::Prover;
using nlohmann::ordered_json;
using program::Word;
using properties::ExitStatus;

namespace {

// A bound that was proved, and where the concrete Program reaches it.
struct Proved {
  Prover::Candidate candidate;
  Proof proof;
  std::size_t reached = 0, tried = 0;
};

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
    variant.expression = options_.expression;
    std::vector<LoadedStack> stacks = workspace_.load_stacks(options_.stack_file, variant);
    write_diagnostics(workspace_);
    if (stacks.empty()) return ExitStatus::unusable;
    loaded_ = std::move(stacks[0]);
    ForAll for_all(loaded_, options_, interrupted_);
    search(for_all);
    for (Proved& proved : proved_) {
      const std::string failed = write_proof(options_, proved.proof, files_);
      if (failed.empty()) continue;
      say(failed);
      status_ = worse(status_, ExitStatus::unusable);
    }
    if (proved_.empty()) status_ = worse(status_, ExitStatus::inconclusive);
    seconds_ = for_all.seconds();
    return write_result(options_, options_.format == Format::json ? json() : text(), status_);
  }

 private:
  [[nodiscard]] const program::Program& program() const { return *loaded_.program; }

  void search(ForAll& for_all) {
    program::PropertyId question = program::no_id;
    for (program::PropertyId id = 0; id < program().properties.size(); ++id) {
      if (program().properties[id].name == loaded_.question) question = id;
    }
    ProgressLine line(loaded_.stack->name);
    checker::forall::Settings settings = for_all.settings();
    settings.progress = [&](const std::string& text) { line.note(text, for_all.seconds()); };
    Prover prover(program(), settings);
    reason_ = prover.sample();
    if (!reason_.empty()) return;
    const std::string served = checker::forall::not_served(program().properties[question]);
    if (!served.empty()) {
      reason_ = served;
      return;
    }
    std::vector<Prover::Candidate> candidates =
        prover.bounds(program().properties[question].claims[0].left);
    reason_ = "no linear bound in the parameters fits what was seen";
    std::vector<std::pair<std::vector<Word>, Word>> points = concrete_values(for_all, question);
    std::vector<Proved> found;
    for (Prover::Candidate& candidate : candidates) {
      if (settings.stop()) {
        reason_ = "a limit ended the search";
        break;
      }
      Proof proof = prover.prove_bound(question, candidate.bound);
      if (proof.recheck_failed) {
        say("internal error: " + candidate.text + ": " + proof.reason);
        status_ = worse(status_, ExitStatus::internal_error);
      }
      if (!proof.proved) {
        reason_ = candidate.text + " fits what was seen, but " + proof.reason;
        continue;
      }
      Proved proved{std::move(candidate), std::move(proof), 0, points.size()};
      for (const auto& [values, value] : points) {
        if (at(proved.candidate.bound, values) == value) ++proved.reached;
      }
      found.push_back(std::move(proved));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Proved& a, const Proved& b) { return a.reached > b.reached; });
    // Those that are reached nowhere, or only where an earlier one is, say nothing more.
    for (Proved& proved : found) {
      if (proved_.empty() || sharper_somewhere(proved, points))
        proved_.push_back(std::move(proved));
    }
    for (std::size_t i = 0; i < proved_.size(); ++i) {
      if (i > 0) proved_[i].proof.certificate.property += "." + std::to_string(i + 1);
    }
  }

  // The parameters of the stack alone occur in a bound.
  [[nodiscard]] Word at(const checker::parametric::Linear& bound,
                        const std::vector<Word>& values) const {
    std::vector<Word> state(program().slots.size(), 0);
    std::size_t next = 0;
    for (const program::Parameter& parameter : program().parameters) {
      if (parameter.slot != program::no_id) state[parameter.slot] = values[next++];
    }
    return checker::parametric::evaluate(bound, state);
  }

  [[nodiscard]] bool sharper_somewhere(
      const Proved& proved, const std::vector<std::pair<std::vector<Word>, Word>>& points) const {
    return std::any_of(points.begin(), points.end(), [&](const auto& point) {
      const Word mine = at(proved.candidate.bound, point.first);
      return std::all_of(proved_.begin(), proved_.end(), [&](const Proved& other) {
        return mine < at(other.candidate.bound, point.first);
      });
    });
  }

  // The exact maximum at each of the small values.
  std::vector<std::pair<std::vector<Word>, Word>> concrete_values(ForAll& for_all,
                                                                  program::PropertyId question) {
    std::vector<std::pair<std::vector<Word>, Word>> out;
    checker::forall::Refuter refuter = for_all.refuter();
    const std::string& name = program().properties[question].instance;
    for (const std::vector<Word>& values : checker::forall::small_values(program())) {
      const checker::forall::Instance* instance = refuter.at(values, {name});
      if (instance == nullptr) continue;
      const properties::Result* result = checker::forall::result_of(*instance, name);
      if (result != nullptr && result->value && result->value_is_exact) {
        out.emplace_back(values, *result->value);
      }
    }
    return out;
  }

  [[nodiscard]] std::string unknown() const {
    std::string out;
    for (const program::Parameter& parameter : program().parameters) {
      if (parameter.slot != program::no_id) out += (out.empty() ? "" : ", ") + parameter.name;
    }
    return out;
  }

  [[nodiscard]] std::string text() const {
    const std::string known = known_parameters_text(program());
    std::string out = loaded_.stack->name + " (" + loaded_.origin.file + ")  for all " + unknown() +
                      (known.empty() ? "" : "; with " + known) + "\n";
    for (const std::string& assumption : options_.assumptions) {
      out += "  assuming " + assumption + "\n";
    }
    for (const Proved& proved : proved_) {
      out += "  " + options_.expression + " <= " + proved.candidate.text + ", proved\n";
      out += fmt::format(
          "    an invariant of {} facts; checked again by a fresh Z3{}\n"
          "    reached at {} of the {} small values that were searched\n",
          proved.proof.facts, proved.proof.report.asked_cvc5 ? " and by cvc5" : "", proved.reached,
          proved.tried);
    }
    if (proved_.empty()) out += "  inconclusive: " + reason_ + "\n";
    return out + fmt::format("  parametric: {:.1f} s\n", seconds_);
  }

  [[nodiscard]] std::string json() const {
    ordered_json out = model_head(loaded_, "txproof/bound-for-all/1");
    ordered_json names = ordered_json::array();
    ordered_json known = ordered_json::object();
    for (const program::Parameter& parameter : program().parameters) {
      if (parameter.slot != program::no_id) {
        names.push_back(parameter.name);
      } else {
        known[parameter.name] = number(parameter.value);
      }
    }
    out["for_all"] = std::move(names);
    out["parameters"] = std::move(known);
    out["assumptions"] = options_.assumptions;
    out["expression"] = options_.expression;
    ordered_json bounds = ordered_json::array();
    for (const Proved& proved : proved_) {
      bounds.push_back({{"bound", proved.candidate.text},
                        {"facts", proved.proof.facts},
                        {"reached_at", proved.reached},
                        {"tried", proved.tried}});
    }
    out["bounds"] = std::move(bounds);
    if (proved_.empty()) out["reason"] = reason_;
    if (!files_.empty()) out["certificate"] = files_;
    out["engine"] = "parametric";
    out["seconds"] = seconds_;
    return counterexamples::json_text(out, true);
  }

  const Options& options_;
  const std::atomic<bool>& interrupted_;
  Workspace workspace_;
  LoadedStack loaded_;
  std::vector<Proved> proved_;
  std::vector<std::string> files_;
  std::string reason_;
  ExitStatus status_ = ExitStatus::good;
  double seconds_ = 0;
};

}  // namespace

ExitStatus run_bound_for_all(const Options& options, const std::atomic<bool>& interrupted) {
  return Run(options, interrupted).run();
}

}  // namespace txproof::cli
