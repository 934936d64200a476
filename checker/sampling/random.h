// Random numbers that are the same everywhere for the same seed: the standard library's
// distributions are not.
//
// The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
// OOPSLA 2014); bounded numbers are drawn without bias by Lemire's method (ACM TOMACS 29, 2019).
#pragma once

#include <cstdint>

namespace txproof::checker::sampling {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  // The generator of run number `run` of a series.
  static Random of_run(std::uint64_t seed, std::uint64_t run) {
    Random first(seed);
    return Random(first.next() ^ mixed(run + 1));
  }

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    return mixed(state_);
  }

  // requires: count >= 1; ensures: below count, each as likely as any other
  std::uint64_t below(std::uint64_t count) {
    __extension__ using Wide = unsigned __int128;
    Wide product = Wide{next()} * count;
    auto low = static_cast<std::uint64_t>(product);
    if (low < count) {
      const std::uint64_t least = (0 - count) % count;
      while (low < least) {
        product = Wide{next()} * count;
        low = static_cast<std::uint64_t>(product);
      }
    }
    return static_cast<std::uint64_t>(product >> 64U);
  }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
  std::uint64_t state_;
};

}  // namespace txproof::checker::sampling
