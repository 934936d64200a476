// A Program as formulas: every step of a thread, and every step of time, as a function from the
// slots before to the slots after, over variables for the choices made in it.
//
//   z3::context context;
//   Encoder encoder(context, program, {});
//   SymbolicState before = encoder.variables("s");
//   for (const Step& step : encoder.steps(before)) …
//
// A step is found by executing the blocks behind a location symbolically. Where paths join they are
// merged by if-then-else, or stay apart (EncodeOptions::merge). Loops unroll: their counters are
// constants on every path, so the check of the bound ends them. A loop whose bound is no constant
// (Program::loops) is cut instead: its head is a place within a step, where scratch slots are state
// too (Loop::live). Unknown parameters (Slot::parameter) are variables that nothing writes; an end
// of a range at program::unbounded is none.
//
// What cannot be expressed is refused (refusal.h); a verdict is then for another engine.
#pragma once

#include <z3++.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "checker/smt/algebra.h"
#include "checker/smt/slip.h"
#include "checker/smt/value.h"
#include "model/program/interpreter.h"
#include "model/program/program.h"

namespace txproof::checker::smt {

// By SlotId. A slot that no step ever writes, and one that is scratch, is its constant.
using SymbolicState = std::vector<Value>;

struct EncodeOptions {
  Numbers numbers = Numbers::integers;
  bool merge = true;  // paths that join become one; otherwise each path is an Outcome of its own
  // An assigned value lies in the range of its slot, as the Program promises. Without, nothing is
  // believed: for proofs that are to stand alone.
  bool trust_ranges = true;
  // Find narrower ranges, by running the steps on intervals from the initial state until these
  // hold in every reachable state. What never changes is then no state at all.
  bool narrow = false;
  bool cut_loops = true;  // at the blocks of Program::loops; otherwise they have to unroll
  std::size_t most_blocks = 20'000;  // executed for one step; beyond, it is refused
  std::set<Slip> slips;              // for tests of tests: wrong translations
};

// A choice within a step. Its variables are inputs of the step's formulas.
struct Choice {
  Value variable;  // a constant where there is but one option
  Value recorded;  // what Move::choices records of it
  z3::expr met;    // the step comes to it
};

// A check of the Program fails, or a witness speaks.
struct Failure {
  z3::expr condition;
  program::ViolationId violation = program::no_id;
  bool fatal = true;
};
struct Witness {
  z3::expr condition;
  program::PropertyId property = program::no_id;
};

// One end of a step. Exactly one of `location` (the step ends there) and `cut` is set.
struct Outcome {
  z3::expr condition;
  SymbolicState after;
  program::LocationId location = program::no_id;
  program::BlockId cut = program::no_id;
};

struct Step {
  std::string name;  // "udp_sender(udp[0], bond0)/3", ".../3 cut 17", "time"
  program::ThreadId thread = program::no_id;      // or program::time_step
  program::LocationId location = program::no_id;  // where it starts; no_id: time, or `cut`
  program::BlockId cut = program::no_id;          // … or the cut point where it goes on
  z3::expr enabled;               // the thread stands there and the condition holds (a cut: true)
  std::vector<Outcome> outcomes;  // conditions include `enabled`; at most one is true
  std::vector<Failure> failures;  // likewise include it
  std::vector<Witness> witnesses;
  std::vector<Choice> choices;  // in the order in which a step meets them
};

class Encoder {
 public:
  //   errors: Refusal
  Encoder(z3::context& context, const program::Program& program, EncodeOptions options);

  [[nodiscard]] const program::Program& program() const { return program_; }
  [[nodiscard]] const EncodeOptions& options() const { return options_; }
  [[nodiscard]] const Algebra& algebra() const { return algebra_; }
  [[nodiscard]] z3::context& context() const { return algebra_.context(); }

  // The blocks at which steps are cut. Sorted.
  [[nodiscard]] const std::vector<program::BlockId>& cuts() const { return cuts_; }
  // The slots that are state: stored, and written by some step or unknown. Sorted.
  [[nodiscard]] const std::vector<program::SlotId>& state_slots() const { return state_slots_; }
  // The values that slot `slot` can have: those of Slot::range that an interval analysis of the
  // steps leaves (EncodeOptions::narrow).
  [[nodiscard]] Interval range_of(program::SlotId slot) const;

  // Variables "PREFIX.SLOTNUMBER" for the state slots, constants for the others.
  [[nodiscard]] SymbolicState variables(const std::string& prefix) const;
  // The state at a cut point: variables also for the scratch slots that live there.
  [[nodiscard]] SymbolicState variables_within(const std::string& prefix,
                                               program::BlockId cut) const;
  // The initial state: constants, except where a slot is unknown (then as in `like`).
  [[nodiscard]] SymbolicState initial(const SymbolicState& like) const;
  [[nodiscard]] SymbolicState of(const program::State& state) const;
  // The variable of a state slot, and a value in the sort of that variable.
  [[nodiscard]] z3::expr term(const SymbolicState& state, program::SlotId slot) const {
    return algebra_.fitted(state[slot], range_of(slot));
  }
  // Every state slot lies in its range. requires: the values are variables or trusted
  [[nodiscard]] z3::expr in_range(const SymbolicState& state) const;
  // What `other`, of the same Program, found out about the slots: constants and ranges, stated for
  // `state`, which is this encoder's.
  [[nodiscard]] z3::expr found(const Encoder& other, const SymbolicState& state) const;
  // a and b agree on every state slot.
  [[nodiscard]] z3::expr equal(const SymbolicState& a, const SymbolicState& b) const;

  // Every way to step from `state`: those of each thread and location, that of time if it can pass.
  //   errors: Refusal
  [[nodiscard]] std::vector<Step> steps(const SymbolicState& state) const;
  [[nodiscard]] Step step(const SymbolicState& state, program::LocationId location) const;
  // … and from a cut point.
  [[nodiscard]] Step step_from_cut(const SymbolicState& state, program::BlockId cut) const;
  [[nodiscard]] Step time(const SymbolicState& state) const;

  [[nodiscard]] Value evaluate(const SymbolicState& state, program::ExprId expr) const;
  [[nodiscard]] z3::expr stands_at(const SymbolicState& state, program::LocationId location) const;
  [[nodiscard]] z3::expr can_step(const SymbolicState& state, program::ThreadId thread) const;
  [[nodiscard]] z3::expr at_rest(const SymbolicState& state) const;
  [[nodiscard]] z3::expr deadlocked(const SymbolicState& state) const;

  // The claim is false in `state` (claims of invariants; deadlock). requires: claim of such a kind
  [[nodiscard]] z3::expr broken(const SymbolicState& state, const program::Claim& claim) const;

 private:
  [[nodiscard]] bool slipped(Slip slip) const { return options_.slips.count(slip) != 0; }
  [[nodiscard]] z3::expr holds_here(const SymbolicState& state, program::LocationId location) const;
  [[nodiscard]] z3::expr somebody(const SymbolicState& state, program::ThreadId thread,
                                  bool pauses) const;
  [[nodiscard]] SymbolicState after_time(const SymbolicState& state) const;
  [[nodiscard]] z3::expr time_changes(const SymbolicState& state) const;
  void find_state_slots();
  void find_ranges();

  const program::Program& program_;
  EncodeOptions options_;
  Algebra algebra_;
  bool initial_is_canonical_ = false;
  std::vector<program::BlockId> cuts_;
  std::vector<program::SlotId> state_slots_;
  std::vector<char> is_state_;
  std::vector<Interval> ranges_;
};

// What a slot may hold, as far as the Program says.
Interval interval_of(const program::Slot& slot);

// A step with one outcome: its ends merged. requires: no outcome is a cut
Outcome merged(const Algebra& algebra, const Step& step);

}  // namespace txproof::checker::smt
