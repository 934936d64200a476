// The step's end: bags sorted, cells of counted structs numbered by first use, so that equal
// situations are equal vectors. The rules are those of model/program/words.cpp.
#include <algorithm>
#include <numeric>

#include "checker/explicit/machine.h"

namespace txproof::checker {

using program::Bag;
using program::CellTable;
using program::SlotId;
using program::Word;

void Machine::canonicalise() {
  for (const Bag& bag : program_.bags) {
    if (!is_sorted(bag)) sort(bag);
  }
  for (const CellTable& cells : program_.cells) renumber(cells);
}

bool Machine::is_sorted(const Bag& bag) const {
  const Word* const elements = frame_.data() + bag.length + 1;
  const auto length = static_cast<std::uint32_t>(frame_[bag.length]);
  for (std::uint32_t i = 1; i < length; ++i) {
    const Word* const previous = elements + (i - 1) * bag.stride;
    const Word* const current = previous + bag.stride;
    if (std::lexicographical_compare(current, current + bag.stride, previous, current)) {
      return false;
    }
  }
  return true;
}

void Machine::sort(const Bag& bag) {
  const Word* const elements = frame_.data() + bag.length + 1;
  order_.resize(static_cast<std::size_t>(frame_[bag.length]));
  std::iota(order_.begin(), order_.end(), 0U);
  const auto precedes = [&](std::uint32_t x, std::uint32_t y) {
    const Word* const a = elements + x * bag.stride;
    const Word* const b = elements + y * bag.stride;
    return std::lexicographical_compare(a, a + bag.stride, b, b + bag.stride);
  };
  // Insertion sort: stable, with no allocation, and bags are short and nearly sorted.
  for (std::size_t i = 1; i < order_.size(); ++i) {
    for (std::size_t j = i; j > 0 && precedes(order_[j], order_[j - 1]); --j) {
      std::swap(order_[j], order_[j - 1]);
    }
  }
  permute_blocks(bag.length + 1, bag.stride, order_);
}

void Machine::permute_blocks(SlotId first, std::uint32_t stride,
                             const std::vector<std::uint32_t>& order) {
  const auto count = static_cast<std::uint32_t>(order.size());
  block_.assign(frame_.begin() + first, frame_.begin() + first + count * stride);
  inverse_.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    inverse_[order[i]] = i;
    for (std::uint32_t k = 0; k < stride; ++k) {
      set(first + i * stride + k, block_[order[i] * stride + k]);
    }
  }
  if (linear_handles_.empty()) return;
  rename_handles([&](SlotId base) {
    if (base < first || base >= first + count * stride) return base;
    const std::uint32_t block = (base - first) / stride;
    return first + inverse_[block] * stride + (base - first) % stride;
  });
}

void Machine::renumber(const CellTable& cells) {
  const program::Struct& structure = program_.structs[cells.structure];
  constexpr Word first_cell = 2;
  constexpr std::uint32_t unseen = 0xffffffffU;
  order_.clear();
  inverse_.assign(cells.count, unseen);
  const auto meet = [&](std::uint32_t cell) {
    if (inverse_[cell] != unseen) return;
    inverse_[cell] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(cell);
  };
  for (const program::Place& place : structure.places) {
    const Word tag = frame_[place.base];
    if (tag >= first_cell) meet(static_cast<std::uint32_t>(tag - first_cell));
  }
  for (std::uint32_t cell = 0; cell < cells.count; ++cell) meet(cell);
  if (std::is_sorted(order_.begin(), order_.end())) return;
  const auto rename = [&](SlotId slot) {
    if (frame_[slot] < first_cell) return;
    set(slot, first_cell + inverse_[static_cast<std::size_t>(frame_[slot] - first_cell)]);
  };
  // Places and handles first: some of them may lie in the cells themselves.
  for (const program::Place& place : structure.places) rename(place.base);
  for (const SlotId handle : structure.handles) rename(handle);
  permute_blocks(cells.first, cells.stride, order_);
}

}  // namespace txproof::checker
