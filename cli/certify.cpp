// txproof certify DIR: checks certificates again, and does nothing else.
#include "checker/certify/certify.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/json_parts.h"
#include "cli/output.h"
#include "counterexamples/render_json.h"

namespace txproof::cli {

using checker::certify::Outcome;
using checker::certify::Report;
using nlohmann::ordered_json;
using properties::ExitStatus;

namespace {

std::string certify_json(const Report& report) {
  ordered_json out;
  out["tool"] = "txproof";
  out["version"] = TXPROOF_VERSION;
  out["schema"] = "txproof/certify/1";
  out["good"] = report.good();
  ordered_json texts = ordered_json::array();
  for (const Outcome& outcome : report.outcomes) {
    ordered_json text = {{"file", outcome.file}, {"z3", outcome.z3}};
    if (!outcome.cvc5.empty()) text["cvc5"] = outcome.cvc5;
    text["seconds"] = outcome.seconds;
    if (!outcome.problem.empty()) text["problem"] = outcome.problem;
    texts.push_back(std::move(text));
  }
  out["texts"] = std::move(texts);
  if (!report.problem.empty()) out["problem"] = report.problem;
  return counterexamples::json_text(out, true);
}

std::string certify_text(const Report& report) {
  std::string out;
  for (const Outcome& outcome : report.outcomes) {
    out += fmt::format("  {:<48} z3 {}", outcome.file, outcome.z3);
    if (!outcome.cvc5.empty()) out += ", cvc5 " + outcome.cvc5;
    out += fmt::format("  {:.1f} s\n", outcome.seconds);
    if (!outcome.problem.empty()) out += "    does not check: " + outcome.problem + "\n";
  }
  if (!report.problem.empty()) out += "  does not check: " + report.problem + "\n";
  if (report.good()) {
    out += report.asked_cvc5 ? "every obligation is unsat in a fresh Z3 and in cvc5\n"
                             : "every obligation is unsat in a fresh Z3; cvc5 is not installed\n";
  }
  return out;
}

}  // namespace

ExitStatus run_certify(const Options& options, const std::atomic<bool>& interrupted) {
  checker::certify::Settings settings;
  settings.interrupted = &interrupted;
  if (options.time_limit) settings.seconds = *options.time_limit;
  const Report report = checker::certify::certify_folder(options.operands[0], settings);
  if (report.outcomes.empty()) {
    say(report.problem);
    return report.is_unusable ? ExitStatus::unusable : ExitStatus::internal_error;
  }
  return write_result(options,
                      options.format == Format::json ? certify_json(report) : certify_text(report),
                      report.good() ? ExitStatus::good : ExitStatus::internal_error);
}

}  // namespace txproof::cli
