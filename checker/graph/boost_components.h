// Boost.Graph's strong components of a Digraph, behind a plain function: its headers are slow to
// compile and warn.
#pragma once

#include <vector>

#include "checker/graph/digraph.h"

namespace txproof::checker::graph {

// Numbers the strong components of all vertices.
//   requires: component has one entry for each vertex
//   returns how many there are
std::size_t boost_components(const Digraph& graph, std::vector<Vertex>& component);

}  // namespace txproof::checker::graph
