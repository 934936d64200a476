// The extreme ratio of two sums over the cycles of a graph, exactly.
//
// Each edge adds `numerator` and `denominator`, both at least 0. A cycle on which the denominator
// grows has a ratio; one on which only the numerator grows is infinite; one on which neither does
// is ignored. Method: take any cycle's ratio p/q, give each edge the integer weight that makes a
// cycle better than p/q negative, and look for a negative cycle (Bellman and Ford, with Tarjan's
// test for cycles among the parents after each round). Its ratio is strictly better, so this ends;
// when there is none left, the distances are a certificate that no cycle beats p/q. All in integers
// (Lawler 1967; Ahuja, Magnanti and Orlin, 5.7). An edge on a cycle that reaches p/q meets its
// distances with equality, and every cycle of such edges on which the denominator grows reaches it;
// so a shortest critical cycle is a shortest cycle among them.
//
// Howard's algorithm in Boost.Graph is not used: it works in floating point, ends silently after
// 100 rounds, and its answers would have to be certified in just this way.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "checker/graph/digraph.h"
#include "checker/graph/shortest_cycle.h"
#include "checker/graph/state_graph.h"

namespace txproof::checker::graph {

struct CycleRatio {
  enum class Kind : std::uint8_t {
    none,       // there is no cycle on which anything grows
    finite,     // numerator / denominator, in lowest terms
    infinite,   // the numerator grows alone on `cycle`
    stopped,    // poll said so
    negative,   // some count is negative: ratios mean nothing
    too_large,  // a count is too large for exact arithmetic
  };
  Kind kind = Kind::none;
  program::Word numerator = 0, denominator = 1;
  std::vector<CycleStep> cycle;  // finite, infinite: a shortest cycle with this ratio; in a graph
                                 // in which that is too long a search, a short one
};

enum class Extreme : std::uint8_t { least, greatest };

// gains: by label of an edge.
//   ensures: finite ratios are the least (greatest) of all cycles; `least` is infinite only if
//   every
//            cycle on which anything grows is
CycleRatio extreme_ratio(const Digraph& graph, const std::vector<Gain>& gains, Extreme extreme,
                         const std::function<bool()>& poll);

}  // namespace txproof::checker::graph
