// Any layout, any state in range: unpacking gives back what was packed, and updates agree.
#include "checker/explicit/packing.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "tests/support/program_builder.h"

using txproof::checker::Packing;
using namespace txproof::test;

TEST_CASE("packing round trip") {
  CHECK(rc::check("pack, unpack, update", [] {
    ProgramBuilder b;
    const auto count = *rc::gen::inRange<std::size_t>(1, 40);
    State state;
    State other;
    for (std::size_t i = 0; i < count; ++i) {
      const int width = *rc::gen::inRange(0, 62);
      const Word span = width == 0 ? 0 : *rc::gen::inRange<Word>(0, Word{1} << width);
      const Word lo = *rc::gen::inRange<Word>(-1000, 1000);
      const SlotId slot = b.slot("s" + std::to_string(i), lo, lo + span, lo);
      b.program.slots[slot].stored = *rc::gen::inRange(0, 4) != 0;
      const bool stored = b.program.slots[slot].stored;
      state.push_back(stored ? lo + *rc::gen::inRange<Word>(0, span + 1) : lo);
      other.push_back(stored ? lo + *rc::gen::inRange<Word>(0, span + 1) : lo);
    }
    const Packing packing(b.program);
    std::vector<std::uint64_t> packed(packing.words()), changed(packing.words());
    packing.pack(state.data(), packed.data());
    State back(count, 123456789);
    packing.unpack(packed.data(), back.data());
    RC_ASSERT(back == state);
    for (SlotId slot = 0; slot < count; ++slot) {
      packing.update(packed.data(), slot, other[slot]);
    }
    packing.pack(other.data(), changed.data());
    RC_ASSERT(packed == changed);
    RC_ASSERT(packing.bits() <= packing.words() * 64);
  }));
}
