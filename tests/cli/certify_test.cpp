// txproof certify DIR: certificates are checked again, from the files alone.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

struct Folder {
  TemporaryFolder folder;
  Folder() {
    const std::string head =
        "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n"
        "(define-fun invariant ((x Int)) Bool (and (<= 0 x) (<= x 3)))\n";
    write_file(folder.path() / "p.initial.smt2",
               head + "(assert (= x 0))\n(assert (not (invariant x)))\n(check-sat)\n");
    step(3);
    write_file(folder.path() / "p.property.smt2",
               head + "(assert (invariant x))\n(assert (> x 3))\n(check-sat)\n");
  }
  void step(int below) const {
    write_file(folder.path() / "p.step.smt2",
               "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n"
               "(define-fun invariant ((x Int)) Bool (and (<= 0 x) (<= x 3)))\n"
               "(assert (invariant x))\n(assert (and (< x " +
                   std::to_string(below) +
                   ") (= y (+ x 1))))\n(assert (not (invariant y)))\n(check-sat)\n");
  }
  [[nodiscard]] RunResult certify(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {"certify", folder.path().string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_txproof(arguments);
  }
};

}  // namespace

TEST_CASE_FIXTURE(Folder, "certify: 0 where all is proved, 70 where a text was changed") {
  const RunResult good = certify();
  CHECK(good.exit_code == 0);
  CHECK(good.out.find("p.step.smt2") != std::string::npos);
  step(4);
  const RunResult bad = certify({"--format", "json"});
  CHECK(bad.exit_code == 70);
  const auto report = nlohmann::json::parse(bad.out);
  CHECK(report["good"] == false);
  CHECK(report["texts"][1]["z3"] == "sat");
  CHECK(report["texts"][1]["problem"] == "Z3 answers sat");
}

TEST_CASE_FIXTURE(Folder, "certify: what cannot be checked") {
  const RunResult absent = run_txproof({"certify", (folder.path() / "none").string()});
  CHECK(absent.exit_code == 2);
  const TemporaryFolder empty;
  const RunResult none = run_txproof({"certify", empty.path().string()});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("there is no certificate in") != std::string::npos);
  std::filesystem::remove(folder.path() / "p.property.smt2");
  const RunResult missing = certify();
  CHECK(missing.exit_code == 70);
}

}  // namespace txproof::test
