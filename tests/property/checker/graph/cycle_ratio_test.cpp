// Random small graphs: the extreme ratio is that of the best simple cycle, found by trying all, and
// its cycle is as short as any of that ratio.
#include "checker/graph/cycle_ratio.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

using namespace txproof::checker::graph;
using txproof::program::Word;

namespace {

struct Sums {
  Word a = 0, b = 0;
};

bool better(const Sums& one, const Sums& other, Extreme extreme) {
  const Word left = one.a * other.b;
  const Word right = other.a * one.b;
  return extreme == Extreme::least ? left < right : left > right;
}

// Every simple cycle, from its least vertex on.
class AllCycles {
 public:
  AllCycles(const Digraph& graph, const std::vector<Gain>& gains, Extreme extreme)
      : graph_(graph), gains_(gains), extreme_(extreme) {
    for (start_ = 0; start_ < graph.size(); ++start_) {
      std::vector<char> on_path(graph.size(), 0);
      walk(start_, {}, 1, on_path);
    }
  }
  std::optional<Sums> best;  // of those with a denominator
  bool infinite = false;
  // The edges of the shortest.
  std::size_t best_length = std::numeric_limits<std::size_t>::max();
  std::size_t infinite_length = std::numeric_limits<std::size_t>::max();

 private:
  void closed(const Sums& sums, std::size_t length) {
    if (sums.b == 0) {
      if (sums.a == 0) return;
      infinite = true;
      infinite_length = std::min(infinite_length, length);
    } else if (!best || better(sums, *best, extreme_)) {
      best = sums;
      best_length = length;
    } else if (!better(*best, sums, extreme_)) {
      best_length = std::min(best_length, length);
    }
  }

  void walk(Vertex v, Sums sums, std::size_t length, std::vector<char>& on_path) {
    on_path[v] = 1;
    for (std::uint64_t e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
      const Edge& edge = graph_.edges[e];
      const Sums next{sums.a + gains_[edge.label].numerator,
                      sums.b + gains_[edge.label].denominator};
      if (edge.target == start_) {
        closed(next, length);
      } else if (edge.target > start_ && on_path[edge.target] == 0) {
        walk(edge.target, next, length + 1, on_path);
      }
    }
    on_path[v] = 0;
  }

  const Digraph& graph_;
  const std::vector<Gain>& gains_;
  Extreme extreme_;
  Vertex start_ = 0;
};

Digraph random_graph(std::uint32_t labels) {
  Digraph graph;
  const auto size = *rc::gen::inRange<Vertex>(1, 8);
  for (Vertex v = 0; v < size; ++v) {
    const auto edges = *rc::gen::inRange(0, 4);
    for (int e = 0; e < edges; ++e) {
      graph.edges.push_back(
          {*rc::gen::inRange<Vertex>(0, size), *rc::gen::inRange<std::uint32_t>(0, labels)});
    }
    graph.first.push_back(graph.edges.size());
  }
  return graph;
}

void is_a_cycle(const Digraph& graph, const std::vector<Gain>& gains, const CycleRatio& ratio) {
  RC_ASSERT(!ratio.cycle.empty());
  Sums sums;
  for (std::size_t i = 0; i < ratio.cycle.size(); ++i) {
    const CycleStep& step = ratio.cycle[i];
    RC_ASSERT(step.edge >= graph.first[step.source] && step.edge < graph.first[step.source + 1]);
    RC_ASSERT(graph.edges[step.edge].target == ratio.cycle[(i + 1) % ratio.cycle.size()].source);
    sums.a += gains[graph.edges[step.edge].label].numerator;
    sums.b += gains[graph.edges[step.edge].label].denominator;
  }
  if (ratio.kind == CycleRatio::Kind::infinite) {
    RC_ASSERT(sums.b == 0 && sums.a > 0);
  } else {
    RC_ASSERT(sums.b > 0 && sums.a * ratio.denominator == sums.b * ratio.numerator);
    RC_ASSERT(std::gcd(ratio.numerator, ratio.denominator) == 1);
  }
}

}  // namespace

TEST_CASE("the extreme ratio is that of the best simple cycle") {
  int finite = 0;
  int infinite = 0;
  CHECK(rc::check("ratio", [&] {
    std::vector<Gain> gains;
    gains.reserve(6);
    for (int i = 0; i < 6; ++i) {
      gains.push_back({*rc::gen::inRange<Word>(0, 4), *rc::gen::inRange<Word>(0, 4)});
    }
    const Digraph graph = random_graph(6);
    for (const Extreme extreme : {Extreme::least, Extreme::greatest}) {
      const CycleRatio found = extreme_ratio(graph, gains, extreme, nullptr);
      const AllCycles all(graph, gains, extreme);
      const bool is_infinite =
          all.infinite && (extreme == Extreme::greatest || !all.best.has_value());
      if (is_infinite) {
        RC_ASSERT(found.kind == CycleRatio::Kind::infinite);
        is_a_cycle(graph, gains, found);
        RC_ASSERT(found.cycle.size() == all.infinite_length);
        ++infinite;
      } else if (all.best) {
        RC_ASSERT(found.kind == CycleRatio::Kind::finite);
        RC_ASSERT(found.numerator * all.best->b == found.denominator * all.best->a);
        is_a_cycle(graph, gains, found);
        RC_ASSERT(found.cycle.size() == all.best_length);
        ++finite;
      } else {
        RC_ASSERT(found.kind == CycleRatio::Kind::none);
      }
    }
  }));
  // Both kinds were met: with 100 random graphs, far more often than this.
  CHECK(finite > 3);
  CHECK(infinite > 3);
}
