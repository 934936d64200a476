#include "cli/frontier_for_all.h"

#include "cli/commands.h"
#include "cli/for_all.h"
#include "cli/output.h"

namespace txproof::cli {

using checker::forall::Decision;
using properties::ExitStatus;
using properties::Verdict;

FrontierProof prove_form(const Options& options, const std::vector<std::string>& parameters,
                         const std::string& form, const std::atomic<bool>& interrupted) {
  FrontierProof out;
  Options inside = options;
  inside.for_all = parameters;
  inside.assumptions.push_back(form);
  Workspace workspace(inside);
  Variant variant;
  variant.patches = inside.patches;
  std::vector<LoadedStack> stacks = workspace.load_stacks(inside.stack_file, variant);
  if (stacks.empty()) {
    out.reason = "the stack cannot be told with these parameters unknown";
    for (const lang::Diagnostic& diagnostic : workspace.diagnostics().all()) {
      if (diagnostic.severity != lang::Severity::error) continue;
      out.reason += ": " + diagnostic.message;
      break;
    }
    out.status = ExitStatus::inconclusive;
    return out;
  }
  ForAll for_all(stacks[0], inside, interrupted);
  checker::forall::Refuter refuter = for_all.refuter();
  checker::forall::Decider decider(*stacks[0].program, for_all.settings(), refuter);
  std::vector<program::PropertyId> asked;
  for (program::PropertyId id = 0; id < stacks[0].program->properties.size(); ++id) {
    if (stacks[0].program->properties[id].name == inside.properties[0]) asked.push_back(id);
  }
  out.proved = !asked.empty();
  for (const Decision& decision : decider.decide(asked)) {
    if (decision.verdict == Verdict::holds) {
      out.facts += decision.proof->facts;
      out.asked_cvc5 = decision.proof->report.asked_cvc5;
      const std::string error = write_proof(inside, *decision.proof, out.files);
      if (error.empty()) continue;
      say(error);
      out.status = worse(out.status, ExitStatus::unusable);
      continue;
    }
    out.proved = false;
    out.status = worse(out.status, decision.recheck_failed ? ExitStatus::internal_error
                                                           : ExitStatus::inconclusive);
    out.reason =
        decision.verdict == Verdict::violated
            ? "it is violated inside, at " +
                  checker::forall::values_text(*stacks[0].program, decision.instance->values)
            : decision.reason;
  }
  out.seconds = for_all.seconds();
  return out;
}

}  // namespace txproof::cli
