// The question that an engine works on: a Program, its limits, and for each goal what is known.
// From that, verdicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "checker/explicit/search.h"
#include "checker/smt/goals.h"
#include "checker/smt/watch.h"
#include "properties/verdict.h"

namespace txproof::checker::smt {

enum class Known { open, reached, unreachable };

struct GoalState {
  GoalKind kind = GoalKind::violated;
  program::PropertyId property = program::no_id;
  Known known = Known::open;
  properties::Path path;  // violated and reached
  std::string refused;    // why it cannot be stated at all
};

class Task {
 public:
  Task(const program::Program& program, const SearchOptions& options);

  [[nodiscard]] const program::Program& program() const { return program_; }
  [[nodiscard]] const SearchOptions& options() const { return options_; }
  [[nodiscard]] Watch& watch() { return watch_; }
  std::vector<GoalState>& goals() { return goals_; }
  [[nodiscard]] const std::vector<GoalState>& goals() const { return goals_; }

  // The answer depends on it, as far as is known.
  [[nodiscard]] bool is_wanted(const GoalState& goal) const;
  [[nodiscard]] bool is_decided() const;
  // Every run of fewer steps than this was looked at, for every goal that is open.
  void set_depth(unsigned depth) { depth_ = depth; }
  [[nodiscard]] unsigned depth() const { return depth_; }
  void set_reason(std::string reason) { reason_ = std::move(reason); }

  [[nodiscard]] properties::Exploration conclude(const std::string& engine) const;

 private:
  [[nodiscard]] const GoalState* find(GoalKind kind, program::PropertyId property) const;
  [[nodiscard]] bool reached(GoalKind kind, program::PropertyId property = program::no_id) const;
  [[nodiscard]] bool excluded(GoalKind kind, program::PropertyId property = program::no_id) const;
  [[nodiscard]] bool vacuity_is_known(const program::Property& property,
                                      program::PropertyId id) const;
  [[nodiscard]] properties::Result result(program::PropertyId id) const;

  const program::Program& program_;
  const SearchOptions& options_;
  Watch watch_;
  std::vector<GoalState> goals_;
  unsigned depth_ = 0;
  std::string reason_;  // why the engine gave up, where no limit says so
};

}  // namespace txproof::checker::smt
