// Runs commands the way a caller of the tool would, and gathers what they say.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace txproof::test {

struct RunOptions {
  std::string input = {};             // standard input
  std::filesystem::path folder = {};  // where to run; empty: the current folder
  std::vector<std::pair<std::string, std::string>> environment = {};  // set beside the caller's
};

struct RunResult {
  int exit_code = -1;  // 128 + N where signal N ended it, as a shell would say
  std::string out;
  std::string err;
};

// Runs `command` (the program, looked up in PATH where it has no slash, and its arguments; no
// shell) to its end.
//   errors: throws std::runtime_error if the program cannot be started
RunResult run(const std::vector<std::string>& command, const RunOptions& options = {});

// Runs the txproof of this build.
RunResult run_txproof(const std::vector<std::string>& arguments, const RunOptions& options = {});

}  // namespace txproof::test
