// Certificates: one that proves, and what becomes of it when somebody changes a text.
#include "checker/certify/certify.h"

#include <doctest/doctest.h>

#include <string>

#include "checker/certify/script.h"

namespace txproof::checker::certify {
namespace {

const std::string head =
    "(set-logic QF_LIA)\n(declare-const x Int)\n(declare-const y Int)\n"
    "(define-fun invariant ((x Int)) Bool (and (<= 0 x) (<= x 3)))\n";

// A counter that goes from 0 to 3 and starts again.
Certificate counter() {
  Certificate out;
  out.property = "at_most_3";
  out.initial = head + "(assert (= x 0))\n(assert (not (invariant x)))\n(check-sat)\n";
  out.step = head +
             "(assert (invariant x))\n(assert (= y (ite (< x 3) (+ x 1) 0)))\n"
             "(assert (not (invariant y)))\n(check-sat)\n";
  out.goal = head + "(assert (invariant x))\n(assert (> x 3))\n(check-sat)\n";
  return out;
}

void replace(std::string& text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  text.replace(at, what.size(), by);
}

Settings quick() {
  Settings settings;
  settings.seconds = 20;
  return settings;
}

}  // namespace

TEST_CASE("certify: a proof checks in each solver that is there") {
  const Report report = certify(counter(), quick());
  CHECK(report.problem.empty());
  CHECK(report.good());
  REQUIRE(report.outcomes.size() == 3);
  CHECK(report.asked_cvc5 == cvc5_is_installed());
  for (const Outcome& outcome : report.outcomes) {
    CHECK(outcome.z3 == "unsat");
    CHECK(outcome.cvc5 == (report.asked_cvc5 ? "unsat" : ""));
  }
}

TEST_CASE("certify: a step that leads out is found by both solvers") {
  Certificate certificate = counter();
  replace(certificate.step, "(< x 3)", "(< x 4)");
  const Report report = certify(certificate, quick());
  CHECK_FALSE(report.good());
  REQUIRE(report.outcomes.size() == 3);
  CHECK(report.outcomes[0].problem.empty());
  CHECK(report.outcomes[1].z3 == "sat");
  if (report.asked_cvc5) CHECK(report.outcomes[1].cvc5 == "sat");
  CHECK(report.outcomes[1].problem == "Z3 answers sat");
}

TEST_CASE("certify: texts that prove something else are refused") {
  const auto problem = [](auto change) {
    Certificate certificate = counter();
    change(certificate);
    const Report report = certify(certificate, quick());
    CHECK_FALSE(report.good());
    return report.problem;
  };
  CHECK(problem([](Certificate& c) { replace(c.goal, "(<= x 3)", "(<= x 2)"); }) ==
        "at_most_3: the text of 'property': its invariant is another than that of 'initial'");
  CHECK(problem([](Certificate& c) { replace(c.step, "(assert (not (invariant y)))", ""); }) ==
        "at_most_3: the text of 'step': it does not ask what 'step' has to ask");
  CHECK(problem([](Certificate& c) { replace(c.initial, "(check-sat)", "(push 1)"); }) ==
        "at_most_3: the text of 'initial': it has the command 'push'");
  CHECK(problem([](Certificate& c) { c.initial += "(check-sat)"; }) ==
        "at_most_3: the text of 'initial': it has 2 check-sat, and not one");
  CHECK(problem([](Certificate& c) { c.step += ")"; }) ==
        "at_most_3: the text of 'step': its brackets do not match");
  CHECK(problem([](Certificate& c) { replace(c.goal, "(set-logic QF_LIA)", ""); }) ==
        "at_most_3: the text of 'property': it declares no logic");
}

TEST_CASE("certify: a text that no solver can read is no proof") {
  Certificate certificate = counter();
  replace(certificate.goal, "(> x 3)", "(> z 3)");
  const Report report = certify(certificate, quick());
  CHECK_FALSE(report.good());
  REQUIRE(report.outcomes.size() == 3);
  CHECK(report.outcomes[2].z3 == "unknown");
}

TEST_CASE("certify: the commands of a script") {
  const auto commands = commands_of(
      "; a comment (\n(set-info :source |a ( b|)\n(assert  (= x\n \"(\" ) )(check-sat)");
  REQUIRE(commands);
  REQUIRE(commands->size() == 3);
  CHECK((*commands)[0].text == "(set-info :source |a ( b|)");
  CHECK((*commands)[1].name == "assert");
  CHECK((*commands)[1].text == "(assert (= x \"(\"))");
  CHECK((*commands)[2].name == "check-sat");
  CHECK_FALSE(commands_of("x (check-sat)"));
  CHECK_FALSE(commands_of("(assert |x)"));
}

TEST_CASE("certify: a property's name as part of a file name") {
  CHECK(file_stem("fifo_order(eth0)") == "fifo_order_eth0_");
  CHECK(file_stem("own.linear") == "own.linear");
}

}  // namespace txproof::checker::certify
