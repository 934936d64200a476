#include "cli/interrupt.h"

#include <csignal>

namespace txproof::cli {

namespace {

// A signal handler can reach nothing but an object of static storage.
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void on_signal(int /*signal*/) { interrupted.store(true); }

}  // namespace

const std::atomic<bool>& catch_signals() {
  struct sigaction once {};
  once.sa_handler = on_signal;
  once.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one has the default effect
  sigemptyset(&once.sa_mask);
  sigaction(SIGINT, &once, nullptr);
  sigaction(SIGTERM, &once, nullptr);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigemptyset(&ignore.sa_mask);
  sigaction(SIGPIPE, &ignore, nullptr);
  sigaction(SIGXFSZ, &ignore, nullptr);  // a file past its limit is an error of the write
  return interrupted;
}

}  // namespace txproof::cli
