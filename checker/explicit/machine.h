// Runs bytecode on a working state, one step at a time, over all its choices.
//
//   machine.load(packed state);
//   for (Outcome o = machine.start(location); …; o = machine.resume()) …
//
//      start ──▶ disabled                     the condition is false; nothing happened
//        │
//        ├─────▶ successor ──resume──▶ …      the working state is that after the step
//        ├─────▶ ended ──────resume──▶ …      a fatal check failed; there is no successor
//        └─────▶ exhausted                    no more choices; the state is that before the step
//
// Every write to a slot is logged with the value it replaced. So going back to a choice, or to the
// state before the step, restores just what was written, and a successor is packed from its
// predecessor by the written slots alone. (Trail and choice points are those of Prolog machines.)
//
// A full log first loses what was written over again since the same choice, since only the oldest
// value matters; so a long loop needs no more room than it has slots. That costs a write nothing,
// which a mark on every slot would.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "checker/explicit/bytecode.h"
#include "model/program/interpreter.h"
#include "model/program/program.h"

namespace txproof::checker {

// Who decides in a walk (code that was compiled for one).
class Chooser {
 public:
  static constexpr std::size_t none = ~std::size_t{0};
  Chooser() = default;
  Chooser(const Chooser&) = delete;
  Chooser& operator=(const Chooser&) = delete;
  virtual ~Chooser() = default;
  // Which of the options, known by their numbers, at least one: an index, or none of them.
  virtual std::size_t option(const std::vector<std::uint32_t>& numbers) = 0;
  // Which of `count` values, at least one: below count, or none of them.
  virtual std::size_t value(std::size_t count) = 0;
};

class Machine {
 public:
  enum class Outcome : std::uint8_t { disabled, successor, ended, exhausted };
  struct Write {
    program::SlotId slot;
    program::Word before;
  };

  // Thrown in the middle of a step that was told to stop; abandon() brings the state before back.
  struct GivenUp {};

  Machine(const program::Program& program, const Code& code);

  // One step can take as long as a model likes. `stop` is asked now and then inside it: true ends
  // it with GivenUp.
  void ask_in_long_steps(std::function<bool()> stop) { stop_ = std::move(stop); }

  // What the logs of a step may take the next time that they grow, old and new together.
  [[nodiscard]] std::uint64_t bytes() const {
    return 3 *
           (trail_.capacity() * sizeof(Write) + choices_.capacity() * sizeof(Choice) +
            faults_.capacity() * sizeof(program::Fault) + counted_.capacity() * sizeof(Counted));
  }

  // The working state; to be filled before anything is run, and not to be written in a step.
  [[nodiscard]] program::Word* state() { return frame_.data(); }

  // The value of a condition or of a side of a claim.
  program::Word evaluate(CodeAddress address) {
    run(address);
    return answer_;
  }

  // requires: the last step is exhausted or was disabled; code for `entry`
  Outcome start(CodeAddress entry);
  // requires: the last outcome was successor or ended
  Outcome resume();

  // Time passes by one unit.
  //   returns whether that changed anything; in any case undo() brings the state before back
  bool pass_time();
  void undo() { restore(0); }
  // Gives a step up in the middle; as undo() otherwise.
  void abandon() {
    choices_.clear();
    restore(0);
  }

  // One step, each choice in it made by `chooser`; only for code compiled for a walk.
  //   returns disabled, successor, ended; exhausted if the chooser wanted none of the options: the
  //           state is then that before the step
  Outcome walk(CodeAddress entry, Chooser& chooser);
  // The choices of the last walk, as a Move has them.
  [[nodiscard]] const std::vector<std::uint32_t>& choices_made() const { return made_; }
  // The working state is the state now: there is no way back before it.
  void commit() { trail_size_ = 0; }

  // Slots written since the state before the step; some more than once, some with no change left.
  [[nodiscard]] const Write* writes_begin() const { return trail_.data(); }
  [[nodiscard]] const Write* writes_end() const { return trail_.data() + trail_size_; }

  // Checks that failed on the path to this outcome, in order.
  [[nodiscard]] const std::vector<program::Fault>& faults() const { return faults_; }
  // What `count` added on the path to this outcome, by counter element, in order.
  struct Counted {
    program::Word element;
    program::Word amount;
  };
  [[nodiscard]] const std::vector<Counted>& counted() const { return counted_; }
  // Properties of which an assertion was evaluated, ever; blocks that were reached, ever.
  [[nodiscard]] const std::vector<char>& evaluated() const { return evaluated_; }
  [[nodiscard]] const std::vector<char>& covered() const { return covered_; }

 private:
  static constexpr std::uint32_t ways_back_a_question = 16384;

  enum class Ended : std::uint8_t { answered, stopped, fault, exhausted };
  struct Choice {
    Op kind;
    CodeAddress address;   // where to go on
    program::SlotId slot;  // pick: what is set
    program::Word next;    // pick: the next value; elements: the next position
    program::Word last;    // pick
    std::size_t trail;     // length of the logs when the choice was met
    std::size_t faults;
    std::size_t counted;
  };
  struct HandleSlot {
    program::SlotId slot;
    program::StructId structure;
  };

  Ended run(CodeAddress address);
  Outcome outcome(Ended ended);
  // Undoes what the topmost choice has done and takes its next option.
  //   returns where to go on; no_id: no choice is left, and the step is undone
  CodeAddress backtrack();

  void set(program::SlotId slot, program::Word value) {
    if (trail_size_ == trail_.size()) [[unlikely]] {
      grow_trail();
    }
    trail_[trail_size_] = {slot, frame_[slot]};
    trail_size_ += frame_[slot] != value ? 1 : 0;
    frame_[slot] = value;
  }
  void grow_trail();
  void compact_trail();
  // Once for each way back in the code, without which nothing takes long.
  void again() {
    if (--until_asked_ == 0) [[unlikely]] {
      ask();
    }
  }
  void ask();
  void restore(std::size_t size) {
    while (trail_size_ > size) {
      --trail_size_;
      frame_[trail_[trail_size_].slot] = trail_[trail_size_].before;
    }
  }
  program::SlotId checked_slot(program::Word address) const {
    if (static_cast<std::uint64_t>(address) >= code_.slots) [[unlikely]] {
      outside("an address outside the state");
    }
    return static_cast<program::SlotId>(address);
  }
  [[noreturn]] static void outside(const char* what);

  // Packets and containers: effects.cpp, by the rules of model/program/words.h.
  void apply(const Effect& effect);
  void create(const Effect& effect, program::SlotId target);
  void destroy(const Effect& effect, program::SlotId source);
  void move_packet(program::StructId structure, program::SlotId source, program::SlotId target,
                   std::uint8_t leave);
  void insert(const Effect& effect);
  void remove(const Effect& effect);
  void splice(const Effect& effect);
  void move_block(program::SlotId from, program::SlotId to, std::uint32_t words);
  void erase_block(program::SlotId from, std::uint32_t words);
  template <typename Mapping>
  void rename_handles(Mapping where_to);

  // The step's end: canonical.cpp.
  void canonicalise();
  [[nodiscard]] bool is_sorted(const program::Bag& bag) const;
  void sort(const program::Bag& bag);
  void renumber(const program::CellTable& cells);
  void permute_blocks(program::SlotId first, std::uint32_t stride,
                      const std::vector<std::uint32_t>& order);

  const program::Program& program_;
  const Code& code_;
  std::vector<program::Word> frame_;
  std::vector<Write> trail_;
  std::size_t trail_size_ = 0;
  std::vector<Choice> choices_;
  std::vector<program::Fault> faults_;
  std::vector<Counted> counted_;
  std::vector<char> evaluated_;
  std::vector<char> covered_;
  program::Word answer_ = 0;
  std::function<bool()> stop_;
  std::uint32_t until_asked_ = ways_back_a_question;
  std::vector<std::uint64_t> seen_in_;  // by slot: the last stretch of the trail that wrote it
  std::uint64_t stretch_ = 0;
  std::vector<HandleSlot> linear_handles_;
  std::vector<program::SlotId> ticking_;
  bool needs_canonical_;
  // A walk: what is offered, and what was taken.
  Chooser* chooser_ = nullptr;
  std::vector<std::uint32_t> offered_;
  std::vector<CodeAddress> offered_at_;
  std::vector<std::uint32_t> made_;
  // Kept between uses so that a step allocates nothing.
  std::vector<program::Word> block_;
  std::vector<std::uint32_t> order_, inverse_;
};

template <typename Mapping>
void Machine::rename_handles(Mapping where_to) {
  for (const HandleSlot& handle : linear_handles_) {
    const program::Word value = frame_[handle.slot];
    if (value < 2) continue;
    const auto& places = program_.structs[handle.structure].places;
    const program::SlotId base = places[static_cast<std::size_t>(value - 2)].base;
    const program::SlotId moved = where_to(base);
    if (moved == base) continue;
    set(handle.slot, moved == program::no_id ? 1 : 2 + program::Word{program_.place_at[moved]});
  }
}

}  // namespace txproof::checker
