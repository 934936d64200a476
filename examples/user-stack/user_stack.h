// A small stack in user space: sockets with credit, a queue, a device that decides by itself how
// many packets it is done with. One bug to choose.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <utility>

namespace example {

enum class StackBug {
  none,
  drop_keeps_credit,  // a dropped packet's credit is never given back
};

enum class Sent { sent = 1, blocked = 2, dropped = 3 };

class UserStack {
 public:
  static constexpr int credit = 2;
  static constexpr std::size_t limit = 2;
  static constexpr std::size_t ring = 1;

  // device: of so many packets in its ring, how many it is done with.
  UserStack(std::function<std::size_t(std::size_t)> device, StackBug bug)
      : bug_(bug), device_(std::move(device)) {}

  Sent send(std::size_t socket) {
    if (used_[socket] == credit) return Sent::blocked;
    ++used_[socket];
    if (queue_.size() == limit) {
      if (bug_ != StackBug::drop_keeps_credit) --used_[socket];
      return Sent::dropped;
    }
    queue_.push_back(socket);
    push();
    return Sent::sent;
  }

  // Returns how many packets the device was done with.
  std::size_t poll() {
    const std::size_t done = device_(flight_.size());
    for (std::size_t i = 0; i < done; ++i) {
      --used_[flight_.front()];
      flight_.pop_front();
    }
    push();
    return done;
  }

 private:
  void push() {
    while (!queue_.empty() && flight_.size() < ring) {
      flight_.push_back(queue_.front());
      queue_.pop_front();
    }
  }

  StackBug bug_;
  std::function<std::size_t(std::size_t)> device_;
  std::array<int, 2> used_{};
  std::deque<std::size_t> queue_, flight_;  // sockets, one for each of their packets
};

}  // namespace example
