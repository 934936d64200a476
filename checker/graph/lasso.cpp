#include "checker/graph/lasso.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace txproof::checker::graph {

using program::State;
using program::Successor;
using program::Word;

namespace {

// Walks in one component, whose vertices are numbered anew.
class Walker {
 public:
  Walker(const StateGraph& graph, const std::vector<StateId>& component, const Fairness& fairness)
      : graph_(graph),
        states_(component),
        fairness_(fairness),
        part_(Parts(graph.graph()).part(component)),
        seen_(component.size(), 0),
        came_by_(component.size()) {}

  // The cycle, where besides weak fairness the actors of `owed` must step.
  std::vector<Step> cycle(Vertex start, const std::vector<bool>& owed) {
    walk_.clear();
    missing_.assign(fairness_.actors.size(), false);
    must_step_ = owed;
    for (Actor actor = 0; actor < missing_.size(); ++actor) {
      missing_[actor] = owed[actor] || (fairness_.actors[actor] != Fair::no);
    }
    fact_missing_ = fairness_.fact.has_value();
    visit(start);
    Vertex at = start;
    while (any_missing()) {
      at = go(at, [this](Vertex v, const Edge& e) { return helps(v, e); });
    }
    if (at != start || walk_.empty()) {
      go(at, [start](Vertex /*from*/, const Edge& e) { return e.target == start; });
    }
    std::vector<Step> result;
    for (const auto& [from, edge] : walk_) {
      result.push_back({states_[from], {states_[edge.target], edge.label}});
    }
    return result;
  }

 private:
  struct Hop {
    Vertex from = 0;
    Edge edge;
  };

  [[nodiscard]] bool any_missing() const {
    return fact_missing_ || std::find(missing_.begin(), missing_.end(), true) != missing_.end();
  }
  [[nodiscard]] bool meets(Vertex v, Actor actor) const {
    return !must_step_[actor] && !graph_.situation(states_[v]).enabled[actor];
  }
  [[nodiscard]] bool fact_holds(Vertex v) const {
    return graph_.situation(states_[v]).facts[*fairness_.fact];
  }
  [[nodiscard]] bool helps(Vertex /*from*/, const Edge& edge) const {
    if (missing_[graph_.label(edge).actor]) return true;
    if (fact_missing_ && fact_holds(edge.target)) return true;
    for (Actor actor = 0; actor < missing_.size(); ++actor) {
      if (missing_[actor] && meets(edge.target, actor)) return true;
    }
    return false;
  }
  void visit(Vertex v) {
    for (Actor actor = 0; actor < missing_.size(); ++actor) {
      if (meets(v, actor)) missing_[actor] = false;
    }
    if (fact_missing_ && fact_holds(v)) fact_missing_ = false;
  }

  // Takes a shortest walk of at least one edge, whose last edge is `wanted`.
  template <typename Wanted>
  Vertex go(Vertex from, const Wanted& wanted) {
    ++round_;
    std::vector<Vertex> queue = {from};
    seen_[from] = round_;
    for (std::size_t head = 0; head < queue.size(); ++head) {
      const Vertex v = queue[head];
      for (std::uint64_t e = part_.first[v]; e < part_.first[v + 1]; ++e) {
        const Edge& edge = part_.edges[e];
        if (wanted(v, edge)) {
          std::vector<Hop> hops = {{v, edge}};
          for (Vertex u = v; u != from; u = hops.back().from) hops.push_back(came_by_[u]);
          for (auto hop = hops.rbegin(); hop != hops.rend(); ++hop) {
            walk_.push_back(*hop);
            missing_[graph_.label(hop->edge).actor] = false;
            visit(hop->edge.target);
          }
          return edge.target;
        }
        if (seen_[edge.target] == round_) continue;
        seen_[edge.target] = round_;
        came_by_[edge.target] = {v, edge};
        queue.push_back(edge.target);
      }
    }
    throw std::logic_error("a component that was found fair is not");
  }

  const StateGraph& graph_;
  const std::vector<StateId>& states_;
  const Fairness& fairness_;
  Digraph part_;
  std::vector<std::uint32_t> seen_;
  std::vector<Hop> came_by_;
  std::uint32_t round_ = 0;
  std::vector<Hop> walk_;
  std::vector<bool> missing_;    // by Actor
  std::vector<bool> must_step_;  // likewise: a state in which it can not step is not enough
  bool fact_missing_ = false;
};

// The step of the interpreter that an edge stands for, and where it leads.
Successor step_of(const StateGraph& graph, const Watch& watch, const Step& step) {
  const program::Interpreter interpreter(graph.program());
  const State wanted = graph.unpacked(step.edge.target);
  const Label& label = graph.label(step.edge);
  const auto sum = [](const program::Tally& tally, const Successor& successor, bool is_time) {
    if (tally.is_ticks) return Word{is_time ? 1 : 0};
    Word total = 0;
    for (std::uint32_t i = tally.first; i < tally.first + tally.count; ++i) {
      if (i < successor.counts.size()) total += successor.counts[i];
    }
    return total;
  };
  for (Successor& successor : interpreter.successors(graph.unpacked(step.source))) {
    const bool is_time = successor.move.thread == program::time_step;
    const Actor actor = is_time ? graph.time() : successor.move.thread;
    if (successor.ended() || actor != label.actor || successor.state != wanted) continue;
    bool same = true;
    for (std::size_t i = 0; i < watch.rates.size(); ++i) {
      const program::Claim& rate = *watch.rates[i];
      same = same && sum(rate.numerator, successor, is_time) == label.gains[i].numerator &&
             sum(rate.denominator, successor, is_time) == label.gains[i].denominator;
    }
    if (same) return std::move(successor);
  }
  throw std::logic_error("state graph and interpreter disagree: no step leads from state " +
                         std::to_string(step.source) + " to state " +
                         std::to_string(step.edge.target));
}

}  // namespace

std::vector<Step> fair_cycle(const StateGraph& graph, const std::vector<StateId>& component,
                             StateId start, const Fairness& fairness) {
  const auto vertex = static_cast<Vertex>(
      std::lower_bound(component.begin(), component.end(), start) - component.begin());
  Walker walker(graph, component, fairness);
  std::vector<bool> owed(fairness.actors.size(), false);
  for (;;) {
    std::vector<Step> cycle = walker.cycle(vertex, owed);
    std::vector<bool> steps(owed.size(), false);
    for (const Step& step : cycle) steps[graph.label(step.edge).actor] = true;
    bool more = false;
    for (const Step& step : cycle) {
      for (Actor actor = 0; actor < owed.size(); ++actor) {
        if (steps[actor] || owed[actor]) continue;
        if (owes_strongly(fairness, graph.situation(step.source), actor)) {
          owed[actor] = true;
          more = true;
        }
      }
    }
    if (!more) return cycle;
  }
}

std::vector<Step> steps_between(const StateGraph& graph, const std::vector<StateId>& states) {
  std::vector<Step> result;
  const Digraph& g = graph.graph();
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    const auto begin = g.edges.begin() + static_cast<std::ptrdiff_t>(g.first[states[i]]);
    const auto end = g.edges.begin() + static_cast<std::ptrdiff_t>(g.first[states[i] + 1]);
    const auto edge =
        std::find_if(begin, end, [&](const Edge& e) { return e.target == states[i + 1]; });
    if (edge == end) throw std::logic_error("a path through states without an edge");
    result.push_back({states[i], *edge});
  }
  return result;
}

std::vector<StateId> states_to(const StateGraph& graph, StateId state) {
  std::vector<StateId> states;
  for (; state != no_state; state = graph.predecessor(state)) states.push_back(state);
  std::reverse(states.begin(), states.end());
  return states;
}

properties::Path to_path(const StateGraph& graph, const Watch& watch, const std::vector<Step>& in,
                         const std::vector<Step>& cycle, std::uint32_t claim) {
  properties::Path path;
  path.claim = claim;
  for (const Step& step : in) path.moves.push_back(step_of(graph, watch, step).move);
  path.loop = path.moves.size();
  for (const Step& step : cycle) path.moves.push_back(step_of(graph, watch, step).move);
  return path;
}

}  // namespace txproof::checker::graph
