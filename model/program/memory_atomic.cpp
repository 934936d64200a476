// weak: what is one step. Inside `atomic` a thread reads the newest store, and its own goes right
// behind it. What the step has to wait for is known when its text has been walked.
#include <algorithm>

#include "model/program/elaboration.h"
#include "model/program/history_words.h"

namespace txproof::program {

// Inside `atomic` a thread reads the newest store, and its own goes right behind it.
void Elaboration::atomic_load(ExprId number, lang::Span where) {
  const HistoryState::Views* own = own_views();
  const ExprId variable = index_of(number);
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    const Range r = b_.range(number);
    if (Word{v} + 1 >= r.lo && Word{v} + 1 <= r.hi) atomic_loads_.insert(v);
  }
  const ExprId at = newest(variable);
  note_message(number, at, atomic_order_, where);
  const AddrId current = view_of(own->current, variable);
  const ExprId is_one = b_.range(number).lo >= 1 ? b_.constant(1) : b_.differs(number, 0);
  set_word(current, b_.conditional(is_one, at, position(current)), where);
  end_atomic_access(variable, where);
}

// The text may leave the `atomic` by a return, so each access settles what follows from it.
void Elaboration::end_atomic_access(ExprId variable, lang::Span where) {
  if (atomic_order_ == MemoryOrder::full) full_fence(where);
  forget_old(variable, where);
}

void Elaboration::atomic_store(AddrId addr, ExprId number, ExprId value, lang::Span where) {
  const HistoryState::Views* own = own_views();
  for (const std::uint32_t v : possible_variables(addr)) atomic_stores_.insert(v);
  const ExprId variable = index_of(number);
  const Range places{1, static_cast<Word>(weak_.depth) - 1};
  const SlotId place = scratch("place", places);
  const AddrId flag = view_of(weak_.stored_here, variable);
  set_scratch(place, b_.binary(ExprKind::subtract, history_length(variable), b_.load(flag, {0, 1})),
              where);
  set_word(flag, b_.constant(1), where);
  const ExprId at = b_.load(b_.at(place), places);
  const ExprId before = b_.binary(ExprKind::subtract, at, b_.constant(1));
  for (std::uint32_t other = 0; weak_.has_messages && other < weak_.variables.size(); ++other) {
    // It carries on what the store that it follows carries (LKMM: rmw-sequence).
    const ExprId view = b_.binary(ExprKind::maximum, store_view(other, atomic_order_),
                                  position(message_view(variable, before, other)));
    set_word(message_view(variable, at, other),
             b_.conditional(b_.equals(variable, other), b_.constant(0), view), where);
  }
  set_word(history_value(variable, at), value, where);
  set_word(view_of(own->current, variable), at, where);
  if (own->pending != no_id) set_word(view_of(own->pending, variable), b_.constant(0), where);
  if (own->written != no_id) set_word(view_of(own->written, variable), at, where);
  set_word(history_word(variable, floor_word), at, where);
  set_word(history_word(variable, length_word), b_.binary(ExprKind::add, at, b_.constant(1)),
           where);
  set_word(addr, value, where);
  end_atomic_access(variable, where);
}

void Elaboration::begin_atomic(const std::string& order) {
  atomic_order_ = order.empty()        ? MemoryOrder::full
                  : order == "acquire" ? MemoryOrder::acquire
                  : order == "release" ? MemoryOrder::release
                                       : MemoryOrder::relaxed;
  atomic_loads_.clear();
  atomic_stores_.clear();
  weak_.stored_here = no_id;
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    const SlotId flag = scratch("stored here", {0, 1});
    if (v == 0) weak_.stored_here = flag;
  }
}

// The first thing in the step of an `atomic`.
void Elaboration::enter_atomic(lang::Span where) {
  for (std::uint32_t v = 0; v < weak_.variables.size(); ++v) {
    set_scratch(weak_.stored_here + v, b_.constant(0), where);
  }
  if (atomic_order_ == MemoryOrder::full) full_fence(where);
}

// What the step of an `atomic` has to wait for is known when its text has been walked.
ExprId Elaboration::end_atomic(ExprId condition) {
  ExprId ready = b_.constant(1);
  const bool acquires = atomic_order_ == MemoryOrder::acquire || atomic_order_ == MemoryOrder::full;
  for (const std::uint32_t variable : atomic_loads_) {
    const ExprId index = b_.constant(variable);
    if (acquires) {
      ready = b_.logical_and(ready, covers(b_.constant(Word{variable} + 1), newest(index)));
    }
  }
  ready = both(condition, ready);
  ExprId room = b_.constant(1);
  for (const std::uint32_t variable : atomic_stores_) {
    room = b_.logical_and(
        room,
        b_.binary(ExprKind::less_equal,
                  b_.binary(ExprKind::add, history_length(b_.constant(variable)), b_.constant(1)),
                  b_.constant(static_cast<Word>(weak_.depth))));
  }
  if (atomic_stores_.empty()) return b_.constant_value(ready) == 1 ? no_id : ready;
  const ExprId all = b_.logical_and(ready, room);
  room_sites_.push_back({thread_, all, b_.logical_and(ready, b_.logical_not(room))});
  return all;
}

void Elaboration::note_loads(const std::vector<ExprId>& numbers, lang::Span where) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr) return;
  for (const ExprId number : numbers) {
    if (atomic_depth_ > 0) {
      atomic_load(number, where);
    } else {
      note_message(number, position(view_of(own->current, index_of(number))), MemoryOrder::relaxed,
                   where);
    }
  }
}

ExprId Elaboration::weak_gate(AccessKind kind, AddrId addr) {
  const HistoryState::Views* own = own_views();
  if (own == nullptr) return no_id;
  const auto number = [&] { return variable_number(weak_.number, addr); };
  ExprId gate = no_id;
  switch (kind) {
    case AccessKind::load:
      if (order_ != MemoryOrder::acquire || addr == no_id) return no_id;
      if (program_->addresses[addr].handle != no_id) return no_id;
      if (b_.constant_value(number()) == 0) return no_id;
      gate = covers(number(), position(view_of(own->current, index_of(number()))));
      break;
    case AccessKind::store: {
      const ExprId room = b_.binary(ExprKind::less, history_length(index_of(number())),
                                    b_.constant(static_cast<Word>(weak_.depth)));
      room_sites_.push_back({thread_, room, b_.logical_not(room)});
      return room;
    }
    case AccessKind::container:
    case AccessKind::atomic:
      gate = caught_up(true);
      break;
  }
  return b_.constant_value(gate) == 1 ? no_id : gate;
}

}  // namespace txproof::program
