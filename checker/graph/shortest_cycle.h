// A shortest cycle of a graph through one of certain edges.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "checker/graph/digraph.h"

namespace txproof::checker::graph {

struct CycleStep {
  Vertex source = 0;
  std::uint64_t edge = 0;  // index into the graph's edges
};

// Looks at edges for which `keep` is true, and at cycles through at least one that is `wanted` too
// (asked of kept edges only). Breadth first from the end of each wanted edge, never further than
// the shortest cycle so far.
//   ensures: the shortest cycle, that edge first, and of several that of the least vertex; or, once
//            `work` edges have been looked at or poll says so, the shortest that was found; empty:
//            none was found
std::vector<CycleStep> shortest_cycle(const Digraph& graph,
                                      const std::function<bool(Vertex, std::uint64_t)>& keep,
                                      const std::function<bool(std::uint64_t)>& wanted,
                                      std::uint64_t work, const std::function<bool()>& poll);

}  // namespace txproof::checker::graph
