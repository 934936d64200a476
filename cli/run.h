// Runs the engine on a stack and replays every trace that it gives.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "cli/workspace.h"
#include "counterexamples/trace.h"
#include "properties/exit_status.h"
#include "properties/verdict.h"

namespace txproof::cli {

struct StackReport {
  LoadedStack loaded;
  properties::Exploration exploration;
  std::vector<std::size_t> shown;  // Results that were asked for, in order
  std::vector<std::optional<counterexamples::Trace>> traces;  // by Result; where violated
  std::vector<std::string> internal_errors;  // a trace that the interpreter does not confirm
  bool only_builtins = false;                // the stack checks no property of its own
  bool asked_by_name = false;                // --property says which
};

struct RunSettings {
  bool everything = false;  // go on when all is decided, and record coverage: a diff needs both
  std::string what;         // for the progress line
  bool silent = false;      // no progress line
  std::vector<program::PropertyId> decide;  // end once these are violated; empty: all
};

// Every engine that the properties of the program need.
properties::Exploration explore(const program::Program& program, const Options& options,
                                const RunSettings& settings, const std::atomic<bool>& interrupted);

StackReport run_stack(LoadedStack loaded, const Options& options, const RunSettings& settings,
                      const std::atomic<bool>& interrupted);

// How `check` ends with this.
properties::ExitStatus status_of(const StackReport& report);

// Writes a file for each trace below options.traces_folder, if one was given; `prefix` tells stacks
// and sides apart.
//   returns a sentence if that failed; the paths, by Result, in `written`
std::string write_traces(const StackReport& report, const lang::SourceSet& sources,
                         const Options& options, const std::string& prefix,
                         std::vector<std::string>& written);

// Makes the folder for traces and tries whether it can be written. Returns a sentence, or nothing.
std::string prepare_traces_folder(const Options& options);

}  // namespace txproof::cli
