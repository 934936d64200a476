// The dispatch loop. Computed jumps, one at the end of each instruction, predict better than a
// switch in a loop; compilers without them get the switch.
#include "checker/explicit/machine.h"

#include <algorithm>
#include <stdexcept>

#include "checker/explicit/arithmetic.h"

namespace txproof::checker {

using program::no_id;
using program::Program;
using program::SlotId;
using program::Word;

Machine::Machine(const Program& program, const Code& code)
    : program_(program),
      code_(code),
      frame_(code.frame_size() + 1, 0),
      trail_(1024),
      evaluated_(program.properties.size(), 0),
      covered_(program.blocks.size(), 0),
      needs_canonical_(!program.bags.empty() || !program.cells.empty()) {
  std::copy(code.constants.begin(), code.constants.end(), frame_.begin() + code.slots);
  for (program::StructId id = 0; id < program.structs.size(); ++id) {
    if (program.structs[id].counted) continue;
    for (const SlotId slot : program.structs[id].handles) linear_handles_.push_back({slot, id});
  }
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    if (program.slots[slot].ticks != program::TickEffect::none) ticking_.push_back(slot);
  }
  choices_.reserve(64);
}

void Machine::grow_trail() {
  compact_trail();
  if (trail_size_ > trail_.size() / 2) trail_.resize(trail_.size() * 2);
}

void Machine::compact_trail() {
  seen_in_.resize(code_.slots, 0);
  std::size_t kept = 0;
  std::size_t choice = 0;
  ++stretch_;
  for (std::size_t i = 0; i < trail_size_; ++i) {
    for (; choice < choices_.size() && choices_[choice].trail == i; ++choice) {
      choices_[choice].trail = kept;
      ++stretch_;
    }
    const Write write = trail_[i];
    if (seen_in_[write.slot] == stretch_) continue;
    seen_in_[write.slot] = stretch_;
    trail_[kept++] = write;
  }
  for (; choice < choices_.size(); ++choice) choices_[choice].trail = kept;
  trail_size_ = kept;
}

void Machine::ask() {
  until_asked_ = ways_back_a_question;
  if (stop_ && stop_()) throw GivenUp();
}

void Machine::outside(const char* what) {
  throw std::logic_error(std::string("the program reaches ") + what +
                         ": is an index or handle not checked before its use?");
}

Machine::Outcome Machine::outcome(Ended ended) {
  switch (ended) {
    case Ended::stopped:
      return Outcome::successor;
    case Ended::fault:
      return Outcome::ended;
    case Ended::answered:
      return Outcome::disabled;
    case Ended::exhausted:
      return Outcome::exhausted;
  }
  return Outcome::exhausted;
}

Machine::Outcome Machine::start(CodeAddress entry) {
  faults_.clear();
  counted_.clear();
  return outcome(run(entry));
}

Machine::Outcome Machine::resume() {
  const CodeAddress next = backtrack();
  return next == no_id ? Outcome::exhausted : outcome(run(next));
}

Machine::Outcome Machine::walk(CodeAddress entry, Chooser& chooser) {
  chooser_ = &chooser;
  made_.clear();
  offered_.clear();
  offered_at_.clear();
  return start(entry);
}

CodeAddress Machine::backtrack() {
  again();
  if (choices_.empty()) {
    restore(0);
    faults_.clear();
    counted_.clear();
    return no_id;
  }
  Choice& choice = choices_.back();
  restore(choice.trail);
  faults_.resize(choice.faults);
  counted_.resize(choice.counted);
  const CodeAddress address = choice.address;
  if (choice.kind == Op::pick) {
    const SlotId slot = choice.slot;
    const Word value = choice.next++;
    if (value == choice.last) choices_.pop_back();
    set(slot, value);
  }
  return address;
}

bool Machine::pass_time() {
  for (const program::Thread& thread : program_.threads) {
    const program::Location& here =
        program_.locations[thread.locations[static_cast<std::size_t>(frame_[thread.pc])]];
    if (here.kind == program::StopKind::tick) {
      set(thread.pc, Word{program_.locations[here.after].pc});
    }
  }
  for (const SlotId slot : ticking_) {
    const program::Slot& s = program_.slots[slot];
    if (s.clock_of != program::no_id && frame_[s.clock_of] != 1) continue;  // no packet there
    if (s.ticks == program::TickEffect::up) {
      set(slot, std::min(frame_[slot] + 1, s.tick_end));
    } else {
      set(slot, std::max(frame_[slot] - 1, s.tick_end));
    }
  }
  if (trail_size_ == 0) return false;
  if (!needs_canonical_) return true;
  canonicalise();
  // Sorting may have brought back what was there.
  for (std::size_t i = 0; i < trail_size_; ++i) {
    const auto first = std::find_if(trail_.begin(), trail_.begin() + static_cast<long>(i),
                                    [&](const Write& w) { return w.slot == trail_[i].slot; });
    if (first != trail_.begin() + static_cast<long>(i)) continue;
    if (frame_[trail_[i].slot] != trail_[i].before) return true;
  }
  return false;
}

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#define TXPROOF_CASE(name) at_##name
#define TXPROOF_NEXT()                                 \
  do {                                                 \
    in = &code[pc++];                                  \
    goto* targets[static_cast<std::uint32_t>(in->op)]; \
  } while (false)
#else
#define TXPROOF_CASE(name) case Op::name
#define TXPROOF_NEXT() goto dispatch
#endif

Machine::Ended Machine::run(CodeAddress address) {
  const Instruction* const code = code_.instructions.data();
  Word* const f = frame_.data();
  const Instruction* in = nullptr;
  CodeAddress pc = address;

#define TXPROOF_GO(target)      \
  do {                          \
    if ((target) < pc) again(); \
    pc = (target);              \
  } while (false)
#define TXPROOF_VALUE(name, expression) \
  TXPROOF_CASE(name) : {                \
    const Word x = f[in->b];            \
    const Word y = f[in->c];            \
    f[in->a] = (expression);            \
    TXPROOF_NEXT();                     \
  }
#define TXPROOF_JUMP(name, condition) \
  TXPROOF_CASE(name) : {              \
    if (condition) TXPROOF_GO(in->d); \
    TXPROOF_NEXT();                   \
  }

#if defined(__GNUC__) || defined(__clang__)
  static const void* const targets[] = {
#define TXPROOF_TARGET(name) &&at_##name,
      TXPROOF_OPCODES(TXPROOF_TARGET)
#undef TXPROOF_TARGET
  };
  TXPROOF_NEXT();
#else
dispatch:
  in = &code[pc++];
  switch (in->op)
#endif
  {
    TXPROOF_CASE(copy) : {
      f[in->a] = f[in->b];
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(negate) : {
      f[in->a] = arithmetic::subtract(0, f[in->b]);
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(bit_not) : {
      f[in->a] = ~f[in->b];
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(logical_not) : {
      f[in->a] = f[in->b] == 0 ? 1 : 0;
      TXPROOF_NEXT();
    }
    TXPROOF_VALUE(add, arithmetic::add(x, y))
    TXPROOF_VALUE(subtract, arithmetic::subtract(x, y))
    TXPROOF_VALUE(multiply, arithmetic::multiply(x, y))
    TXPROOF_VALUE(divide, arithmetic::divide(x, y))
    TXPROOF_VALUE(modulo, arithmetic::modulo(x, y))
    TXPROOF_VALUE(bit_and, x & y)
    TXPROOF_VALUE(bit_or, x | y)
    TXPROOF_VALUE(bit_xor, x ^ y)
    TXPROOF_VALUE(shift_left, arithmetic::shift_left(x, y))
    TXPROOF_VALUE(shift_right, arithmetic::shift_right(x, y))
    TXPROOF_VALUE(less, x < y ? 1 : 0)
    TXPROOF_VALUE(less_equal, x <= y ? 1 : 0)
    TXPROOF_VALUE(equal, x == y ? 1 : 0)
    TXPROOF_VALUE(not_equal, x != y ? 1 : 0)
    TXPROOF_VALUE(minimum, x < y ? x : y)
    TXPROOF_VALUE(maximum, x < y ? y : x)
    TXPROOF_VALUE(wrap, arithmetic::wrap(x, y))
    TXPROOF_CASE(table) : {
      const auto& table = code_.tables[in->c];
      const auto row = static_cast<std::uint64_t>(f[in->b]);
      if (row >= table.size()) outside("a row outside a table");
      f[in->a] = table[row];
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(index) : {
      f[in->a] = arithmetic::add(f[in->b], arithmetic::multiply(f[in->c], Word{in->d}));
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(place_base) : {
      const auto& table = code_.tables[in->c];
      const auto row = static_cast<std::uint64_t>(f[in->b]) - 2;
      if (row >= table.size()) outside("a packet through a handle that names none");
      f[in->a] = table[row];
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(load) : {
      f[in->a] = f[checked_slot(f[in->b])];
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(set) : {
      set(in->a, f[in->b]);
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(set_add) : {
      set(in->a, arithmetic::add(f[in->b], f[in->c]));
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(set_subtract) : {
      set(in->a, arithmetic::subtract(f[in->b], f[in->c]));
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(set_at) : {
      set(checked_slot(f[in->a]), f[in->b]);
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(effect) : {
      apply(code_.effects[in->a]);
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(jump) : {
      TXPROOF_GO(in->a);
      TXPROOF_NEXT();
    }
    TXPROOF_JUMP(jump_zero, f[in->a] == 0)
    TXPROOF_JUMP(jump_nonzero, f[in->a] != 0)
    TXPROOF_JUMP(jump_less, f[in->a] < f[in->b])
    TXPROOF_JUMP(jump_less_equal, f[in->a] <= f[in->b])
    TXPROOF_JUMP(jump_equal, f[in->a] == f[in->b])
    TXPROOF_JUMP(jump_not_equal, f[in->a] != f[in->b])
    TXPROOF_CASE(alternative) : {
      choices_.push_back(
          {Op::alternative, in->a, 0, 0, 0, trail_size_, faults_.size(), counted_.size()});
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(next_alternative) : {
      choices_.back().address = in->a;
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(last_alternative) : {
      choices_.pop_back();
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(impossible) : {
      pc = backtrack();
      if (pc == no_id) return Ended::exhausted;
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(pick) : {
      const SlotId slot = checked_slot(f[in->a]);
      const Word lo = f[in->b];
      const Word hi = f[in->c];
      if (lo < hi)
        choices_.push_back(
            {Op::pick, pc, slot, lo + 1, hi, trail_size_, faults_.size(), counted_.size()});
      if (lo <= hi) {
        set(slot, lo);
      } else {
        pc = backtrack();
        if (pc == no_id) return Ended::exhausted;
      }
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(elements) : {
      choices_.push_back({Op::elements, pc, 0, 0, 0, trail_size_, faults_.size(), counted_.size()});
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(next_element) : {
      if (choices_.back().next < f[in->b]) {
        f[in->a] = choices_.back().next++;
      } else {
        choices_.pop_back();
        pc = backtrack();
        if (pc == no_id) return Ended::exhausted;
      }
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(offer) : {
      offered_.push_back(static_cast<std::uint32_t>(f[in->a]));
      offered_at_.push_back(in->b);
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(draw) : {
      const std::size_t taken = offered_.empty() ? Chooser::none : chooser_->option(offered_);
      if (taken >= offered_.size()) {
        backtrack();
        return Ended::exhausted;
      }
      made_.push_back(offered_[taken]);
      pc = offered_at_[taken];
      offered_.clear();
      offered_at_.clear();
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(drawn) : {
      f[in->a] = Word{made_.back()};
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(draw_value) : {
      const SlotId slot = checked_slot(f[in->a]);
      const Word lo = f[in->b];
      const auto count = lo > f[in->c] ? 0 : static_cast<std::size_t>(f[in->c] - lo) + 1;
      const std::size_t taken = count == 0 ? Chooser::none : chooser_->value(count);
      if (taken >= count) {
        backtrack();
        return Ended::exhausted;
      }
      made_.push_back(static_cast<std::uint32_t>(taken));
      set(slot, lo + static_cast<Word>(taken));
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(fail) : {
      faults_.push_back({in->a, in->b != 0});
      if (in->b != 0) return Ended::fault;
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(evaluated) : {
      evaluated_[in->a] = 1;
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(cover) : {
      covered_[in->a] = 1;
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(count) : {
      counted_.push_back({f[in->a], f[in->b]});
      TXPROOF_NEXT();
    }
    TXPROOF_CASE(stop) : {
      const Stop& stop = code_.stops[in->a];
      for (const SlotId slot : stop.forget) set(slot, program_.slots[slot].rest_value);
      set(stop.pc_slot, stop.pc);
      if (needs_canonical_) canonicalise();
      return Ended::stopped;
    }
    TXPROOF_CASE(halt) : { outside("a place behind a check that always fails"); }
    TXPROOF_CASE(answer) : {
      answer_ = f[in->a];
      return Ended::answered;
    }
  }
}

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace txproof::checker
