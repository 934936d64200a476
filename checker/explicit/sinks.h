// Where successors go: into the table at once, or, while several workers expand, into a list.
//
// A look-up waits for memory. So successors are taken in batches: the bucket of each is fetched
// when it is produced, the record that it seems to name when the batch is full, and only then is
// anything compared.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "checker/explicit/state_table.h"

namespace txproof::checker {

// Packed states with their hashes and predecessors.
class Batch {
 public:
  static constexpr std::size_t capacity = 32;
  explicit Batch(std::size_t words) : words_(words), packed_(capacity * words) {}

  std::uint64_t* slot() { return packed_.data() + size_ * words_; }
  // returns whether the batch is full now
  bool commit(std::uint64_t hash, StateId parent) {
    hashes_[size_] = hash;
    parents_[size_] = parent;
    return ++size_ == capacity;
  }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const std::uint64_t* packed(std::size_t i) const {
    return packed_.data() + i * words_;
  }
  [[nodiscard]] std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
  [[nodiscard]] StateId parent(std::size_t i) const { return parents_[i]; }
  void prefetch_records(const StateTable& table) const {
    for (std::size_t i = 0; i < size_; ++i) table.prefetch_record(hashes_[i]);
  }
  void clear() { size_ = 0; }

 private:
  std::size_t words_;
  std::size_t size_ = 0;
  std::vector<std::uint64_t> packed_;
  std::array<std::uint64_t, capacity> hashes_{};
  std::array<StateId, capacity> parents_{};
};

// Adds to the table, in order.
class DirectSink {
 public:
  DirectSink(StateTable& table, std::size_t words) : table_(table), batch_(words) {}

  std::uint64_t* slot() { return batch_.slot(); }
  void commit(std::uint64_t hash, StateId parent) {
    table_.prefetch(hash);
    if (batch_.commit(hash, parent)) flush();
  }
  void flush() {
    batch_.prefetch_records(table_);
    for (std::size_t i = 0; i < batch_.size() && !full_; ++i) {
      full_ = table_.add(batch_.packed(i), batch_.hash(i), batch_.parent(i)) ==
              StateTable::Added::no_room;
    }
    batch_.clear();
  }
  // The table had no room.
  [[nodiscard]] bool full() const { return full_; }

 private:
  StateTable& table_;
  Batch batch_;
  bool full_ = false;
};

// Keeps what is not in the table yet, in order, for somebody else to add. The table is only read.
class ListSink {
 public:
  ListSink(const StateTable& table, std::size_t words)
      : table_(table), words_(words), batch_(words) {}

  // bytes: what the list may take; 0: any amount.
  void start(std::uint64_t bytes) {
    limit_ = bytes;
    packed_.clear();
    hashes_.clear();
    parents_.clear();
  }
  std::uint64_t* slot() { return batch_.slot(); }
  void commit(std::uint64_t hash, StateId parent) {
    table_.prefetch(hash);
    if (batch_.commit(hash, parent)) flush();
  }
  void flush() {
    batch_.prefetch_records(table_);
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      const std::uint64_t* const state = batch_.packed(i);
      if (table_.contains(state, batch_.hash(i))) continue;
      packed_.insert(packed_.end(), state, state + words_);
      hashes_.push_back(batch_.hash(i));
      parents_.push_back(batch_.parent(i));
    }
    batch_.clear();
  }
  [[nodiscard]] bool full() const { return limit_ != 0 && bytes() > limit_; }

  // What the list holds by its capacity.
  [[nodiscard]] std::uint64_t bytes() const {
    return (packed_.capacity() + hashes_.capacity()) * sizeof(std::uint64_t) +
           parents_.capacity() * sizeof(StateId);
  }
  [[nodiscard]] std::size_t size() const { return hashes_.size(); }

  // Adds the list to `table`.
  //   returns false if the table has no room
  bool drain_into(StateTable& table) const {
    for (std::size_t i = 0; i < size(); ++i) {
      if (i + Batch::capacity < size()) table.prefetch(hashes_[i + Batch::capacity]);
      if (table.add(packed_.data() + i * words_, hashes_[i], parents_[i]) ==
          StateTable::Added::no_room) {
        return false;
      }
    }
    return true;
  }

 private:
  const StateTable& table_;
  std::size_t words_;
  Batch batch_;
  std::uint64_t limit_ = 0;
  std::vector<std::uint64_t> packed_;
  std::vector<std::uint64_t> hashes_;
  std::vector<StateId> parents_;
};

}  // namespace txproof::checker
