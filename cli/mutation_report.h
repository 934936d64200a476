// What `mutate` found, and how it is printed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "checker/mutation/mutants.h"
#include "cli/options.h"
#include "cli/run.h"

namespace txproof::cli {

enum class Fate {
  killed,     // some verdict is another one
  survived,   // every verdict is what it was
  undecided,  // a limit came first
  refused,    // it is no model any more; counts for nothing
  not_run,    // interrupted
};
const char* to_string(Fate fate);

struct MutantResult {
  mutation::Mutant mutant;
  Fate fate = Fate::not_run;
  // The properties that told, in the order of the report.
  std::vector<std::string> killers;
  // As many states and transitions as the base: perhaps no fault at all.
  bool same_size = false;
  std::string error;  // internal: the run of this mutant failed
};

struct MutationReport {
  StackReport base;
  std::vector<MutantResult> mutants;
  std::size_t sites = 0;  // mutants that there are, of which `mutants` is a sample

  [[nodiscard]] std::size_t count(Fate fate) const;
};

std::string mutate_text(const MutationReport& report, const lang::SourceSet& sources,
                        const Options& options);
std::string mutate_json(const MutationReport& report, const lang::SourceSet& sources,
                        const Options& options);

}  // namespace txproof::cli
