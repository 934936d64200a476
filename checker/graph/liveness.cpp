#include "checker/graph/liveness.h"

#include <algorithm>
#include <utility>

namespace txproof::checker::graph {

namespace {

// A lasso's cycle is looked for from so many states, in so many components, the nearest first.
constexpr std::size_t starts_tried = 16;
constexpr std::size_t components_tried = 64;
// … and from one state only where a component is large.
constexpr std::size_t large_component = 100'000;

class Liveness {
 public:
  Liveness(const StateGraph& graph, const LivenessClaim& claim, const std::function<bool()>& poll)
      : graph_(graph), claim_(claim), poll_(poll) {}

  LivenessAnswer run() {
    find_pending();
    consider_rest();
    if (!answer_.stopped) consider_cycles();
    return std::move(answer_);
  }

 private:
  [[nodiscard]] bool fact(StateId state, std::size_t number) const {
    return graph_.situation(state).facts[number];
  }

  // Breadth first through states where B is still owed: distance_ is the length of the shortest
  // path that gets there with B owed all along since a state with A.
  void find_pending() {
    const StateId count = graph_.expanded();
    distance_.assign(count, no_vertex);
    came_from_.assign(count, no_state);
    std::vector<StateId> level, next;
    StateId source = 0;
    for (std::uint32_t depth = 0; source < count || !level.empty(); ++depth) {
      // States are numbered by depth.
      for (; source < count && graph_.depth_of(source) <= depth; ++source) {
        const bool starts = !claim_.from || fact(source, *claim_.from);
        answer_.from_seen = answer_.from_seen || starts;
        if (!starts || fact(source, claim_.to) || distance_[source] != no_vertex) continue;
        distance_[source] = depth;
        level.push_back(source);
      }
      std::sort(level.begin(), level.end());
      next.clear();
      for (const StateId state : level) {
        region_.push_back(state);
        const Digraph& g = graph_.graph();
        for (std::uint64_t e = g.first[state]; e < g.first[state + 1]; ++e) {
          const StateId target = g.edges[e].target;
          if (target >= count || distance_[target] != no_vertex || fact(target, claim_.to))
            continue;
          distance_[target] = depth + 1;
          came_from_[target] = state;
          next.push_back(target);
        }
      }
      std::swap(level, next);
    }
  }

  [[nodiscard]] std::vector<Step> path_in(StateId state) const {
    std::vector<StateId> owed = {state};
    while (came_from_[owed.back()] != no_state) owed.push_back(came_from_[owed.back()]);
    std::vector<StateId> states = states_to(graph_, owed.back());
    states.insert(states.end(), owed.rbegin() + 1, owed.rend());
    return steps_between(graph_, states);
  }

  void consider_rest() {
    for (const StateId state : region_) {
      if (!graph_.situation(state).at_rest) continue;
      if (claim_.assuming && !fact(state, *claim_.assuming)) continue;
      answer_.lasso = Lasso{path_in(state), {}};
      best_ = distance_[state];
      return;
    }
  }

  void consider_cycles() {
    Fairness fairness = declared_fairness(graph_.program());
    fairness.fact = claim_.assuming;
    std::vector<StateId> states = region_;
    std::sort(states.begin(), states.end());
    const auto poll = [this] {
      answer_.stopped = answer_.stopped || (poll_ && poll_());
      return answer_.stopped;
    };
    std::vector<std::vector<StateId>> components =
        fair_components(graph_, std::move(states), fairness, poll);
    const auto nearer = [this](StateId a, StateId b) {
      return std::pair(distance_[a], a) < std::pair(distance_[b], b);
    };
    const auto entry = [&](const std::vector<StateId>& component) {
      return *std::min_element(component.begin(), component.end(), nearer);
    };
    std::vector<std::pair<StateId, std::size_t>> order;
    for (std::size_t i = 0; i < components.size(); ++i) order.emplace_back(entry(components[i]), i);
    std::sort(order.begin(), order.end(),
              [&](const auto& a, const auto& b) { return nearer(a.first, b.first); });
    if (order.size() > components_tried) order.resize(components_tried);
    for (const auto& [nearest, i] : order) {
      if (answer_.lasso && distance_[nearest] + 1 >= best_) return;
      if (answer_.lasso && poll()) return;
      consider(components[i], fairness, nearer);
    }
    // A lasso stands, whatever was not looked at.
    if (answer_.lasso) answer_.stopped = false;
  }

  template <typename Nearer>
  void consider(const std::vector<StateId>& component, const Fairness& fairness,
                const Nearer& nearer) {
    std::vector<StateId> starts = component;
    const std::size_t tried =
        std::min(component.size() > large_component ? std::size_t{1} : starts_tried, starts.size());
    std::partial_sort(starts.begin(), starts.begin() + static_cast<std::ptrdiff_t>(tried),
                      starts.end(), nearer);
    starts.resize(tried);
    for (const StateId start : starts) {
      if (answer_.lasso && distance_[start] + 1 >= best_) return;
      std::vector<Step> cycle = fair_cycle(graph_, component, start, fairness);
      const std::size_t length = distance_[start] + cycle.size();
      if (answer_.lasso && length >= best_) continue;
      best_ = length;
      answer_.lasso = Lasso{path_in(start), std::move(cycle)};
    }
  }

  const StateGraph& graph_;
  const LivenessClaim& claim_;
  const std::function<bool()>& poll_;
  std::vector<std::uint32_t> distance_;  // no_vertex: not reached with B owed
  std::vector<StateId> came_from_;
  std::vector<StateId> region_;
  std::size_t best_ = 0;  // steps of the lasso so far
  LivenessAnswer answer_;
};

}  // namespace

LivenessAnswer violation_of(const StateGraph& graph, const LivenessClaim& claim,
                            const std::function<bool()>& poll) {
  return Liveness(graph, claim, poll).run();
}

}  // namespace txproof::checker::graph
