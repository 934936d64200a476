#include "tests/support/markdown.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/files.h"

namespace txproof::test {

TEST_CASE("fenced blocks keep their language, the line above and their place") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "a.md";
  write_file(file, "# Title\n<!-- tested -->\n```console\n$ ./txproof\nout\n```\n\n```tx\n```\n");
  const auto blocks = fenced_blocks(file);
  REQUIRE(blocks.size() == 2);
  CHECK(blocks[0].language == "console");
  CHECK(blocks[0].above == "<!-- tested -->");
  CHECK(blocks[0].line == 4);
  CHECK(blocks[0].lines == std::vector<std::string>{"$ ./txproof", "out"});
  CHECK(blocks[1].language == "tx");
  CHECK(blocks[1].lines.empty());
}

TEST_CASE("a fence that is not closed is an error") {
  const TemporaryFolder folder;
  write_file(folder.path() / "a.md", "```tx\n");
  CHECK_THROWS_AS(fenced_blocks(folder.path() / "a.md"), std::runtime_error);
}

TEST_CASE("times of runs are taken out, other numbers stay") {
  CHECK(without_times("explicit: 12 states, depth 6, 10.3 s, coarse\n") ==
        "explicit: 12 states, depth 6, N s, coarse\n");
  CHECK(without_times("at least 2 s, 3.5 states") == "at least 2 s, 3.5 states");
}

}  // namespace txproof::test
