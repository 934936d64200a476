// A walk through the states of a Program, one move at a time, forward only: what a sample is made
// of. Nothing is packed, stored or looked up, and no other successor is computed, so a move costs
// what its statements cost, however large the state is.
//
//   Plan plan(program);                  // once; walks share it
//   Walk walk(plan);
//   while (auto thread = walk.draw(random, schedule)) walk.move(*thread, chooser);
//
// The steps are those of the bytecode machine (checker/explicit/machine.h). A walk is no evidence
// of its own: its moves are replayed by the interpreter before a violation is shown.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/explicit/bytecode.h"
#include "checker/explicit/findings.h"
#include "checker/explicit/inspector.h"
#include "checker/explicit/machine.h"
#include "checker/sampling/formulas.h"
#include "checker/sampling/random.h"
#include "model/program/interpreter.h"
#include "model/program/program.h"

namespace txproof::checker::sampling {

// How the next to move is drawn.
enum class Schedule {
  threads,    // every thread that can step, and time, is as likely as any other
  functions,  // first a function with a thread that can step (or time), then one of its threads
};

// How claims about every state are evaluated: each time anew, or kept up to date (formulas.h),
// which is worth its trouble where there are many sockets or packets. The answers are the same.
enum class Watching { automatic, anew, updated };

// What all walks of a Program share.
struct Plan {
  // unwatched: properties whose claims are not looked at.
  explicit Plan(const program::Program& of, std::vector<program::PropertyId> unwatched_ = {},
                Watching watching = Watching::automatic);

  const program::Program& program;
  std::vector<program::PropertyId> unwatched;
  Code code;
  program::State initial;
  std::vector<program::ThreadId> urgent;
  // Threads by function, time_step alone behind them where there is time.
  std::vector<std::vector<program::ThreadId>> groups;
  std::vector<program::ThreadId> everybody;  // time_step among them
  // Claims about every state.
  struct Watched {
    program::PropertyId property = 0;
    std::uint32_t claim = 0;
    bool is_maximum = false;
    // always: its condition; maximum: its sides. Absent: evaluated anew.
    std::optional<Formulas::Number> condition, left, right;
  };
  std::vector<Watched> every_state;
  // By property, of those that are not watched: the left side of its maximum, if it is one.
  std::vector<std::optional<Formulas::Number>> sides;
  Formulas formulas;  // a walk copies it
};

// Draws each choice.
class RandomChooser : public Chooser {
 public:
  explicit RandomChooser(Random& random) : random_(random) {}
  std::size_t option(const std::vector<std::uint32_t>& numbers) override {
    return random_.below(numbers.size());
  }
  std::size_t value(std::size_t count) override { return random_.below(count); }

 private:
  Random& random_;
};

// Makes the choices of a Move.
class GivenChooser : public Chooser {
 public:
  explicit GivenChooser(const std::vector<std::uint32_t>& choices) : choices_(choices) {}
  std::size_t option(const std::vector<std::uint32_t>& numbers) override;
  std::size_t value(std::size_t count) override;
  // Every choice was asked for.
  [[nodiscard]] bool all_made() const { return next_ == choices_.size(); }

 private:
  const std::vector<std::uint32_t>& choices_;
  std::size_t next_ = 0;
};

class Walk {
 public:
  explicit Walk(const Plan& plan);

  // Back to the initial state, with nothing found.
  void reset();

  // thread: or time_step
  [[nodiscard]] bool enabled(program::ThreadId thread);
  // Somebody that can move; absent if nobody can.
  std::optional<program::ThreadId> draw(Random& random, Schedule schedule);

  enum class Outcome { moved, ended, impossible };
  // ensures: moved: the state is that after the step, and claims have been looked at; ended: a
  //          fatal check failed, and nothing more can move; impossible: nothing happened
  Outcome move(program::ThreadId thread, Chooser& chooser);
  // The same with the choices of `move`; one that asks for other choices is impossible.
  Outcome move(const program::Move& move);

  // The last move as it was made.
  [[nodiscard]] const program::Move& made() const { return made_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  // What broke so far, and the largest values, by property.
  [[nodiscard]] const Findings& findings() const { return findings_; }
  [[nodiscard]] bool broken(program::PropertyId property) const {
    return findings_[property].violated();
  }
  // The state, and what can be asked about it.
  [[nodiscard]] const program::Word* state() { return machine_.state(); }
  program::Word evaluate(CodeAddress address) { return machine_.evaluate(address); }
  // The left side of a maximum, watched or not.
  program::Word left_side(program::PropertyId property) {
    return value(plan_.sides[property], plan_.code.claims[property][0].left);
  }
  [[nodiscard]] bool at_rest();
  // What was counted so far, by counter element; ticks.
  [[nodiscard]] const std::vector<program::Word>& counts() const { return counts_; }
  [[nodiscard]] program::Word ticks() const { return ticks_; }
  // Properties of which an assertion was evaluated, since the walk was made.
  [[nodiscard]] const std::vector<char>& evaluated() const { return machine_.evaluated(); }

  // A step can take as long as a model likes: asked now and then inside it, true gives the step up.
  void ask_in_long_steps(std::function<bool()> stop) {
    machine_.ask_in_long_steps(std::move(stop));
  }

 private:
  [[nodiscard]] program::LocationId location_of(program::ThreadId thread);
  bool thread_enabled(program::ThreadId thread, bool with_pause);
  bool time_enabled();
  std::optional<program::ThreadId> draw_of(const std::vector<program::ThreadId>& group,
                                           Random& random);
  void look();
  void look_at(const Plan::Watched& watched);
  program::Word value(const std::optional<Formulas::Number>& formula, CodeAddress code) {
    return formula ? formulas_.value(*formula) : machine_.evaluate(code);
  }
  Outcome pass_time();
  void note_faults();
  // The state after the step is the state.
  void commit();

  const Plan& plan_;
  Machine machine_;
  Inspector inspector_;  // of states at rest
  Formulas formulas_;
  Findings findings_;
  program::Move made_;
  std::vector<program::Word> counts_;
  program::Word ticks_ = 0;
  std::uint64_t steps_ = 0;
  bool ended_ = false;
  program::ThreadId busy_ = 0;  // could step lately: asked first whether all is at rest
  std::vector<program::ThreadId> able_;
  std::vector<std::size_t> order_;
};

}  // namespace txproof::checker::sampling
