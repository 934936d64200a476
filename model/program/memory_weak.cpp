// Weak memory: each variable has a history of stores, oldest first, and each thread a *view*: which
// store of each variable it reads. A view moves on by steps of its own; a store goes into the
// history anywhere behind what its thread has seen. That is the promising semantics of Kang, Hur,
// Lahav, Vafeiadis, Dreyer (POPL 2017) without promises, with views numbered by position in a
// bounded history; what each primitive does to views is chosen to give the verdicts of the Linux
// kernel memory model (Alglave, Maranget, McKenney, Parri, Stern, ASPLOS 2018).
// docs/memory-models.md has the table, and what differs.
//
// Fences do not move a view themselves but wait until it is far enough; as it moves at any time,
// that gives the same behaviour.
#include <algorithm>

#include "model/program/elaboration.h"
#include "model/program/history_words.h"

namespace txproof::program {

void Elaboration::begin_histories() {
  HistoryState& w = weak_;
  for (const SlotId slot : scalars_) {
    const bool stored = std::any_of(known_.uses.begin(), known_.uses.end(), [&](const auto& use) {
      return use.second.stores.contains(slot_keys_[slot]) ||
             use.second.atomic_stores.contains(slot_keys_[slot]);
    });
    if (!stored) continue;
    w.read.push_back(std::any_of(known_.uses.begin(), known_.uses.end(), [&](const auto& use) {
      return use.second.loads.contains(slot_keys_[slot]);
    }));
    w.variables.push_back(slot);
    w.number[slot] = static_cast<Word>(w.variables.size());
  }
  if (w.variables.empty()) return;
  for (const auto& [id, use] : known_.uses) {
    w.has_messages = w.has_messages || use.orders_stores || use.orders_all || use.releases;
    w.has_strong = w.has_strong || use.orders_all;
  }
  const auto count = static_cast<std::uint32_t>(w.variables.size());
  w.depth = known_.store_depth + 1;
  w.stride = first_value + w.depth + (w.has_messages ? w.depth * count : 0);
  w.block = static_cast<SlotId>(program_->slots.size());
  const auto last = static_cast<Word>(w.depth) - 1;
  const auto word = [&](const std::string& name, Range range, Word initial) {
    Slot slot;
    slot.name = name;
    slot.range = range;
    slot.initial = slot.rest_value = initial;
    return b_.add_slot(slot);
  };
  for (const SlotId variable : w.variables) {
    const Slot of = program_->slots[variable];
    const std::string name = "stores to " + of.name;
    word(name + ": number", {1, last + 1}, 1);
    word(name + ": behind", {0, last}, 0);
    word(name + ": seen by fences", {0, last}, 0);
    for (std::uint32_t i = 0; i < w.depth; ++i) {
      const SlotId value = word(name + "[" + std::to_string(i) + "]",
                                {std::min(of.range.lo, Word{0}), std::max(of.range.hi, Word{0})},
                                i == 0 ? of.initial : 0);
      program_->slots[value].display = of.display;
    }
    for (std::uint32_t i = 0; w.has_messages && i < w.depth; ++i) {
      for (const SlotId other : w.variables) {
        word(name + "[" + std::to_string(i) + "] comes after " + program_->slots[other].name,
             {0, last}, 0);
      }
    }
  }
  for (ThreadId id = 0; id < program_->threads.size(); ++id) {
    const auto use = known_.uses.find(id);
    if (use == known_.uses.end()) continue;
    HistoryState::Views views;
    for (const SlotId variable : w.variables) {
      const std::string& key = slot_keys_[variable];
      views.reads.push_back(use->second.loads.contains(key) || use->second.stores.contains(key));
    }
    const std::string& thread = program_->threads[id].name;
    const auto view = [&](const std::string& what) {
      const auto first = static_cast<SlotId>(program_->slots.size());
      for (const SlotId variable : w.variables) {
        word(thread + what + program_->slots[variable].name, {0, last}, 0);
      }
      return first;
    };
    views.current = view(" sees of ");
    if (w.has_messages && (use->second.orders_loads || use->second.releases)) {
      views.pending = view(" is to see of ");
    }
    if (use->second.orders_stores) views.written = view(" has stored to ");
    if (use->second.orders_stores || use->second.orders_all) {
      views.release = view(" orders its stores after ");
    }
    views.gone = word(thread + " has ended", {0, 1}, 0);
    w.views[id] = std::move(views);
  }
  slot_keys_.resize(program_->slots.size());
  for (std::uint32_t v = 0; v < count; ++v) {
    StoreHistory history;
    history.variable = w.variables[v];
    history.length = w.block + v * w.stride + length_word;
    history.first = w.block + v * w.stride + first_value;
    history.depth = w.depth;
    history.views.assign(program_->threads.size(), no_id);
    for (const auto& [id, views] : w.views) {
      if (views.reads[v]) history.views[id] = views.current + v;
    }
    program_->store_histories.push_back(std::move(history));
  }
}

// ---------------------------------------------------------------- words, by variable

AddrId Elaboration::history_word(ExprId variable, std::uint32_t word) {
  return b_.indexed(b_.at(weak_.block + word), variable, weak_.stride,
                    static_cast<std::uint32_t>(weak_.variables.size()));
}

AddrId Elaboration::history_value(ExprId variable, ExprId position) {
  return b_.indexed(history_word(variable, first_value), position, 1, weak_.depth);
}

// The view of `other` that the reader of a store gets.
AddrId Elaboration::message_view(ExprId variable, ExprId position, std::uint32_t other) {
  return b_.indexed(history_word(variable, first_value + weak_.depth + other), position,
                    static_cast<std::uint32_t>(weak_.variables.size()), weak_.depth);
}

AddrId Elaboration::view_of(SlotId views, ExprId variable) {
  return b_.indexed(b_.at(views), variable, 1, static_cast<std::uint32_t>(weak_.variables.size()));
}

ExprId Elaboration::position(AddrId view) {
  return b_.load(view, {0, static_cast<Word>(weak_.depth) - 1});
}

ExprId Elaboration::history_length(ExprId variable) {
  return b_.load(history_word(variable, length_word), {1, static_cast<Word>(weak_.depth)});
}

ExprId Elaboration::newest(ExprId variable) {
  return b_.binary(ExprKind::subtract, history_length(variable), b_.constant(1));
}

void Elaboration::set_word(AddrId target, ExprId to, lang::Span where) {
  Stmt stmt = base(StmtKind::assign, where);
  stmt.target = target;
  stmt.value = to;
  b_.emit(stmt);
}

const HistoryState::Views* Elaboration::own_views() const {
  const auto found = weak_.views.find(thread_);
  return found == weak_.views.end() || weak_.variables.empty() ? nullptr : &found->second;
}

// The variable's index, 0-based, where `number` is 1-based and not 0.
ExprId Elaboration::index_of(ExprId number) {
  const ExprId at_least_one = b_.binary(ExprKind::maximum, number, b_.constant(1));
  if (const auto known = b_.constant_value(number))
    return b_.constant(std::max(*known, Word{1}) - 1);
  return b_.binary(ExprKind::subtract, b_.range(number).lo >= 1 ? number : at_least_one,
                   b_.constant(1));
}

// The variables, 0-based, that the address may be.
std::vector<std::uint32_t> Elaboration::possible_variables(AddrId addr) const {
  std::vector<std::uint32_t> result;
  if (program_->addresses[addr].handle != no_id) return result;
  for (const SlotId slot : b_.slots_of(addr)) {
    const auto found = weak_.number.find(slot);
    if (found != weak_.number.end())
      result.push_back(static_cast<std::uint32_t>(found->second) - 1);
  }
  return result;
}

// ---------------------------------------------------------------- loads

ExprId Elaboration::view_load(AddrId addr, ExprId load) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr || program_->addresses[addr].handle != no_id) return load;
  const ExprId number = variable_number(weak_.number, addr);
  if (b_.constant_value(number) == 0) return load;
  if (pure_) pure_loads_.push_back(number);
  if (as_it_is_ || atomic_depth_ > 0) return load;
  const ExprId variable = index_of(number);
  const ExprId seen_value =
      b_.load(history_value(variable, position(view_of(own->current, variable))), b_.range(load));
  if (b_.range(number).lo >= 1) return seen_value;
  return b_.conditional(b_.differs(number, 0), seen_value, load);
}

// What a load leaves behind: the reader is to see what its store comes after, behind a fence.
void Elaboration::after_load(AddrId addr, lang::Span where) {
  if (program_->addresses[addr].handle != no_id || own_views() == nullptr) return;
  const ExprId number = variable_number(weak_.number, addr);
  if (b_.constant_value(number) == 0) return;
  if (atomic_depth_ > 0) return atomic_load(number, where);
  note_message(number, position(view_of(own_views()->current, index_of(number))), order_, where);
}

void Elaboration::note_message(ExprId number, ExprId at, MemoryOrder order, lang::Span where) {
  const HistoryState::Views* own = own_views();
  if (!weak_.has_messages || own == nullptr) return;
  const ExprId variable = index_of(number);
  const bool now = order == MemoryOrder::acquire || order == MemoryOrder::full;
  for (std::uint32_t other = 0; other < weak_.variables.size(); ++other) {
    const ExprId index = b_.constant(other);
    ExprId message = position(message_view(variable, at, other));
    if (b_.range(number).lo < 1) {
      message = b_.conditional(b_.differs(number, 0), message, b_.constant(0));
    }
    const AddrId current = view_of(own->current, index);
    if (now) {  // for what it reads, the step waited
      if (own->reads[other]) continue;
      set_word(current, b_.binary(ExprKind::maximum, position(current), message), where);
    } else if (own->pending != no_id) {
      const AddrId pending = view_of(own->pending, index);
      const ExprId joined = b_.binary(ExprKind::maximum, position(pending), message);
      set_word(pending,
               b_.conditional(b_.binary(ExprKind::less_equal, joined, position(current)),
                              b_.constant(0), joined),
               where);
    }
  }
}

// The thread sees all that the store at a position of the variable comes after.
ExprId Elaboration::covers(ExprId number, ExprId at) {
  const HistoryState::Views* own = own_views();
  ExprId all = b_.constant(1);
  if (!weak_.has_messages || own == nullptr) return all;
  const ExprId variable = index_of(number);
  for (std::uint32_t other = 0; other < weak_.variables.size(); ++other) {
    if (!own->reads[other]) continue;
    all = b_.logical_and(
        all, b_.binary(ExprKind::less_equal, position(message_view(variable, at, other)),
                       position(view_of(own->current, b_.constant(other)))));
  }
  if (b_.range(number).lo < 1) all = b_.logical_or(b_.equals(number, 0), all);
  return all;
}

// ---------------------------------------------------------------- fences

// The thread sees all that it is to see; with `strong`, all that full fences have seen too.
ExprId Elaboration::caught_up(bool strong) {
  const HistoryState::Views* own = own_views();
  ExprId all = b_.constant(1);
  if (own == nullptr) return all;
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    if (!own->reads[v]) continue;
    const ExprId index = b_.constant(v);
    const ExprId current = position(view_of(own->current, index));
    if (own->pending != no_id) {
      all = b_.logical_and(
          all, b_.binary(ExprKind::less_equal, position(view_of(own->pending, index)), current));
    }
    if (strong) {
      all = b_.logical_and(all, b_.binary(ExprKind::less_equal,
                                          position(history_word(index, strong_word)), current));
    }
  }
  return all;
}

void Elaboration::read_fence(bool strong, lang::Span where) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr) return;
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    const ExprId index = b_.constant(v);
    const AddrId current = view_of(own->current, index);
    if (!own->reads[v]) {  // nobody moves this view but fences
      ExprId joined = position(current);
      if (own->pending != no_id) {
        joined = b_.binary(ExprKind::maximum, joined, position(view_of(own->pending, index)));
      }
      if (strong) {
        joined = b_.binary(ExprKind::maximum, joined, position(history_word(index, strong_word)));
      }
      set_word(current, joined, where);
    }
    if (own->pending != no_id) set_word(view_of(own->pending, index), b_.constant(0), where);
  }
}

void Elaboration::write_fence(lang::Span where) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr || own->release == no_id || own->written == no_id) return;
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    const AddrId release = view_of(own->release, b_.constant(v));
    const AddrId written = view_of(own->written, b_.constant(v));
    set_word(release, b_.binary(ExprKind::maximum, position(release), position(written)), where);
    set_word(written, b_.constant(0), where);
  }
}

// The step has waited until the thread is caught up.
void Elaboration::full_fence(lang::Span where) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr) return;
  read_fence(true, where);
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    const ExprId index = b_.constant(v);
    const ExprId current = position(view_of(own->current, index));
    set_word(history_word(index, strong_word), current, where);
    if (own->release != no_id) set_word(view_of(own->release, index), current, where);
    if (own->written != no_id) set_word(view_of(own->written, index), b_.constant(0), where);
  }
}

// ---------------------------------------------------------------- views move on

void Elaboration::end_views(lang::Span where) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr) return;
  set_word(b_.at(own->gone), b_.constant(1), where);
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    for (const SlotId kept : {own->current, own->pending, own->written, own->release}) {
      if (kept != no_id) set_word(view_of(kept, b_.constant(v)), b_.constant(0), where);
    }
  }
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    if (own->reads[v]) forget_old(b_.constant(v), where);
  }
}

// One more store of some variable is seen: a step of its own, whenever there is one.
void Elaboration::add_viewer(ThreadId of) {
  const HistoryState::Views views = weak_.views.at(of);
  if (std::find(views.reads.begin(), views.reads.end(), true) == views.reads.end()) return;
  const lang::Span where = program_->threads[of].where;
  thread_ = add_memory_thread(of, "view of " + program_->threads[of].name, "view");
  Frame frame;
  Frame* const before = std::exchange(frame_, &frame);
  ExprId some = b_.constant(0);
  std::vector<ExprId> guards;
  std::vector<std::uint32_t> chosen;
  const ExprId alive = b_.equals(b_.load(b_.at(views.gone), {0, 1}), 0);
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    if (!views.reads[v]) continue;
    const ExprId index = b_.constant(v);
    const ExprId guard = b_.logical_and(
        alive, b_.binary(ExprKind::less, position(view_of(views.current, index)), newest(index)));
    guards.push_back(guard);
    chosen.push_back(v);
    some = b_.logical_or(some, guard);
  }
  const LocationId home = add_location(StopKind::choice, some, where, false);
  const BlockId entry = b_.new_block(thread_);
  program_->locations[home].entry = entry;
  std::vector<BlockId> targets;
  for (const std::uint32_t v : chosen) {
    const BlockId block = b_.new_block(thread_);
    targets.push_back(block);
    b_.set_block(block);
    const ExprId index = b_.constant(v);
    const AddrId current = view_of(views.current, index);
    const ExprId next =
        b_.binary(ExprKind::minimum, b_.binary(ExprKind::add, position(current), b_.constant(1)),
                  b_.constant(static_cast<Word>(weak_.depth) - 1));
    set_word(current, next, where);
    if (views.pending != no_id) {
      const AddrId pending = view_of(views.pending, index);
      set_word(pending,
               b_.conditional(b_.binary(ExprKind::less_equal, position(pending), position(current)),
                              b_.constant(0), position(pending)),
               where);
    }
    forget_old(index, where);
    Terminator& end = program_->blocks[b_.block()].end;
    end.kind = TerminatorKind::stop;
    end.location = home;
    end.where = where;
  }
  Terminator& end = program_->blocks[entry].end;
  end.kind = TerminatorKind::choose;
  end.targets = std::move(targets);
  end.guards = std::move(guards);
  end.where = where;
  frame_ = before;
}

}  // namespace txproof::program
