// What is fuzzed: each takes any bytes, must neither crash nor hang, and holds the reader to
// something that is true of every input. A broken promise aborts the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace txproof::fuzz {

// Lexer, parser, checker and printer: what is printed parses again, and prints the same.
void model(std::string_view bytes);
// The reader of unified diffs, and the applying of hunks.
void patch(std::string_view bytes);
// The reader of trace files.
void trace(std::string_view bytes);

struct Target {
  const char* name;  // its folder below corpus/
  void (*run)(std::string_view bytes);
};
constexpr Target targets[] = {{"model", model}, {"patch", patch}, {"trace", trace}};

}  // namespace txproof::fuzz
