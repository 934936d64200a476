#include "checker/explicit/state_table.h"

#include <doctest/doctest.h>

using namespace txproof::checker;

namespace {

void make(std::uint64_t n, std::size_t words, std::uint64_t* packed) {
  for (std::size_t i = 0; i < words; ++i) packed[i] = i == n % words ? n : 0;
}

}  // namespace

TEST_CASE("every state is stored once, in order, through many growths") {
  for (const std::size_t words : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    StateTable table(words, 0);
    constexpr StateId count = 200000;
    std::uint64_t packed[5];
    for (StateId n = 0; n < count; ++n) {
      make(n + 1, words, packed);
      REQUIRE(table.add(packed, hash_words(packed, words), n == 0 ? no_state : n / 2) ==
              StateTable::Added::fresh);
    }
    CHECK(table.size() == count);
    for (StateId n = 0; n < count; ++n) {
      make(n + 1, words, packed);
      REQUIRE(table.add(packed, hash_words(packed, words), 7) == StateTable::Added::known);
      REQUIRE(table.packed(n)[(n + 1) % words] == n + 1);
    }
    CHECK(table.predecessor(0) == no_state);
    CHECK(table.predecessor(99999) == 49999);
    make(count + 1, words, packed);
    CHECK_FALSE(table.contains(packed, hash_words(packed, words)));
    CHECK(table.bytes() > count * words * 8);
  }
}

TEST_CASE("equal hashes do not make equal states") {
  // Few enough that the index never grows, for then it takes the true hashes.
  StateTable table(1, 0);
  for (std::uint64_t n = 0; n < 600; ++n) {
    REQUIRE(table.add(&n, n % 3, no_state) == StateTable::Added::fresh);
  }
  for (std::uint64_t n = 0; n < 600; ++n) REQUIRE(table.contains(&n, n % 3));
  const std::uint64_t other = 600;
  CHECK_FALSE(table.contains(&other, other % 3));
}

TEST_CASE("the memory limit is kept, and the table stays usable") {
  constexpr std::uint64_t limit = 8 << 20;
  StateTable table(2, limit);
  StateId added = 0;
  std::uint64_t packed[2] = {0, 0};
  for (;; ++added) {
    packed[0] = added;
    if (table.add(packed, hash_words(packed, 2), no_state) == StateTable::Added::no_room) break;
    REQUIRE(table.bytes() <= limit);
  }
  CHECK(added == table.size());
  CHECK(added > 100000);
  packed[0] = 5;
  CHECK(table.add(packed, hash_words(packed, 2), 0) == StateTable::Added::known);
  StateTable tiny(2, 100);
  CHECK(tiny.add(packed, hash_words(packed, 2), 0) == StateTable::Added::no_room);
}
