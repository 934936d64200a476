#include "checker/explicit/state_table.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace txproof::checker {

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

// Large blocks are aligned for huge pages and ask for them: random look-ups in gigabytes of small
// pages spend more time on translations than on the data.
void* allocate(std::size_t bytes) {
  const std::size_t alignment = bytes >= huge_page ? huge_page : 64;
  const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  if (bytes >= huge_page) madvise(memory, rounded, MADV_HUGEPAGE);
  return memory;
}

}  // namespace

void StateTable::Release::operator()(void* memory) const { std::free(memory); }

StateTable::StateTable(std::size_t words, std::uint64_t memory_limit)
    : words_(words), memory_limit_(memory_limit) {
  const std::size_t record = words * sizeof(std::uint64_t);
  const std::size_t in_chunk = std::bit_floor(std::max<std::size_t>((huge_page / 2) / record, 16));
  records_shift_ = static_cast<unsigned>(std::countr_zero(in_chunk));
  records_mask_ = static_cast<StateId>(in_chunk - 1);
}

bool StateTable::fits(std::uint64_t more, std::uint64_t less) const {
  return memory_limit_ == 0 || bytes_ + bytes_elsewhere_ - less + more <= memory_limit_;
}

unsigned StateTable::matches(const Bucket& bucket, std::uint8_t filter) {
  const unsigned used = (1U << bucket.count) - 1;
#ifdef __SSE2__
  // Reads 4 bytes past the filters: those of `count`, in the same bucket, masked out by `used`.
  const __m128i filters = _mm_load_si128(reinterpret_cast<const __m128i*>(&bucket));
  const __m128i equal = _mm_cmpeq_epi8(filters, _mm_set1_epi8(static_cast<char>(filter)));
  return static_cast<unsigned>(_mm_movemask_epi8(equal)) & used;
#else
  unsigned found = 0;
  for (unsigned i = 0; i < bucket_entries; ++i) {
    found |= static_cast<unsigned>(bucket.filters[i] == filter) << i;
  }
  return found & used;
#endif
}

bool StateTable::equal(StateId id, const std::uint64_t* packed) const {
  const std::uint64_t* record = this->packed(id);
  std::uint64_t difference = 0;
  for (std::size_t i = 0; i < words_; ++i) difference |= record[i] ^ packed[i];
  return difference == 0;
}

StateId StateTable::find(const std::uint64_t* packed, std::uint64_t hash) const {
  if (buckets_ == 0) return no_state;
  const std::uint8_t filter = filter_of(hash);
  // The index is never full, so the walk ends at a bucket with room.
  for (std::size_t b = bucket_of(hash);; b = b + 1 == buckets_ ? 0 : b + 1) {
    const Bucket& bucket = index_[b];
    for (unsigned found = matches(bucket, filter); found != 0; found &= found - 1) {
      const StateId id = bucket.ids[std::countr_zero(found)];
      if (equal(id, packed)) return id;
    }
    if (bucket.count < bucket_entries) return no_state;
  }
}

void StateTable::prefetch_record(std::uint64_t hash) const {
  const Bucket& bucket = index_[bucket_of(hash)];
  const unsigned found = matches(bucket, filter_of(hash));
  if (found != 0) __builtin_prefetch(packed(bucket.ids[std::countr_zero(found)]));
}

StateTable::Added StateTable::add(const std::uint64_t* packed, std::uint64_t hash,
                                  StateId predecessor) {
  if (find(packed, hash) != no_state) return Added::known;
  if (size_ == no_state) return Added::no_room;
  if (size_ >= grow_at_ && !grow_index()) return Added::no_room;
  if ((size_ >> records_shift_) >= records_.size() && !grow_records()) return Added::no_room;
  const StateId id = size_++;
  std::memcpy(records_[id >> records_shift_].get() + (id & records_mask_) * words_, packed,
              words_ * sizeof(std::uint64_t));
  predecessors_[id >> records_shift_][id & records_mask_] = predecessor;
  place(hash, id);
  return Added::fresh;
}

void StateTable::place(std::uint64_t hash, StateId id) {
  for (std::size_t b = bucket_of(hash);; b = b + 1 == buckets_ ? 0 : b + 1) {
    Bucket& bucket = index_[b];
    if (bucket.count == bucket_entries) continue;
    bucket.filters[bucket.count] = filter_of(hash);
    bucket.ids[bucket.count] = id;
    ++bucket.count;
    return;
  }
}

bool StateTable::grow_records() {
  const std::size_t in_chunk = std::size_t{records_mask_} + 1;
  const std::uint64_t more = in_chunk * (words_ * sizeof(std::uint64_t) + sizeof(StateId));
  if (!fits(more)) return false;
  std::unique_ptr<std::uint64_t[], Release> records(
      static_cast<std::uint64_t*>(allocate(in_chunk * words_ * sizeof(std::uint64_t))));
  std::unique_ptr<StateId[], Release> predecessors(
      static_cast<StateId*>(allocate(in_chunk * sizeof(StateId))));
  records_.reserve(records_.size() + 1);
  predecessors_.push_back(std::move(predecessors));
  records_.push_back(std::move(records));
  bytes_ += more;
  return true;
}

bool StateTable::grow_index() {
  // Doubling; near the memory limit by a quarter, so that the limit is used.
  std::size_t buckets = buckets_ == 0 ? 64 : buckets_ * 2;
  const std::uint64_t old_bytes = buckets_ * sizeof(Bucket);
  if (!fits(buckets * sizeof(Bucket), old_bytes)) buckets = buckets_ + buckets_ / 4;
  if (buckets <= buckets_ || !fits(buckets * sizeof(Bucket), old_bytes)) return false;
  index_.reset();
  bytes_ -= old_bytes;
  const std::size_t former = buckets_;
  buckets_ = 0;
  grow_at_ = 0;
  try {
    build_index(buckets);
  } catch (const std::bad_alloc&) {
    // What was held a moment ago can be had again.
    if (former != 0) build_index(former);
    return false;
  }
  return true;
}

void StateTable::build_index(std::size_t buckets) {
  index_.reset(static_cast<Bucket*>(allocate(buckets * sizeof(Bucket))));
  std::memset(static_cast<void*>(index_.get()), 0, buckets * sizeof(Bucket));
  buckets_ = buckets;
  bytes_ += buckets * sizeof(Bucket);
  grow_at_ = std::uint64_t{buckets} * bucket_entries * 80 / 100;
  // Hashes are computed a few states ahead of their use, so that buckets are on their way.
  constexpr std::size_t ahead = 16;
  std::uint64_t hashes[ahead];
  for (std::uint64_t i = 0; i < size_ + std::uint64_t{ahead}; ++i) {
    if (i >= ahead) place(hashes[i % ahead], static_cast<StateId>(i - ahead));
    if (i < size_) {
      hashes[i % ahead] = hash_words(packed(static_cast<StateId>(i)), words_);
      prefetch(hashes[i % ahead]);
    }
  }
}

}  // namespace txproof::checker
