// A Digraph is shown to Boost.Graph as a model of its VertexListGraph and IncidenceGraph, so that
// nothing is copied.
#include "checker/graph/boost_components.h"

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>
#include <utility>

namespace txproof::checker::graph {

struct EdgeName {
  Vertex source = 0;
  std::uint64_t index = 0;
  bool operator==(const EdgeName&) const = default;
};

class OutEdges
    : public boost::iterator_facade<OutEdges, EdgeName, boost::forward_traversal_tag, EdgeName> {
 public:
  OutEdges() = default;
  explicit OutEdges(EdgeName at) : at_(at) {}

 private:
  friend class boost::iterator_core_access;
  [[nodiscard]] EdgeName dereference() const { return at_; }
  [[nodiscard]] bool equal(const OutEdges& other) const { return at_ == other.at_; }
  void increment() { ++at_.index; }
  EdgeName at_;
};

struct Traversal : boost::vertex_list_graph_tag, boost::incidence_graph_tag {};

}  // namespace txproof::checker::graph

template <>
struct boost::graph_traits<txproof::checker::graph::Digraph> {
  using vertex_descriptor = txproof::checker::graph::Vertex;
  using edge_descriptor = txproof::checker::graph::EdgeName;
  using directed_category = boost::directed_tag;
  using edge_parallel_category = boost::allow_parallel_edge_tag;
  using traversal_category = txproof::checker::graph::Traversal;
  using vertex_iterator = boost::counting_iterator<vertex_descriptor>;
  using out_edge_iterator = txproof::checker::graph::OutEdges;
  using vertices_size_type = vertex_descriptor;
  using edges_size_type = std::uint64_t;
  using degree_size_type = std::uint64_t;
  static vertex_descriptor null_vertex() { return txproof::checker::graph::no_vertex; }
};

namespace txproof::checker::graph {

using Traits = boost::graph_traits<Digraph>;

// What Boost.Graph finds by argument-dependent lookup.
std::pair<Traits::vertex_iterator, Traits::vertex_iterator> vertices(const Digraph& g) {
  return {Traits::vertex_iterator(0), Traits::vertex_iterator(g.size())};
}
Vertex num_vertices(const Digraph& g) { return g.size(); }
std::pair<OutEdges, OutEdges> out_edges(Vertex v, const Digraph& g) {
  return {OutEdges({v, g.first[v]}), OutEdges({v, g.first[v + 1]})};
}
std::uint64_t out_degree(Vertex v, const Digraph& g) { return g.first[v + 1] - g.first[v]; }
Vertex source(const EdgeName& e, const Digraph& /*g*/) { return e.source; }
Vertex target(const EdgeName& e, const Digraph& g) { return g.edges[e.index].target; }

std::size_t boost_components(const Digraph& graph, std::vector<Vertex>& component) {
  if (graph.size() == 0) return 0;
  const auto index = boost::typed_identity_property_map<Vertex>();
  return boost::strong_components(graph,
                                  boost::make_iterator_property_map(component.begin(), index),
                                  boost::vertex_index_map(index));
}

}  // namespace txproof::checker::graph
