// Runs another program and collects what it says. No shell is involved: the arguments reach the
// program as they are.
#pragma once

#include <string>
#include <vector>

namespace txproof::diff {

struct ProgramOutput {
  bool started = false;
  int status = -1;    // exit status; 128 + signal where it was killed
  std::string out;    // standard output, at most `limit` bytes
  std::string error;  // standard error, at most 64 KiB
  bool cut = false;   // there was more output than `limit`; the program was stopped
};

// Looks `arguments[0]` up in PATH; standard input is empty.
ProgramOutput run_program(const std::vector<std::string>& arguments, std::size_t limit);

}  // namespace txproof::diff
