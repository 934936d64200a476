#include "checker/smt/words.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::no_id;
using program::SlotId;
using program::Struct;
using program::Word;

namespace {

constexpr Word dangling = 1;
constexpr Word first_handle = 2;

bool unchanged(const SymbolicState& state, const SymbolicState* before, SlotId first,
               std::uint32_t words) {
  if (before == nullptr) return false;
  for (SlotId slot = first; slot < first + words; ++slot) {
    if (!state[slot].is_identical((*before)[slot])) return false;
  }
  return true;
}

}  // namespace

void Words::rename_handles(SymbolicState& state, const Mapping& where_to) const {
  for (const Struct& structure : program_.structs) {
    if (structure.counted || structure.handles.empty()) continue;
    std::vector<std::pair<Word, Word>> renamed;  // handle values, before and after
    for (program::PlaceId place = 0; place < structure.places.size(); ++place) {
      const SlotId base = structure.places[place].base;
      const SlotId moved = where_to(base);
      if (moved == base) continue;
      renamed.emplace_back(
          first_handle + static_cast<Word>(place),
          moved == no_id ? dangling : first_handle + static_cast<Word>(program_.place_at[moved]));
    }
    if (renamed.empty()) continue;
    for (const SlotId slot : structure.handles) {
      const Value old = state[slot];
      for (const auto& names : renamed) {
        state[slot] = algebra_.choose(algebra_.equal(old, names.first), names.second, state[slot]);
      }
    }
  }
}

void Words::move_block(SymbolicState& state, SlotId from, SlotId to, std::uint32_t words) const {
  if (words == 0 || from == to) return;
  const SymbolicState block(state.begin() + from, state.begin() + from + words);
  std::fill_n(state.begin() + from, words, Value(0));
  std::copy(block.begin(), block.end(), state.begin() + to);
  if (slipped(Slip::move_leaves_handles)) return;
  rename_handles(state, [&](SlotId base) {
    return base >= from && base < from + words ? base - from + to : base;
  });
}

void Words::erase_block(SymbolicState& state, SlotId from, std::uint32_t words) const {
  std::fill_n(state.begin() + from, words, Value(0));
  if (slipped(Slip::erase_leaves_handles)) return;
  rename_handles(state,
                 [&](SlotId base) { return base >= from && base < from + words ? no_id : base; });
}

void Words::follow_permutation(SymbolicState& state, SlotId first, std::uint32_t stride,
                               const std::vector<Value>& numbers) const {
  const auto count = static_cast<std::uint32_t>(numbers.size());
  for (const Struct& structure : program_.structs) {
    if (structure.counted) continue;
    for (const SlotId slot : structure.handles) {
      const Value old = state[slot];
      for (program::PlaceId place = 0; place < structure.places.size(); ++place) {
        const SlotId base = structure.places[place].base;
        if (base < first || base >= first + count * stride) continue;
        const z3::expr named = algebra_.equal(old, first_handle + static_cast<Word>(place));
        if (named.is_false()) continue;
        const std::uint32_t block = (base - first) / stride;
        const SlotId offset = (base - first) % stride;
        for (std::uint32_t i = 0; i < count; ++i) {
          if (i == block) continue;
          const z3::expr here = algebra_.equal(numbers[i], static_cast<Word>(block));
          const SlotId moved = first + i * stride + offset;
          state[slot] = algebra_.choose(algebra_.both(named, here),
                                        first_handle + static_cast<Word>(program_.place_at[moved]),
                                        state[slot]);
        }
      }
    }
  }
}

// Lexicographically less, word by word.
z3::expr Words::precedes(const SymbolicState& state, SlotId a, SlotId b,
                         std::uint32_t words) const {
  z3::expr result = algebra_.truth(false);
  for (std::uint32_t i = words; i-- > 0;) {
    const Value& x = state[a + i];
    const Value& y = state[b + i];
    result = algebra_.either(algebra_.less(x, y), algebra_.both(algebra_.equal(x, y), result));
  }
  return result;
}

// Bubble sort as a network: it exchanges neighbours only where the later one is truly less, so it
// is stable, as the interpreter's sort is. Handles are renamed at the end, since the order is that
// of the words as they were.
void Words::sort_bag(SymbolicState& state, const program::Bag& bag) const {
  if (slipped(Slip::bag_is_not_sorted)) return;
  const SlotId first = bag.length + 1;
  const bool descending = slipped(Slip::bag_sorts_descending);
  std::vector<Value> numbers;
  for (std::uint32_t i = 0; i < bag.capacity; ++i) numbers.emplace_back(static_cast<Word>(i));
  for (std::uint32_t end = bag.capacity; end > 1; --end) {
    for (std::uint32_t i = 0; i + 1 < end; ++i) {
      const SlotId left = first + i * bag.stride;
      const SlotId right = left + bag.stride;
      const z3::expr wrong = descending ? precedes(state, left, right, bag.stride)
                                        : precedes(state, right, left, bag.stride);
      const z3::expr used = algebra_.less(static_cast<Word>(i) + 1, state[bag.length]);
      const z3::expr swap = algebra_.both(used, wrong);
      const auto exchange = [&](Value& a, Value& b) {
        const Value old = a;
        a = algebra_.choose(swap, b, a);
        b = algebra_.choose(swap, old, b);
      };
      for (std::uint32_t word = 0; word < bag.stride; ++word) {
        exchange(state[left + word], state[right + word]);
      }
      exchange(numbers[i], numbers[i + 1]);
    }
  }
  follow_permutation(state, first, bag.stride, numbers);
}

void Words::renumber_cells(SymbolicState& state, const program::CellTable& cells) const {
  if (slipped(Slip::cells_keep_their_numbers)) return;
  const Struct& structure = program_.structs[cells.structure];
  const std::uint32_t count = cells.count;
  if (count < 2) return;
  const auto cell_value = [](std::uint32_t cell) { return first_handle + static_cast<Word>(cell); };
  // The number of a cell is how many are met before it.
  std::vector<Value> number(count, Value(0));
  for (std::uint32_t cell = 0; cell < count; ++cell) {
    for (std::uint32_t other = 0; other < count; ++other) {
      if (other == cell) continue;
      z3::expr other_first = algebra_.truth(other < cell);
      for (std::size_t i = structure.places.size(); i-- > 0;) {
        const Value& tag = state[structure.places[i].base];
        other_first = algebra_.either(
            algebra_.equal(tag, cell_value(other)),
            algebra_.both(algebra_.opposite(algebra_.equal(tag, cell_value(cell))), other_first));
      }
      number[cell] = algebra_.add(number[cell], algebra_.of_truth(other_first));
    }
    number[cell] = algebra_.narrowed(number[cell], {0, Wide{count} - 1});
  }
  const auto rename = [&](SlotId slot) {
    const Value old = state[slot];
    for (std::uint32_t cell = 0; cell < count; ++cell) {
      const Value renamed = algebra_.add(number[cell], first_handle);
      state[slot] = algebra_.choose(algebra_.equal(old, cell_value(cell)), renamed, state[slot]);
    }
    state[slot] = algebra_.narrowed(state[slot],
                                    {program_.slots[slot].range.lo, program_.slots[slot].range.hi});
  };
  // Places and handles first: some of them may lie in the cells themselves.
  for (const program::Place& place : structure.places) rename(place.base);
  for (const SlotId slot : structure.handles) rename(slot);
  const SymbolicState old(state.begin() + cells.first,
                          state.begin() + cells.first + count * cells.stride);
  std::vector<Value> numbers(count, Value(0));  // the old number of what is now cell i
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t cell = 0; cell < count; ++cell) {
      const z3::expr here = algebra_.equal(number[cell], static_cast<Word>(i));
      numbers[i] = algebra_.choose(here, static_cast<Word>(cell), numbers[i]);
      for (std::uint32_t word = 0; word < cells.stride; ++word) {
        Value& target = state[cells.first + i * cells.stride + word];
        const Value& source = old[cell * cells.stride + word];
        target = cell == 0 ? source : algebra_.choose(here, source, target);
      }
    }
  }
  follow_permutation(state, cells.first, cells.stride, numbers);
}

void Words::canonicalise(SymbolicState& state, const SymbolicState* before) const {
  for (const program::Bag& bag : program_.bags) {
    if (!unchanged(state, before, bag.length, 1 + bag.capacity * bag.stride)) {
      sort_bag(state, bag);
    }
  }
  for (const program::CellTable& cells : program_.cells) {
    const Struct& structure = program_.structs[cells.structure];
    bool same = unchanged(state, before, cells.first, cells.count * cells.stride);
    for (const program::Place& place : structure.places) {
      same = same && unchanged(state, before, place.base, 1);
    }
    if (!same) renumber_cells(state, cells);
  }
}

}  // namespace txproof::checker::smt
