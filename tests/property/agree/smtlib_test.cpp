// Random models, exported to SMT-LIB: a solver finds each violation after as many steps as the
// shortest trace has, and none before.
#include "checker/export/smtlib.h"

#include <doctest/doctest.h>
#include <z3++.h>

#include <sstream>
#include <string>

#include "checker/export/refusal.h"
#include "tests/support/agree/oracle.h"
#include "tests/support/engine/elaborated.h"
#include "tests/support/generator/random_model.h"

using namespace txproof::test;
using namespace txproof::program;

namespace {

struct Argument {
  std::string name, sort;
};

// The parameters in the head of (define-fun NAME (…) Bool.
std::vector<Argument> parameters(const std::string& text, const std::string& name) {
  std::vector<Argument> found;
  std::size_t at = text.find("(define-fun " + name + " (") + 14 + name.size();
  while (text[at] == '(') {
    const std::size_t space = text.find(' ', at);
    const std::size_t end = text.find(')', text.find("(_ ", at) == space + 1 ? space + 4 : at);
    const bool nested = text[space + 1] == '(';
    const std::size_t close = nested ? end + 1 : end;
    found.push_back(
        {text.substr(at + 1, space - at - 1), text.substr(space + 1, close - space - 1)});
    at = close + 1;
    if (text[at] == ' ') ++at;
  }
  return found;
}

// Declares the arguments of step `step` and returns the call of `name` with them: a state slot s.N
// is that of the step, n.N that of the next, anything else a choice of the step.
std::string call(const std::vector<Argument>& of, const std::string& name, unsigned step) {
  std::string text = "(" + name;
  for (const Argument& a : of) {
    if (a.name.rfind("s.", 0) == 0) {
      text += " v" + std::to_string(step) + a.name.substr(1);
    } else if (a.name.rfind("n.", 0) == 0) {
      text += " v" + std::to_string(step + 1) + a.name.substr(1);
    } else {
      text += " |c" + std::to_string(step) + " " + a.name + "|";
    }
  }
  return of.empty() ? name : text + ")";
}

bool violated_after(const std::string& text, PropertyId id, unsigned steps) {
  std::string script = text;
  const auto trans = parameters(text, "trans");
  for (unsigned step = 0; step <= steps; ++step) {
    for (const Argument& a : trans) {
      if (a.name.rfind("n.", 0) == 0) continue;
      const std::string one = call({a}, "", step);
      script += "(declare-const " + one.substr(2, one.size() - 3) + " " + a.sort + ")\n";
    }
  }
  script += "(assert " + call(parameters(text, "init"), "init", 0) + ")\n";
  for (unsigned step = 0; step + 1 < steps; ++step) {
    script += "(assert " + call(trans, "trans", step) + ")\n";
  }
  const std::string bad = "bad." + std::to_string(id);
  const std::string fault = "fault." + std::to_string(id);
  const std::string now = call(parameters(text, bad), bad, steps);
  if (steps == 0) {
    script += "(assert " + now + ")\n";
  } else {
    script += "(assert (or (and " + call(trans, "trans", steps - 1) + " " + now + ") " +
              call(parameters(text, fault), fault, steps - 1) + "))\n";
  }
  z3::context context;
  z3::solver solver(context);
  solver.from_string(script.c_str());
  const z3::check_result answer = solver.check();
  REQUIRE(answer != z3::unknown);
  return answer == z3::sat;
}

}  // namespace

TEST_CASE("a solver finds the violations of exported models after as many steps") {
  ModelFeatures features;
  features.liveness = false;
  unsigned found = 0;
  unsigned told = 0;
  for (std::uint64_t seed = 1; told < 12; ++seed) {
    const auto program = elaborated(random_model(seed, features));
    const Truth truth = truth_of(*program, 40);
    if (!truth.complete) continue;
    std::string text;
    try {
      text = txproof::checker::exporting::to_smtlib(*program).text;
    } catch (const txproof::checker::exporting::Refusal&) {
      continue;
    }
    // Z3's reader writes out what is shared: it takes minutes for long texts.
    if (text.size() > 12000) continue;
    ++told;
    CAPTURE(seed);
    for (PropertyId id = 0; id < program->properties.size(); ++id) {
      const std::string property = program->properties[id].instance;
      CAPTURE(property);
      const Truth::Finding& finding = truth.findings[id];
      const std::size_t length = finding.violated ? finding.moves.size() : 2;
      if (length > 2) continue;
      for (unsigned steps = 0; steps < length; ++steps) CHECK(!violated_after(text, id, steps));
      if (!finding.violated) continue;
      CHECK(violated_after(text, id, static_cast<unsigned>(length)));
      ++found;
    }
  }
  CHECK(found > 5);
}
