#include "checker/diff/git_files.h"

#include <doctest/doctest.h>

#include "checker/diff/run_program.h"

namespace txproof::diff {
namespace {

TEST_CASE("ranges of revisions") {
  std::string error;
  auto range = parse_revisions("v1..v2", error);
  REQUIRE(range);
  CHECK(range->from == "v1");
  CHECK(range->to == "v2");
  CHECK(parse_revisions("v1..", error)->to == "HEAD");
  CHECK(parse_revisions("..v2", error)->from == "HEAD");
  CHECK(parse_revisions("HEAD~1..HEAD^2", error));
  for (const char* bad : {"v1", "", "v1...v2", "-x..v2", "v1..--output=x", "a..b..c", "a:b..c"}) {
    error.clear();
    CAPTURE(bad);
    CHECK(!parse_revisions(bad, error));
    CHECK(error != "");
  }
}

TEST_CASE("programs are run without a shell, with a bound on what they say") {
  ProgramOutput output = run_program({"printf", "%s", "$HOME; `id` > x"}, 1000);
  CHECK(output.out == "$HOME; `id` > x");
  CHECK(output.status == 0);
  CHECK(!run_program({"there-is-no-such-program-here"}, 10).started);
  output = run_program({"yes"}, 1000);
  CHECK(output.cut);
  CHECK(output.out.size() == 1000);
  output = run_program({"cat"}, 1000);  // standard input is empty
  CHECK(output.status == 0);
  CHECK(run_program({"false"}, 10).status == 1);
}

}  // namespace
}  // namespace txproof::diff
