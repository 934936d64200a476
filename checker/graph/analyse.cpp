#include "checker/graph/analyse.h"

#include <algorithm>
#include <map>
#include <new>
#include <string>

#include "checker/explicit/budget.h"
#include "checker/explicit/conclude.h"
#include "checker/graph/liveness.h"
#include "checker/graph/rate.h"
#include "checker/graph/state_graph.h"

namespace txproof::checker::graph {

using program::Claim;
using program::no_id;
using program::Program;
using program::Property;
using program::PropertyId;
using program::PropertyKind;
using properties::Exploration;
using properties::Limit;
using properties::Result;
using properties::Verdict;

namespace {

bool is_left_open(const Result& result) {
  return result.verdict == Verdict::inconclusive && result.limit == Limit::needs_other_engine;
}

bool is_liveness(const Claim& claim) {
  return claim.kind == PropertyKind::leads_to || claim.kind == PropertyKind::infinitely_often;
}

std::string limit_text(Limit limit, const SearchOptions& options) {
  switch (limit) {
    case Limit::depth:
      return "the depth limit of " + std::to_string(options.max_depth.value_or(0)) + " was reached";
    case Limit::time:
      return "the time limit was reached";
    case Limit::memory:
      return "the memory limit was reached";
    case Limit::interrupted:
      return "the analysis of cycles was interrupted";
    case Limit::none:
    case Limit::needs_other_engine:
    case Limit::approximation:
      break;
  }
  return "the analysis of cycles ended";
}

class Analysis {
 public:
  Analysis(const Program& program, const SearchOptions& options, Exploration& exploration)
      : program_(program), exploration_(exploration), options_(options), budget_(options_) {
    if (options_.time_limit) {
      options_.time_limit = std::max(0.0, *options_.time_limit - exploration.seconds);
    }
  }

  void run() {
    watch();
    BuildLimits limits;
    limits.max_depth = options_.max_depth;
    limits.memory_limit = options_.memory_limit;
    limits.poll = [this](const Progress& progress) {
      if (budget_.report_is_due()) {
        Progress report = progress;
        report.seconds = exploration_.seconds + budget_.seconds();
        options_.progress(report);
      }
      budget_.poll();
      return budget_.why();
    };
    const StateGraph graph(program_, watch_, limits);
    const bool room =
        options_.memory_limit == 0 || graph.bytes() + working_bytes(graph) <= options_.memory_limit;
    for (Result& result : exploration_.results) {
      if (!is_left_open(result)) continue;
      try {
        if (room) {
          decide(graph, result);
        } else {
          undecided(graph, result, Limit::memory);
        }
      } catch (const std::bad_alloc&) {
        undecided(graph, result, Limit::memory);
      }
      result.engine = "graph";
    }
    exploration_.seconds += budget_.seconds();
  }

 private:
  void watch() {
    for (const Result& result : exploration_.results) {
      if (!is_left_open(result)) continue;
      const Property& property = program_.properties[result.property];
      for (std::uint32_t c = 0; c < property.claims.size(); ++c) {
        const Claim& claim = property.claims[c];
        const auto key = std::pair(result.property, c);
        if (claim.kind == PropertyKind::rate) {
          rate_number_[key] = watch_.rates.size();
          watch_.rates.push_back(&claim);
        } else if (is_liveness(claim)) {
          liveness_[key] = liveness_claim(result.property, c, claim);
        }
      }
    }
  }

  LivenessClaim liveness_claim(PropertyId property, std::uint32_t c, const Claim& claim) {
    const auto fact = [&](Side side) {
      watch_.facts.push_back({property, c, side});
      return watch_.facts.size() - 1;
    };
    LivenessClaim result;
    if (claim.kind == PropertyKind::infinitely_often) {
      result.to = fact(Side::condition);
      return result;
    }
    result.from = fact(Side::condition);
    result.to = fact(Side::right);
    if (claim.assuming != no_id) result.assuming = fact(Side::assuming);
    return result;
  }

  // What deciding takes at most at a time, beside the graph: copies of parts of it, and for each
  // state what Tarjan's algorithm, the searches and the distances of Bellman and Ford hold.
  static std::uint64_t working_bytes(const StateGraph& graph) {
    constexpr std::uint64_t bytes_a_state = 96;
    return 2 * graph.graph().edges.size() * sizeof(Edge) + bytes_a_state * graph.expanded();
  }

  // Claims are decided in order; the first that is violated gives the trace.
  void decide(const StateGraph& graph, Result& result) {
    const Property& property = program_.properties[result.property];
    Limit limit = graph.limit();
    bool spoken = false;
    const char* silence = nullptr;
    for (std::uint32_t c = 0; c < property.claims.size(); ++c) {
      const Claim& claim = property.claims[c];
      const auto key = std::pair(result.property, c);
      bool stopped = false;
      std::optional<Lasso> lasso;
      if (is_liveness(claim)) {
        LivenessAnswer answer = violation_of(graph, liveness_[key], poll_);
        stopped = answer.stopped;
        lasso = std::move(answer.lasso);
        if (answer.from_seen) {
          spoken = true;
        } else {
          silence = "its left side is never true";
        }
      } else if (claim.kind == PropertyKind::rate) {
        const RateAnswer answer = worst_rate(graph, rate_number_[key], claim.at_least, poll_);
        if (!sums_are_exact(answer, result)) return;
        stopped = answer.kind == CycleRatio::Kind::stopped;
        note_value(graph, answer, result);
        if (breaks(answer, claim)) lasso = lasso_to(graph, answer.cycle);
        if (answer.kind != CycleRatio::Kind::none) {
          spoken = true;
        } else {
          silence = "neither side of the rate grows on any cycle";
        }
      } else {
        spoken = true;  // the search has decided it
      }
      if (lasso) {
        result.verdict = Verdict::violated;
        result.limit = Limit::none;
        result.reason.clear();
        result.path = to_path(graph, watch_, lasso->in, lasso->cycle, c);
        return;
      }
      if (stopped && limit == Limit::none) limit = budget_.why();
    }
    if (limit == Limit::none && !exploration_.complete) limit = Limit::interrupted;
    if (limit != Limit::none) {
      undecided(graph, result, limit);
    } else {
      result.verdict = Verdict::holds;
      result.limit = Limit::none;
      result.reason.clear();
      if (!spoken && silence != nullptr) result.vacuous = silence;
    }
  }

  bool sums_are_exact(const RateAnswer& answer, Result& result) {
    const bool negative = answer.kind == CycleRatio::Kind::negative;
    if (!negative && answer.kind != CycleRatio::Kind::too_large) return true;
    result.limit = Limit::approximation;
    result.reason = negative ? "a `count` adds a negative number, and then a rate means nothing"
                             : "a `count` adds more than 2^30 in one step, too much for exact sums";
    return false;
  }

  static void note_value(const StateGraph& graph, const RateAnswer& answer, Result& result) {
    const bool known =
        answer.kind == CycleRatio::Kind::finite || answer.kind == CycleRatio::Kind::infinite;
    if (!known) return;
    result.value_text = ratio_text(answer);
    result.value_is_exact = graph.limit() == Limit::none;
  }

  static Lasso lasso_to(const StateGraph& graph, const std::vector<Step>& cycle) {
    return {steps_between(graph, states_to(graph, cycle.front().source)), cycle};
  }

  void undecided(const StateGraph& graph, Result& result, Limit limit) const {
    result.verdict = Verdict::inconclusive;
    result.limit = limit;
    result.reason = limit_text(limit, options_) + "; no cycle among " + grouped(graph.expanded()) +
                    (graph.expanded() == 1 ? " state" : " states") + " was found to violate it";
  }

  const Program& program_;
  Exploration& exploration_;
  SearchOptions options_;
  Budget budget_;
  Watch watch_;
  std::map<std::pair<PropertyId, std::uint32_t>, LivenessClaim> liveness_;
  std::map<std::pair<PropertyId, std::uint32_t>, std::size_t> rate_number_;
  const std::function<bool()> poll_ = [this] { return budget_.poll(); };
};

}  // namespace

bool is_wanted(const Exploration& exploration) {
  return std::any_of(exploration.results.begin(), exploration.results.end(), is_left_open);
}

void analyse(const Program& program, const SearchOptions& options, Exploration& exploration) {
  if (!is_wanted(exploration)) return;
  Analysis(program, options, exploration).run();
}

}  // namespace txproof::checker::graph
