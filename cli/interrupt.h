// Ctrl-C: the first asks the search to end with what it knows, the second ends the program.
#pragma once

#include <atomic>

namespace txproof::cli {

// Catches SIGINT and SIGTERM once each, and ignores SIGPIPE (a closed pipe is an error of `write`).
//   ensures: the flag is set when a signal came; it is the only thing that the handler touches
const std::atomic<bool>& catch_signals();

}  // namespace txproof::cli
