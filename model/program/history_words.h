// weak: the words of a variable's block in front of its values (HistoryState in memory.h).
#pragma once

#include <cstdint>

namespace txproof::program {

constexpr std::uint32_t length_word = 0;
constexpr std::uint32_t floor_word = 1;   // a store goes behind it: the last atomic one
constexpr std::uint32_t strong_word = 2;  // what every full fence has seen
constexpr std::uint32_t first_value = 3;

}  // namespace txproof::program
