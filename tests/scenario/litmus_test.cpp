// The litmus tests: what each memory model allows, against the published verdicts, which stand in
// the files and were written down before the first run. docs/memory-models.md shows the table.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "checker/explicit/search.h"
#include "model/lang/frontend.h"
#include "model/program/elaborate.h"
#include "properties/memory_bounds.h"
#include "tests/support/files.h"
#include "tests/support/markdown.h"

namespace txproof::test {
namespace {

using program::Memory;
using properties::Verdict;

// `// NAME sc no tso yes weak yes`, and `(here no)` where this tool differs.
struct Litmus {
  std::string name;
  std::string sc, tso, weak;
  std::string here;  // weak, where it differs
};

std::vector<Litmus> expected_of(const std::string& text) {
  std::vector<Litmus> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string slashes, sc, tso, weak, open;
    Litmus test;
    words >> slashes >> test.name >> sc >> test.sc >> tso >> test.tso >> weak >> test.weak;
    if (slashes != "//" || sc != "sc" || tso != "tso" || weak != "weak") continue;
    if (words >> open >> test.here && open == "(here") {
      test.here.erase(std::remove(test.here.begin(), test.here.end(), ')'), test.here.end());
    } else {
      test.here.clear();
    }
    out.push_back(test);
  }
  return out;
}

// "yes": the outcome is reached; "no": it is not; "?": it is not known.
std::string reached(const lang::Model& model, const lang::StackDecl& stack, Memory memory) {
  program::ElaborateOptions options;
  options.memory = memory;
  lang::Diagnostics diagnostics;
  const auto program = program::elaborate(model, stack, options, diagnostics);
  if (program == nullptr) return "error";
  properties::Exploration found = checker::explore(*program, {});
  properties::respect_bounds(*program, found);
  switch (found.results[0].verdict) {
    case Verdict::violated:
      return "yes";
    case Verdict::holds:
      return found.results[0].vacuous ? "vacuous" : "no";
    case Verdict::inconclusive:
      break;
  }
  return "?";
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

const char* const files[] = {"sb",   "mp",  "lb",  "s",    "r",         "2+2w",
                             "iriw", "wrc", "rwc", "isa2", "coherence", "stop-queue"};

}  // namespace

TEST_CASE("litmus tests have the published verdicts") {
  std::vector<std::string> table = {padded("", 24) + padded("sc", 6) + padded("tso", 6) + "weak"};
  for (const char* name : files) {
    const std::string path =
        (source_folder() / "tests/scenario/litmus" / (std::string(name) + ".tx")).string();
    lang::DiskFiles disk;
    lang::SourceSet sources;
    lang::Diagnostics diagnostics;
    lang::LoadOptions load;
    load.roots = {source_folder().string()};
    const auto model = lang::load(path, load, disk, sources, diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    const std::vector<Litmus> tests = expected_of(read_file(path));
    REQUIRE(tests.size() == model->stacks.size());
    for (const Litmus& test : tests) {
      CAPTURE(test.name);
      const auto stack = std::find_if(model->stacks.begin(), model->stacks.end(),
                                      [&](const auto* s) { return s->name == test.name; });
      REQUIRE(stack != model->stacks.end());
      const std::string sc = reached(*model, **stack, Memory::sc);
      const std::string tso = reached(*model, **stack, Memory::tso);
      const std::string weak = reached(*model, **stack, Memory::weak);
      CHECK(sc == test.sc);
      CHECK(tso == test.tso);
      CHECK(weak == (test.here.empty() ? test.weak : test.here));
      table.push_back(padded(test.name, 24) + padded(sc, 6) + padded(tso, 6) + weak +
                      (test.here.empty() ? "" : "   the kernel's model: " + test.weak));
    }
  }
  const auto document = source_folder() / "docs/memory-models.md";
  for (const FencedBlock& block : fenced_blocks(document)) {
    if (block.above != "<!-- litmus -->") continue;
    if (std::getenv("TXPROOF_UPDATE_DOCS") != nullptr) {
      std::vector<std::string> lines = split_lines(read_file(document));
      const auto first = lines.begin() + static_cast<std::ptrdiff_t>(block.line) - 1;
      const auto after =
          lines.erase(first, first + static_cast<std::ptrdiff_t>(block.lines.size()));
      lines.insert(after, table.begin(), table.end());
      write_file(document, join_lines(lines));
    } else {
      CHECK(block.lines == table);
    }
  }
}

}  // namespace txproof::test
