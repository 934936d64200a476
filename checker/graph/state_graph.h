// The explored state graph of a Program: states, the steps between them, and what the analysis of
// infinite runs has to know of each.
//
// States are numbered as the breadth-first search numbers them, so a state's predecessor chain is a
// shortest path to it. What several states or edges have in common is stored once: a state has a
// Situation (who can step, which conditions of properties hold), an edge a Label (who steps, what
// is counted). Steps that end in a fault have no edge: no infinite run takes them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "checker/explicit/packing.h"
#include "checker/explicit/search.h"
#include "checker/explicit/state_table.h"
#include "checker/graph/digraph.h"
#include "model/program/program.h"
#include "properties/verdict.h"

namespace txproof::checker::graph {

// Who may be owed a step: the threads by number, then time.
using Actor = std::uint32_t;

struct Situation {
  std::vector<bool> enabled;  // by Actor: it can step, and not from a pause
  std::vector<bool> at_fair;  // likewise, and it stands at `wait … fair`
  bool at_rest = false;       // nobody can step except from a pause, and time changes nothing
  std::vector<bool> facts;    // by number in `Watch::facts`: true here
  bool operator==(const Situation&) const = default;
};

// What one step adds to the two sides of a rate.
struct Gain {
  program::Word numerator = 0;
  program::Word denominator = 0;
  bool operator==(const Gain&) const = default;
};

struct Label {
  Actor actor = 0;
  std::vector<Gain> gains;  // by number in `Watch::rates`
  bool operator==(const Label&) const = default;
};

// A condition of a claim that is recorded for each state.
enum class Side : std::uint8_t { condition, right, assuming };
struct Fact {
  program::PropertyId property = program::no_id;
  std::uint32_t claim = 0;
  Side side = Side::condition;
};

// What is recorded.
struct Watch {
  std::vector<Fact> facts;
  std::vector<const program::Claim*> rates;
};

struct BuildLimits {
  std::optional<std::uint32_t> max_depth;
  std::uint64_t memory_limit = 0;                          // bytes; 0: none
  std::function<properties::Limit(const Progress&)> poll;  // none: go on
};

class StateGraph {
 public:
  StateGraph(const program::Program& program, const Watch& watch, const BuildLimits& limits);

  const program::Program& program() const { return program_; }
  const Digraph& graph() const { return graph_; }
  // States that were expanded have edges and a situation; they are those below this number.
  [[nodiscard]] StateId expanded() const { return graph_.size(); }
  [[nodiscard]] StateId states() const { return table_.size(); }
  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
  [[nodiscard]] std::uint32_t depth() const {
    return static_cast<std::uint32_t>(levels_.size() - 1);
  }
  // none: every reachable state was expanded.
  [[nodiscard]] properties::Limit limit() const { return limit_; }
  [[nodiscard]] bool fault_seen() const { return fault_seen_; }
  [[nodiscard]] std::uint64_t bytes() const;

  [[nodiscard]] const Situation& situation(StateId state) const {
    return situations_[situation_of_[state]];
  }
  [[nodiscard]] const Label& label(const Edge& edge) const { return labels_[edge.label]; }
  [[nodiscard]] const std::vector<Label>& labels() const { return labels_; }
  [[nodiscard]] StateId predecessor(StateId state) const { return table_.predecessor(state); }
  [[nodiscard]] std::uint32_t depth_of(StateId state) const;
  [[nodiscard]] Actor time() const { return static_cast<Actor>(program_.threads.size()); }
  [[nodiscard]] program::State unpacked(StateId state) const;

 private:
  friend class Builder;
  const program::Program& program_;
  Packing packing_;
  StateTable table_;
  Digraph graph_;
  std::vector<std::uint32_t> situation_of_;
  std::vector<Situation> situations_;
  std::vector<Label> labels_;
  std::vector<StateId> levels_;  // the first state of each level
  std::uint64_t transitions_ = 0;
  properties::Limit limit_ = properties::Limit::none;
  bool fault_seen_ = false;
};

}  // namespace txproof::checker::graph
