#include "checker/smt/encode.h"

#include <algorithm>
#include <optional>

#include "checker/smt/block_order.h"
#include "checker/smt/expression.h"
#include "checker/smt/walk.h"
#include "model/program/words.h"

namespace txproof::checker::smt {

using program::BlockId;
using program::Claim;
using program::Location;
using program::LocationId;
using program::no_id;
using program::PropertyKind;
using program::SlotId;
using program::StopKind;
using program::ThreadId;
using program::TickEffect;
using program::Word;

Encoder::Encoder(z3::context& context, const program::Program& program, EncodeOptions options)
    : program_(program),
      options_(std::move(options)),
      algebra_(context, options_.numbers),
      is_state_(program.slots.size(), 0) {
  ranges_.reserve(program.slots.size());
  for (const program::Slot& slot : program.slots) ranges_.push_back(interval_of(slot));
  program::State initial = program::initial_state(program);
  const program::State as_written = initial;
  program::canonicalise(program, initial);
  initial_is_canonical_ = initial == as_written;
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    is_state_[slot] = program.slots[slot].stored ? 1 : 0;
  }
  if (options_.cut_loops) {
    for (BlockId block = 0; block < program.blocks.size(); ++block) {
      if (program.blocks[block].loop != no_id) cuts_.push_back(block);
    }
  }
  if (options_.narrow) find_ranges();
  find_state_slots();
}

// Each round runs every step from all states in the ranges so far, and joins what comes out. What
// still grows after a few rounds is given its whole range.
void Encoder::find_ranges() {
  constexpr int patience = 2;
  const std::vector<Interval> whole = ranges_;
  state_slots_.clear();
  for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
    const program::Slot& s = program_.slots[slot];
    if (is_state_[slot] == 0) continue;
    state_slots_.push_back(slot);
    if (!s.parameter) ranges_[slot] = {s.initial, s.initial};
  }
  for (int round = 0;; ++round) {
    std::vector<Interval> grown = ranges_;
    const auto look = [&](const Step& step) {
      for (const Outcome& outcome : step.outcomes) {
        if (outcome.condition.is_false()) continue;
        for (const SlotId slot : state_slots_) {
          grown[slot] = joined(grown[slot], outcome.after[slot].range());
        }
      }
    };
    for (const Step& step : steps(variables("find"))) look(step);
    for (const BlockId cut : cuts_) look(step_from_cut(variables_within("find", cut), cut));
    bool again = false;
    for (const SlotId slot : state_slots_) {
      if (grown[slot] == ranges_[slot]) continue;
      again = true;
      ranges_[slot] = round < patience ? intersected(grown[slot], whole[slot]) : whole[slot];
    }
    if (!again) return;
  }
}

// A slot that is the same after every step as before is the constant that it was initially; with
// it a constant, others may turn out to be.
void Encoder::find_state_slots() {
  for (;;) {
    state_slots_.clear();
    for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
      if (is_state_[slot] != 0) state_slots_.push_back(slot);
    }
    const SymbolicState before = variables("find");
    std::vector<char> written(program_.slots.size(), 0);
    const auto look = [&](const Step& step) {
      for (const Outcome& outcome : step.outcomes) {
        for (const SlotId slot : state_slots_) {
          if (!outcome.after[slot].is_identical(before[slot])) written[slot] = 1;
        }
      }
    };
    for (const Step& step : steps(before)) look(step);
    for (const BlockId cut : cuts_) look(step_from_cut(variables_within("find", cut), cut));
    bool again = false;
    for (const SlotId slot : state_slots_) {
      if (written[slot] != 0 || program_.slots[slot].parameter) continue;
      is_state_[slot] = 0;
      again = true;
    }
    if (!again) return;
  }
}

Interval Encoder::range_of(SlotId slot) const { return ranges_[slot]; }

Interval interval_of(const program::Slot& slot) {
  const program::Range& range = slot.range;
  return {range.lo <= -program::unbounded ? -infinity : Wide{range.lo},
          range.hi >= program::unbounded ? infinity : Wide{range.hi}};
}

z3::expr Encoder::found(const Encoder& other, const SymbolicState& state) const {
  z3::expr all = algebra_.truth(true);
  for (const SlotId slot : state_slots_) {
    const Word initial = program_.slots[slot].initial;
    const bool is_state = other.is_state_[slot] != 0;
    const Interval range = is_state ? other.ranges_[slot] : Interval{initial, initial};
    all = algebra_.both(all, algebra_.in_range(state[slot], range));
  }
  return all;
}

SymbolicState Encoder::variables(const std::string& prefix) const {
  Algebra algebra = algebra_;
  SymbolicState state;
  state.reserve(program_.slots.size());
  for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
    const program::Slot& s = program_.slots[slot];
    if (is_state_[slot] == 0) {
      state.emplace_back(s.stored ? s.initial : s.rest_value);
    } else if (ranges_[slot].lo == ranges_[slot].hi) {
      state.emplace_back(static_cast<Word>(ranges_[slot].lo));
    } else {
      state.push_back(algebra.variable(prefix + "." + std::to_string(slot), range_of(slot)));
    }
  }
  return state;
}

SymbolicState Encoder::variables_within(const std::string& prefix, BlockId cut) const {
  Algebra algebra = algebra_;
  SymbolicState state = variables(prefix);
  for (const SlotId slot : program_.loops[program_.blocks[cut].loop].live) {
    state[slot] = algebra.variable(prefix + "." + std::to_string(slot), range_of(slot));
  }
  return state;
}

SymbolicState Encoder::initial(const SymbolicState& like) const {
  SymbolicState state = of(program::initial_state(program_));
  for (const SlotId slot : state_slots_) {
    if (program_.slots[slot].parameter) state[slot] = like[slot];
  }
  return state;
}

SymbolicState Encoder::of(const program::State& state) const {
  return SymbolicState(state.begin(), state.end());
}

z3::expr Encoder::in_range(const SymbolicState& state) const {
  z3::expr all = algebra_.truth(true);
  for (const SlotId slot : state_slots_) {
    all = algebra_.both(all, algebra_.in_range(state[slot], range_of(slot)));
  }
  return all;
}

z3::expr Encoder::equal(const SymbolicState& a, const SymbolicState& b) const {
  z3::expr all = algebra_.truth(true);
  for (const SlotId slot : state_slots_) {
    all = algebra_.both(all, algebra_.equal(a[slot], b[slot]));
  }
  return all;
}

// ---------------------------------------------------------------- steps

std::vector<Step> Encoder::steps(const SymbolicState& state) const {
  std::vector<Step> result;
  for (const program::Thread& thread : program_.threads) {
    for (const LocationId id : thread.locations) {
      const Location& location = program_.locations[id];
      if (location.kind == StopKind::end || location.kind == StopKind::tick) continue;
      if (stands_at(state, id).is_false()) continue;
      result.push_back(step(state, id));
    }
  }
  if (program_.has_time) result.push_back(time(state));
  return result;
}

Step Encoder::step(const SymbolicState& state, LocationId id) const {
  const Location& location = program_.locations[id];
  const program::Thread& thread = program_.threads[location.thread];
  Step step{thread.name + "/" + std::to_string(location.pc),
            location.thread,
            id,
            no_id,
            algebra_.both(stands_at(state, id), holds_here(state, id)),
            {},
            {},
            {},
            {}};
  SymbolicState start = state;
  start[thread.pc] = static_cast<Word>(location.pc);
  Algebra algebra = algebra_;
  const BlockOrder order(program_);
  Walk walk(algebra, program_, options_, order, cuts_, "L" + std::to_string(id),
            initial_is_canonical_ ? &state : nullptr);
  walk.run(location.entry, step.enabled, start);
  walk.give(step);
  return step;
}

Step Encoder::step_from_cut(const SymbolicState& state, BlockId cut) const {
  const ThreadId thread = program_.blocks[cut].thread;
  Step step{program_.threads[thread].name + " cut " + std::to_string(cut),
            thread,
            no_id,
            cut,
            algebra_.truth(true),
            {},
            {},
            {},
            {}};
  Algebra algebra = algebra_;
  const BlockOrder order(program_);
  Walk walk(algebra, program_, options_, order, cuts_, "B" + std::to_string(cut), nullptr);
  walk.run(cut, step.enabled, state);
  walk.give(step);
  return step;
}

Step Encoder::time(const SymbolicState& state) const {
  Step step{"time", program::time_step, no_id, no_id, algebra_.truth(program_.has_time), {}, {}, {},
            {}};
  if (!slipped(Slip::urgent_threads_let_time_pass)) {
    for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
      if (!program_.threads[thread].urgent) continue;
      step.enabled = algebra_.both(step.enabled, algebra_.opposite(somebody(state, thread, false)));
    }
  }
  step.enabled = algebra_.both(step.enabled, time_changes(state));
  if (!step.enabled.is_false()) step.outcomes.push_back({step.enabled, after_time(state)});
  return step;
}

SymbolicState Encoder::after_time(const SymbolicState& state) const {
  SymbolicState after = state;
  for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
    const SlotId pc = program_.threads[thread].pc;
    for (const LocationId id : program_.threads[thread].locations) {
      const Location& here = program_.locations[id];
      if (here.kind != StopKind::tick) continue;
      after[pc] = algebra_.choose(stands_at(state, id),
                                  static_cast<Word>(program_.locations[here.after].pc), after[pc]);
    }
  }
  for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
    const program::Slot& s = program_.slots[slot];
    if (s.ticks == TickEffect::none) continue;
    const bool up = s.ticks == TickEffect::up;
    const Value moved = algebra_.add(after[slot], up ? 1 : -1);
    const Value end = s.tick_end;
    // Beyond its end it jumps there, as the interpreter's does.
    const z3::expr inside = up ? algebra_.less(moved, end) : algebra_.less(end, moved);
    Value later = algebra_.choose(inside, moved, end);
    if (slipped(Slip::clocks_do_not_stop)) later = moved;
    if (s.clock_of != no_id && !slipped(Slip::clocks_run_in_empty_places)) {
      later = algebra_.choose(algebra_.equal(state[s.clock_of], 1), later, after[slot]);
    }
    after[slot] = options_.trust_ranges ? algebra_.narrowed(later, interval_of(s)) : later;
  }
  Words(algebra_, program_, options_.slips)
      .canonicalise(after, initial_is_canonical_ ? &state : nullptr);
  return after;
}

z3::expr Encoder::time_changes(const SymbolicState& state) const {
  return algebra_.opposite(equal(after_time(state), state));
}

// ---------------------------------------------------------------- states

Value Encoder::evaluate(const SymbolicState& state, program::ExprId expr) const {
  return Expressions(algebra_, program_, options_.slips, state).value(expr);
}

z3::expr Encoder::stands_at(const SymbolicState& state, LocationId id) const {
  const Location& location = program_.locations[id];
  return algebra_.equal(state[program_.threads[location.thread].pc],
                        static_cast<Word>(location.pc));
}

z3::expr Encoder::holds_here(const SymbolicState& state, LocationId id) const {
  const program::ExprId condition = program_.locations[id].condition;
  return condition == no_id ? algebra_.truth(true) : algebra_.nonzero(evaluate(state, condition));
}

z3::expr Encoder::somebody(const SymbolicState& state, ThreadId thread, bool pauses) const {
  z3::expr any = algebra_.truth(false);
  for (const LocationId id : program_.threads[thread].locations) {
    const StopKind kind = program_.locations[id].kind;
    if (kind == StopKind::end || kind == StopKind::tick) continue;
    if (kind == StopKind::pause && !pauses) continue;
    any = algebra_.either(any, algebra_.both(stands_at(state, id), holds_here(state, id)));
  }
  return any;
}

z3::expr Encoder::can_step(const SymbolicState& state, ThreadId thread) const {
  return somebody(state, thread, true);
}

z3::expr Encoder::at_rest(const SymbolicState& state) const {
  z3::expr rests = algebra_.truth(true);
  for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
    const bool pauses = slipped(Slip::pause_is_no_rest);
    rests = algebra_.both(rests, algebra_.opposite(somebody(state, thread, pauses)));
  }
  if (!program_.has_time || slipped(Slip::rest_ignores_time)) return rests;
  return algebra_.both(rests, algebra_.opposite(time_changes(state)));
}

z3::expr Encoder::deadlocked(const SymbolicState& state) const {
  z3::expr waits = algebra_.truth(false);
  for (LocationId id = 0; id < program_.locations.size(); ++id) {
    const StopKind kind = program_.locations[id].kind;
    const bool is_wait = kind == StopKind::wait || kind == StopKind::wait_choice ||
                         kind == StopKind::access || slipped(Slip::any_place_is_a_wait);
    if (is_wait) waits = algebra_.either(waits, stands_at(state, id));
  }
  return algebra_.both(at_rest(state), waits);
}

z3::expr Encoder::broken(const SymbolicState& state, const Claim& claim) const {
  switch (claim.kind) {
    case PropertyKind::always:
      if (claim.condition == no_id) return algebra_.truth(false);
      return algebra_.opposite(algebra_.nonzero(evaluate(state, claim.condition)));
    case PropertyKind::at_rest:
      if (claim.condition == no_id) return algebra_.truth(false);
      return algebra_.both(at_rest(state),
                           algebra_.opposite(algebra_.nonzero(evaluate(state, claim.condition))));
    case PropertyKind::maximum:
      return algebra_.less(evaluate(state, claim.right), evaluate(state, claim.left));
    case PropertyKind::deadlock:
      return deadlocked(state);
    case PropertyKind::builtin:
    case PropertyKind::assertions:
      return algebra_.truth(false);  // checks alone
    default:
      throw Refusal("runs without end are for the analysis of cycles");
  }
}

Outcome merged(const Algebra& algebra, const Step& step) {
  Outcome result{algebra.truth(false), {}};
  for (const Outcome& outcome : step.outcomes) {
    if (result.after.empty()) {
      result = outcome;
      continue;
    }
    for (SlotId slot = 0; slot < result.after.size(); ++slot) {
      result.after[slot] =
          algebra.choose(outcome.condition, outcome.after[slot], result.after[slot]);
    }
    result.condition = algebra.either(result.condition, outcome.condition);
    result.location = no_id;
  }
  return result;
}

}  // namespace txproof::checker::smt
