// What a test of this library ends with: passed or not, and why, with no test framework in it.
//
//   doctest      const auto result = check_random(model); CHECK_MESSAGE(result, result.message);
//   GoogleTest   EXPECT_TRUE(result.passed) << result.message;
#pragma once

#include <cstdint>
#include <ostream>
#include <string>

namespace txproof::harness {

struct Result {
  bool passed = true;
  std::string message;      // for people, several lines; not empty if it failed
  std::string reproduce;    // makes the failure happen again, see the function that gave the result
  std::uint64_t tests = 0;  // made
  std::uint64_t steps = 0;  // of models, commands of subjects, operations of histories: in all
  explicit operator bool() const { return passed; }
};

inline std::ostream& operator<<(std::ostream& out, const Result& result) {
  return out << (result.passed ? "passed" : "failed") << '\n' << result.message;
}

}  // namespace txproof::harness
