// Where faults are planted, and that each is an edit of the text that a patch could make.
#include "checker/mutation/mutants.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/lang/frontend.h"

namespace txproof {
namespace {

using mutation::Fault;

const char* const model =
    "object q { int n in 0..9 = 0; bool sched = false; int last in 0..9 = 0; }\n"  // 1
    "fn add(q a, int by in 0..2) {\n"                                              // 2
    "    if (a.n < 3) { a.n += by; a.last = a.n; }\n"                              // 3
    "    a.sched = true; a.last = 0;\n"                                            // 4
    "}\n"                                                                          // 5
    "thread up(q a) { loop { pause; add(a, 1); } }\n"                              // 6
    "thread down(q a) { loop { rest a.sched; a.sched = false; a.n = 0; } }\n"      // 7
    "property p { always forall k in q: k.n <= 5; }\n"                             // 8
    "stack s { q a {}; run up(a); run down(a); check p; }\n";                      // 9

struct Loaded {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  lang::DiskFiles files;
  std::unique_ptr<lang::Model> model;

  explicit Loaded(const std::string& text) {
    model = lang::load_text("m.tx", text, {}, files, sources, diagnostics);
    if (diagnostics.has_errors()) throw std::runtime_error("the model does not load");
  }
  // Every place is reached.
  [[nodiscard]] std::vector<lang::Span> everywhere() const {
    std::vector<lang::Span> out;
    const auto size = static_cast<std::uint32_t>(sources.file(1).text.size());
    out.reserve(size);
    for (std::uint32_t i = 0; i < size; ++i) out.push_back({1, i, i + 1});
    return out;
  }
  [[nodiscard]] std::vector<mutation::Mutant> mutants(bool fine = false) const {
    return mutation::mutants_of(*model, sources, everywhere(), {.fine = fine});
  }
};

std::size_t count(const std::vector<mutation::Mutant>& mutants, Fault fault) {
  return static_cast<std::size_t>(std::count_if(
      mutants.begin(), mutants.end(), [fault](const auto& m) { return m.fault == fault; }));
}

// The edited line of a mutant.
bool has_edit(const Loaded& loaded, const std::vector<mutation::Mutant>& mutants, Fault fault,
              const std::string& line) {
  return std::any_of(mutants.begin(), mutants.end(), [&](const mutation::Mutant& mutant) {
    return mutant.fault == fault &&
           mutation::mutant_diff(mutant, loaded.sources, "m.tx").find("\n+" + line + "\n") !=
               std::string::npos;
  });
}

TEST_CASE("mutants: each kind of fault is planted where a slip could make it") {
  const Loaded loaded(model);
  const auto mutants = loaded.mutants();
  CHECK(has_edit(loaded, mutants, Fault::negation,
                 "    if (!(a.n < 3)) { a.n += by; a.last = a.n; }"));
  CHECK(has_edit(loaded, mutants, Fault::comparison,
                 "    if (a.n <= 3) { a.n += by; a.last = a.n; }"));
  CHECK(has_edit(loaded, mutants, Fault::off_by_one,
                 "    if (a.n < 2) { a.n += by; a.last = a.n; }"));
  CHECK(has_edit(loaded, mutants, Fault::off_by_one,
                 "thread up(q a) { loop { pause; add(a, 2); } }"));
  CHECK(has_edit(loaded, mutants, Fault::drop, "thread up(q a) { loop { pause; ; } }"));
  CHECK(has_edit(loaded, mutants, Fault::swap, "    if (a.n < 3) { a.last = a.n; a.n += by; }"));
  CHECK(has_edit(loaded, mutants, Fault::constant, "    a.sched = false; a.last = 0;"));
}

TEST_CASE("mutants: a dropped assignment to what a thread waits for is a lost wake") {
  const Loaded loaded(model);
  const auto mutants = loaded.mutants();
  CHECK(has_edit(loaded, mutants, Fault::lost_wake, "    ; a.last = 0;"));
  CHECK(has_edit(loaded, mutants, Fault::drop, "    a.sched = true; ;"));
  CHECK(count(mutants, Fault::lost_wake) == 2);  // set and cleared
}

TEST_CASE("mutants: independent neighbours are swapped only where somebody can look between") {
  const Loaded loaded(model);
  const std::string line = "    a.last = 0; a.sched = true;";
  CHECK_FALSE(has_edit(loaded, loaded.mutants(false), Fault::swap, line));
  CHECK(has_edit(loaded, loaded.mutants(true), Fault::swap, line));
}

TEST_CASE("mutants: nothing is planted in declarations, properties and stacks") {
  const Loaded loaded(model);
  for (const mutation::Mutant& mutant : loaded.mutants(true)) {
    const std::uint32_t line = loaded.sources.position(1, mutant.span.begin).line;
    CAPTURE(line);
    CHECK(line != 1);
    CHECK(line <= 7);
    CHECK(mutation::mutated_text(mutant, loaded.sources) != loaded.sources.file(1).text);
  }
}

TEST_CASE("mutants: code that no run reaches is left alone") {
  const Loaded loaded(model);
  CHECK(mutation::mutants_of(*loaded.model, loaded.sources, {}, {}).empty());
  // Only the thread on line 7.
  std::vector<lang::Span> reached;
  for (const lang::Span& span : loaded.everywhere()) {
    if (loaded.sources.position(1, span.begin).line == 7) reached.push_back(span);
  }
  const auto mutants = mutation::mutants_of(*loaded.model, loaded.sources, reached, {});
  CHECK_FALSE(mutants.empty());
  for (const mutation::Mutant& mutant : mutants) CHECK(mutant.function == "down");
}

}  // namespace
}  // namespace txproof
