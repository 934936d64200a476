// The step semantics, written once and plainly. Every engine is measured against this one.
//
//   State s = initial_state(p);
//   for (const Successor& n : interpreter.successors(s)) …
//
// A step is named by a Move: who moves, and how each choice inside the step was made. Moves of a
// state are ordered: threads by number, time last; choices lexicographically. Engines use the
// same order, so that "the least" trace is the same for all.
#pragma once

#include <cstdint>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

// ThreadId of the step of time.
constexpr ThreadId time_step = 0xfffffffeU;

// Choices are recorded in the order in which they are met in the step: for `choose` the index
// of the target, for `pick` the value minus the lower end, for `pick_element` the position.
struct Move {
  ThreadId thread = 0;
  std::vector<std::uint32_t> choices;
  bool operator==(const Move&) const = default;
};

struct Fault {
  ViolationId violation = no_id;
  bool fatal = true;
};

struct Successor {
  Move move;
  State state;                // meaningless if a fatal fault ended the step
  std::vector<Fault> faults;  // checks that failed, in order; a fatal one is last
  // What `count` added in this step, by element (Counter::first); empty if nothing was counted.
  std::vector<Word> counts;
  [[nodiscard]] bool ended() const { return !faults.empty() && faults.back().fatal; }
};

// What happens inside one step, for traces: called by `run` in the order of the text.
class Observer {
 public:
  virtual ~Observer() = default;
  // Before each statement is executed; `state` is the working state.
  virtual void statement(const Stmt& /*stmt*/, const State& /*state*/) {}
  // After it; not called for a fatal check that failed.
  virtual void after(const Stmt& /*stmt*/, const State& /*state*/) {}
  // A `leave` statement: what the call returned (0 if nothing).
  virtual void returned(CallId /*call*/, Word /*value*/) {}
  virtual void failed(const Stmt& /*check*/, const State& /*state*/) {}
  virtual void block(BlockId /*block*/) {}
};

class Interpreter {
 public:
  explicit Interpreter(const Program& program) : program_(program) {}

  [[nodiscard]] Word evaluate(const State& state, ExprId expr) const;
  [[nodiscard]] SlotId resolve(const State& state, AddrId addr) const;

  // The thread stands at a location whose condition holds (at tick: never).
  [[nodiscard]] bool enabled(const State& state, ThreadId thread) const;
  // Time may pass: no urgent thread can step (a pause does not count), and it would change
  // something.
  [[nodiscard]] bool time_enabled(const State& state) const;
  // Nobody can step except from a pause, and time would change nothing.
  [[nodiscard]] bool at_rest(const State& state) const;
  // At rest, and somebody stands at a wait.
  [[nodiscard]] bool deadlocked(const State& state) const;

  // All moves, in order.
  [[nodiscard]] std::vector<Successor> successors(const State& state) const;

  // Executes one move; `move.choices` must be those of a possible step.
  //   returns false (and leaves `successor` unusable) if the move is not possible in `state`
  bool run(const State& state, const Move& move, Successor& successor,
           Observer* observer = nullptr) const;

 private:
  const Program& program_;
};

}  // namespace txproof::program
