#include "checker/graph/cycle_ratio.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace txproof::checker::graph {

using program::Word;

namespace {

__extension__ using Wide = __int128;

// Counts of one step up to here: then a cycle's sum is below 2^62, a weight below 2^93, and a
// distance below 2^125.
constexpr Word largest_count = Word{1} << 30;

// Edges that the search for a shorter cycle may look at: a second or two.
constexpr std::uint64_t most_work = std::uint64_t{1} << 27;

class RatioSearch {
 public:
  RatioSearch(const Digraph& graph, const std::vector<Gain>& gains, Extreme extreme,
              const std::function<bool()>& poll)
      : graph_(graph), gains_(gains), extreme_(extreme), poll_(poll), component_(graph.size()) {}

  CycleRatio run() {
    for (const Edge& edge : graph_.edges) {
      const Gain& gain = gains_[edge.label];
      if (gain.numerator < 0 || gain.denominator < 0) return only(CycleRatio::Kind::negative);
      if (gain.numerator > largest_count || gain.denominator > largest_count) {
        return only(CycleRatio::Kind::too_large);
      }
    }
    if (extreme_ == Extreme::greatest && find_infinite()) return std::move(best_);
    number_components();
    for (Vertex v = 0; v < graph_.size(); ++v) {
      // The first cycle with a ratio; of another component only a better one is taken.
      if (best_.kind == CycleRatio::Kind::finite) break;
      for (std::uint64_t e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
        if (!inside(v, e) || gain(e).denominator == 0) continue;
        take(close({v, e}));
        break;
      }
    }
    if (best_.kind != CycleRatio::Kind::finite) {
      find_infinite();
      return std::move(best_);
    }
    while (!stopped_) {
      std::vector<CycleStep> better = negative_cycle();
      if (better.empty()) break;
      const Word p = best_.numerator, q = best_.denominator;
      take(std::move(better));
      const Wide now = Wide{best_.numerator} * q, before = Wide{p} * best_.denominator;
      if (extreme_ == Extreme::least ? now >= before : now <= before) {
        throw std::logic_error("a better cycle is not better");
      }
    }
    return stopped_ ? only(CycleRatio::Kind::stopped) : std::move(best_);
  }

 private:
  static CycleRatio only(CycleRatio::Kind kind) {
    CycleRatio result;
    result.kind = kind;
    return result;
  }
  [[nodiscard]] const Gain& gain(std::uint64_t edge) const {
    return gains_[graph_.edges[edge].label];
  }
  [[nodiscard]] bool inside(Vertex v, std::uint64_t edge) const {
    return component_[v] != no_vertex && component_[v] == component_[graph_.edges[edge].target];
  }

  void number_components() {
    component_.assign(graph_.size(), no_vertex);
    Vertex number = 0;
    for (const auto& component : cyclic_components(graph_)) {
      for (const Vertex v : component) component_[v] = number;
      ++number;
    }
  }

  // A cycle through edges that add nothing to the denominator and something to the numerator.
  bool find_infinite() {
    std::vector<CycleStep> cycle = shortest_cycle(
        graph_, [this](Vertex, std::uint64_t e) { return gain(e).denominator == 0; },
        [this](std::uint64_t e) { return gain(e).numerator > 0; }, most_work, poll_);
    if (cycle.empty()) return false;
    best_.kind = CycleRatio::Kind::infinite;
    best_.cycle = std::move(cycle);
    return true;
  }

  // Among the cycles that reach the best ratio, a shortest.
  //   requires: no cycle is better; `distance` says so
  void shorten(const std::vector<Wide>& distance) {
    const auto critical = [&](Vertex v, std::uint64_t e) {
      return inside(v, e) && distance[v] + weight(e) == distance[graph_.edges[e].target];
    };
    std::vector<CycleStep> cycle = shortest_cycle(
        graph_, critical, [this](std::uint64_t e) { return gain(e).denominator > 0; }, most_work,
        poll_);
    if (!cycle.empty() && cycle.size() < best_.cycle.size()) best_.cycle = std::move(cycle);
  }

  // A shortest cycle through an edge, that edge first.
  //   requires: the edge is inside a component
  [[nodiscard]] std::vector<CycleStep> close(CycleStep edge) const {
    const Vertex from = graph_.edges[edge.edge].target;
    std::vector<CycleStep> cycle = {edge};
    if (from == edge.source) return cycle;
    std::vector<CycleStep> came_by(graph_.size());
    std::vector<char> seen(graph_.size(), 0);
    std::vector<Vertex> queue = {from};
    seen[from] = 1;
    for (std::size_t head = 0; head < queue.size() && seen[edge.source] == 0; ++head) {
      const Vertex v = queue[head];
      for (std::uint64_t e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
        const Vertex target = graph_.edges[e].target;
        if (!inside(v, e) || seen[target] != 0) continue;
        seen[target] = 1;
        came_by[target] = {v, e};
        queue.push_back(target);
      }
    }
    for (Vertex v = edge.source; v != from; v = came_by[v].source) cycle.push_back(came_by[v]);
    std::reverse(cycle.begin() + 1, cycle.end());
    return cycle;
  }

  // The ratio of a cycle becomes the best.
  void take(std::vector<CycleStep> cycle) {
    Word p = 0, q = 0;
    for (const CycleStep& step : cycle) {
      p += gain(step.edge).numerator;
      q += gain(step.edge).denominator;
    }
    if (q == 0) throw std::logic_error("a cycle without a denominator has no ratio");
    const Word divisor = std::gcd(p, q);
    best_.kind = CycleRatio::Kind::finite;
    best_.numerator = p / divisor;
    best_.denominator = q / divisor;
    best_.cycle = std::move(cycle);
  }

  [[nodiscard]] Wide weight(std::uint64_t edge) const {
    const Wide value = Wide{best_.denominator} * gain(edge).numerator -
                       Wide{best_.numerator} * gain(edge).denominator;
    return extreme_ == Extreme::least ? value : -value;
  }

  // A cycle that beats the best ratio; empty: there is none.
  std::vector<CycleStep> negative_cycle() {
    std::vector<Wide> distance(graph_.size(), 0);
    std::vector<CycleStep> parent(graph_.size(), {no_vertex, 0});
    for (;;) {
      if (poll_ && poll_()) {
        stopped_ = true;
        return {};
      }
      bool changed = false;
      for (Vertex v = 0; v < graph_.size(); ++v) {
        for (std::uint64_t e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
          if (!inside(v, e)) continue;
          const Vertex target = graph_.edges[e].target;
          const Wide through = distance[v] + weight(e);
          if (through >= distance[target]) continue;
          distance[target] = through;
          parent[target] = {v, e};
          changed = true;
        }
      }
      if (!changed) {
        shorten(distance);
        return {};
      }
      std::vector<CycleStep> cycle = cycle_among(parent);
      if (!cycle.empty()) return cycle;
    }
  }

  static std::vector<CycleStep> cycle_among(const std::vector<CycleStep>& parent) {
    std::vector<Vertex> walk_of(parent.size(), no_vertex);
    for (Vertex start = 0; start < parent.size(); ++start) {
      Vertex v = start;
      while (v != no_vertex && walk_of[v] == no_vertex) {
        walk_of[v] = start;
        v = parent[v].source;
      }
      if (v == no_vertex || walk_of[v] != start) continue;
      std::vector<CycleStep> cycle;
      const Vertex end = v;
      do {
        cycle.push_back(parent[v]);
        v = parent[v].source;
      } while (v != end);
      std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    return {};
  }

  const Digraph& graph_;
  const std::vector<Gain>& gains_;
  Extreme extreme_;
  const std::function<bool()>& poll_;
  std::vector<Vertex> component_;
  CycleRatio best_;
  bool stopped_ = false;
};

}  // namespace

CycleRatio extreme_ratio(const Digraph& graph, const std::vector<Gain>& gains, Extreme extreme,
                         const std::function<bool()>& poll) {
  return RatioSearch(graph, gains, extreme, poll).run();
}

}  // namespace txproof::checker::graph
