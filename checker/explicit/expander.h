// Inspects and expands one state at a time: its claims, then its steps in the order of Moves.
//
// Successors leave packed and hashed, in order, through a sink; what the sink does with them (add
// them to the table at once, or keep them for later) is the difference between one worker and
// several.
//
//   sink.slot()                 where to write the next packed state
//   sink.commit(hash, parent)   it is written
#pragma once

#include <cstring>
#include <functional>

#include "checker/explicit/budget.h"
#include "checker/explicit/findings.h"
#include "checker/explicit/inspector.h"
#include "checker/explicit/machine.h"
#include "checker/explicit/packing.h"
#include "checker/explicit/state_table.h"

namespace txproof::checker {

class Expander {
 public:
  // poll: called every few thousand transitions, and in steps that take long; returns whether to
  // stop.
  Expander(const program::Program& program, const Code& code, const Packing& packing,
           std::function<bool()> poll);
  Expander(const Expander&) = delete;
  Expander& operator=(const Expander&) = delete;

  // Checks the state and hands its successors to `sink`.
  //   ensures: false if the search has to stop; the state was then not fully expanded
  template <typename Sink>
  bool expand(StateId id, std::uint32_t depth, const std::uint64_t* packed, Sink& sink);

  // Checks the state only.
  //   ensures: false if the search has to stop; the state was then not looked at in full
  bool inspect(StateId id, std::uint32_t depth, const std::uint64_t* packed);

  [[nodiscard]] std::uint64_t transitions() const { return transitions_; }
  [[nodiscard]] const Findings& findings() const { return findings_; }
  [[nodiscard]] const Machine& machine() const { return machine_; }

 private:
  static constexpr unsigned transitions_a_poll = 4096;

  [[nodiscard]] const program::Location& location(program::LocationId& id,
                                                  const program::Thread& thread) {
    id = thread.locations[static_cast<std::size_t>(machine_.state()[thread.pc])];
    return program_.locations[id];
  }
  template <typename Sink>
  bool expand_steps(StateId id, std::uint32_t depth, const std::uint64_t* packed, Sink& sink);
  void inspect_claims(StateId id, std::uint32_t depth, const std::uint64_t* packed);
  void record_faults(StateId parent, std::uint32_t depth, std::uint64_t ordinal);
  template <typename Sink>
  void emit(StateId parent, const std::uint64_t* packed, Sink& sink);

  // Counts a transition; true: stop.
  bool counted() {
    ++transitions_;
    if (--until_poll_ != 0) return false;
    until_poll_ = transitions_a_poll;
    return poll_();
  }

  const program::Program& program_;
  const Code& code_;
  const Packing& packing_;
  std::function<bool()> poll_;
  Machine machine_;
  Inspector inspector_;
  Findings findings_;
  std::uint64_t transitions_ = 0;
  unsigned until_poll_ = transitions_a_poll;
};

template <typename Sink>
void Expander::emit(StateId parent, const std::uint64_t* packed, Sink& sink) {
  const std::size_t words = packing_.words();
  std::uint64_t* const next = sink.slot();
  std::memcpy(next, packed, words * sizeof(std::uint64_t));
  const program::Word* const state = machine_.state();
  const Machine::Write* const end = machine_.writes_end();
  for (const Machine::Write* write = machine_.writes_begin(); write != end; ++write) {
    packing_.update(next, write->slot, state[write->slot]);
  }
  sink.commit(hash_words(next, words), parent);
}

template <typename Sink>
bool Expander::expand(StateId id, std::uint32_t depth, const std::uint64_t* packed, Sink& sink) {
  try {
    return expand_steps(id, depth, packed, sink);
  } catch (const Machine::GivenUp&) {
    machine_.abandon();
    return false;
  }
}

template <typename Sink>
bool Expander::expand_steps(StateId id, std::uint32_t depth, const std::uint64_t* packed,
                            Sink& sink) {
  packing_.unpack(packed, machine_.state());
  inspector_.every_state(id, depth, findings_);
  bool somebody_steps = false;  // not from a pause
  bool urgent_steps = false;
  std::uint64_t ordinal = 0;
  for (const program::Thread& thread : program_.threads) {
    program::LocationId at = 0;
    const program::Location& here = location(at, thread);
    if (code_.entries[at] == program::no_id) continue;
    Machine::Outcome outcome = machine_.start(code_.entries[at]);
    if (outcome == Machine::Outcome::disabled) continue;
    if (here.kind != program::StopKind::pause) {
      somebody_steps = true;
      urgent_steps = urgent_steps || thread.urgent;
    }
    for (; outcome != Machine::Outcome::exhausted; outcome = machine_.resume()) {
      if (!machine_.faults().empty()) record_faults(id, depth + 1, ordinal);
      if (outcome == Machine::Outcome::successor) emit(id, packed, sink);
      ++ordinal;
      if (counted() || sink.full()) {
        machine_.abandon();
        return false;
      }
    }
  }
  if (program_.has_time && !urgent_steps) {
    const bool changes = machine_.pass_time();
    if (changes) {
      emit(id, packed, sink);
      somebody_steps = true;  // not at rest
      if (counted() || sink.full()) {
        machine_.undo();
        return false;
      }
    }
    machine_.undo();
  }
  if (!somebody_steps) inspector_.at_rest(id, depth, findings_);
  return true;
}

}  // namespace txproof::checker
