// txproof diff STACK.tx PATCH...: what a change does to each property.
#include <algorithm>

#include "checker/diff/git_files.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/run.h"

namespace txproof::cli {

using properties::ExitStatus;

namespace {

std::string render(const DiffReport& report, const lang::SourceSet& sources,
                   const Options& options) {
  switch (options.format) {
    case Format::text:
      return diff_text(report, sources, options);
    case Format::json:
      return diff_json(report, sources, options);
    case Format::jsonl:
      return diff_jsonl(report, sources, options);
    case Format::junit:
      return diff_junit(report, sources, options);
    case Format::itf:
      return diff_itf(report, sources);
  }
  return "";
}

// The two variants of the files that are compared.
bool variants(const Options& options, Variant& base, Variant& patched, std::string& error) {
  base.tolerate_properties = patched.tolerate_properties = true;
  base.watch = patched.watch = true;
  if (!options.git.empty()) {
    const auto range = diff::parse_revisions(options.git, error);
    if (!range) return false;
    base.revision = range->from;
    patched.revision = range->to;
    return true;
  }
  base.patches = options.bases;
  patched.patches = options.bases;
  patched.patches.insert(patched.patches.end(), options.operands.begin(), options.operands.end());
  return true;
}

// A property that neither side can evaluate is simply wrong.
bool unusable_in_both(const LoadedStack& base, const LoadedStack& patched) {
  return std::any_of(base.unusable.begin(), base.unusable.end(), [&](const diff::Unusable& one) {
    return std::any_of(patched.unusable.begin(), patched.unusable.end(),
                       [&](const diff::Unusable& other) { return one.property == other.property; });
  });
}

ExitStatus status_of_diff(const DiffReport& report) {
  ExitStatus status = ExitStatus::good;
  if (status_of(report.base) == ExitStatus::nothing_checked &&
      status_of(report.patched) == ExitStatus::nothing_checked) {
    status = ExitStatus::nothing_checked;
  }
  for (const diff::PropertyChange& change : report.comparison.changes) {
    if (change.is_worse) status = worse(status, ExitStatus::violation);
    if (change.change == diff::Change::inconclusive)
      status = worse(status, ExitStatus::inconclusive);
  }
  if (!report.base.internal_errors.empty() || !report.patched.internal_errors.empty()) {
    status = ExitStatus::internal_error;
  }
  return status;
}

diff::Side side(const StackReport& report) {
  return {report.loaded.program.get(), &report.exploration, report.loaded.unusable};
}

}  // namespace

ExitStatus run_diff(const Options& options, const std::atomic<bool>& interrupted) {
  Workspace workspace(options);
  Variant base_variant;
  Variant patched_variant;
  std::string error = prepare_traces_folder(options);
  if (!error.empty() || !variants(options, base_variant, patched_variant, error)) {
    say(error);
    return ExitStatus::unusable;
  }
  std::vector<LoadedStack> base = workspace.load_stacks(options.stack_file, base_variant);
  std::vector<LoadedStack> patched;
  if (!base.empty()) patched = workspace.load_stacks(options.stack_file, patched_variant);
  if (!base.empty() && !patched.empty() && unusable_in_both(base[0], patched[0])) {
    base_variant.tolerate_properties = false;
    workspace.load_stacks(options.stack_file, base_variant);
  }
  write_diagnostics(workspace);
  if (base.empty() || patched.empty() || workspace.diagnostics().has_errors()) {
    return ExitStatus::unusable;
  }

  DiffReport report;
  RunSettings settings;
  settings.everything = true;
  settings.what = "base";
  report.base = run_stack(std::move(base[0]), options, settings, interrupted);
  settings.what = "patched";
  report.patched = run_stack(std::move(patched[0]), options, settings, interrupted);
  report.comparison = diff::compare(side(report.base), side(report.patched), workspace.sources());
  report.notes = workspace.notes();
  report.status = status_of_diff(report);
  for (const StackReport* one : {&report.base, &report.patched}) {
    for (const std::string& internal : one->internal_errors) say("internal error: " + internal);
  }
  error = write_traces(report.base, workspace.sources(), options, "base-", report.base_files);
  if (error.empty()) {
    error = write_traces(report.patched, workspace.sources(), options, "patched-",
                         report.patched_files);
  } else {
    report.patched_files.assign(report.patched.traces.size(), "");
  }
  if (!error.empty()) {
    say(error);
    report.status = worse(report.status, ExitStatus::unusable);
  }
  return write_result(options, render(report, workspace.sources(), options), report.status);
}

}  // namespace txproof::cli
