// What `check` and `diff` print, in each format. Each of these is a pure function of what was
// found.
#pragma once

#include <string>
#include <vector>

#include "checker/diff/compare.h"
#include "cli/run.h"
#include "model/lang/source.h"

namespace txproof::cli {

// A file of a folder that could not be used.
struct FailedFile {
  std::string file;
  std::string message;
};

struct CheckReport {
  std::vector<StackReport> stacks;
  std::vector<FailedFile> failed;
  bool is_list = false;                               // a folder was asked for: {"stacks": […]}
  std::vector<std::vector<std::string>> trace_files;  // by stack and Result; empty: not written
  properties::ExitStatus status = properties::ExitStatus::good;
};

struct DiffReport {
  StackReport base, patched;
  diff::Comparison comparison;
  std::vector<std::string> notes;  // offsets
  std::vector<std::string> base_files, patched_files;
  properties::ExitStatus status = properties::ExitStatus::good;
};

std::string check_text(const CheckReport& report, const lang::SourceSet& sources,
                       const Options& options);
std::string check_json(const CheckReport& report, const lang::SourceSet& sources,
                       const Options& options);
std::string check_jsonl(const CheckReport& report, const lang::SourceSet& sources,
                        const Options& options);
std::string check_junit(const CheckReport& report, const lang::SourceSet& sources,
                        const Options& options);
// One ITF document a line, one for each trace.
std::string check_itf(const CheckReport& report, const lang::SourceSet& sources);

std::string diff_text(const DiffReport& report, const lang::SourceSet& sources,
                      const Options& options);
std::string diff_json(const DiffReport& report, const lang::SourceSet& sources,
                      const Options& options);
std::string diff_jsonl(const DiffReport& report, const lang::SourceSet& sources,
                       const Options& options);
std::string diff_junit(const DiffReport& report, const lang::SourceSet& sources,
                       const Options& options);
std::string diff_itf(const DiffReport& report, const lang::SourceSet& sources);

// A change whose trace is worth showing, and the side that has it: the patched one where something
// became worse, the base where it was fixed.
struct Witness {
  const StackReport* side = nullptr;
  std::size_t result = 0;
  bool is_base = false;
};
std::vector<Witness> witnesses(const DiffReport& report);

// A line of a model that no run reaches.
struct Unreached {
  std::string file;
  std::uint32_t line = 0;
  std::string text;
};
std::vector<Unreached> unreached_lines(const StackReport& report, const lang::SourceSet& sources);

// "SOCKETS=1 W=2 L=3 R=2"
std::string parameters_text(const program::Program& program);

}  // namespace txproof::cli
