#include "checker/smt/task.h"

#include <algorithm>

#include "checker/explicit/conclude.h"

namespace txproof::checker::smt {

using program::no_id;
using program::Property;
using program::PropertyId;
using program::PropertyKind;
using properties::Limit;
using properties::Result;
using properties::Verdict;

namespace {

bool speaks_of_rest(const Property& property) {
  return std::any_of(
      property.claims.begin(), property.claims.end(),
      [](const program::Claim& claim) { return claim.kind == PropertyKind::at_rest; });
}

}  // namespace

Task::Task(const program::Program& program, const SearchOptions& options)
    : program_(program), options_(options), watch_(options) {
  bool rest = false;
  for (PropertyId id = 0; id < program.properties.size(); ++id) {
    const Property& property = program.properties[id];
    if (needs_other_engine(property)) continue;
    const auto& decide = options.decide;
    if (!decide.empty() && std::find(decide.begin(), decide.end(), id) == decide.end()) continue;
    goals_.push_back({GoalKind::violated, id, Known::open, {}, ""});
    if (!may_be_vacuous(property)) continue;
    goals_.push_back({GoalKind::spoken, id, Known::open, {}, ""});
    rest = rest || speaks_of_rest(property);
  }
  if (!rest) return;
  goals_.push_back({GoalKind::rest, no_id, Known::open, {}, ""});
  goals_.push_back({GoalKind::fault, no_id, Known::open, {}, ""});
}

const GoalState* Task::find(GoalKind kind, PropertyId property) const {
  for (const GoalState& goal : goals_) {
    if (goal.kind == kind && goal.property == property) return &goal;
  }
  return nullptr;
}

bool Task::reached(GoalKind kind, PropertyId property) const {
  const GoalState* goal = find(kind, property);
  return goal != nullptr && goal->known == Known::reached;
}

bool Task::excluded(GoalKind kind, PropertyId property) const {
  const GoalState* goal = find(kind, property);
  return goal != nullptr && goal->known == Known::unreachable;
}

bool Task::is_wanted(const GoalState& goal) const {
  if (goal.known != Known::open || !goal.refused.empty()) return false;
  switch (goal.kind) {
    case GoalKind::violated:
      return true;
    case GoalKind::spoken:
      return !reached(GoalKind::violated, goal.property);
    case GoalKind::rest:
    case GoalKind::fault:
      // Only the words for vacuity depend on these two.
      return std::any_of(goals_.begin(), goals_.end(), [&](const GoalState& other) {
        return other.kind == GoalKind::spoken && other.known == Known::unreachable &&
               !reached(GoalKind::violated, other.property) &&
               speaks_of_rest(program_.properties[other.property]) &&
               (goal.kind == GoalKind::rest || excluded(GoalKind::rest));
      });
  }
  return false;
}

bool Task::is_decided() const {
  return std::none_of(goals_.begin(), goals_.end(),
                      [this](const GoalState& goal) { return is_wanted(goal); });
}

bool Task::vacuity_is_known(const Property& property, PropertyId id) const {
  if (!may_be_vacuous(property) || reached(GoalKind::spoken, id)) return true;
  if (!excluded(GoalKind::spoken, id)) return false;
  if (!speaks_of_rest(property) || reached(GoalKind::rest)) return true;
  return excluded(GoalKind::rest) && (reached(GoalKind::fault) || excluded(GoalKind::fault));
}

Result Task::result(PropertyId id) const {
  const Property& property = program_.properties[id];
  Result result;
  result.property = id;
  if (needs_other_engine(property)) {
    result.limit = Limit::needs_other_engine;
    result.reason =
        "a proof over single steps cannot decide what endless runs do; it needs the "
        "analysis of cycles (--engine explicit)";
    return result;
  }
  const GoalState* goal = find(GoalKind::violated, id);
  if (goal != nullptr && goal->known == Known::reached) {
    result.verdict = Verdict::violated;
    result.path = goal->path;
    return result;
  }
  const bool held = goal != nullptr && goal->known == Known::unreachable;
  if (held && vacuity_is_known(property, id)) {
    result.verdict = Verdict::holds;
    const bool spoken = reached(GoalKind::spoken, id);
    result.vacuous = vacuity(property, spoken, !excluded(GoalKind::rest), reached(GoalKind::fault));
    return result;
  }
  const Limit why = watch_.why();
  result.limit = why == Limit::none ? Limit::approximation : why;
  if (goal != nullptr && !goal->refused.empty()) {
    result.limit = Limit::needs_other_engine;
    result.reason = goal->refused;
    return result;
  }
  result.reason = why != Limit::none ? limit_text(why, options_) : reason_;
  if (held) {
    result.reason += "; it cannot be violated, but whether it is ever tested is not known";
  } else if (depth_ == 0) {
    result.reason += "; nothing was covered";
  } else {
    result.reason +=
        "; no violation within " + std::to_string(depth_ - 1) + (depth_ == 2 ? " step" : " steps");
  }
  return result;
}

properties::Exploration Task::conclude(const std::string& engine) const {
  properties::Exploration exploration;
  exploration.engine = engine;
  exploration.depth = depth_ == 0 ? 0 : depth_ - 1;
  exploration.seconds = watch_.seconds();
  exploration.stopped_by_fault = reached(GoalKind::fault);
  for (PropertyId id = 0; id < program_.properties.size(); ++id) {
    exploration.results.push_back(result(id));
  }
  return exploration;
}

}  // namespace txproof::checker::smt
