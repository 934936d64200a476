// Work in a process of its own, for code that may not come back: Z3 4.8.12 can throw where nothing
// may be thrown, and be deaf to its interrupt. The child is ended at the limit, whatever it does.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>

namespace txproof::checker {

struct ChildEnd {
  std::optional<std::string> answer;  // what the work returned
  std::string error;                  // the message of the std::exception that it threw
  bool overran = false;               // it was killed, some seconds past the limit
  bool interrupted = false;           // it was killed, some seconds past the interrupt
  int signal = 0;                     // what else ended it
};

// Forks, does `work` there and brings back what it returns.
//   limit:       seconds that the work means to obey; it gets `grace` seconds more
//   interrupted: passed on as SIGINT
ChildEnd in_child(const std::function<std::string()>& work, std::optional<double> limit,
                  const std::atomic<bool>* interrupted);

}  // namespace txproof::checker
