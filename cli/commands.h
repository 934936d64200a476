// The commands, each in the file of its name. They print, and return how the program ends.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "cli/options.h"
#include "cli/workspace.h"
#include "properties/exit_status.h"

namespace txproof::cli {

properties::ExitStatus run_check(const Options& options, const std::atomic<bool>& interrupted);
// check and bound with --for-all.
properties::ExitStatus run_check_for_all(const Options& options,
                                         const std::atomic<bool>& interrupted);
properties::ExitStatus run_bound_for_all(const Options& options,
                                         const std::atomic<bool>& interrupted);
properties::ExitStatus run_diff(const Options& options, const std::atomic<bool>& interrupted);
properties::ExitStatus run_bound(const Options& options, const std::atomic<bool>& interrupted);
properties::ExitStatus run_frontier(const Options& options, const std::atomic<bool>& interrupted);
properties::ExitStatus run_mutate(const Options& options, const std::atomic<bool>& interrupted);
properties::ExitStatus run_simulate(const Options& options, const std::atomic<bool>& interrupted);
properties::ExitStatus run_export(const Options& options);
properties::ExitStatus run_trace(const Options& options);
properties::ExitStatus run_explain(const Options& options);
properties::ExitStatus run_fmt(const Options& options);
properties::ExitStatus run_certify(const Options& options, const std::atomic<bool>& interrupted);

// The whole program: `arguments` without its name.
//   ensures: never throws; what goes wrong inside ends with internal_error and a message
properties::ExitStatus run(const std::vector<std::string>& arguments);

// Everything in the workspace's diagnostics, and its notes, on standard error.
void write_diagnostics(Workspace& workspace);
std::string diagnostics_text(Workspace& workspace);

}  // namespace txproof::cli
