// What a model file says must come out of checking it, and what did.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace txproof::test {

// "holds", "violated P [Q…]", "inconclusive P [Q…]" or "error TXnnnn": the words of a header line.
//   holds:        exit 0, and every property holds
//   violated:     exit 1; the named properties are violated, every other one holds
//   inconclusive: exit 3; the named properties are inconclusive, every other one holds
//   error:        exit 2, and the message carries the code
struct Expectation {
  std::string kind;
  std::vector<std::string> names;
};

// A header line of a model: `// KEY: VALUE`.
struct HeaderLine {
  std::string key;
  std::string value;
};

// The header lines at the top of a model: as long as each line is a comment, those that have a key
// of one word.
std::vector<HeaderLine> header_lines(const std::string& text);

// Words between white space.
std::vector<std::string> split_words(const std::string& text);

//   errors: throws std::runtime_error if the words are none of the above
Expectation parse_expectation(const std::string& words);

// What is wrong with the outcome of `txproof check … --format json`; empty if nothing is.
std::string mismatch(const Expectation& expected, const RunResult& run);

}  // namespace txproof::test
