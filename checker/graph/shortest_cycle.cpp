#include "checker/graph/shortest_cycle.h"

#include <algorithm>

namespace txproof::checker::graph {

namespace {

// The edges that are kept, as a graph of their own with the same vertices.
struct Kept {
  Digraph graph;
  std::vector<std::uint64_t> names;  // by its edges, those of the whole graph
  std::vector<Vertex> component;     // no_vertex: on no cycle
};

Kept kept_edges(const Digraph& whole, const std::function<bool(Vertex, std::uint64_t)>& keep) {
  Kept kept;
  for (Vertex v = 0; v < whole.size(); ++v) {
    for (std::uint64_t e = whole.first[v]; e < whole.first[v + 1]; ++e) {
      if (!keep(v, e)) continue;
      kept.graph.edges.push_back(whole.edges[e]);
      kept.names.push_back(e);
    }
    kept.graph.first.push_back(kept.graph.edges.size());
  }
  kept.component.assign(whole.size(), no_vertex);
  Vertex number = 0;
  for (const auto& component : cyclic_components(kept.graph)) {
    for (const Vertex v : component) kept.component[v] = number;
    ++number;
  }
  return kept;
}

class CycleSearch {
 public:
  CycleSearch(const Kept& kept, std::uint64_t work)
      : kept_(kept), work_(work), came_by_(kept.graph.size()), seen_(kept.graph.size(), 0) {}

  [[nodiscard]] bool inside(Vertex v, std::uint64_t edge) const {
    return kept_.component[v] != no_vertex &&
           kept_.component[v] == kept_.component[kept_.graph.edges[edge].target];
  }
  [[nodiscard]] bool at_work() const { return work_ > 0; }
  [[nodiscard]] std::vector<CycleStep> result() && { return std::move(best_); }

  // Keeps the shortest cycle through this edge, if it is shorter than any before.
  void close(CycleStep edge) {
    ++round_;
    const Vertex from = kept_.graph.edges[edge.edge].target;
    std::vector<Vertex> level = {from};
    seen_[from] = round_;
    std::size_t length = 1;  // of a cycle that ends on this level
    while (!level.empty() && seen_[edge.source] != round_) {
      ++length;
      if (!best_.empty() && length >= best_.size()) return;
      std::vector<Vertex> next;
      for (const Vertex v : level) expand(v, next);
      if (work_ == 0) return;
      level = std::move(next);
    }
    if (!best_.empty() && length >= best_.size()) return;
    best_ = {edge};
    for (Vertex v = edge.source; v != from; v = came_by_[v].source) best_.push_back(came_by_[v]);
    std::reverse(best_.begin() + 1, best_.end());
  }

 private:
  void expand(Vertex v, std::vector<Vertex>& next) {
    for (std::uint64_t e = kept_.graph.first[v]; e < kept_.graph.first[v + 1]; ++e) {
      if (work_ > 0 && !best_.empty()) --work_;  // the first cycle is looked for to the end
      const Vertex target = kept_.graph.edges[e].target;
      if (!inside(v, e) || seen_[target] == round_) continue;
      seen_[target] = round_;
      came_by_[target] = {v, e};
      next.push_back(target);
    }
  }

  const Kept& kept_;
  std::uint64_t work_;
  std::vector<CycleStep> came_by_;
  std::vector<std::uint64_t> seen_;  // the round in which a vertex was reached
  std::uint64_t round_ = 0;
  std::vector<CycleStep> best_;
};

}  // namespace

std::vector<CycleStep> shortest_cycle(const Digraph& graph,
                                      const std::function<bool(Vertex, std::uint64_t)>& keep,
                                      const std::function<bool(std::uint64_t)>& wanted,
                                      std::uint64_t work, const std::function<bool()>& poll) {
  const Kept kept = kept_edges(graph, keep);
  CycleSearch search(kept, work);
  bool stopped = false;
  for (Vertex v = 0; v < graph.size() && search.at_work() && !stopped; ++v) {
    for (std::uint64_t e = kept.graph.first[v]; e < kept.graph.first[v + 1]; ++e) {
      if (!search.inside(v, e) || !wanted(kept.names[e])) continue;
      search.close({v, e});
      stopped = poll && poll();
      if (stopped || !search.at_work()) break;
    }
  }
  std::vector<CycleStep> cycle = std::move(search).result();
  for (CycleStep& step : cycle) step.edge = kept.names[step.edge];
  return cycle;
}

}  // namespace txproof::checker::graph
