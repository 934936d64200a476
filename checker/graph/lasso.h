// Runs without end, for people: a path in, and a cycle.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/graph/fairness.h"
#include "checker/graph/state_graph.h"
#include "properties/verdict.h"

namespace txproof::checker::graph {

struct Step {
  StateId source = 0;
  Edge edge;
};

// A closed walk in a fair component, from and to `start`, that is a fair run by itself. Short, not
// shortest (that is NP-hard): it goes to the nearest thing still missing, again and again, and
// strong fairness asks for a step only where the walk itself owes it.
//   requires: component is one of fair_components(graph, …, fairness, …), start is in it
std::vector<Step> fair_cycle(const StateGraph& graph, const std::vector<StateId>& component,
                             StateId start, const Fairness& fairness);

// States of a path as one of steps. Between two states, the first edge.
std::vector<Step> steps_between(const StateGraph& graph, const std::vector<StateId>& states);
// The shortest path from the initial state, by predecessors; `state` included.
std::vector<StateId> states_to(const StateGraph& graph, StateId state);

// Names the moves by running the reference interpreter along the steps.
//   errors: std::logic_error if it knows no such step: the engines disagree
properties::Path to_path(const StateGraph& graph, const Watch& watch, const std::vector<Step>& in,
                         const std::vector<Step>& cycle, std::uint32_t claim);

}  // namespace txproof::checker::graph
