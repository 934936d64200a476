// Each format of check and diff, on the bonding regression: machines get what the schemas promise.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/json_schema.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using nlohmann::json;

RunResult diff(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"diff", "model/stacks/bonding.tx",
                                        "model/patches/skb-orphan-try.patch"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_txproof(arguments, {.folder = source_folder()});
}

RunResult check_bonding(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"check", "model/stacks/bonding.tx", "--patch",
                                        "model/patches/skb-orphan-try.patch"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_txproof(arguments, {.folder = source_folder()});
}

std::string schema(const json& value, const std::string& name) {
  return schema_error(value, source_folder() / "docs/schema" / name);
}

TEST_CASE("diff: JSON follows its schema and tells the three regressions") {
  const RunResult result = diff({"--format", "json"});
  CHECK(result.exit_code == 1);
  const json report = json::parse(result.out);
  CHECK(schema(report, "diff.schema.json") == "");
  std::vector<std::string> regressed;
  for (const json& change : report["changes"]) {
    if (change["change"] == "regressed") regressed.push_back(change["property"]);
  }
  CHECK(regressed == std::vector<std::string>{"bounded_in_flight", "no_silent_loss",
                                              "no_silent_uncharged_drop"});
  CHECK(report["maxima"][0]["patched"] > report["maxima"][0]["base"]);
  bool drops = false;
  for (const json& code : report["return_codes"]["reachable"]) {
    drops = drops || code["value"] == "NET_XMIT_DROP";
  }
  CHECK(drops);
}

TEST_CASE("check: JSON follows its schema; so does a report with coverage") {
  const json report = json::parse(check_bonding({"--format", "json", "--coverage"}).out);
  CHECK(schema(report, "check.schema.json") == "");
  CHECK(report["tool"] == "txproof");
  CHECK(report["stack"] == "bonding");
  CHECK(report["parameters"]["L"] == 3);
  CHECK(!report["not_reached"].empty());
}

TEST_CASE("check: the reports of every small model follow the schema, lassos and rates too") {
  const RunResult result =
      run_txproof({"check", "model/corpus", "--format", "json"}, {.folder = source_folder()});
  const json report = json::parse(result.out);
  CHECK(report["stacks"].size() > 20);
  CHECK(schema(report, "check.schema.json") == "");
}

TEST_CASE("the validator finds what does not follow a schema") {
  json report = json::parse(check_bonding({"--format", "json"}).out);
  report["results"][0]["verdict"] = "maybe";
  CHECK(schema(report, "check.schema.json") != "");
  report["results"][0]["verdict"] = "holds";
  report["results"][0].erase("states");
  CHECK(schema(report, "check.schema.json") != "");
}

TEST_CASE("every line of jsonl is a document, the last one the exit status") {
  const RunResult result = diff({"--format", "jsonl"});
  std::istringstream lines(result.out);
  std::string line;
  json last;
  while (std::getline(lines, line)) last = json::parse(line);
  CHECK(last["event"] == "end");
  CHECK(last["status"] == result.exit_code);
}

TEST_CASE("itf: one document with every variable in every state") {
  const RunResult result = check_bonding({"--format", "itf", "--property", "no_silent_loss"});
  const json trace = json::parse(result.out);
  CHECK(trace["#meta"]["format"] == "ITF");
  CHECK(trace["states"].size() == 7);
  for (const json& state : trace["states"]) {
    for (const json& name : trace["vars"]) {
      CHECK(state[name.get<std::string>()]["#bigint"].is_string());
    }
  }
}

TEST_CASE("junit: a regression is a failure, what was violated before is none") {
  const RunResult result = diff({"--format", "junit"});
  CHECK(result.out.find("failures=\"3\"") != std::string::npos);
  CHECK(result.out.find("&lt;=") != std::string::npos);
  CHECK(result.out.find('\x1b') == std::string::npos);
  const RunResult same =
      run_txproof({"diff", "model/stacks/bonding.tx", "--base",
                   "model/patches/skb-orphan-try.patch", "/dev/stdin", "--format", "junit"},
                  {.folder = source_folder()});
  CHECK(same.exit_code == 2);  // a device is no patch; standard input is "-"
  const RunResult empty =
      run_txproof({"diff", "model/stacks/bonding.tx", "--base",
                   "model/patches/skb-orphan-try.patch", "-", "--format", "junit"},
                  {.input = "\n", .folder = source_folder()});
  CHECK(empty.exit_code == 0);
  CHECK(empty.out.find("failures=\"0\"") != std::string::npos);
}

TEST_CASE("neither the number of threads nor a second run changes a report") {
  const auto without_times = [](const std::string& text) {
    json report = json::parse(text);
    for (const char* side : {"base", "patched"}) {
      for (json& result : report[side]["results"]) result.erase("seconds");
    }
    return report;
  };
  const json one = without_times(diff({"--format", "json", "--jobs", "1"}).out);
  CHECK(one == without_times(diff({"--format", "json", "--jobs", "2"}).out));
  CHECK(one == without_times(diff({"--format", "json", "--jobs", "3"}).out));
}

TEST_CASE("colour comes only when asked for or to a terminal") {
  CHECK(check_bonding({}).out.find("\x1b[") == std::string::npos);
  CHECK(check_bonding({"--color", "always"}).out.find("\x1b[") != std::string::npos);
}

TEST_CASE("the text trace of the regression is as it was") {
  const RunResult result =
      run_txproof({"check", "tests/cli/golden/drop.tx"}, {.folder = source_folder()});
  CHECK(result.exit_code == 1);
  // Only the running time differs from run to run.
  std::string text = result.out;
  const std::size_t at = text.find(" s, coarse");
  REQUIRE(at != std::string::npos);
  const std::size_t begin = text.rfind(' ', at - 1);
  text.replace(begin + 1, at - begin - 1, "0.0");
  CHECK(text == read_file(source_folder() / "tests/cli/golden/drop.txt"));
}

}  // namespace
}  // namespace txproof::test
