// `frontier` finds the closed forms of docs/bonding.md again, and `bound` is tight.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/json_schema.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

std::string model(const char* path) { return (source_folder() / path).string(); }

nlohmann::json run_json(std::vector<std::string> arguments, int exit_code) {
  arguments.insert(arguments.end(), {"--format", "json"});
  const RunResult result = run_txproof(arguments);
  CAPTURE(result.err);
  REQUIRE(result.exit_code == exit_code);
  return nlohmann::json::parse(result.out);
}

nlohmann::json frontier(const std::string& property, const std::vector<std::string>& patches,
                        const std::string& over) {
  std::vector<std::string> arguments = {
      "frontier", model("model/stacks/bonding.tx"), "--property", property, "--over", over};
  for (const std::string& patch : patches) {
    arguments.insert(arguments.end(), {"--patch", model(("model/patches/" + patch).c_str())});
  }
  return run_json(arguments, 0);
}

}  // namespace

TEST_CASE("the closed forms of bonding come out of a sweep") {
  CHECK(frontier("no_silent_loss", {}, "SOCKETS=1..2,W=1..3,L=1..4,R=1..3").at("form") ==
        "SOCKETS*W <= L + R - 1");
  CHECK(frontier("bounded_in_flight", {"skb-orphan-try.patch"}, "SOCKETS=1..2,W=1..2,L=1..5,R=1..2")
            .at("form") == "L <= SOCKETS*W");
  const nlohmann::json last =
      frontier("no_silent_loss", {"skb-orphan-try.patch", "early-orphan-flag.patch"},
               "SOCKETS=1..2,W=1..2,L=1..5,R=1..2");
  CHECK(last.at("form") == "SOCKETS*W <= L");
  CHECK(schema_error(last, source_folder() / "docs/schema/frontier.schema.json") == "");
  CHECK(last.at("table").size() == 2 * 2 * 5 * 2);
  CHECK(last.at("more_of").at("R") == "none");
  CHECK(last.at("range").at("L") == nlohmann::json({1, 5}));
}

TEST_CASE("a diff tells how a worst ratio moves") {
  const std::string folder = "tests/scenario/language/rate-requeues";
  const RunResult result = run_txproof({"diff", model((folder + ".tx").c_str()),
                                        model((folder + ".patch").c_str()), "--format", "json"});
  REQUIRE(result.exit_code == 0);
  const nlohmann::json report = nlohmann::json::parse(result.out);
  CHECK(schema_error(report, source_folder() / "docs/schema/diff.schema.json") == "");
  CHECK(report.at("changes")[0].at("change") == "fixed");
  CHECK(report.at("rates")[0].at("base") == "1");
  CHECK(report.at("rates")[0].at("patched") == "1/2");
}

TEST_CASE("what holds everywhere has no form; a bare name takes the first four values") {
  const nlohmann::json all = frontier("charge_conserved", {}, "W,L=2");
  CHECK_FALSE(all.contains("form"));
  CHECK(all.at("table").size() == 4);
  CHECK(all.at("summary") == "charge_conserved holds at every point");
}

TEST_CASE("a sweep that cannot be is refused, one that is cut short inconclusive") {
  const std::string stack = model("model/stacks/bonding.tx");
  for (const char* over : {"Q=1..2", "W=3..2", "W=0..2", "W=1..2,W=1", "W=x", "W=1..", ""}) {
    CAPTURE(over);
    const RunResult result =
        run_txproof({"frontier", stack, "--property", "no_silent_loss", "--over", over});
    CHECK(result.exit_code == 2);
    CHECK(result.out.empty());
  }
  CHECK(run_txproof({"frontier", stack, "--over", "W"}).exit_code == 2);
  const RunResult cut = run_txproof(
      {"frontier", stack, "--property", "no_silent_loss", "--over", "W=1..2", "--time-limit", "0"});
  CHECK(cut.exit_code == 3);
  CHECK(cut.out.find("iff") == std::string::npos);
}

TEST_CASE("bound is tight, has a shortest witness, and points into the expression") {
  const std::string stack = model("model/stacks/bonding.tx");
  const nlohmann::json report = run_json({"bound", stack, "count(s in sk_buff) + W"}, 0);
  CHECK(schema_error(report, source_folder() / "docs/schema/bound.schema.json") == "");
  CHECK(report.at("value") == 4);
  CHECK(report.at("value_is_exact") == true);
  CHECK(report.at("trace").at("steps").size() == 2);
  const nlohmann::json initial = run_json({"bound", stack, "0 - eth0.ring.len"}, 0);
  CHECK(initial.at("value") == 0);
  CHECK(initial.at("trace").at("steps").empty());

  const RunResult wrong = run_txproof({"bound", stack, "eth0.ring.len + nonsense"});
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("<expression>:1:17") != std::string::npos);
  CHECK(run_txproof({"bound", stack, "eth0.ring.len +"}).exit_code == 2);
  CHECK(run_txproof({"bound", stack, "1) + (2"}).exit_code == 2);
  CHECK(run_txproof({"bound", stack, "eth0.ring.len", "--max-depth", "1"}).exit_code == 3);
}

}  // namespace txproof::test
