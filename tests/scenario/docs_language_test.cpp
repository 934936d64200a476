// Every ```tx example of the documents is checked and must come out as its first line says:
//   // expect: holds | violated PROPERTY… | inconclusive PROPERTY… | error TXnnnn
//   // flags: --interleave fine        (optional)
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/support/expectation.h"
#include "tests/support/files.h"
#include "tests/support/markdown.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

std::string problem_of_example(const FencedBlock& block) {
  const std::string text = join_lines(block.lines);
  std::string expected;
  std::vector<std::string> command{"check", "-", "--format", "json"};
  for (const HeaderLine& line : header_lines(text)) {
    if (line.key == "expect") expected = line.value;
    if (line.key == "flags") {
      const auto words = split_words(line.value);
      command.insert(command.end(), words.begin(), words.end());
    }
  }
  if (expected.empty()) return "the example does not begin with `// expect: …`";
  const RunResult result = run_txproof(command, {.input = text, .folder = source_folder()});
  return mismatch(parse_expectation(expected), result);
}

}  // namespace

TEST_CASE("the examples of the documents come out as they say") {
  int examples = 0;
  for (const auto& document : documents()) {
    for (const FencedBlock& block : fenced_blocks(document)) {
      if (block.language != "tx") continue;
      ++examples;
      CAPTURE(document.filename().string() + ":" + std::to_string(block.line));
      CHECK(problem_of_example(block) == "");
    }
  }
  CHECK(examples > 0);
}

}  // namespace txproof::test
