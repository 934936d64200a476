// Where a model takes commands, and what it may answer: the reference for tests of real code.
//
// The model has a thread that takes one command a step: it says which in some variables (the
// command), does what the model does, and says what came back in others (the answer).
//
//   object port_t { int op in 0..2 = 0; int arg in 0..7 = 0; int answer in -1..7 = 0; }
//   thread driver(port_t p, ring r) {
//       loop {
//           pause;
//           either     { p.op = 1; p.arg = any 1..7; p.answer = ring_push(r, p.arg); }
//           or         { p.op = 2; p.answer = ring_pop(r); }
//       }
//   }
//
//   const Port port{"driver", {"p.op", "p.arg"}, {"p.answer"}};
//
// A step of the driver that leaves the command as it is at the start is no command, so NONE comes
// first in op_t. A step that a built-in fault ends is a command that the model does not define
// there: it is never given. Other threads of the model, and time, are what the model may do by
// itself between commands (a device that completes). All of it may be nondeterministic: the Oracle
// keeps the set of states that the model may be in.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/model.h"
#include "model/program/interpreter.h"

namespace txproof::harness {

using Values = std::vector<std::int64_t>;

struct Port {
  std::string thread;                // the function of the thread that takes commands
  std::vector<std::string> command;  // variables of the stack: "p.op"
  std::vector<std::string> answer;
};

// For messages; empty: variables by name, values as the model writes them.
using Describe = std::function<std::string(const Values& command, const Values& answer)>;

class Oracle {
 public:
  using StateId = std::uint32_t;
  struct Way {  // to take a command in a state
    Values command;
    Values answer;
    StateId next = 0;
    bool operator==(const Way&) const = default;
  };

  // most_states: of the model, over the life of the oracle.
  //   errors: ModelError, if the stack has no such thread or variable
  Oracle(const Model& model, Port port, std::size_t most_states = 1'000'000);

  [[nodiscard]] StateId start() const { return 0; }
  // Sorted by command, each once.
  //   errors: ModelError, if a command does not end in its step, or there are too many states
  const std::vector<Way>& ways(StateId state);
  // The states that the model can come to by itself, `state` included, sorted.
  const std::vector<StateId>& closure(StateId state);
  // The same for a set.
  std::vector<StateId> closure(const std::vector<StateId>& states);

  // The commands that can be given in each of these states, sorted.
  std::vector<Values> commands(const std::vector<StateId>& states);
  // The states after a command with this answer, what the model then does by itself included;
  // empty: the model does not allow the answer.
  std::vector<StateId> after(const std::vector<StateId>& states, const Values& command,
                             const Values& answer);
  // The answers that the model allows, sorted.
  std::vector<Values> answers(const std::vector<StateId>& states, const Values& command);

  // "p.op=1 p.arg=3"
  [[nodiscard]] std::string command_text(const Values& command) const;
  [[nodiscard]] std::string answer_text(const Values& answer) const;

 private:
  struct Known {
    std::vector<Way> ways;
    std::vector<StateId> hidden;   // where steps without a command lead
    bool ready = false;            // none of these is the driver's own
    bool expanded = false;         // the above is known
    std::vector<StateId> closure;  // empty: not known yet
  };
  Known& known(StateId state);
  [[nodiscard]] Values values_of_start(const std::vector<program::SlotId>& slots) const;
  StateId intern(program::State state);
  [[nodiscard]] std::string text_of(const std::vector<program::SlotId>& slots,
                                    const Values& values) const;

  Model model_;
  program::Interpreter interpreter_;
  Port port_;
  std::size_t most_states_;
  program::ThreadId thread_ = 0;
  std::vector<program::SlotId> command_slots_, answer_slots_;
  std::map<program::State, StateId> ids_;
  std::vector<const program::State*> states_;  // keys of ids_
  std::deque<Known> known_;                    // references to what is in it stay good
};

}  // namespace txproof::harness
