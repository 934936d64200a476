// Store buffers, as x86 has them: a thread's stores to variables wait in a queue of its own, its
// loads look there first, and one after the other they become visible. The model is the abstract
// machine of Sewell, Sarkar, Owens, Zappa Nardelli, Myreen: x86-TSO (CACM 2010), with queues of a
// bounded length.
//
// Whatever orders everything does not empty the queue itself but waits until it is empty. As it
// empties by steps of its own, which are possible at any time, that gives the same behaviour.
#include "model/program/elaboration.h"

namespace txproof::program {

void Elaboration::begin_buffers() {
  for (ThreadId id = 0; id < program_->threads.size(); ++id) {
    const auto use = known_.uses.find(id);
    if (use == known_.uses.end()) continue;
    BufferState state;
    Range values{0, 0};
    for (const SlotId slot : scalars_) {
      if (!use->second.stores.contains(slot_keys_[slot])) continue;
      state.variables.push_back(slot);
      state.number[slot] = static_cast<Word>(state.variables.size());
      const Range range = program_->slots[slot].range;
      values = {std::min(values.lo, range.lo), std::max(values.hi, range.hi)};
    }
    if (state.variables.empty()) continue;
    const std::string of = "store buffer of " + program_->threads[id].name;
    Slot slot;
    slot.name = of + ": length";
    slot.range = {0, static_cast<Word>(known_.store_depth)};
    state.length = b_.add_slot(slot);
    std::vector<std::string> names{"none"};
    for (const SlotId variable : state.variables) names.push_back(program_->slots[variable].name);
    const DisplayId display = display_of(std::move(names), 0);
    for (std::uint32_t i = 0; i < known_.store_depth; ++i) {
      Slot variable;
      variable.name = of + "[" + std::to_string(i) + "]";
      variable.range = {0, static_cast<Word>(state.variables.size())};
      variable.display = display;
      const SlotId first = b_.add_slot(variable);
      if (i == 0) state.first = first;
      Slot value;
      value.name = of + "[" + std::to_string(i) + "].value";
      value.range = values;
      b_.add_slot(value);
    }
    slot_keys_.resize(program_->slots.size());
    program_->store_buffers.push_back(
        {id, state.length, state.first, known_.store_depth, state.variables});
    buffers_[id] = std::move(state);
  }
}

const BufferState* Elaboration::buffer() const {
  const auto found = buffers_.find(thread_);
  return found == buffers_.end() ? nullptr : &found->second;
}

// The newest store of its own to the address, otherwise what memory has.
ExprId Elaboration::buffered(const BufferState& buffer, AddrId addr, ExprId load) {
  if (program_->addresses[addr].handle != no_id) return load;
  const ExprId number = variable_number(buffer.number, addr);
  if (b_.constant_value(number) == 0) return load;
  const Range range = b_.range(load);
  ExprId result = load;
  for (std::uint32_t i = 0; i < known_.store_depth; ++i) {
    const ExprId which = b_.load(b_.at(buffer.first + 2 * i));
    // A number of 0 says that the address is no variable of this buffer, and matches no entry.
    const ExprId here =
        b_.logical_and(b_.differs(which, 0), b_.binary(ExprKind::equal, which, number));
    const ExprId value = b_.load(b_.at(buffer.first + 2 * i + 1), range);
    result = b_.conditional(here, value, result);
  }
  return result;
}

void Elaboration::buffer_store(const BufferState& buffer, AddrId addr, ExprId value,
                               lang::Span where) {
  // There is room: the step waited for it.
  const auto last = static_cast<Word>(known_.store_depth) - 1;
  const ExprId length = b_.load(b_.at(buffer.length), {0, last});
  const ExprId number = variable_number(buffer.number, addr);
  const auto set = [&](AddrId target, ExprId to) {
    Stmt stmt = base(StmtKind::assign, where);
    stmt.target = target;
    stmt.value = to;
    b_.emit(stmt);
  };
  set(b_.indexed(b_.at(buffer.first), length, 2, known_.store_depth), number);
  set(b_.indexed(b_.at(buffer.first + 1), length, 2, known_.store_depth), value);
  set(b_.at(buffer.length), b_.binary(ExprKind::add, length, b_.constant(1)));
}

// The oldest store becomes visible: a step of its own, whenever there is one.
void Elaboration::add_flusher(ThreadId of, const BufferState& buffer) {
  const std::string name = "store buffer of " + program_->threads[of].name;
  thread_ = add_memory_thread(of, name, "store buffer");
  const lang::Span where = program_->threads[of].where;
  Frame frame;
  Frame* const before = std::exchange(frame_, &frame);
  const auto set = [&](AddrId target, ExprId to) {
    Stmt stmt = base(StmtKind::assign, where);
    stmt.target = target;
    stmt.value = to;
    b_.emit(stmt);
  };
  const ExprId length = b_.load(b_.at(buffer.length));
  const LocationId home = add_location(StopKind::rest, b_.differs(length, 0), where, false);
  const BlockId entry = b_.new_block(thread_);
  program_->locations[home].entry = entry;
  b_.set_block(entry);
  std::vector<Word> slots{static_cast<Word>(buffer.variables.front())};
  for (const SlotId variable : buffer.variables) slots.push_back(static_cast<Word>(variable));
  const ExprId which = b_.load(b_.at(buffer.first));
  const AddrId target = buffer.variables.size() == 1
                            ? b_.at(buffer.variables.front())
                            : b_.absolute(b_.table(std::move(slots), which), buffer.variables);
  set(target, b_.load(b_.at(buffer.first + 1)));
  for (std::uint32_t i = 0; i < known_.store_depth; ++i) {
    for (std::uint32_t word = 0; word < 2; ++word) {
      const bool last = i + 1 == known_.store_depth;
      set(b_.at(buffer.first + 2 * i + word),
          last ? b_.constant(0) : b_.load(b_.at(buffer.first + 2 * (i + 1) + word)));
    }
  }
  set(b_.at(buffer.length), b_.binary(ExprKind::subtract, length, b_.constant(1)));
  Terminator& end = program_->blocks[b_.block()].end;
  end.kind = TerminatorKind::stop;
  end.location = home;
  end.where = where;
  frame_ = before;
}

}  // namespace txproof::program
