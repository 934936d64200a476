#include "model/program/words.h"

#include <algorithm>
#include <numeric>

namespace txproof::program {

namespace {

constexpr Word dangling = 1;
constexpr Word first_handle = 2;

// Applies `where_to` (old base slot -> new base slot, or no_id: gone) to every handle to a place
// of a linear struct. Handles to counted structs name cells, which do not move with their places.
template <typename Mapping>
void rename_handles(const Program& program, State& state, Mapping where_to) {
  for (const Struct& structure : program.structs) {
    if (structure.counted) continue;
    for (const SlotId slot : structure.handles) {
      const Word handle = state[slot];
      if (handle < first_handle) continue;
      const SlotId base = structure.places[static_cast<PlaceId>(handle - first_handle)].base;
      const SlotId moved = where_to(base);
      if (moved == base) continue;
      state[slot] = moved == no_id ? dangling : first_handle + program.place_at[moved];
    }
  }
}

bool bag_is_sorted(const State& state, const Bag& bag) {
  const auto length = static_cast<std::uint32_t>(state[bag.length]);
  for (std::uint32_t i = 1; i < length; ++i) {
    const auto previous = state.begin() + bag.length + 1 + (i - 1) * bag.stride;
    const auto current = previous + bag.stride;
    if (std::lexicographical_compare(current, current + bag.stride, previous, current)) {
      return false;
    }
  }
  return true;
}

// Puts the blocks (of `stride` words from `first`) into a new order: new block i is old block
// order[i].
void permute_blocks(const Program& program, State& state, SlotId first, std::uint32_t stride,
                    const std::vector<std::uint32_t>& order) {
  const auto count = static_cast<std::uint32_t>(order.size());
  const State old(state.begin() + first, state.begin() + first + count * stride);
  std::vector<std::uint32_t> new_index(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    new_index[order[i]] = i;
    std::copy_n(old.begin() + order[i] * stride, stride, state.begin() + first + i * stride);
  }
  rename_handles(program, state, [&](SlotId base) {
    if (base < first || base >= first + count * stride) return base;
    const std::uint32_t block = (base - first) / stride;
    return first + new_index[block] * stride + (base - first) % stride;
  });
}

void sort_bag(const Program& program, State& state, const Bag& bag) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(state[bag.length]));
  std::iota(order.begin(), order.end(), 0U);
  const auto block = [&](std::uint32_t i) {
    return state.begin() + bag.length + 1 + i * bag.stride;
  };
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
    return std::lexicographical_compare(block(x), block(x) + bag.stride, block(y),
                                        block(y) + bag.stride);
  });
  permute_blocks(program, state, bag.length + 1, bag.stride, order);
}

void renumber_cells(const Program& program, State& state, const CellTable& cells) {
  const Struct& structure = program.structs[cells.structure];
  constexpr Word first_cell = 2;
  std::vector<std::uint32_t> order;  // old cell numbers in order of first use
  std::vector<bool> seen(cells.count, false);
  const auto meet = [&](std::uint32_t cell) {
    if (!seen[cell]) order.push_back(cell);
    seen[cell] = true;
  };
  for (const Place& place : structure.places) {
    if (state[place.base] >= first_cell) {
      meet(static_cast<std::uint32_t>(state[place.base] - first_cell));
    }
  }
  for (std::uint32_t cell = 0; cell < cells.count; ++cell) meet(cell);
  if (std::is_sorted(order.begin(), order.end())) return;
  std::vector<Word> renamed(cells.count);
  for (std::uint32_t i = 0; i < cells.count; ++i) renamed[order[i]] = first_cell + i;
  const auto rename = [&](SlotId slot) {
    if (state[slot] >= first_cell) {
      state[slot] = renamed[static_cast<std::size_t>(state[slot] - first_cell)];
    }
  };
  // Places and handles first: some of them may lie in the cells themselves.
  for (const Place& place : structure.places) rename(place.base);
  for (const SlotId slot : structure.handles) rename(slot);
  permute_blocks(program, state, cells.first, cells.stride, order);
}

}  // namespace

void relocate_handles(const Program& program, State& state, SlotId from, SlotId to,
                      std::uint32_t words) {
  rename_handles(program, state, [&](SlotId base) {
    return base >= from && base < from + words ? base - from + to : base;
  });
}

void move_block(const Program& program, State& state, SlotId from, SlotId to, std::uint32_t words) {
  if (words == 0 || from == to) return;
  const State block(state.begin() + from, state.begin() + from + words);
  std::fill_n(state.begin() + from, words, 0);
  std::copy(block.begin(), block.end(), state.begin() + to);
  relocate_handles(program, state, from, to, words);
}

void erase_block(const Program& program, State& state, SlotId from, std::uint32_t words) {
  std::fill_n(state.begin() + from, words, 0);
  rename_handles(program, state,
                 [&](SlotId base) { return base >= from && base < from + words ? no_id : base; });
}

void canonicalise(const Program& program, State& state) {
  for (const Bag& bag : program.bags) {
    if (!bag_is_sorted(state, bag)) sort_bag(program, state, bag);
  }
  for (const CellTable& cells : program.cells) renumber_cells(program, state, cells);
}

}  // namespace txproof::program
