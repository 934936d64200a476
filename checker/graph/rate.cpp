#include "checker/graph/rate.h"

#include <algorithm>
#include <numeric>

#include "checker/graph/fairness.h"

namespace txproof::checker::graph {

namespace {

__extension__ using Wide = __int128;

// Cycles of one component, as steps of the whole graph.
std::vector<Step> whole_steps(const Digraph& part, const std::vector<StateId>& states,
                              const std::vector<CycleStep>& cycle) {
  std::vector<Step> result;
  for (const CycleStep& step : cycle) {
    const Edge& edge = part.edges[step.edge];
    result.push_back({states[step.source], {states[edge.target], edge.label}});
  }
  // It begins at the state that is nearest to the initial one.
  const auto nearest =
      std::min_element(result.begin(), result.end(),
                       [](const Step& a, const Step& b) { return a.source < b.source; });
  std::rotate(result.begin(), nearest, result.end());
  return result;
}

}  // namespace

RateAnswer worst_rate(const StateGraph& graph, std::size_t rate, bool at_least,
                      const std::function<bool()>& poll) {
  std::vector<StateId> all(graph.expanded());
  std::iota(all.begin(), all.end(), StateId{0});
  bool stopped = false;
  const auto polled = [&] {
    stopped = stopped || (poll && poll());
    return stopped;
  };
  const auto components =
      fair_components(graph, std::move(all), time_passes(graph.program()), polled);
  // One graph of all of them, so that a component is only asked whether it beats the best so far.
  std::vector<StateId> states;
  for (const auto& component : components) {
    states.insert(states.end(), component.begin(), component.end());
  }
  std::sort(states.begin(), states.end());
  const Digraph part = Parts(graph.graph()).part(states);
  std::vector<Gain> gains;
  for (const Label& label : graph.labels()) gains.push_back(label.gains[rate]);
  RateAnswer answer;
  if (stopped) {
    answer.kind = CycleRatio::Kind::stopped;
    return answer;
  }
  const CycleRatio ratio =
      extreme_ratio(part, gains, at_least ? Extreme::least : Extreme::greatest, polled);
  answer.kind = ratio.kind;
  answer.numerator = ratio.numerator;
  answer.denominator = ratio.denominator;
  answer.cycle = whole_steps(part, states, ratio.cycle);
  return answer;
}

bool breaks(const RateAnswer& answer, const program::Claim& claim) {
  if (answer.kind == CycleRatio::Kind::infinite) return !claim.at_least;
  if (answer.kind != CycleRatio::Kind::finite) return false;
  const Wide value = Wide{answer.numerator} * claim.bound_denominator;
  const Wide bound = Wide{claim.bound_numerator} * answer.denominator;
  return claim.at_least ? value < bound : value > bound;
}

std::string ratio_text(const RateAnswer& answer) {
  if (answer.kind == CycleRatio::Kind::infinite) return "infinite";
  const std::string text = std::to_string(answer.numerator);
  return answer.denominator == 1 ? text : text + "/" + std::to_string(answer.denominator);
}

}  // namespace txproof::checker::graph
