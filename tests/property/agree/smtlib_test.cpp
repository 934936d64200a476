// Models exported to SMT-LIB: a solver finds each violation after as many steps as the
// shortest trace has, and none before.
#include "checker/export/smtlib.h"

#include <doctest/doctest.h>
#include <z3++.h>

#include <sstream>
#include <string>

#include "tests/support/agree/oracle.h"
#include "tests/support/engine/elaborated.h"

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
      text += " c" + std::to_string(step) + a.name;
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
  // Small ones: Z3's reader writes out what is shared, and takes minutes for long texts.
  const char* const models[] = {
      "object o { int n in 0..2 = 0; bool f = false; }\n"
      "thread t(o x) { loop { pause; x.n += 1; } }\n"
      "thread u(o x) { wait x.n == 2; x.f = true; }\n"
      "property p { always forall x in o: !x.f; }\n"
      "property q { maximum sum(x in o) x.n <= 1; }\n"
      "stack s { o a {}; run t(a); run u(a); check p, q; }\n",
      "object o { int n in 0..3 = 0; bool held = false; }\n"
      "thread t(o x) { wait !x.held; x.held = true; yield; wait x.n == 3; }\n"
      "thread u(o x) { x.n = any 0..2; assert x.n < 2; }\n"
      "property r { at rest forall x in o: x.n == 0; }\n"
      "stack s { o a {}; run t(a); run u(a); check r; }\n"};
  unsigned found = 0;
  for (const char* const model : models) {
    const auto program = elaborated(model);
    const Truth truth = truth_of(*program, 200);
    REQUIRE(truth.complete);
    const std::string text = txproof::checker::exporting::to_smtlib(*program).text;
    for (PropertyId id = 0; id < program->properties.size(); ++id) {
      const std::string property = program->properties[id].instance;
      CAPTURE(property);
      const Truth::Finding& finding = truth.findings[id];
      const auto length = static_cast<unsigned>(finding.violated ? finding.moves.size() : 4);
      for (unsigned steps = 0; steps < length; ++steps) CHECK(!violated_after(text, id, steps));
      if (!finding.violated) continue;
      CHECK(violated_after(text, id, length));
      ++found;
    }
  }
  CHECK(found >= 5);
}
