#include "checker/explicit/trace_path.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace txproof::checker {

using program::Move;
using program::State;
using program::Successor;

State PathBuilder::unpacked(StateId state) const {
  State result(program_.slots.size());
  packing_.unpack(table_.packed(state), result.data());
  return result;
}

PathBuilder::Found PathBuilder::move_to(StateId state) const {
  const State wanted = unpacked(state);
  std::vector<Successor> successors = interpreter_.successors(unpacked(table_.predecessor(state)));
  for (std::size_t i = 0; i < successors.size(); ++i) {
    if (!successors[i].ended() && successors[i].state == wanted) {
      return {i, std::move(successors[i].move)};
    }
  }
  throw std::logic_error("search and interpreter disagree: no move leads to state " +
                         std::to_string(state));
}

std::uint64_t PathBuilder::ordinal_of(StateId state) const { return move_to(state).ordinal; }

std::vector<Move> PathBuilder::moves_to(StateId state) const {
  std::vector<Move> moves;
  for (; table_.predecessor(state) != no_state; state = table_.predecessor(state)) {
    moves.push_back(move_to(state).move);
  }
  std::reverse(moves.begin(), moves.end());
  return moves;
}

properties::Path PathBuilder::to_state(const FalseClaim& claim) const {
  properties::Path path;
  path.moves = moves_to(claim.state);
  path.claim = claim.claim;
  return path;
}

properties::Path PathBuilder::to_check(const FailedCheck& check) const {
  properties::Path path;
  path.moves = moves_to(check.parent);
  path.violation = check.violation;
  const std::vector<Successor> successors = interpreter_.successors(unpacked(check.parent));
  const bool fails =
      check.ordinal < successors.size() &&
      std::any_of(successors[check.ordinal].faults.begin(), successors[check.ordinal].faults.end(),
                  [&](const program::Fault& f) { return f.violation == check.violation; });
  if (!fails) {
    throw std::logic_error("search and interpreter disagree: move " +
                           std::to_string(check.ordinal) + " of state " +
                           std::to_string(check.parent) + " does not fail this check");
  }
  path.moves.push_back(successors[check.ordinal].move);
  return path;
}

}  // namespace txproof::checker
