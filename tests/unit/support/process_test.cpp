#include "tests/support/process.h"

#include <doctest/doctest.h>

#include <stdexcept>

#include "tests/support/files.h"

namespace txproof::test {

TEST_CASE("run gathers both outputs and the exit code") {
  const RunResult result = run({"sh", "-c", "cat; echo problem >&2; exit 3"}, {.input = "text\n"});
  CHECK(result.exit_code == 3);
  CHECK(result.out == "text\n");
  CHECK(result.err == "problem\n");
}

TEST_CASE("run survives a child that reads no input and one that says a lot") {
  const std::string large(1 << 20, 'x');
  CHECK(run({"true"}, {.input = large}).exit_code == 0);
  CHECK(run({"cat"}, {.input = large}).out == large);
}

TEST_CASE("run sets the folder and the environment") {
  const TemporaryFolder folder;
  const RunResult result = run({"sh", "-c", "pwd; echo $COLOUR"},
                               {.folder = folder.path(), .environment = {{"COLOUR", "blue"}}});
  CHECK(result.out == folder.path().string() + "\nblue\n");
}

TEST_CASE("run tells a signal and a program that does not exist") {
  CHECK(run({"sh", "-c", "kill -TERM $$"}).exit_code == 128 + 15);
  CHECK_THROWS_AS(run({"/nonexistent/program"}), std::runtime_error);
}

TEST_CASE("a temporary folder goes away with its files") {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    write_file(path / "a" / "b", "text");
    CHECK(read_file(path / "a" / "b") == "text");
  }
  CHECK_FALSE(std::filesystem::exists(path));
}

}  // namespace txproof::test
