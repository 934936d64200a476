// The set of states seen, exactly, in as little memory as that takes.
//
// States are numbered from 0 in the order in which they are added. Their packed words stand in an
// arena of fixed-size records, beside it 4 bytes for each state's predecessor. The index is open
// addressing over buckets of one cache line: 12 entries of an 8-bit filter (taken from the hash)
// and a 32-bit id. So a look-up costs one cache miss, and a second one where the filter lets it
// through: to compare the record itself. About 7 bytes a state at 80 % load.
//
// The move that led to a state is not stored: it is the first move of the predecessor that gives
// this state, and is found again by running the predecessor.
//
// Tried and dropped: entries of 64 bits with 24 bits of hash in linear probing (no faster, twice
// the memory). The mixer folds 128-bit products, the idea of wyhash (Wang Yi, public domain).
//
// Growing frees the old index before it builds the new one from the records, so that the peak is
// that of the new index alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace txproof::checker {

using StateId = std::uint32_t;
constexpr StateId no_state = 0xffffffffU;

// A hash of `count` words; all 64 bits are good.
inline std::uint64_t hash_words(const std::uint64_t* words, std::size_t count) {
  const auto fold = [](std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  std::uint64_t hash = 0x9e3779b97f4a7c15U ^ count;
  std::size_t i = 0;
  for (; i + 1 < count; i += 2) {
    hash = fold(words[i] ^ 0xa0761d6478bd642fU, words[i + 1] ^ hash ^ 0xe7037ed1a0b428dbU);
  }
  if (i < count) hash = fold(words[i] ^ 0xa0761d6478bd642fU, hash ^ 0xe7037ed1a0b428dbU);
  return fold(hash ^ 0x8ebc6af09c88c6e3U, 0x589965cc75374cc3U);
}

class StateTable {
 public:
  // memory_limit: bytes; 0: none.
  StateTable(std::size_t words, std::uint64_t memory_limit);

  enum class Added : std::uint8_t { fresh, known, no_room };

  // Adds a state unless it is there. `hash` is hash_words of it.
  //   ensures: no_room exactly if the state is new and storing it would pass the memory limit (or
  //            the largest id); the table is then as before
  Added add(const std::uint64_t* packed, std::uint64_t hash, StateId predecessor);
  // The number of a state; no_state: it is not there.
  [[nodiscard]] StateId id_of(const std::uint64_t* packed, std::uint64_t hash) const {
    return find(packed, hash);
  }

  // Whether the state is there. Any number of threads, while nobody adds.
  [[nodiscard]] bool contains(const std::uint64_t* packed, std::uint64_t hash) const {
    return find(packed, hash) != no_state;
  }

  // Brings the bucket of `hash` nearer, then the record that it most likely names.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&index_[bucket_of(hash)]); }
  void prefetch_record(std::uint64_t hash) const;

  [[nodiscard]] StateId size() const { return size_; }
  [[nodiscard]] const std::uint64_t* packed(StateId id) const {
    return records_[id >> records_shift_].get() + (id & records_mask_) * words_;
  }
  [[nodiscard]] StateId predecessor(StateId id) const {
    return predecessors_[id >> records_shift_][id & records_mask_];
  }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

  // Counted with the table in its limit: what else the search holds, such as its queues.
  void set_bytes_elsewhere(std::uint64_t bytes) { bytes_elsewhere_ = bytes; }

 private:
  static constexpr std::size_t bucket_entries = 12;
  struct alignas(64) Bucket {
    std::uint8_t filters[bucket_entries];
    std::uint32_t count;
    StateId ids[bucket_entries];
  };
  static_assert(sizeof(Bucket) == 64);
  struct Release {
    void operator()(void* memory) const;
  };

  [[nodiscard]] std::size_t bucket_of(std::uint64_t hash) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::size_t>((static_cast<Wide>(hash) * buckets_) >> 64);
  }
  static std::uint8_t filter_of(std::uint64_t hash) { return static_cast<std::uint8_t>(hash); }
  // Bit i: entry i of the bucket is in use and its filter is this one.
  static unsigned matches(const Bucket& bucket, std::uint8_t filter);

  [[nodiscard]] StateId find(const std::uint64_t* packed, std::uint64_t hash) const;
  [[nodiscard]] bool equal(StateId id, const std::uint64_t* packed) const;
  [[nodiscard]] bool fits(std::uint64_t more, std::uint64_t less = 0) const;
  bool grow_records();
  bool grow_index();
  void build_index(std::size_t buckets);
  void place(std::uint64_t hash, StateId id);

  std::size_t words_;
  std::uint64_t memory_limit_;
  std::uint64_t bytes_ = 0;
  std::uint64_t bytes_elsewhere_ = 0;
  StateId size_ = 0;

  std::unique_ptr<Bucket[], Release> index_;
  std::size_t buckets_ = 0;
  std::uint64_t grow_at_ = 0;  // states at which the index is too full

  std::vector<std::unique_ptr<std::uint64_t[], Release>> records_;
  std::vector<std::unique_ptr<StateId[], Release>> predecessors_;
  unsigned records_shift_ = 0;  // records of a chunk: 1 << shift
  StateId records_mask_ = 0;
};

}  // namespace txproof::checker
