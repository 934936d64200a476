// Arithmetic of the step semantics on words: never undefined, whatever the operands.
//
// The elaborator refuses models in which a mathematical result could leave 64 bits, except under a
// wrap, where the product modulo 2^64 is right. Division by zero is behind a check that fails; it
// gives 0.
#pragma once

#include <cstdint>

#include "model/program/program.h"

namespace txproof::checker::arithmetic {

using program::Word;

constexpr std::uint64_t bits(Word a) { return static_cast<std::uint64_t>(a); }
constexpr Word add(Word a, Word b) { return static_cast<Word>(bits(a) + bits(b)); }
constexpr Word subtract(Word a, Word b) { return static_cast<Word>(bits(a) - bits(b)); }
constexpr Word multiply(Word a, Word b) { return static_cast<Word>(bits(a) * bits(b)); }
// The smallest word divided by -1 does not fit; it is caught with the other divisors of -1.
constexpr Word divide(Word a, Word b) { return b == 0 ? 0 : b == -1 ? subtract(0, a) : a / b; }
constexpr Word modulo(Word a, Word b) { return b == 0 || b == -1 ? 0 : a % b; }
constexpr Word wrap(Word a, Word modulus) {
  const Word r = modulo(a, modulus);
  return r < 0 ? r + modulus : r;
}
constexpr Word shift_left(Word a, Word b) { return static_cast<Word>(bits(a) << (bits(b) & 63U)); }
constexpr Word shift_right(Word a, Word b) { return a >> (bits(b) & 63U); }

}  // namespace txproof::checker::arithmetic
