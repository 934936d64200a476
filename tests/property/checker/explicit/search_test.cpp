// Random small Programs: the search finds exactly what a plain breadth-first walk over the
// reference interpreter finds, with any number of workers.
#include "checker/explicit/search.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>

#include "tests/support/random_program.h"

using namespace txproof::test;
using txproof::checker::explore;
using txproof::checker::SearchOptions;
using txproof::program::Interpreter;
using txproof::program::Move;
using txproof::program::Successor;
using txproof::properties::Exploration;
using txproof::properties::Verdict;

namespace {

// What the plain walk knows of one property.
struct Expected {
  bool violated = false;
  std::vector<Move> moves;
  ViolationId violation = no_id;
};

struct Walk {
  std::uint64_t states = 0, transitions = 0;
  std::uint32_t depth = 0;
  std::vector<Expected> expected;
  bool fault = false;
};

Walk walk(const Program& p) {
  const Interpreter interpreter(p);
  struct Node {
    State state;
    std::size_t parent;
    Move move;
    std::uint32_t depth;
  };
  std::vector<Node> nodes;
  std::map<State, std::size_t> seen;
  Walk result;
  result.expected.resize(p.properties.size());
  const auto path = [&](std::size_t node) {
    std::vector<Move> moves;
    for (; node != 0; node = nodes[node].parent) moves.push_back(nodes[node].move);
    std::reverse(moves.begin(), moves.end());
    return moves;
  };
  const auto blame = [&](PropertyId id, std::vector<Move> moves, ViolationId violation) {
    Expected& e = result.expected[id];
    // States and moves are met in order, so among equally long ones the first stays.
    if (e.violated && e.moves.size() <= moves.size()) return;
    e = {true, std::move(moves), violation};
  };
  const auto inspect = [&](std::size_t node) {
    const State& state = nodes[node].state;
    for (PropertyId id = 0; id < p.properties.size(); ++id) {
      if (p.properties[id].kind == PropertyKind::deadlock && interpreter.deadlocked(state)) {
        blame(id, path(node), no_id);
      }
      for (const Claim& claim : p.properties[id].claims) {
        bool wrong = false;
        if (claim.kind == PropertyKind::always) {
          wrong = interpreter.evaluate(state, claim.condition) == 0;
        } else if (claim.kind == PropertyKind::maximum) {
          wrong =
              interpreter.evaluate(state, claim.left) > interpreter.evaluate(state, claim.right);
        } else if (claim.kind == PropertyKind::at_rest) {
          wrong = interpreter.at_rest(state) && interpreter.evaluate(state, claim.condition) == 0;
        }
        if (wrong) blame(id, path(node), no_id);
      }
    }
  };
  nodes.push_back({initial_state(p), 0, {}, 0});
  seen.emplace(nodes[0].state, 0);
  inspect(0);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const State here = nodes[node].state;
    for (const Successor& next : interpreter.successors(here)) {
      ++result.transitions;
      for (const auto& fault : next.faults) {
        std::vector<Move> moves = path(node);
        moves.push_back(next.move);
        blame(p.violations[fault.violation].property, std::move(moves), fault.violation);
      }
      if (next.ended()) {
        result.fault = true;
        continue;
      }
      if (!seen.emplace(next.state, nodes.size()).second) continue;
      nodes.push_back({next.state, node, next.move, nodes[node].depth + 1});
      inspect(nodes.size() - 1);
    }
    result.depth = nodes.back().depth;
  }
  result.states = nodes.size();
  return result;
}

}  // namespace

TEST_CASE("search and interpreter agree") {
  CHECK(rc::check("random programs", [] {
    const Program program = RandomProgram().make();
    const Walk expected = walk(program);
    for (const unsigned jobs : {1U, 3U}) {
      SearchOptions options;
      options.jobs = jobs;
      options.stop_when_decided = false;
      const Exploration found = explore(program, options);
      RC_ASSERT(found.complete);
      RC_ASSERT(found.states == expected.states);
      RC_ASSERT(found.transitions == expected.transitions);
      RC_ASSERT(found.depth == expected.depth);
      RC_ASSERT(found.stopped_by_fault == expected.fault);
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        const auto& result = found.results[id];
        RC_ASSERT((result.verdict == Verdict::violated) == expected.expected[id].violated);
        if (!expected.expected[id].violated) continue;
        RC_ASSERT(result.path->moves == expected.expected[id].moves);
        RC_ASSERT(result.path->violation == expected.expected[id].violation);
      }
      // Ending early changes what is known, never what is reported as violated.
      options.stop_when_decided = true;
      const Exploration early = explore(program, options);
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        if (early.results[id].verdict != Verdict::violated) continue;
        RC_ASSERT(early.results[id].path->moves == expected.expected[id].moves);
      }
    }
  }));
}
