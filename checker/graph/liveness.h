// `A leads_to B [assuming infinitely_often C]` and `infinitely_often B` on the state graph.
//
// A run violates `A leads_to B` if from some state on where A is true B never is (that state
// included), the run is maximal and fair, and, where it is assumed, C is true again and again. So
// it is a path to a state with A, from there a path through states without B, and there either a
// fair component or a state at rest: nobody can step except from a pause, which need never be left,
// and a run that stays there for ever is fair. `infinitely_often B` is `true leads_to B`.
//
// A run that ends in a fault is no violation of these: the fault is one, of another property.
#pragma once

#include <functional>
#include <optional>

#include "checker/graph/lasso.h"
#include "checker/graph/state_graph.h"

namespace txproof::checker::graph {

struct LivenessClaim {
  std::optional<std::size_t> from;      // number of a fact: A; absent: true
  std::size_t to = 0;                   // B
  std::optional<std::size_t> assuming;  // C
};

struct Lasso {
  std::vector<Step> in;
  std::vector<Step> cycle;  // empty: the run stays for ever where it is
};

struct LivenessAnswer {
  std::optional<Lasso> lasso;  // a run that violates the claim
  bool stopped = false;        // poll said so; nothing is known if there is no lasso
  bool from_seen = false;      // A was true in some state
};

LivenessAnswer violation_of(const StateGraph& graph, const LivenessClaim& claim,
                            const std::function<bool()>& poll);

}  // namespace txproof::checker::graph
