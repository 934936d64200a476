// When a search has to end early: the clock, Ctrl-C, and what it says meanwhile.
//
// Workers poll every few thousand transitions; the first reason to stop wins and reaches all.
#pragma once

#include <atomic>
#include <chrono>

#include "checker/explicit/search.h"
#include "properties/verdict.h"

namespace txproof::checker {

class Budget {
 public:
  explicit Budget(const SearchOptions& options)
      : options_(options), started_(Clock::now()), reported_(started_) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }

  // Any thread. Returns whether to stop.
  bool poll() {
    if (options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed)) {
      stop(properties::Limit::interrupted);
    } else if (options_.time_limit && seconds() >= *options_.time_limit) {
      stop(properties::Limit::time);
    }
    return stopped();
  }
  void stop(properties::Limit why) {
    properties::Limit none = properties::Limit::none;
    why_.compare_exchange_strong(none, why);
  }
  [[nodiscard]] bool stopped() const { return why() != properties::Limit::none; }
  [[nodiscard]] properties::Limit why() const { return why_.load(std::memory_order_relaxed); }

  // One thread only. Whether half a second has passed since this was last true.
  bool report_is_due() {
    if (!options_.progress) return false;
    const Clock::time_point now = Clock::now();
    if (now - reported_ < std::chrono::milliseconds(500)) return false;
    reported_ = now;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;
  const SearchOptions& options_;
  Clock::time_point started_;
  Clock::time_point reported_;
  std::atomic<properties::Limit> why_{properties::Limit::none};
};

}  // namespace txproof::checker
