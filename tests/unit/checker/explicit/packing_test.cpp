#include "checker/explicit/packing.h"

#include <doctest/doctest.h>

#include <limits>
#include <stdexcept>

#include "tests/support/program_builder.h"

using txproof::checker::Packing;
using namespace txproof::test;

TEST_CASE("a slot takes the bits of its range, scratch and single values none") {
  ProgramBuilder b;
  b.slot("seven values", -3, 3);
  b.slot("one value", 5, 5, 5);
  b.scratch("scratch", 0, 1000, 7);
  b.slot("bool", 0, 1);
  const Packing packing(b.program);
  CHECK(packing.bits() == 4);
  CHECK(packing.words() == 1);
  State state{-2, 5, 7, 1};
  std::uint64_t packed[1];
  packing.pack(state.data(), packed);
  CHECK(packed[0] == (1U | 1U << 3));
  State back(4, -99);
  packing.unpack(packed, back.data());
  CHECK(back == state);
}

TEST_CASE("no slot crosses a word, and narrow slots fill the gaps") {
  ProgramBuilder b;
  b.slot("wide a", 0, (Word{1} << 40) - 1);
  b.slot("wide b", 0, (Word{1} << 40) - 1);
  b.slot("narrow", 0, (Word{1} << 24) - 1);
  const Packing packing(b.program);
  CHECK(packing.words() == 2);
  const State state{(Word{1} << 40) - 1, 12345678901, (Word{1} << 24) - 1};
  std::uint64_t packed[2];
  packing.pack(state.data(), packed);
  CHECK(packed[0] == ~std::uint64_t{0});
  State back(3);
  packing.unpack(packed, back.data());
  CHECK(back == state);
}

TEST_CASE("ranges of all 64 bits") {
  ProgramBuilder b;
  constexpr Word least = std::numeric_limits<Word>::min();
  constexpr Word most = std::numeric_limits<Word>::max();
  b.slot("all", least, most);
  b.slot("bit", 0, 1);
  const Packing packing(b.program);
  CHECK(packing.words() == 2);
  for (const Word value : {least, Word{-1}, Word{0}, most}) {
    const State state{value, 1};
    std::uint64_t packed[2];
    packing.pack(state.data(), packed);
    State back(2);
    packing.unpack(packed, back.data());
    CHECK(back == state);
  }
}

TEST_CASE("update equals packing anew") {
  ProgramBuilder b;
  b.slot("a", 0, 9);
  b.slot("b", -100, 100);
  const Packing packing(b.program);
  State state{3, -50};
  std::uint64_t packed[1], anew[1];
  packing.pack(state.data(), packed);
  packing.update(packed, 1, 77);
  state[1] = 77;
  packing.pack(state.data(), anew);
  CHECK(packed[0] == anew[0]);
}

TEST_CASE("what cannot be stored exactly is refused") {
  ProgramBuilder b;
  b.slot("five values", 0, 4);
  b.scratch("scratch", 0, 9, 2);
  const Packing packing(b.program);
  std::uint64_t packed[1];
  const State too_large{5, 2};  // fits in three bits, but is out of range
  CHECK_THROWS_AS(packing.pack(too_large.data(), packed), std::logic_error);
  const State scratch_in_use{4, 3};
  CHECK_THROWS_AS(packing.pack(scratch_in_use.data(), packed), std::logic_error);
}
