// From the command line to the exit status.
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>

#include "checker/engines/child.h"
#include "cli/commands.h"
#include "cli/interrupt.h"
#include "cli/output.h"

namespace txproof::cli {

using properties::ExitStatus;

namespace {

ExitStatus dispatch(const Options& options, const std::atomic<bool>& interrupted) {
  switch (options.command) {
    case Command::check:
      return run_check(options, interrupted);
    case Command::diff:
      return run_diff(options, interrupted);
    case Command::bound:
      return run_bound(options, interrupted);
    case Command::frontier:
      return run_frontier(options, interrupted);
    case Command::mutate:
      return run_mutate(options, interrupted);
    case Command::simulate:
      return run_simulate(options, interrupted);
    case Command::export_to:
      return run_export(options);
    case Command::trace:
      return run_trace(options);
    case Command::explain:
      return run_explain(options);
    case Command::fmt:
      return run_fmt(options);
    case Command::certify:
      return run_certify(options, interrupted);
  }
  return ExitStatus::internal_error;
}

// A proof for all values is Z3's work from end to end; see checker/engines/child.h.
ExitStatus dispatch_in_child(const Options& options, const std::atomic<bool>& interrupted) {
  const checker::ChildEnd end = checker::in_child(
      [&] { return std::to_string(static_cast<int>(dispatch(options, interrupted))); },
      options.time_limit, &interrupted);
  if (!end.error.empty()) throw std::runtime_error(end.error);
  if (end.answer) return static_cast<ExitStatus>(std::stoi(*end.answer));
  say(end.overran ? "inconclusive: the solver did not end at the time limit and was stopped"
      : end.interrupted
          ? "inconclusive: interrupted"
          : "inconclusive: the solver broke off (signal " + std::to_string(end.signal) + ")");
  return ExitStatus::inconclusive;
}

}  // namespace

void write_diagnostics(Workspace& workspace) { write_error(diagnostics_text(workspace)); }

std::string diagnostics_text(Workspace& workspace) {
  constexpr std::size_t most = 200;
  workspace.diagnostics().sort();
  std::string text;
  std::size_t count = 0;
  for (const lang::Diagnostic& diagnostic : workspace.diagnostics().all()) {
    if (++count <= most) text += lang::render(workspace.sources(), diagnostic);
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  if (count > most) text += "... and " + std::to_string(count - most) + " more\n";
  for (const std::string& note : workspace.notes()) text += "txproof: note: " + note + "\n";
  return text;
}

ExitStatus run(const std::vector<std::string>& arguments) {
  try {
    const std::atomic<bool>& interrupted = catch_signals();
    Options options;
    const Parsed parsed = parse_arguments(arguments, options);
    if (parsed.failed) {
      write_error(parsed.text);
      return ExitStatus::unusable;
    }
    if (!parsed.run) return write_result(options, parsed.text, ExitStatus::good);
    std::string error = check_output(options);
    for (const std::string& root : options.roots) {
      std::error_code code;
      if (error.empty() && !std::filesystem::is_directory(root, code)) {
        error = "--root expects a folder, and '" + root + "' is none";
      }
    }
    if (!error.empty()) {
      say(error);
      return ExitStatus::unusable;
    }
    const bool for_all = !options.for_all.empty() || options.prove_form;
    return for_all ? dispatch_in_child(options, interrupted) : dispatch(options, interrupted);
  } catch (const std::bad_alloc&) {
    say("out of memory: nothing was decided; try --memory-limit");
    return ExitStatus::inconclusive;
  } catch (const std::exception& error) {
    say(std::string("internal error: ") + error.what());
    return ExitStatus::internal_error;
  }
}

}  // namespace txproof::cli
