// The code under test: a queue that tells its sender to stop at a high mark, and to go on at a low
// one.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

class Queue {
 public:
  static constexpr std::size_t high = 3, low = 1;

  // Returns false if the packet was not taken, which a sender that obeys stopped() never sees.
  bool push(int packet) {
    if (packets_.size() == high) return false;
    packets_.push_back(packet);
    stopped_ = stopped_ || packets_.size() == high;
    return true;
  }

  std::optional<int> pop() {
    if (packets_.empty()) return std::nullopt;
    const int packet = packets_.front();
    packets_.pop_front();
    if (packets_.size() <= low) stopped_ = false;
    return packet;
  }

  bool stopped() const { return stopped_; }

 private:
  std::deque<int> packets_;
  bool stopped_ = false;
};
