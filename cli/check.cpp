// txproof check STACK.tx: a verdict for each property.
#include <algorithm>
#include <filesystem>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/run.h"

namespace txproof::cli {

using properties::ExitStatus;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_files = 10'000;

std::string render(const CheckReport& report, const lang::SourceSet& sources,
                   const Options& options) {
  switch (options.format) {
    case Format::text:
      return check_text(report, sources, options);
    case Format::json:
      return check_json(report, sources, options);
    case Format::jsonl:
      return check_jsonl(report, sources, options);
    case Format::junit:
      return check_junit(report, sources, options);
    case Format::itf:
      return check_itf(report, sources);
  }
  return "";
}

// The .tx files in a folder and below it, sorted; links to folders are not followed.
std::vector<std::string> models_in(const std::string& folder, std::string& error) {
  std::vector<std::string> out;
  std::error_code code;
  fs::recursive_directory_iterator at(folder, code);
  for (; !code && at != fs::recursive_directory_iterator(); at.increment(code)) {
    if (at->path().extension() == ".tx" && at->is_regular_file(code)) {
      out.push_back(at->path().string());
    }
    if (out.size() > max_files) {
      error = "there are more than " + std::to_string(max_files) + " models in '" + folder + "'";
      return {};
    }
  }
  if (code) error = "cannot read the folder '" + folder + "': " + code.message();
  std::sort(out.begin(), out.end());
  return out;
}

class Check {
 public:
  Check(const Options& options, const std::atomic<bool>& interrupted)
      : options_(options), interrupted_(interrupted), workspace_(options) {}

  ExitStatus run() {
    std::string error = prepare_traces_folder(options_);
    std::vector<std::string> files = {options_.stack_file};
    std::error_code code;
    report_.is_list = options_.stack_file != "-" && fs::is_directory(options_.stack_file, code);
    if (error.empty() && report_.is_list) files = models_in(options_.stack_file, error);
    if (!error.empty()) {
      say(error);
      return ExitStatus::unusable;
    }
    if (report_.is_list) report_.status = ExitStatus::good;
    for (const std::string& file : files) {
      if (!one_file(file)) return ExitStatus::unusable;
    }
    write_diagnostics(workspace_);
    if (report_.stacks.empty() && report_.failed.empty()) {
      report_.status = ExitStatus::nothing_checked;
    }
    for (const StackReport& stack : report_.stacks) {
      for (const std::string& internal : stack.internal_errors) say("internal error: " + internal);
      if (stack.only_builtins && !stack.asked_by_name) {
        say("stack '" + stack.loaded.stack->name + "' checks no property of its own");
      }
    }
    return write_result(options_, render(report_, workspace_.sources(), options_), report_.status);
  }

 private:
  // Returns false if the whole run is over: the one file that was asked for is unusable.
  bool one_file(const std::string& file) {
    Variant variant;
    variant.patches = options_.patches;
    variant.all_stacks = variant.allow_no_stack = report_.is_list;
    const std::size_t before = workspace_.diagnostics().error_count();
    std::vector<LoadedStack> stacks = workspace_.load_stacks(file, variant);
    if (workspace_.diagnostics().error_count() != before) {
      report_.status = worse(report_.status, ExitStatus::unusable);
      if (!report_.is_list) {
        write_diagnostics(workspace_);
        return false;
      }
      report_.failed.push_back({file, "it cannot be used (standard error says why)"});
      return true;
    }
    for (LoadedStack& loaded : stacks) {
      RunSettings settings;
      settings.what = loaded.stack->name;
      std::string prefix;
      if (report_.is_list) {
        // Stacks of one name may lie in several files.
        const fs::path below = fs::path(file).lexically_relative(options_.stack_file);
        prefix = (below.parent_path() / below.stem()).string() + "-" + loaded.stack->name + "-";
      }
      StackReport stack = run_stack(std::move(loaded), options_, settings, interrupted_);
      std::vector<std::string> written;
      const std::string error =
          write_traces(stack, workspace_.sources(), options_, prefix, written);
      if (!error.empty()) {
        say(error);
        report_.status = worse(report_.status, ExitStatus::unusable);
      }
      report_.status = worse(report_.status, status_of(stack));
      report_.trace_files.push_back(std::move(written));
      report_.stacks.push_back(std::move(stack));
    }
    return true;
  }

  const Options& options_;
  const std::atomic<bool>& interrupted_;
  Workspace workspace_;
  CheckReport report_;
};

}  // namespace

ExitStatus run_check(const Options& options, const std::atomic<bool>& interrupted) {
  if (!options.for_all.empty()) return run_check_for_all(options, interrupted);
  return Check(options, interrupted).run();
}

}  // namespace txproof::cli
