// mutate: which planted faults the properties of a stack notice.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/json_schema.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using nlohmann::json;

// A counter that stops at its limit. `small` says nothing of the counting down, `empties` does.
const std::string model =
    "object cell { int n in 0..9 = 0; }\n"
    "fn add(cell c) { if (c.n < 3) c.n += 1; }\n"
    "fn drain(cell c) { c.n = 0; }\n"
    "thread up(cell c) { loop { pause; add(c); } }\n"
    "thread down(cell c) { loop { rest c.n == 3; drain(c); } }\n"
    "property small { always forall c in cell: c.n <= 3; }\n"
    "property empties { exists c in cell: c.n == 3 leads_to forall c in cell: c.n < 3; }\n";

struct Fixture {
  TemporaryFolder folder;
  explicit Fixture(const std::string& checks) {
    write_file(folder.path() / "m.tx",
               model + "stack s { cell a {}; run up(a); run down(a); check " + checks + "; }\n");
  }
  RunResult run(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {"mutate", "m.tx"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_txproof(arguments, {.folder = folder.path()});
  }
};

std::vector<std::string> survivors(const json& report) {
  std::vector<std::string> out;
  for (const json& row : report["results"]) {
    if (row["fate"] == "survived") {
      out.push_back(row["function"].get<std::string>() + ": " + row["fault"].get<std::string>());
    }
  }
  return out;
}

TEST_CASE("mutate: a weak property lets a lost drain live, a second one kills it") {
  const RunResult weak = Fixture("small").run({"--format", "json"});
  CHECK(weak.exit_code == 1);
  const json before = json::parse(weak.out);
  CHECK(schema_error(before, source_folder() / "docs/schema/mutate.schema.json") == "");
  const auto names = survivors(before);
  CHECK(std::find(names.begin(), names.end(), "drain: lost wake") != names.end());
  CHECK(std::find(names.begin(), names.end(), "down: dropped statement") != names.end());

  const json after = json::parse(Fixture("small, empties").run({"--format", "json"}).out);
  for (const std::string& name : survivors(after)) {
    CAPTURE(name);
    CHECK(name != "drain: lost wake");
    CHECK(name != "down: dropped statement");
  }
  CHECK(after["killed"].get<int>() > before["killed"].get<int>());
  CHECK(after["killed"].get<int>() + after["survived"].get<int>() ==
        before["killed"].get<int>() + before["survived"].get<int>());
}

TEST_CASE("mutate: a survivor is a patch that diff reads, and diff finds nothing worse") {
  const Fixture fixture("small");
  const json report = json::parse(fixture.run({"--format", "json"}).out);
  int tried = 0;
  for (const json& row : report["results"]) {
    if (row["fate"] != "survived" && row["fate"] != "killed") continue;
    write_file(fixture.folder.path() / "one.patch", row["diff"].get<std::string>());
    const RunResult diff =
        run_txproof({"diff", "m.tx", "one.patch"}, {.folder = fixture.folder.path()});
    CAPTURE(row["diff"].get<std::string>());
    CAPTURE(diff.err);
    CHECK(diff.exit_code == (row["fate"] == "survived" ? 0 : 1));
    ++tried;
  }
  CHECK(tried > 5);
}

TEST_CASE("mutate: the number of threads changes nothing, a sample follows its seed") {
  const Fixture fixture("small, empties");
  const std::string one = fixture.run({"--jobs", "1"}).out;
  CHECK(one == fixture.run({"--jobs", "3"}).out);
  const std::string some = fixture.run({"--sample", "4", "--seed", "7"}).out;
  CHECK(some.find("a sample: 4 of ") != std::string::npos);
  CHECK(some == fixture.run({"--sample", "4", "--seed", "7"}).out);
}

TEST_CASE("mutate: faults are planted in what a patch has made of a file") {
  const std::string name = "model/corpus/usb-can-echo-freed-twice";
  const RunResult run =
      run_txproof({"mutate", name + ".tx", "--patch", name + ".patch", "--format", "json"},
                  {.folder = source_folder()});
  REQUIRE(run.exit_code <= 1);
  const json report = json::parse(run.out);
  const auto killed = [](const json& row) { return row["fate"] == "killed"; };
  CHECK(std::ranges::count_if(report["results"], killed) >= 10);
}

TEST_CASE("mutate: limits and bad input are told") {
  const Fixture fixture("small");
  const RunResult limited = fixture.run({"--max-depth", "1"});
  CHECK(limited.exit_code == 3);
  CHECK(limited.err.find("could not be decided") != std::string::npos);
  CHECK(fixture.run({"--sample", "0"}).exit_code == 2);
  CHECK(fixture.run({"--format", "junit"}).exit_code == 2);
  const RunResult standard_input = run_txproof({"mutate", "-"}, {.input = model});
  CHECK(standard_input.exit_code == 2);
  CHECK(standard_input.err.find("needs a file") != std::string::npos);
}

}  // namespace
}  // namespace txproof::test
