// Random small models about shared scalars under each memory model: the search finds what the
// reference interpreter finds, and a weaker model shows all that a stronger one shows.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <memory>
#include <string>

#include "checker/explicit/search.h"
#include "tests/support/agree/oracle.h"
#include "tests/support/engine/elaborated.h"
#include "tests/support/random_memory.h"

namespace txproof::test {
namespace {

using checker::explore;
using checker::SearchOptions;
using program::Memory;
using program::Program;
using program::PropertyId;
using properties::Exploration;
using properties::Verdict;

std::unique_ptr<Program> with_memory(const std::string& text, Memory memory) {
  program::ElaborateOptions options;
  options.memory = memory;
  options.store_depth = 2;
  return elaborated(text, options);
}

// The verdicts of the stack's own properties: '1' where violated.
std::string verdicts(const Program& program) {
  const Exploration found = explore(program, {});
  std::string out;
  for (PropertyId id = 0; id < program.properties.size(); ++id) {
    if (program.properties[id].is_watch) continue;
    out += found.results[id].verdict == Verdict::violated ? '1' : '0';
  }
  return out;
}

void agree(const Program& program) {
  const Truth expected = truth_of(program, 100000);
  RC_PRE(expected.complete);
  for (const unsigned jobs : {1U, 3U}) {
    SearchOptions options;
    options.jobs = jobs;
    options.stop_when_decided = false;
    const Exploration found = explore(program, options);
    RC_ASSERT(found.complete);
    RC_ASSERT(found.states == expected.states);
    RC_ASSERT(found.transitions == expected.transitions);
    for (PropertyId id = 0; id < program.properties.size(); ++id) {
      const auto& result = found.results[id];
      RC_ASSERT((result.verdict == Verdict::violated) == expected.findings[id].violated);
      if (!expected.findings[id].violated) continue;
      RC_ASSERT(result.path->moves == expected.findings[id].moves);
    }
  }
}

}  // namespace

TEST_CASE("search and interpreter agree where stores are delayed") {
  CHECK(rc::check("random models", [] {
    const std::string text = RandomMemory(false).make();
    for (const Memory memory : {Memory::tso, Memory::weak}) agree(*with_memory(text, memory));
  }));
}

TEST_CASE("store buffers show all that is shown without") {
  CHECK(rc::check("random models", [] {
    const std::string text = RandomMemory(false).make();
    const std::string sc = verdicts(*with_memory(text, Memory::sc));
    const std::string tso = verdicts(*with_memory(text, Memory::tso));
    for (std::size_t i = 0; i < sc.size(); ++i) RC_ASSERT(sc[i] == '0' || tso[i] == '1');
  }));
}

TEST_CASE("with a full barrier behind every store tso is sc") {
  CHECK(rc::check("random models", [] {
    const std::string text = RandomMemory(true).make();
    RC_ASSERT(verdicts(*with_memory(text, Memory::sc)) ==
              verdicts(*with_memory(text, Memory::tso)));
  }));
}

}  // namespace txproof::test
