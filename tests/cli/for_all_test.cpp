// --for-all: proofs, refutations and what cannot be asked, as the command tells them.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

using nlohmann::json;

// A sender with a window of W, over a queue of N and a receiver. Expected: `bounded` holds for all
// values, `room` exactly if W <= N.
const std::string window =
    "linear struct packet { int size in 1..2; }\n"
    "object path {\n"
    "    param int W in 1..100 = 2;\n"
    "    param int N in 1..100 = 3;\n"
    "    int out in 0..W = 0;\n"
    "    bool dropped = false;\n"
    "    fifo<packet, N> queue;\n"
    "}\n"
    "thread send(path p) {\n"
    "    loop {\n"
    "        pause;\n"
    "        if (p.out < p.W) {\n"
    "            packet one = { size: 1 };\n"
    "            if (p.queue.full) { p.dropped = true; destroy one; }\n"
    "            else { p.out += 1; p.queue.push(one); }\n"
    "        }\n"
    "    }\n"
    "}\n"
    "thread receive(path p) { loop { rest !p.queue.empty; packet one = p.queue.pop(); "
    "destroy one; p.out -= 1; } }\n"
    "property bounded { always forall p in path: p.out == p.queue.len && p.out <= p.W; }\n"
    "property room { always forall p in path: !p.dropped; }\n"
    "property sent { infinitely_often exists p in path: p.out > 0; }\n"
    "stack s {\n"
    "    param int W in 1..100 = 2;\n"
    "    param int N in 1..100 = 3;\n"
    "    param int COPIES in 1..4 = 1;\n"
    "    path a[COPIES] { W: W, N: N };\n"
    "    run send(a[i]) for i in 0..COPIES - 1;\n"
    "    run receive(a[i]) for i in 0..COPIES - 1;\n"
    "    check bounded, room, sent;\n"
    "}\n";

struct Window {
  TemporaryFolder folder;
  Window() { write_file(folder.path() / "window.tx", window); }
  [[nodiscard]] RunResult run(const std::vector<std::string>& arguments) const {
    return run_txproof(arguments, {.folder = folder.path()});
  }
  [[nodiscard]] json report(const std::vector<std::string>& more, int status) const {
    std::vector<std::string> arguments = {"check", "window.tx", "--for-all",
                                          "W,N",   "--format",  "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const RunResult result = run(arguments);
    CAPTURE(result.err);
    CHECK(result.exit_code == status);
    return json::parse(result.out);
  }
};

std::string verdict(const json& report, const std::string& property) {
  for (const json& result : report["results"]) {
    if (result["property"] == property) return result["verdict"];
  }
  return "absent";
}

}  // namespace

TEST_CASE_FIXTURE(Window, "for all: proved, with certificates that check again") {
  const json report = this->report({"--property", "bounded", "--certificate", "proofs"}, 0);
  CHECK(report["for_all"] == json({"W", "N"}));
  CHECK(verdict(report, "bounded") == "holds");
  const auto proofs = folder.path() / "proofs";
  for (const char* part :
       {"initial.smt2", "step.smt2", "property.smt2", "horn.smt2", "invariant.txt"}) {
    CHECK(std::filesystem::exists(proofs / (std::string("bounded.") + part)));
  }
  CHECK(read_file(proofs / "bounded.horn.smt2").find("(set-logic HORN)") != std::string::npos);
  CHECK(run({"certify", "proofs"}).exit_code == 0);

  // Somebody adds a fact that no step keeps: the same one in each text.
  for (const char* part : {"initial", "step", "property"}) {
    const auto path = proofs / (std::string("bounded.") + part + ".smt2");
    std::string text = read_file(path);
    const std::string before = "(<= 0 at ";
    const std::size_t at = text.find(before);
    REQUIRE(at != std::string::npos);
    text.insert(at, "(not |a[0].dropped|) (not (= |a[0].queue.len| 1)) ");
    write_file(path, text);
  }
  CHECK(run({"certify", "proofs"}).exit_code == 70);
}

TEST_CASE_FIXTURE(Window, "for all: refuted at the smallest values, with the trace of these") {
  const json report = this->report({"--property", "room"}, 1);
  REQUIRE(verdict(report, "room") == "violated");
  const json& result = report["results"][0];
  CHECK(result["at"] == json({{"W", 2}, {"N", 1}}));
  CHECK(result["trace"]["steps"].size() >= 2);
}

TEST_CASE_FIXTURE(Window, "for all: an assumption turns a refutation into a proof") {
  CHECK(verdict(this->report({"--property", "room", "--assume", "W <= N"}, 0), "room") == "holds");
  const json wide = this->report({"--property", "room", "--assume", "W <= N + 1"}, 1);
  CHECK(wide["results"][0]["at"] == json({{"W", 2}, {"N", 1}}));
}

TEST_CASE_FIXTURE(Window, "for all: what is no invariant is inconclusive, and says why") {
  const json report = this->report({"--property", "sent"}, 3);
  REQUIRE(verdict(report, "sent") == "inconclusive");
  CHECK(std::string(report["results"][0]["reason"]).find("runs without end") != std::string::npos);
}

TEST_CASE_FIXTURE(Window, "for all: no time is no verdict") {
  const json report = this->report({"--property", "bounded", "--time-limit", "0"}, 3);
  CHECK(verdict(report, "bounded") == "inconclusive");
  CHECK(report["results"][0]["limit"] == "time");
}

TEST_CASE_FIXTURE(Window, "for all: bounds") {
  const RunResult result =
      run({"bound", "window.tx", "count(p in packet)", "--for-all", "W,N", "--format", "json"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const json report = json::parse(result.out);
  std::vector<std::string> bounds;
  for (const json& bound : report["bounds"]) bounds.push_back(bound["bound"]);
  std::sort(bounds.begin(), bounds.end());
  CHECK(bounds == std::vector<std::string>{"N", "W"});
}

TEST_CASE_FIXTURE(Window, "for all: a frontier is proved") {
  const RunResult result = run({"frontier", "window.tx", "--property", "room", "--over",
                                "W=1..3,N=1..3", "--for-all", "--format", "json"});
  CAPTURE(result.err);
  CHECK(result.exit_code == 0);
  const json report = json::parse(result.out);
  CHECK(report["form"] == "W <= N");
  CHECK(report["proof"]["inside"] == "proved");
  CHECK(report["proof"]["points_outside"] == 3);
}

TEST_CASE_FIXTURE(Window, "for all: what cannot be asked") {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& says) {
    const RunResult result = run(arguments);
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(result.err.find(says) != std::string::npos, result.err);
  };
  refused({"check", "window.tx", "--for-all", "M"}, "has no parameter 'M'");
  refused({"check", "window.tx", "--for-all", "W,W"}, "names 'W' twice");
  refused({"check", "window.tx", "--for-all", "W,,N"}, "--for-all expects names such as W,L,R");
  refused({"check", "window.tx", "--for-all", "W", "--set", "W=2"},
          "--set fixes 'W', which --for-all leaves unknown");
  refused({"check", "window.tx", "--certificate", "x"},
          "--certificate writes the proofs of --for-all, which is not given");
  refused({"check", "window.tx", "--assume", "W <="}, "<assumption>");
  refused({"check", "window.tx", "--for-all", "W", "--format", "junit"},
          "check with --for-all writes text and json");
}

}  // namespace txproof::test
