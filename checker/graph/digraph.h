// A directed graph as compressed adjacency, and its strong components.
//
// An edge is 8 bytes: where it leads and a label, an index into a table that its user keeps. Parts
// of a graph are graphs of their own, with vertices numbered anew, so that an analysis of a small
// part costs no more than that part.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace txproof::checker::graph {

using Vertex = std::uint32_t;
constexpr Vertex no_vertex = 0xffffffffU;

struct Edge {
  Vertex target = 0;
  std::uint32_t label = 0;
};

struct Digraph {
  std::vector<std::uint64_t> first = {0};  // vertex v has the edges first[v]..first[v + 1] - 1
  std::vector<Edge> edges;

  [[nodiscard]] Vertex size() const { return static_cast<Vertex>(first.size() - 1); }
  [[nodiscard]] std::uint64_t bytes() const {
    return first.capacity() * sizeof(std::uint64_t) + edges.capacity() * sizeof(Edge);
  }
};

// Takes parts out of one graph. Keeps a table of that graph's size between uses.
class Parts {
 public:
  explicit Parts(const Digraph& whole) : whole_(whole), local_(whole.size(), no_vertex) {}

  // The part between `vertices` (distinct): vertex i of it is vertices[i]. Edges keep their labels
  // and their order; those that `keep` refuses are left out.
  Digraph part(const std::vector<Vertex>& vertices,
               const std::function<bool(const Edge&)>& keep = nullptr);

 private:
  const Digraph& whole_;
  std::vector<Vertex> local_;
};

// Strong components in which there is a cycle, by Boost.Graph (Tarjan's algorithm).
//   ensures: vertices of each ascending, components by their least vertex
std::vector<std::vector<Vertex>> cyclic_components(const Digraph& graph);

}  // namespace txproof::checker::graph
