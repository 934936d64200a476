// export: what it writes, and what it refuses.
#include <doctest/doctest.h>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

const std::string model =
    "object o { int n in 0..2 = 0; }\n"
    "fn up(o x) { x.n += 1; }\n"
    "thread t(o x) { up(x); yield; up(x); }\n"
    "property p { always forall x in o: x.n <= 1; }\n"
    "property later { infinitely_often exists x in o: x.n == 2; }\n"
    "stack s { o a {}; run t(a); check p, later; }\n";

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("export: promela has a step for each location, and says what it leaves out") {
  const RunResult result = run_txproof({"export", "-", "--to", "promela"}, {.input = model});
  CHECK(result.exit_code == 0);
  CHECK(has(result.out, "active proctype steps()"));
  CHECK(has(result.out, "/* t(a) */"));
  CHECK(has(result.err, "left out: later: it speaks of runs without end"));
}

TEST_CASE("export: smtlib has init, trans and the properties") {
  const RunResult result = run_txproof({"export", "-", "--to", "smtlib"}, {.input = model});
  CHECK(result.exit_code == 0);
  CHECK(has(result.out, "(define-fun init ("));
  CHECK(has(result.out, "(define-fun trans ("));
  CHECK(has(result.out, "(define-fun bad.0 ("));
}

TEST_CASE("export: dot draws the threads") {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "s.dot").string();
  const RunResult result =
      run_txproof({"export", "-", "--to", "dot", "-o", file}, {.input = model});
  CHECK(result.exit_code == 0);
  CHECK(result.out.empty());
  const std::string text = read_file(file);
  CHECK(has(text, "label=\"t(a)\""));
  CHECK(has(text, "label=\"up\""));
  CHECK(has(text, "yield"));
}

TEST_CASE("export: a language that it does not know, and a stack that cannot be told") {
  CHECK(run_txproof({"export", "-", "--to", "tla"}, {.input = model}).exit_code == 2);
  CHECK(run_txproof({"export", "-"}, {.input = model}).exit_code == 2);
  const RunResult refused =
      run_txproof({"export", "-", "--to", "promela"},
                  {.input = "object o { u32 n = 4294967295; }\nthread t(o x) { x.n += u32(1); }\n"
                            "property p { always forall x in o: x.n == 0; }\n"
                            "stack s { o a {}; run t(a); check p; }\n"});
  CHECK(refused.exit_code == 3);
  CHECK(has(refused.err, "beyond 32 bits"));
}

}  // namespace
}  // namespace txproof::test
