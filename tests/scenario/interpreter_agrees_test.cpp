// The reference interpreter, driven by the plainest breadth-first search there is, against the
// engine, on every small model of the tree and in both interleavings: the same states, the same
// transitions, and every trace possible.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "checker/explicit/search.h"
#include "model/lang/frontend.h"
#include "model/program/elaborate.h"
#include "model/program/interpreter.h"
#include "tests/support/files.h"

namespace txproof::test {
namespace {

constexpr std::size_t most_states = 6000;  // larger ones are left to the engine

struct Count {
  std::size_t states = 0;
  std::size_t transitions = 0;
  bool complete = false;
};

Count plain_search(const program::Program& program) {
  const program::Interpreter interpreter(program);
  std::set<program::State> seen{program::initial_state(program)};
  std::vector<program::State> frontier(seen.begin(), seen.end());
  Count count;
  while (!frontier.empty()) {
    std::vector<program::State> next;
    for (const program::State& state : frontier) {
      for (program::Successor& successor : interpreter.successors(state)) {
        ++count.transitions;
        if (successor.ended()) continue;
        if (seen.insert(successor.state).second) next.push_back(std::move(successor.state));
      }
      if (seen.size() > most_states) return count;
    }
    frontier = std::move(next);
  }
  count.states = seen.size();
  count.complete = true;
  return count;
}

void compare(const std::filesystem::path& file, program::Interleave interleave) {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  lang::DiskFiles files;
  lang::LoadOptions options;
  options.roots = {source_folder().string()};
  const auto model = lang::load(file.string(), options, files, sources, diagnostics);
  REQUIRE(!diagnostics.has_errors());
  for (const lang::StackDecl* stack : model->stacks) {
    program::ElaborateOptions settings;
    settings.interleave = interleave;
    // A memory model needs fine steps.
    if (interleave == program::Interleave::coarse) settings.memory = program::Memory::sc;
    const auto program = program::elaborate(*model, *stack, settings, diagnostics);
    REQUIRE(program != nullptr);
    const Count plain = plain_search(*program);
    if (!plain.complete) continue;
    checker::SearchOptions all;
    all.stop_when_decided = false;
    const properties::Exploration found = checker::explore(*program, all);
    INFO(file.string(), interleave == program::Interleave::fine ? " fine" : " coarse");
    CHECK(found.complete);
    CHECK(found.states == plain.states);
    CHECK(found.transitions == plain.transitions);
    const program::Interpreter interpreter(*program);
    for (const properties::Result& result : found.results) {
      if (!result.path) continue;
      program::State state = program::initial_state(*program);
      for (const program::Move& move : result.path->moves) {
        program::Successor next;
        REQUIRE(interpreter.run(state, move, next));
        state = std::move(next.state);
      }
    }
  }
}

TEST_CASE("the interpreter and the search agree on every small model") {
  std::size_t compared = 0;
  for (const char* folder : {"tests/scenario/language", "model/corpus", "model/stacks", "bench"}) {
    for (const auto& entry : std::filesystem::directory_iterator(source_folder() / folder)) {
      if (entry.path().extension() != ".tx") continue;
      compare(entry.path(), program::Interleave::coarse);
      compare(entry.path(), program::Interleave::fine);
      ++compared;
    }
  }
  CHECK(compared >= 10);
}

}  // namespace
}  // namespace txproof::test
