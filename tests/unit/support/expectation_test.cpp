#include "tests/support/expectation.h"

#include <doctest/doctest.h>

#include <stdexcept>

namespace txproof::test {
namespace {

RunResult report(int exit_code, const std::string& verdict_of_p) {
  return {exit_code,
          R"({"results":[{"property":"p","verdict":")" + verdict_of_p +
              R"("},{"property":"q","verdict":"holds"}]})",
          ""};
}

}  // namespace

TEST_CASE("an expectation meets what it says and nothing else") {
  CHECK(mismatch(parse_expectation("holds"), report(0, "holds")).empty());
  CHECK(mismatch(parse_expectation("violated p"), report(1, "violated")).empty());
  CHECK(mismatch(parse_expectation("inconclusive p"), report(3, "inconclusive")).empty());
  CHECK(mismatch(parse_expectation("error TX0301"), {2, "", "a.tx:1:1: error[TX0301]"}).empty());

  CHECK_FALSE(mismatch(parse_expectation("holds"), report(1, "violated")).empty());
  CHECK_FALSE(mismatch(parse_expectation("holds"), report(4, "holds")).empty());
  CHECK_FALSE(mismatch(parse_expectation("violated p"), report(0, "violated")).empty());
  CHECK_FALSE(mismatch(parse_expectation("violated q"), report(1, "violated")).empty());
  CHECK_FALSE(mismatch(parse_expectation("violated p r"), report(1, "violated")).empty());
  CHECK_FALSE(mismatch(parse_expectation("holds"), {0, R"({"results":[]})", ""}).empty());
  CHECK_FALSE(mismatch(parse_expectation("holds"), {0, "no report", ""}).empty());
  CHECK_FALSE(mismatch(parse_expectation("error TX0301"), {2, "", "error[TX0302]"}).empty());
}

TEST_CASE("words that are no expectation are refused") {
  for (const char* words : {"", "violated", "hold", "holds p", "error", "inconclusive"}) {
    CHECK_THROWS_AS(parse_expectation(words), std::runtime_error);
  }
}

TEST_CASE("header lines end with the first line of the model") {
  const auto header = header_lines(
      "// before: violated own.linear\n// A story: with a colon.\n//\n// flags: --set N=1\n"
      "linear struct s { }\n// after: holds\n");
  REQUIRE(header.size() == 2);
  CHECK(header[0].key == "before");
  CHECK(header[0].value == "violated own.linear");
  CHECK(header[1].key == "flags");
  CHECK(header[1].value == "--set N=1");
}

}  // namespace txproof::test
