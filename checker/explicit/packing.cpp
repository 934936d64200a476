#include "checker/explicit/packing.h"

#include <bit>
#include <stdexcept>
#include <string>

namespace txproof::checker {

using program::SlotId;
using program::Word;

Packing::Packing(const program::Program& program) : program_(program) {
  std::vector<std::uint32_t> used(1, 0);  // bits taken of each word
  fields_.reserve(program.slots.size());
  // First fit: words that are nearly full are skipped by narrow slots only when they are full, so
  // the search starts at the first word that still has a free bit.
  std::size_t first_open = 0;
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    const program::Slot& from = program.slots[slot];
    Field field;
    field.bias = from.stored ? from.range.lo : from.rest_value;
    field.span = from.stored ? static_cast<std::uint64_t>(from.range.hi) -
                                   static_cast<std::uint64_t>(from.range.lo)
                             : 0;
    const auto width = static_cast<std::uint32_t>(std::bit_width(field.span));
    if (width == 0) {
      fixed_.push_back({slot, field.bias});
    } else {
      while (first_open < used.size() && used[first_open] == 64) ++first_open;
      std::size_t word = first_open;
      while (word < used.size() && used[word] + width > 64) ++word;
      if (word == used.size()) used.push_back(0);
      if (word > 0xffff) throw std::length_error("a state of more than 65536 packed words");
      const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
      field.word = static_cast<std::uint32_t>(word);
      field.shift = used[word];
      field.keep = ~(mask << field.shift);
      used[word] += width;
      bits_ += width;
      readers_.push_back({mask, field.bias, slot, static_cast<std::uint16_t>(word),
                          static_cast<std::uint16_t>(field.shift)});
    }
    fields_.push_back(field);
  }
  words_ = used.size();
}

void Packing::pack(const Word* state, std::uint64_t* packed) const {
  for (std::size_t i = 0; i < words_; ++i) packed[i] = 0;
  for (SlotId slot = 0; slot < fields_.size(); ++slot) update(packed, slot, state[slot]);
}

void Packing::unpack(const std::uint64_t* packed, Word* state) const {
  for (const Reader& r : readers_) {
    state[r.slot] = static_cast<Word>(((packed[r.word] >> r.shift) & r.mask) +
                                      static_cast<std::uint64_t>(r.bias));
  }
  for (const Fixed& f : fixed_) state[f.slot] = f.value;
}

void Packing::out_of_range(SlotId slot, Word value) const {
  const program::Slot& s = program_.slots[slot];
  if (!s.stored) {
    throw std::logic_error("scratch slot " + s.name + " holds " + std::to_string(value) +
                           " between steps; its rest value is " + std::to_string(s.rest_value) +
                           ": is a `forget` missing?");
  }
  throw std::logic_error("slot " + s.name + " holds " + std::to_string(value) +
                         " between steps, outside " + std::to_string(s.range.lo) + ".." +
                         std::to_string(s.range.hi) + ": is a range check missing?");
}

}  // namespace txproof::checker
