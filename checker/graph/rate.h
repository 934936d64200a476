// `rate A / B >= p / q` and `<=`: the worst ratio over the cycles that can be reached.
//
// In the long run the ratio of a run lies between the extremes of the cycles that it is made of,
// and going round one cycle for ever reaches its ratio. Fairness to threads plays no part (who must
// be quick is `urgent`), but time has to pass: a run that could let time pass again and again does
// so. A cycle on which A grows and B does not counts as infinite; one on which neither grows is
// ignored.
#pragma once

#include <functional>
#include <optional>

#include "checker/graph/cycle_ratio.h"
#include "checker/graph/lasso.h"
#include "checker/graph/state_graph.h"

namespace txproof::checker::graph {

struct RateAnswer {
  CycleRatio::Kind kind = CycleRatio::Kind::none;
  program::Word numerator = 0, denominator = 1;
  std::vector<Step> cycle;  // with that ratio
};

// The worst ratio for the rate number `rate` of the Watch: the least where it must be at least
// something, otherwise the greatest.
RateAnswer worst_rate(const StateGraph& graph, std::size_t rate, bool at_least,
                      const std::function<bool()>& poll);

// Whether this worst ratio breaks the bound of the claim.
bool breaks(const RateAnswer& answer, const program::Claim& claim);

// "1/3", "2", "infinite".
std::string ratio_text(const RateAnswer& answer);

}  // namespace txproof::checker::graph
