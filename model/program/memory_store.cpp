// weak: where a store goes in the history of its variable, what it carries, and what is forgotten
// when no thread can read it any more.
#include <algorithm>

#include "model/program/elaboration.h"
#include "model/program/history_words.h"

namespace txproof::program {

// What a store of this thread comes after, of `other`.
ExprId Elaboration::store_view(std::uint32_t other, MemoryOrder order) {
  const HistoryState::Views* own = own_views();
  const ExprId index = b_.constant(other);
  ExprId view = own->release == no_id ? b_.constant(0) : position(view_of(own->release, index));
  if (order != MemoryOrder::release && order != MemoryOrder::full) return view;
  for (const SlotId more : {own->current, own->pending, own->written}) {
    if (more == no_id) continue;
    view = b_.binary(ExprKind::maximum, view, position(view_of(more, index)));
  }
  return view;
}

void Elaboration::history_store(AddrId addr, ExprId value, lang::Span where) {
  const HistoryState::Views* own = own_views();
  const ExprId number = variable_number(weak_.number, addr);
  if (atomic_depth_ > 0) return atomic_store(addr, number, value, where);
  const ExprId variable = index_of(number);
  const ExprId old_length = capture(history_length(variable), "stores");
  // Anywhere behind what the thread has seen of it, and behind the last atomic store.
  const ExprId behind = b_.binary(ExprKind::maximum, position(view_of(own->current, variable)),
                                  position(history_word(variable, floor_word)));
  const Range places{1, static_cast<Word>(weak_.depth) - 1};
  const SlotId chosen = scratch("place", places);
  Stmt pick = base(StmtKind::pick, where);
  pick.target = b_.at(chosen);
  pick.value = b_.binary(ExprKind::add, behind, b_.constant(1));
  pick.value2 = old_length;
  b_.emit(pick);
  const ExprId at = b_.load(b_.at(chosen), places);
  std::vector<ExprId> views;
  for (std::uint32_t other = 0; weak_.has_messages && other < weak_.variables.size(); ++other) {
    // Its own place follows from where it stands.
    ExprId view = store_view(other, order_);
    if (b_.range(view).hi > 0) {
      view = b_.conditional(b_.equals(variable, other), b_.constant(0), view);
    }
    views.push_back(capture(view, "after"));
  }
  // What stands behind moves up by one, and so do the views of it.
  for (std::uint32_t i = weak_.depth; i-- > 1;) {
    const ExprId here = b_.constant(i);
    const ExprId before = b_.constant(i - 1);
    const ExprId moved = b_.binary(ExprKind::less, at, here);
    const ExprId is_new = b_.equals(at, i);
    const Range values = b_.range(b_.load(history_value(variable, here)));
    const auto choose = [&](ExprId of_new, ExprId of_before, ExprId of_here) {
      return b_.conditional(moved, of_before, b_.conditional(is_new, of_new, of_here));
    };
    set_word(history_value(variable, here),
             choose(value, b_.load(history_value(variable, before), values),
                    b_.load(history_value(variable, here), values)),
             where);
    for (std::uint32_t other = 0; other < views.size(); ++other) {
      const AddrId target = message_view(variable, here, other);
      set_word(
          target,
          choose(views[other], position(message_view(variable, before, other)), position(target)),
          where);
    }
  }
  for_each_view(variable, [&](AddrId view) {
    const ExprId old = position(view);
    const ExprId up = b_.binary(ExprKind::less_equal, at, old);
    // A view of a place that moves up is below the last one.
    const ExprId next =
        b_.binary(ExprKind::minimum, b_.binary(ExprKind::add, old, up), b_.constant(places.hi));
    set_word(view, next, where);
  });
  set_word(view_of(own->current, variable), at, where);
  if (own->pending != no_id) {
    const AddrId pending = view_of(own->pending, variable);
    set_word(pending,
             b_.conditional(b_.binary(ExprKind::less_equal, position(pending), at), b_.constant(0),
                            position(pending)),
             where);
  }
  if (own->written != no_id) set_word(view_of(own->written, variable), at, where);
  set_word(history_word(variable, length_word),
           b_.binary(ExprKind::add, old_length, b_.constant(1)), where);
  // The variable itself has the last one.
  set_word(addr, b_.conditional(b_.binary(ExprKind::equal, at, old_length), value, b_.load(addr)),
           where);
  forget_old(variable, where);
}

// Calls use(view) for every word that is a position in the variable's history.
void Elaboration::for_each_view(ExprId variable, const std::function<void(AddrId)>& use) {
  for (const auto& [id, views] : weak_.views) {
    for (const SlotId kept : {views.current, views.pending, views.written, views.release}) {
      if (kept != no_id) use(view_of(kept, variable));
    }
  }
  use(history_word(variable, floor_word));
  use(history_word(variable, strong_word));
  if (!weak_.has_messages) return;
  // Views of this variable in the messages of all: of which variable it is, is a word's offset.
  const auto count = static_cast<std::uint32_t>(weak_.variables.size());
  for (std::uint32_t of = 0; of < count; ++of) {
    for (std::uint32_t i = 0; i < weak_.depth; ++i) {
      const SlotId first = weak_.block + of * weak_.stride + first_value + weak_.depth + i * count;
      use(b_.indexed(b_.at(first), variable, 1, count));
    }
  }
}

// Stores that no thread can read any more are dropped, so that equal situations are equal states.
void Elaboration::forget_old(ExprId variable, lang::Span where) {
  const auto last = static_cast<Word>(weak_.depth) - 1;
  ExprId least = newest(variable);
  for (const auto& [id, views] : weak_.views) {
    std::vector<Word> reads;
    for (const bool read : views.reads) reads.push_back(read ? 1 : 0);
    const ExprId counts = b_.logical_and(b_.table(std::move(reads), variable),
                                         b_.equals(b_.load(b_.at(views.gone), {0, 1}), 0));
    least = b_.conditional(
        counts, b_.binary(ExprKind::minimum, least, position(view_of(views.current, variable))),
        least);
  }
  // What no thread reads but atomically is of no use in front of the last atomic store: no store
  // goes there either.
  std::vector<Word> unread;
  for (const bool read : weak_.read) unread.push_back(read ? 0 : 1);
  const ExprId floor = position(history_word(variable, floor_word));
  least = b_.conditional(b_.table(std::move(unread), variable),
                         b_.binary(ExprKind::maximum, least, floor), least);
  const ExprId dropped = capture(least, "dropped");
  if (b_.constant_value(dropped) == 0) return;
  const BlockId some = b_.new_block(thread_);
  const BlockId join = b_.new_block(thread_);
  b_.branch(b_.differs(dropped, 0), some, join);
  b_.set_block(some);
  for (std::uint32_t i = 0; i < weak_.depth; ++i) {
    const ExprId here = b_.constant(i);
    const ExprId from = b_.binary(ExprKind::add, here, dropped);
    const ExprId is_there = b_.binary(ExprKind::less_equal, from, b_.constant(last));
    const ExprId within = b_.binary(ExprKind::minimum, from, b_.constant(last));
    set_word(history_value(variable, here),
             b_.conditional(is_there, b_.load(history_value(variable, within)), b_.constant(0)),
             where);
    for (std::uint32_t other = 0; weak_.has_messages && other < weak_.variables.size(); ++other) {
      set_word(
          message_view(variable, here, other),
          b_.conditional(is_there, position(message_view(variable, within, other)), b_.constant(0)),
          where);
    }
  }
  for_each_view(variable, [&](AddrId view) {
    set_word(view,
             b_.binary(ExprKind::maximum, b_.constant(0),
                       b_.binary(ExprKind::subtract, position(view), dropped)),
             where);
  });
  // The words of one that has ended mean nothing.
  set_word(history_word(variable, length_word),
           b_.binary(ExprKind::maximum, b_.constant(1),
                     b_.binary(ExprKind::subtract, history_length(variable), dropped)),
           where);
  b_.jump(join);
  b_.set_block(join);
}

}  // namespace txproof::program
