// What several threads did to one object: which operation, when it was called, when it returned,
// and what it answered.
//
//   HistoryRecorder recorder(2);
//   // in thread t:
//   recorder.call(t, {push, 3}, [&] { return Values{ring.push(3)}; });
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "harness/port.h"

namespace txproof::harness {

struct Operation {
  unsigned thread = 0;
  Values command;
  Values answer;
  // Moments, all different: `a` ended before `b` began if a.returned < b.called.
  std::uint64_t called = 0, returned = 0;
};

class HistoryRecorder {
 public:
  explicit HistoryRecorder(unsigned threads) : logs_(threads) {}

  // Each thread by its own number only.
  template <typename Function>
  Values call(unsigned thread, const Values& command, Function&& function) {
    // The clock is read before and after: what is recorded as overlapping may not have been, never
    // the other way round.
    const std::uint64_t called = clock_.fetch_add(1);
    Values answer = std::forward<Function>(function)();
    logs_[thread].operations.push_back({thread, command, answer, called, clock_.fetch_add(1)});
    return answer;
  }

  // Of all threads, in the order of calls. Only when no thread is calling.
  [[nodiscard]] std::vector<Operation> history() const;

 private:
  struct alignas(64) Log {
    std::vector<Operation> operations;
  };
  std::atomic<std::uint64_t> clock_{0};
  std::vector<Log> logs_;
};

}  // namespace txproof::harness
