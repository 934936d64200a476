// txproof export STACK --to promela|smtlib|dot: the stack for other tools.
#include "checker/export/dot.h"
#include "checker/export/promela.h"
#include "checker/export/refusal.h"
#include "checker/export/smtlib.h"
#include "cli/commands.h"
#include "cli/output.h"

namespace txproof::cli {

using properties::ExitStatus;

ExitStatus run_export(const Options& options) {
  Workspace workspace(options);
  Variant variant;
  variant.patches = options.patches;
  const std::vector<LoadedStack> stacks = workspace.load_stacks(options.stack_file, variant);
  write_diagnostics(workspace);
  if (stacks.empty()) return ExitStatus::unusable;
  if (stacks.size() > 1) {
    say("export writes one stack, and there are several: --stack NAME says which");
    return ExitStatus::unusable;
  }
  const program::Program& program = *stacks[0].program;
  std::string text;
  std::vector<std::string> left_out;
  try {
    if (options.export_to == "promela") {
      checker::exporting::Promela told = checker::exporting::to_promela(program);
      text = std::move(told.text);
      left_out = std::move(told.left_out);
    } else if (options.export_to == "smtlib") {
      checker::exporting::SmtLib told = checker::exporting::to_smtlib(program);
      text = std::move(told.text);
      left_out = std::move(told.left_out);
    } else {
      text = checker::exporting::to_dot(program, workspace.sources());
    }
  } catch (const checker::exporting::Refusal& refusal) {
    say("stack '" + program.stack + "' cannot be told in " + options.export_to + ": " +
        refusal.what());
    return ExitStatus::inconclusive;
  }
  for (const std::string& property : left_out) say("left out: " + property);
  return write_result(options, text, ExitStatus::good);
}

}  // namespace txproof::cli
