// Limits and Ctrl-C end a run with an honest, partial report.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using nlohmann::json;

// More states than any limit below lets through.
const std::string large =
    "object cell { int n in 0..99 = 0; }\n"
    "thread up(cell c) { loop { pause; c.n = (c.n + 1) % 100; } }\n"
    "property small { always forall c in cell: c.n <= 99; }\n"
    "stack s { cell a[6] {}; run up(a[i]) for i in 0..5; check small; }\n";

struct Fixture {
  TemporaryFolder folder;
  Fixture() { write_file(folder.path() / "large.tx", large); }
  json check(const std::vector<std::string>& limits, const std::string& limit) const {
    std::vector<std::string> arguments = {"check", "large.tx", "--format", "json"};
    arguments.insert(arguments.end(), limits.begin(), limits.end());
    const RunResult result = run_txproof(arguments, {.folder = folder.path()});
    CHECK(result.exit_code == 3);
    json report = json::parse(result.out);
    CHECK(report["complete"] == false);
    for (const json& entry : report["results"]) {
      CHECK(entry["verdict"] == "inconclusive");
      CHECK(entry["limit"] == limit);
      CHECK(entry["reason"] != "");
    }
    return report;
  }
};

TEST_CASE_FIXTURE(Fixture, "depth, time, memory") {
  CHECK(check({"--max-depth", "3"}, "depth")["results"][0]["states"] > 1);
  CHECK(check({"--time-limit", "0"}, "time")["results"][0]["states"] <= 1);
  check({"--time-limit", "0.2"}, "time");
  check({"--memory-limit", "8M"}, "memory");
}

TEST_CASE_FIXTURE(Fixture, "Ctrl-C gives what is known; the second one ends at once") {
  const std::string script =
      "\"$0\" check large.tx --format json >out.json & p=$!; sleep 1; kill -INT $p; wait $p; echo "
      "$?";
  const RunResult once =
      test::run({"bash", "-c", "set -m; " + script, TXPROOF_BINARY}, {.folder = folder.path()});
  CHECK(once.out == "3\n");
  const json report = json::parse(read_file(folder.path() / "out.json"));
  CHECK(report["results"][0]["limit"] == "interrupted");
  CHECK(report["results"][0]["states"] > 1);
}

TEST_CASE_FIXTURE(Fixture, "progress is on standard error, in full lines where it is no terminal") {
  const RunResult result =
      run_txproof({"check", "large.tx", "--time-limit", "1.5"}, {.folder = folder.path()});
  CHECK(result.exit_code == 3);
  CHECK(result.err.find("states/s") != std::string::npos);
  CHECK(result.err.find('\r') == std::string::npos);
  CHECK(result.out.find("states/s") == std::string::npos);
}

}  // namespace
}  // namespace txproof::test
