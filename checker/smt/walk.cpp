#include "checker/smt/walk.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::BlockId;
using program::LocationId;
using program::no_id;
using program::SlotId;
using program::Terminator;
using program::TerminatorKind;

void Walk::run(BlockId block, const z3::expr& enabled, const SymbolicState& state) {
  PathState start;
  start.slots = state;
  execution_.require(start, enabled);
  if (!start.possible) return;
  const VisitKey first = order_.first(block);
  arrive(first, block, std::move(start));
  std::size_t executed = 0;
  while (!waiting_.empty()) {
    auto visit = waiting_.extract(waiting_.begin());
    const VisitKey& key = visit.key();
    for (PathState& path : visit.mapped().paths) {
      if (++executed > options_.most_blocks) {
        throw Refusal("a step of more than " + std::to_string(options_.most_blocks) +
                      " blocks once its loops are unrolled");
      }
      const BlockId here = visit.mapped().block;
      if (key != first && std::binary_search(cuts_.begin(), cuts_.end(), here)) {
        end(std::move(path), no_id, here);
        continue;
      }
      for (const program::Stmt& stmt : program_.blocks[here].stmts) {
        if (!path.possible) break;
        execution_.execute(path, stmt);
      }
      if (path.possible) terminate(key, here, std::move(path));
    }
  }
}

// What two paths have in common stays in front, so that joining again leaves nothing behind.
PathState Walk::joined(const PathState& a, const PathState& b) const {
  std::size_t common = 0;
  while (common < a.conditions.size() && common < b.conditions.size() &&
         z3::eq(a.conditions[common], b.conditions[common])) {
    ++common;
  }
  const auto rest = [&](const PathState& path) {
    z3::expr all = algebra_.truth(true);
    for (std::size_t i = common; i < path.conditions.size(); ++i) {
      all = algebra_.both(all, path.conditions[i]);
    }
    return all;
  };
  const z3::expr on_a = rest(a);
  const z3::expr on_b = rest(b);
  PathState result;
  const auto split = a.conditions.begin() + static_cast<std::ptrdiff_t>(common);
  result.conditions.assign(a.conditions.begin(), split);
  execution_.require(result, algebra_.either(on_a, on_b));
  const z3::expr which = slipped(Slip::join_takes_one_side) ? algebra_.truth(true) : on_a;
  result.slots.reserve(a.slots.size());
  for (SlotId slot = 0; slot < a.slots.size(); ++slot) {
    result.slots.push_back(algebra_.choose(which, a.slots[slot], b.slots[slot]));
  }
  return result;
}

void Walk::arrive(const VisitKey& key, BlockId block, PathState path) {
  if (!path.possible) return;
  Visit& visit = waiting_[key];
  visit.block = block;
  if (options_.merge && !visit.paths.empty()) {
    visit.paths.front() = joined(visit.paths.front(), path);
  } else {
    visit.paths.push_back(std::move(path));
  }
}

void Walk::go_on(const VisitKey& key, BlockId from, BlockId to, PathState path) {
  arrive(order_.next(key, from, to), to, std::move(path));
}

void Walk::choose(const VisitKey& key, BlockId block, PathState path) {
  const Terminator& end = program_.blocks[block].end;
  const auto count = static_cast<program::Word>(end.targets.size());
  PathState chosen = std::move(path);
  const Value which = execution_.new_choice(chosen, 0, count - 1);
  for (std::size_t i = 0; i < end.targets.size(); ++i) {
    PathState branch = chosen;
    execution_.require(branch, algebra_.equal(which, static_cast<program::Word>(i)));
    if (end.guards[i] != no_id && !slipped(Slip::guards_are_ignored)) {
      execution_.require(branch, execution_.expressions(branch).truth(end.guards[i]));
    }
    go_on(key, block, end.targets[i], std::move(branch));
  }
}

void Walk::terminate(const VisitKey& key, BlockId block, PathState path) {
  const Terminator& end = program_.blocks[block].end;
  switch (end.kind) {
    case TerminatorKind::jump:
      go_on(key, block, end.targets[0], std::move(path));
      break;
    case TerminatorKind::branch:
    case TerminatorKind::lock: {
      const z3::expr condition = execution_.expressions(path).truth(end.condition);
      if (condition.is_true()) {  // known: no second path, and no copy of the state
        go_on(key, block, end.targets[0], std::move(path));
        break;
      }
      if (condition.is_false() && end.kind == TerminatorKind::branch) {
        go_on(key, block, end.targets[1], std::move(path));
        break;
      }
      PathState other = path;
      execution_.require(path, condition);
      execution_.require(other, algebra_.opposite(condition));
      go_on(key, block, end.targets[0], std::move(path));
      if (end.kind == TerminatorKind::branch) {
        go_on(key, block, end.targets[1], std::move(other));
      } else if (other.possible && !slipped(Slip::lock_never_stops)) {
        stop(std::move(other), end, program_.blocks[block].thread);
      }
      break;
    }
    case TerminatorKind::choose:
      choose(key, block, std::move(path));
      break;
    case TerminatorKind::stop:
      stop(std::move(path), end, program_.blocks[block].thread);
      break;
    case TerminatorKind::halt:
      break;  // behind a check that never holds
  }
}

void Walk::stop(PathState path, const Terminator& end_of_step, program::ThreadId thread) {
  if (!slipped(Slip::locals_survive)) {
    for (const SlotId slot : end_of_step.forget) {
      path.slots[slot] = program_.slots[slot].rest_value;
    }
  }
  const LocationId location = end_of_step.location;
  path.slots[program_.threads[thread].pc] =
      static_cast<program::Word>(program_.locations[location].pc);
  execution_.words().canonicalise(path.slots, before_);
  end(std::move(path), location, no_id);
}

void Walk::end(PathState path, LocationId location, BlockId cut) {
  if (options_.merge) {
    for (End& other : ends_) {
      if (other.location != location || other.cut != cut) continue;
      other.path = joined(other.path, path);
      return;
    }
  }
  ends_.push_back({location, cut, std::move(path)});
}

void Walk::give(Step& step) {
  for (End& each : ends_) {
    step.outcomes.push_back(
        {execution_.condition(each.path), std::move(each.path.slots), each.location, each.cut});
  }
  step.choices = std::move(record_.choices);
  step.failures = std::move(record_.failures);
  step.witnesses = std::move(record_.witnesses);
  if (step.choices.empty()) return;
  // A step whose later choices are impossible has not happened, nor has what failed on its way.
  z3::expr happens = algebra_.truth(false);
  for (const Outcome& outcome : step.outcomes) {
    happens = algebra_.either(happens, outcome.condition);
  }
  for (const Failure& failure : step.failures) {
    if (failure.fatal) happens = algebra_.either(happens, failure.condition);
  }
  for (Failure& failure : step.failures) {
    if (!failure.fatal) failure.condition = algebra_.both(failure.condition, happens);
  }
  for (Witness& witness : step.witnesses) {
    witness.condition = algebra_.both(witness.condition, happens);
  }
}

}  // namespace txproof::checker::smt
