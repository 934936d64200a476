#include "checker/graph/digraph.h"

#include <algorithm>

#include "checker/graph/boost_components.h"

namespace txproof::checker::graph {

Digraph Parts::part(const std::vector<Vertex>& vertices,
                    const std::function<bool(const Edge&)>& keep) {
  for (Vertex i = 0; i < vertices.size(); ++i) local_[vertices[i]] = i;
  Digraph result;
  result.first.reserve(vertices.size() + 1);
  for (const Vertex v : vertices) {
    for (std::uint64_t e = whole_.first[v]; e < whole_.first[v + 1]; ++e) {
      const Edge& edge = whole_.edges[e];
      // Of a graph that is not whole, some edges lead out of it.
      const bool inside = edge.target < local_.size() && local_[edge.target] != no_vertex;
      if (!inside || (keep && !keep(edge))) continue;
      result.edges.push_back({local_[edge.target], edge.label});
    }
    result.first.push_back(result.edges.size());
  }
  for (const Vertex v : vertices) local_[v] = no_vertex;
  return result;
}

std::vector<std::vector<Vertex>> cyclic_components(const Digraph& graph) {
  std::vector<Vertex> component(graph.size());
  const std::size_t count = boost_components(graph, component);
  std::vector<char> has_cycle(count, 0);
  for (Vertex v = 0; v < graph.size(); ++v) {
    for (std::uint64_t e = graph.first[v]; e < graph.first[v + 1]; ++e) {
      if (component[graph.edges[e].target] == component[v]) has_cycle[component[v]] = 1;
    }
  }
  std::vector<Vertex> place(count, no_vertex);
  std::vector<std::vector<Vertex>> result;
  for (Vertex v = 0; v < graph.size(); ++v) {
    if (has_cycle[component[v]] == 0) continue;
    Vertex& at = place[component[v]];
    if (at == no_vertex) {
      at = static_cast<Vertex>(result.size());
      result.emplace_back();
    }
    result[at].push_back(v);
  }
  return result;
}

}  // namespace txproof::checker::graph
