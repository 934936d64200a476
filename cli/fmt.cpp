// txproof fmt FILE: the model in the one style, on standard output or in place.
#include "cli/commands.h"
#include "cli/output.h"
#include "model/lang/frontend.h"

namespace txproof::cli {

using properties::ExitStatus;

ExitStatus run_fmt(const Options& options) {
  Workspace workspace(options);
  ExitStatus status = ExitStatus::good;
  std::string out;
  for (const std::string& path : options.operands) {
    const std::string shown = path == "-" ? "<standard input>" : path;
    lang::FileProvider::Answer answer = workspace.read(path);
    if (!answer.text) {
      say("cannot read '" + shown +
          "': " + (answer.error.empty() ? "there is no such file" : answer.error));
      status = ExitStatus::unusable;
      continue;
    }
    const std::string original = *answer.text;
    const lang::FileId id = workspace.sources().add(shown, std::move(*answer.text));
    const std::size_t before = workspace.diagnostics().error_count();
    const auto tree = lang::parse_file(workspace.sources(), id, workspace.diagnostics());
    if (workspace.diagnostics().error_count() != before) {
      status = ExitStatus::unusable;
      continue;
    }
    const std::string text = lang::print_file(workspace.sources(), *tree);
    if (options.fmt_check) {
      if (text == original) continue;
      say("'" + shown + "' is not in the style of txproof fmt");
      status = worse(status, ExitStatus::violation);
    } else if (options.fmt_in_place && path != "-") {
      const std::string error = text == original ? "" : write_file(path, text);
      if (error.empty()) continue;
      say(error);
      status = ExitStatus::unusable;
    } else {
      out += text;
    }
  }
  write_diagnostics(workspace);
  return write_result(options, out, status);
}

}  // namespace txproof::cli
