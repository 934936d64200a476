// State vectors as packed bits, and back.
//
// Only stored slots are packed: each in as many bits as its range needs, biased by its lower end,
// and never across two words, so that a slot is one shift and one mask. A slot goes into the first
// word with room for it. A slot whose range is one value takes no bits.
//
//   Packing packing(program);
//   packing.pack(state.data(), words);           // packing.words() of them
//   packing.update(words, slot, new_value);      // one slot changed
//   packing.unpack(words, state.data());
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker {

class Packing {
 public:
  explicit Packing(const program::Program& program);

  // Words of a packed state: at least one.
  [[nodiscard]] std::size_t words() const { return words_; }
  [[nodiscard]] std::size_t bits() const { return bits_; }

  // requires: every stored slot in its range, every other at its rest value
  // errors:   std::logic_error names the slot where that is not so: a state that cannot be stored
  //           exactly is never stored
  void pack(const program::Word* state, std::uint64_t* packed) const;
  void update(std::uint64_t* packed, program::SlotId slot, program::Word value) const {
    const Field& field = fields_[slot];
    const std::uint64_t biased =
        static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(field.bias);
    if (biased > field.span) [[unlikely]] {
      out_of_range(slot, value);
    }
    std::uint64_t& word = packed[field.word];
    word = (word & field.keep) | (biased << field.shift);
  }

  // ensures: every slot is set, scratch slots to their rest value
  void unpack(const std::uint64_t* packed, program::Word* state) const;

 private:
  // A scratch slot and a slot of one value are fields of span 0: `update` then demands that value
  // and changes no bit.
  struct Field {
    std::uint64_t keep = ~std::uint64_t{0};  // bits of the word that are not this field's
    program::Word bias = 0;
    std::uint64_t span = 0;  // largest biased value
    std::uint32_t word = 0;
    std::uint32_t shift = 0;
  };
  // What `unpack` reads, without the rest, for slots that take bits; in slot order.
  struct Reader {
    std::uint64_t mask = 0;
    program::Word bias = 0;
    std::uint32_t slot = 0;
    std::uint16_t word = 0;
    std::uint16_t shift = 0;
  };
  struct Fixed {
    program::SlotId slot;
    program::Word value;
  };

  [[noreturn]] void out_of_range(program::SlotId slot, program::Word value) const;

  const program::Program& program_;
  std::size_t words_ = 1;
  std::size_t bits_ = 0;
  std::vector<Field> fields_;  // by slot
  std::vector<Reader> readers_;
  std::vector<Fixed> fixed_;
};

}  // namespace txproof::checker
