// txproof simulate: seeded, never reads the terminal, says what it is, and ends as promised.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/markdown.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using nlohmann::json;

RunResult simulate(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"simulate", "model/stacks/bonding.tx"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_txproof(arguments, {.folder = source_folder()});
}

TEST_CASE("the same seed gives the same, another seed something else") {
  const std::vector<std::string> few = {"--runs", "3",           "--steps", "300",
                                        "--expr", "qdisc0.qlen", "--set",   "SOCKETS=4"};
  const auto with_seed = [&](const std::string& seed) {
    std::vector<std::string> arguments = few;
    arguments.insert(arguments.end(), {"--format", "json", "--seed", seed});
    json report = json::parse(simulate(arguments).out);
    report.erase("seconds");
    return report;
  };
  const json first = with_seed("5");
  CHECK(first["seed"] == 5);
  CHECK(first == with_seed("5"));
  CHECK(first["expressions"] != with_seed("6")["expressions"]);
}

TEST_CASE("nothing broken: 0, and no word of holding") {
  const RunResult result = simulate({"--runs", "2", "--steps", "200", "--seed", "9"});
  CHECK(result.exit_code == 0);
  CHECK(result.out.find("holds") == std::string::npos);
  CHECK(result.out.find("sampling proves nothing") != std::string::npos);
  CHECK(result.out.find("seed 9") != std::string::npos);
  CHECK(result.out.find("maximum seen") != std::string::npos);
}

TEST_CASE("the patched stack: 1, with the shortest trace, replayed") {
  const RunResult result =
      simulate({"--patch", "model/patches/skb-orphan-try.patch", "--runs", "3", "--steps", "500",
                "--format", "json", "--property", "no_silent_uncharged_drop"});
  CHECK(result.exit_code == 1);
  const json report = json::parse(result.out);
  CHECK(report["method"] == "sampling");
  REQUIRE(report["results"].size() == 1);
  const json& entry = report["results"][0];
  CHECK(entry["result"] == "violated");
  CHECK(entry["shortest"] == true);
  CHECK(entry["trace"]["steps"].size() == 6);  // as `check` finds
}

TEST_CASE("expressions and rates: slips are told, plots are written") {
  CHECK(simulate({"--expr", "nothing_here"}).exit_code == 2);
  CHECK(simulate({"--rate", "qdisc0.qlen"}).exit_code == 2);
  CHECK(simulate({"--plot", "a.svg"}).exit_code == 2);
  CHECK(simulate({"--expr", "1", "--plot", "a.png"}).exit_code == 2);
  CHECK(simulate({"--steps", "0"}).exit_code == 2);
  const TemporaryFolder folder;
  for (const std::string name : {"plot.svg", "plot.csv"}) {
    const auto file = folder.path() / name;
    CHECK(simulate({"--runs", "2", "--steps", "400", "--expr", "count(s in sk_buff)", "--expr",
                    "qdisc0.qlen", "--plot", file.string()})
              .exit_code == 0);
    const std::string text = read_file(file);
    CHECK(text.find("count(s in sk_buff)") != std::string::npos);
  }
  // 200 points, and a line of names.
  CHECK(split_lines(read_file(folder.path() / "plot.csv")).size() == 201);
  CHECK(read_file(folder.path() / "plot.svg").find("sampling") != std::string::npos);
}

TEST_CASE("limits end it inconclusive") {
  const RunResult result = simulate({"--time-limit", "0"});
  CHECK(result.exit_code == 3);
}

TEST_CASE("rates of the shaped link") {
  const RunResult result = run_txproof(
      {"simulate", "model/stacks/htb.tx", "--schedule", "functions", "--runs", "4", "--steps",
       "3000", "--property", "lock", "--rate", "frames / ticks", "--format", "json"},
      {.folder = source_folder()});
  CHECK(result.exit_code == 0);
  const json rate = json::parse(result.out)["rates"][0];
  CHECK(rate["value"] > 0.0);
  CHECK(rate["bounds"][0] <= rate["value"]);
  CHECK(rate["value"] <= rate["bounds"][1]);
  CHECK(rate["value"] <= 1.0 / 11);  // a frame takes the link at least 11 ticks
}

}  // namespace
}  // namespace txproof::test
