// Random models over the whole language, and every model on which engines once disagreed.
#include "tests/support/agree/agreement.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/engine/elaborated.h"
#include "tests/support/files.h"
#include "tests/support/generator/random_model.h"
#include "tests/support/sanitized.h"

using namespace txproof::test;
using namespace txproof::program;

namespace {

struct Figures {
  unsigned agreed = 0, too_large = 0, violated = 0, held = 0, endless = 0, faulted = 0, fine = 0;
  std::vector<std::string> problems;
};

// Seeds first..first+count-1, by two threads: the figures are the same whoever does which.
Figures put_to_all(std::uint64_t first, std::uint64_t count) {
  Figures figures;
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  const auto work = [&] {
    for (std::uint64_t i = next++; i < count; i = next++) {
      const Agreement found = agreement_of(random_model(first + i));
      const std::lock_guard<std::mutex> lock(mutex);
      figures.agreed += found.kind == Agreement::Kind::agreed ? 1U : 0U;
      figures.too_large += found.kind == Agreement::Kind::too_large ? 1U : 0U;
      figures.violated += found.violated;
      figures.held += found.held;
      figures.endless += found.endless ? 1U : 0U;
      figures.faulted += found.faulted ? 1U : 0U;
      figures.fine += found.fine ? 1U : 0U;
      if (!found.problem.empty()) {
        figures.problems.push_back("seed " + std::to_string(first + i) + ": " + found.engine +
                                   ": " + found.problem);
      }
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < 2; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  return figures;
}

// The numbers of the kinds up to `last` that were not met.
template <typename Kind>
std::string missing(const std::set<int>& met, Kind last) {
  std::string numbers;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    if (met.count(i) == 0) numbers += std::to_string(i) + " ";
  }
  return numbers;
}

}  // namespace

TEST_CASE("every engine agrees with the interpreter on 10,000 random models") {
  constexpr unsigned share = is_sanitized ? 20 : 1;
  const Figures figures = put_to_all(1, 10000 / share);
  for (const std::string& problem : figures.problems) FAIL_CHECK(problem);
  // The models say something: few are beyond the oracle, and every kind of outcome is common.
  CHECK(figures.agreed * share > 9000);
  CHECK(figures.violated * share > 5000);
  CHECK(figures.held * share > 5000);
  CHECK(figures.endless * share > 1000);
  CHECK(figures.faulted * share > 1000);
  CHECK(figures.fine * share > 1000);
}

TEST_CASE("random models have every construct") {
  std::set<int> expressions;
  std::set<int> statements;
  std::set<int> terminators;
  std::set<int> stops;
  std::set<int> aggregates;
  std::set<int> spans;
  std::set<int> claims;
  std::set<std::string> faults;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    const auto program = elaborated(random_model(seed));
    for (const Expr& e : program->exprs) expressions.insert(static_cast<int>(e.kind));
    for (const Block& block : program->blocks) {
      terminators.insert(static_cast<int>(block.end.kind));
      for (const Stmt& stmt : block.stmts) statements.insert(static_cast<int>(stmt.kind));
    }
    for (const Location& location : program->locations)
      stops.insert(static_cast<int>(location.kind));
    for (const Aggregate& aggregate : program->aggregates) {
      aggregates.insert(static_cast<int>(aggregate.kind));
      for (const Span& span : aggregate.spans) spans.insert(static_cast<int>(span.kind));
    }
    for (const Property& property : program->properties) {
      for (const Claim& claim : property.claims) claims.insert(static_cast<int>(claim.kind));
    }
    for (const Violation& violation : program->violations) faults.insert(violation.kind);
  }
  CHECK(missing(expressions, ExprKind::place_id) == "");
  CHECK(missing(statements, StmtKind::leave) == "");
  CHECK(missing(terminators, TerminatorKind::halt) == "");
  CHECK(missing(stops, StopKind::end) == "");
  CHECK(missing(aggregates, AggregateKind::maximum) == "");
  CHECK(missing(spans, Span::Kind::cells) == "");
  for (const PropertyKind kind :
       {PropertyKind::always, PropertyKind::at_rest, PropertyKind::maximum, PropertyKind::leads_to,
        PropertyKind::infinitely_often, PropertyKind::rate}) {
    CHECK(claims.count(static_cast<int>(kind)) == 1);
  }
  for (const char* fault : {"own.used_after_move", "own.leak", "own.empty", "weak.dangling",
                            "range", "container.empty", "container.full", "call.none", "loop.bound",
                            "recursion.bound", "int.divide", "assert", "lock.unheld"}) {
    const std::string name = fault;
    CAPTURE(name);
    CHECK(faults.count(name) == 1);
  }
}

TEST_CASE("every engine agrees on the models that one was wrong about") {
  unsigned models = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_folder() / "tests/regressions")) {
    if (entry.path().extension() != ".tx") continue;
    const std::string name = entry.path().filename().string();
    CAPTURE(name);
    const Agreement found = agreement_of(read_file(entry.path()));
    CHECK(found.kind == Agreement::Kind::agreed);
    CHECK(found.problem == "");
    ++models;
  }
  CHECK(models > 0);
}
