// A lock-free ring for one producer and one consumer, with two bugs to choose from.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace example {

enum class RingBug {
  none,
  one_too_many,     // takes a value more than it has room for, and loses the oldest
  published_early,  // the consumer may see the new tail before the new value
};

class SpscRing {
 public:
  // in_the_window: called between the two stores of a push, so that a test can make that moment
  // longer.
  explicit SpscRing(
      std::size_t capacity, RingBug bug = RingBug::none,
      std::function<void()> in_the_window = [] {})
      : bug_(bug), in_the_window_(std::move(in_the_window)), slots_(capacity) {}

  // Of the producer. Returns false if there is no room.
  bool push(int value) {
    const std::size_t tail = tail_.load(std::memory_order_relaxed);
    const std::size_t head = head_.load(std::memory_order_acquire);
    const std::size_t room = bug_ == RingBug::one_too_many ? slots_.size() + 1 : slots_.size();
    if (tail - head == room) return false;
    if (bug_ == RingBug::published_early) {
      tail_.store(tail + 1, std::memory_order_release);
      in_the_window_();
      slots_[tail % slots_.size()].store(value, std::memory_order_relaxed);
    } else {
      slots_[tail % slots_.size()].store(value, std::memory_order_relaxed);
      in_the_window_();
      tail_.store(tail + 1, std::memory_order_release);
    }
    return true;
  }

  // Of the consumer. Returns nothing if the ring is empty.
  std::optional<int> pop() {
    const std::size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return std::nullopt;
    const int value = slots_[head % slots_.size()].load(std::memory_order_relaxed);
    head_.store(head + 1, std::memory_order_release);
    return value;
  }

 private:
  RingBug bug_;
  std::function<void()> in_the_window_;
  std::vector<std::atomic<int>> slots_;
  std::atomic<std::size_t> head_{0}, tail_{0};
};

}  // namespace example
