#include "checker/smt/last_step.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::Claim;
using program::Interpreter;
using program::no_id;
using program::Program;
using program::PropertyId;
using program::PropertyKind;
using program::State;
using program::Successor;

std::optional<std::uint32_t> false_claim(const Interpreter& interpreter, const Program& program,
                                         PropertyId id, const State& state) {
  const program::Property& property = program.properties[id];
  const auto value = [&](program::ExprId expr) { return interpreter.evaluate(state, expr); };
  for (std::uint32_t i = 0; i < property.claims.size(); ++i) {
    const Claim& claim = property.claims[i];
    if (claim.kind == PropertyKind::always && claim.condition != no_id &&
        value(claim.condition) == 0) {
      return i;
    }
    if (claim.kind == PropertyKind::maximum && value(claim.left) > value(claim.right)) return i;
  }
  bool deadlock_claimed = false;
  for (std::uint32_t i = 0; i < property.claims.size(); ++i) {
    const Claim& claim = property.claims[i];
    if (claim.kind == PropertyKind::at_rest && claim.condition != no_id &&
        interpreter.at_rest(state) && value(claim.condition) == 0) {
      return i;
    }
    if (claim.kind != PropertyKind::deadlock) continue;
    deadlock_claimed = true;
    if (interpreter.deadlocked(state)) return i;
  }
  const bool looks = property.kind == PropertyKind::deadlock && !deadlock_claimed;
  if (looks && interpreter.deadlocked(state)) return 0;
  return std::nullopt;
}

bool finish_path(const Interpreter& interpreter, const Program& program, PropertyId property,
                 const State& state, unsigned depth, properties::Path& path) {
  if (depth == 0) {
    const auto claim = false_claim(interpreter, program, property, state);
    if (claim) path.claim = *claim;
    return claim.has_value();
  }
  for (Successor& next : interpreter.successors(state)) {
    const auto fault =
        std::find_if(next.faults.begin(), next.faults.end(), [&](const program::Fault& f) {
          return program.violations[f.violation].property == property;
        });
    if (fault != next.faults.end()) {
      path.violation = fault->violation;
    } else {
      if (next.ended()) continue;
      const auto claim = false_claim(interpreter, program, property, next.state);
      if (!claim) continue;
      path.claim = *claim;
    }
    path.moves.push_back(std::move(next.move));
    return true;
  }
  return false;
}

}  // namespace txproof::checker::smt
