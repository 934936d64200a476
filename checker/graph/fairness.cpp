#include "checker/graph/fairness.h"

#include <algorithm>
#include <utility>

namespace txproof::checker::graph {

Fairness declared_fairness(const program::Program& program) {
  Fairness result;
  for (const program::Thread& thread : program.threads) {
    result.actors.push_back(thread.strong ? Fair::strongly : Fair::weakly);
  }
  result.actors.push_back(Fair::weakly);
  return result;
}

Fairness time_passes(const program::Program& program) {
  Fairness result;
  result.actors.assign(program.threads.size(), Fair::no);
  result.actors.push_back(Fair::strongly);
  return result;
}

bool owes_strongly(const Fairness& fairness, const Situation& situation, Actor actor) {
  switch (fairness.actors[actor]) {
    case Fair::no:
      return false;
    case Fair::weakly:
      return situation.at_fair[actor];
    case Fair::strongly:
      return situation.enabled[actor];
  }
  return false;
}

namespace {

// What one component offers.
struct Offer {
  std::vector<bool> steps;          // by Actor: an edge in it
  std::vector<bool> somewhere_not;  // in some state it can not step
  std::vector<bool> owed_strongly;  // in some state
  bool fact = false;
};

Offer offer_of(const StateGraph& graph, const Digraph& part, const std::vector<StateId>& states,
               const Fairness& fairness) {
  const std::size_t actors = fairness.actors.size();
  Offer offer{std::vector<bool>(actors), std::vector<bool>(actors), std::vector<bool>(actors),
              !fairness.fact.has_value()};
  for (const StateId state : states) {
    const Situation& here = graph.situation(state);
    if (fairness.fact && here.facts[*fairness.fact]) offer.fact = true;
    for (Actor actor = 0; actor < actors; ++actor) {
      if (!here.enabled[actor]) offer.somewhere_not[actor] = true;
      if (owes_strongly(fairness, here, actor)) offer.owed_strongly[actor] = true;
    }
  }
  for (const Edge& edge : part.edges) offer.steps[graph.label(edge).actor] = true;
  return offer;
}

}  // namespace

std::vector<std::vector<StateId>> fair_components(const StateGraph& graph,
                                                  std::vector<StateId> region,
                                                  const Fairness& fairness,
                                                  const std::function<bool()>& poll) {
  std::vector<std::vector<StateId>> result;
  Parts parts(graph.graph());
  std::vector<std::vector<StateId>> open;
  open.push_back(std::move(region));
  while (!open.empty()) {
    if (poll && poll()) break;
    const std::vector<StateId> states = std::move(open.back());
    open.pop_back();
    const Digraph whole = parts.part(states);
    for (const std::vector<Vertex>& component : cyclic_components(whole)) {
      std::vector<StateId> inside;
      inside.reserve(component.size());
      for (const Vertex v : component) inside.push_back(states[v]);
      const Digraph part = parts.part(inside);
      const Offer offer = offer_of(graph, part, inside, fairness);
      bool hopeless = !offer.fact;
      std::vector<Actor> owed;
      for (Actor actor = 0; actor < fairness.actors.size(); ++actor) {
        if (fairness.actors[actor] == Fair::no || offer.steps[actor]) continue;
        if (offer.owed_strongly[actor]) {
          owed.push_back(actor);
        } else if (!offer.somewhere_not[actor]) {
          hopeless = true;
        }
      }
      if (hopeless) continue;
      if (owed.empty()) {
        result.push_back(std::move(inside));
        continue;
      }
      std::erase_if(inside, [&](StateId state) {
        return std::any_of(owed.begin(), owed.end(), [&](Actor actor) {
          return owes_strongly(fairness, graph.situation(state), actor);
        });
      });
      if (!inside.empty()) open.push_back(std::move(inside));
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace txproof::checker::graph
