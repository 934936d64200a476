#include "tests/support/agree/engines.h"

#include "checker/explicit/search.h"
#include "checker/graph/analyse.h"
#include "counterexamples/replay.h"

namespace txproof::test {

using namespace program;
using properties::Exploration;
using properties::Result;
using properties::Verdict;

namespace {

std::string both(const std::string& what, const std::string& found, const std::string& expected) {
  return what + ": " + found + ", and it should be " + expected;
}

std::string numbers(const std::string& what, std::uint64_t found, std::uint64_t expected) {
  return found == expected ? "" : both(what, std::to_string(found), std::to_string(expected));
}

bool has_endless_claim(const Property& property) {
  for (const Claim& claim : property.claims) {
    if (claim.kind == PropertyKind::leads_to || claim.kind == PropertyKind::infinitely_often ||
        claim.kind == PropertyKind::rate) {
      return true;
    }
  }
  return false;
}

// Replays every path that is there.
std::string not_replayed(const Program& program, const Exploration& found) {
  for (const Result& result : found.results) {
    if (result.verdict != Verdict::violated) continue;
    const std::string& name = program.properties[result.property].instance;
    if (!result.path) return name + ": violated without a path";
    const auto replay = counterexamples::replay(program, result.property, *result.path);
    if (!replay.trace) return name + ": the path is no violation: " + replay.mismatch;
  }
  return "";
}

std::string safety_result(const Program& program, const Result& result, const Truth::Finding& truth,
                          bool whole) {
  const Property& property = program.properties[result.property];
  const std::string& name = property.instance;
  if ((result.verdict == Verdict::violated) != truth.violated) {
    // A search that ended early need not have met what another property does later.
    if (!whole && result.verdict == Verdict::inconclusive) return "";
    if (has_endless_claim(property) && result.verdict == Verdict::inconclusive) return "";
    return both(name, to_string(result.verdict), truth.violated ? "violated" : "not violated");
  }
  if (truth.violated) {
    if (result.path->moves != truth.moves) {
      return both(name + ": trace", std::to_string(result.path->moves.size()) + " steps",
                  "the least of " + std::to_string(truth.moves.size()) + " steps");
    }
    if (result.path->violation != truth.violation) return name + ": blames another check";
  }
  if (!whole) return "";
  if (!has_endless_claim(property) && result.verdict == Verdict::inconclusive) {
    return name + ": inconclusive, though everything was seen";
  }
  if (result.value != truth.largest) return name + ": another maximum";
  const bool builtin =
      property.kind == PropertyKind::builtin || property.kind == PropertyKind::deadlock;
  if (result.verdict == Verdict::holds && !builtin &&
      result.vacuous.has_value() != (!truth.spoken || property.never_probed)) {
    return both(name, result.vacuous ? "vacuous" : "not vacuous", "the other");
  }
  return "";
}

std::string search_disagrees(const Program& program, const Truth& truth,
                             const checker::SearchOptions& options) {
  const Exploration found = checker::explore(program, options);
  const bool whole = !options.stop_when_decided;
  std::string problem;
  const auto note = [&](std::string text) {
    if (problem.empty()) problem = std::move(text);
  };
  if (whole) {
    note(found.complete ? "" : "the search did not end");
    note(numbers("states", found.states, truth.states));
    note(numbers("transitions", found.transitions, truth.transitions));
    note(numbers("depth", found.depth, truth.depth));
    note(found.stopped_by_fault == truth.fault ? "" : "another answer about faults");
  }
  for (PropertyId id = 0; id < program.properties.size(); ++id) {
    note(safety_result(program, found.results[id], truth.findings[id], whole));
  }
  if (options.coverage && problem.empty() && found.covered_blocks != truth.blocks) {
    note("covers other blocks");
  }
  note(not_replayed(program, found));
  return problem;
}

// leads_to and infinitely_often against the oracle; of a rate, what is violated is replayed.
std::string graph_disagrees(const Program& program, const Truth& truth) {
  checker::SearchOptions options;
  Exploration found = checker::explore(program, options);
  if (!checker::graph::is_wanted(found)) return "";
  checker::graph::analyse(program, options, found);
  for (const Result& result : found.results) {
    const Property& property = program.properties[result.property];
    if (!has_endless_claim(property)) continue;
    bool violated = truth.findings[result.property].violated;
    bool known = true;
    for (const Claim& claim : property.claims) {
      if (claim.kind == PropertyKind::rate) known = false;
      if (claim.kind == PropertyKind::leads_to || claim.kind == PropertyKind::infinitely_often) {
        violated = violated || run_without_end(program, truth, claim);
      }
    }
    if (known && (result.verdict == Verdict::violated) != violated) {
      return both(property.instance, to_string(result.verdict), violated ? "violated" : "holds");
    }
    if (known && result.verdict == Verdict::inconclusive) {
      return property.instance + ": inconclusive, though the graph is small";
    }
  }
  return not_replayed(program, found);
}

Engine search(const std::string& name, unsigned jobs, bool stop_when_decided, bool coverage) {
  return {name, [=](const Program& program, const Truth& truth) {
            checker::SearchOptions options;
            options.jobs = jobs;
            options.stop_when_decided = stop_when_decided;
            options.coverage = coverage;
            return search_disagrees(program, truth, options);
          }};
}

}  // namespace

const std::vector<Engine>& engines() {
  static const std::vector<Engine> table = {
      search("explicit", 1, false, false),
      search("explicit, 2 jobs", 2, false, false),
      search("explicit, 1 job, ends early", 1, true, false),
      search("explicit, coverage", 1, false, true),
      {"graph", graph_disagrees},
  };
  return table;
}

}  // namespace txproof::test
