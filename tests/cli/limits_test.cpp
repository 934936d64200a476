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

// One step that takes an hour, or more memory than there is.
std::string long_step(const std::string& body, const std::string& property) {
  return "object o { int x in 0..1000000000 = 0; int y in 0..1 = 0; }\n"
         "thread t(o q) { int n in 0..1000000000 = 0; pause; " +
         body + " }\nproperty p { " + property + " }\nstack s { o q {}; run t(q); check p; }\n";
}

TEST_CASE_FIXTURE(Fixture, "limits hold inside a step") {
  const std::string writes = "for (i in 0..1000000000) q.x = i;";
  const std::string picks = "for (i in 0..1000000000) { n = any 0..1; }";
  const std::string small = "always forall r in o: r.y == 0;";
  write_file(folder.path() / "large.tx", long_step(writes, small));
  const json time = check({"--time-limit", "0.5", "--memory-limit", "16M"}, "time");
  for (const json& entry : time["results"]) CHECK(entry["seconds"] < 10);
  for (const json& entry : time["results"]) {
    CHECK(entry["reason"].get<std::string>().find("the initial state was not explored in full") !=
          std::string::npos);
  }
  check({"--time-limit", "0.5", "--memory-limit", "16M", "--jobs", "1"}, "time");
  write_file(folder.path() / "large.tx", long_step(picks, small));
  check({"--time-limit", "60", "--memory-limit", "64M"}, "memory");
}

TEST_CASE_FIXTURE(Fixture, "Ctrl-C is heard inside a step") {
  write_file(folder.path() / "large.tx",
             long_step("for (i in 0..1000000000) q.x = i;", "always forall r in o: r.y == 0;"));
  const RunResult result = test::run({"bash", "-c",
                                      "set -m; \"$0\" check large.tx --time-limit 60 >out.txt & "
                                      "p=$!; sleep 0.5; kill -INT $p; wait "
                                      "$p; echo $?",
                                      TXPROOF_BINARY},
                                     {.folder = folder.path()});
  CHECK(result.out == "3\n");
  CHECK(read_file(folder.path() / "out.txt").find("interrupted") != std::string::npos);
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
