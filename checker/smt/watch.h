// The limits of a run of Z3: a thread of its own looks at the clock, at Ctrl-C and at the memory
// that Z3 holds, and interrupts the contexts that are in use.
#pragma once

#include <z3++.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "checker/explicit/search.h"
#include "properties/verdict.h"

namespace txproof::checker::smt {

// A limit was reached: Watch::why() says which.
class Stopped : public std::runtime_error {
 public:
  Stopped() : std::runtime_error("a limit was reached") {}
};

class Watch {
 public:
  explicit Watch(const SearchOptions& options);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void add(z3::context& context);
  void remove(z3::context& context);

  [[nodiscard]] double seconds() const;
  [[nodiscard]] properties::Limit why() const { return why_.load(); }
  void stop(properties::Limit why);
  // Throws Stopped if it is time to.
  void poll();

 private:
  void look();
  void run();

  const SearchOptions& options_;
  std::chrono::steady_clock::time_point started_;
  std::atomic<properties::Limit> why_{properties::Limit::none};
  std::mutex mutex_;
  std::condition_variable wake_;
  bool ends_ = false;
  std::vector<z3::context*> contexts_;
  std::thread thread_;
};

// A context that the watch may interrupt.
//
// To destroy a context takes Z3 4.8.12 a time that is quadratic in the depth of its terms (20 s for
// a model of 300 slots, measured), so a large one is left to the end of the process.
class WatchedContext {
 public:
  explicit WatchedContext(Watch& watch);
  ~WatchedContext();
  WatchedContext(const WatchedContext&) = delete;
  WatchedContext& operator=(const WatchedContext&) = delete;
  z3::context& operator*() { return *context_; }

 private:
  Watch& watch_;
  std::uint64_t bytes_before_;
  std::unique_ptr<z3::context> context_;
};

// solver.check, where `unknown` for a limit is Stopped.
z3::check_result checked(Watch& watch, z3::solver& solver, const z3::expr_vector& assumptions);

// "the time limit of 10 s was reached"
std::string limit_text(properties::Limit why, const SearchOptions& options);

}  // namespace txproof::checker::smt
