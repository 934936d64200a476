// What the memory models share: which accesses they are about, where a step must wait before one,
// and what a report must say of the bounds.
#include "model/program/memory.h"

#include <algorithm>

#include "model/program/elaboration.h"

namespace txproof::program {

void Elaboration::begin_memory() {
  program_->store_depth = known_.memory == Memory::sc ? 0 : known_.store_depth;
  if (!known_.woven) return;
  if (known_.memory == Memory::tso) return begin_buffers();
  begin_histories();
  const bool any = std::any_of(known_.uses.begin(), known_.uses.end(),
                               [](const auto& use) { return use.second.primitive; });
  if (any) return;
  program_->no_proof =
      "memory weak: the model says nothing about order (no READ_ONCE, WRITE_ONCE, "
      "smp_load_acquire, smp_store_release, barrier or atomic operation), and what plain accesses "
      "do is the compiler's to choose";
}

bool Elaboration::is_variable(AddrId addr) const {
  if (program_->addresses[addr].handle != no_id) return false;
  const std::vector<SlotId> slots = b_.slots_of(addr);
  return std::all_of(slots.begin(), slots.end(),
                     [&](SlotId slot) { return scalars_.contains(slot); });
}

void Elaboration::note_access(AccessKind kind, AddrId addr) {
  if (!in_thread_text()) return;
  MemoryUse& use = learnt_.uses[thread_];
  if (kind == AccessKind::container || kind == AccessKind::atomic) {
    use.orders_all = use.orders_loads = true;
  }
  if (addr == no_id || program_->addresses[addr].handle != no_id) return;
  const bool atomic = atomic_depth_ > 0 || as_it_is_;
  if (atomic && kind == AccessKind::load) return;
  for (const SlotId slot : b_.slots_of(addr)) {
    if (!scalars_.contains(slot)) continue;
    (kind == AccessKind::load ? use.loads
     : atomic                 ? use.atomic_stores
                              : use.stores)
        .insert(slot_keys_[slot]);
  }
}

ExprId Elaboration::gate(AccessKind kind, AddrId addr, lang::Span where) {
  if (!known_.woven || !in_thread_text()) return no_id;
  if (known_.memory == Memory::weak) return weak_gate(kind, addr);
  const BufferState* own = buffer();
  if (own == nullptr) return no_id;
  const auto most = static_cast<Word>(known_.store_depth);
  const ExprId length = b_.load(b_.at(own->length), {0, most});
  switch (kind) {
    case AccessKind::load:
      return no_id;
    case AccessKind::store: {
      const ExprId room = b_.binary(ExprKind::less, length, b_.constant(most));
      room_sites_.push_back({thread_, room, b_.logical_not(room)});
      return room;
    }
    case AccessKind::container: {
      const ExprId empty = b_.equals(length, 0);
      drain_sites_.push_back({thread_, empty, where});
      return empty;
    }
    case AccessKind::atomic:
      return b_.equals(length, 0);
  }
  return no_id;
}

void Elaboration::fence(const lang::Stmt& stmt) {
  if (!in_thread_text()) return;
  MemoryUse& use = learnt_.uses[thread_];
  use.primitive = true;
  if (stmt.name == "write") use.orders_stores = true;
  if (stmt.name == "read") use.orders_loads = true;
  if (stmt.name == "full") use.orders_all = use.orders_loads = true;
  if (!known_.woven || atomic_depth_ > 0) return;
  if (known_.memory == Memory::weak) {
    if (own_views() == nullptr) return;
    if (stmt.name == "write") return write_fence(stmt.span);
    const bool full = stmt.name == "full";
    const ExprId ready = caught_up(full);
    if (full || b_.constant_value(ready) != 1) stop(StopKind::access, ready, stmt.span);
    return full ? full_fence(stmt.span) : read_fence(false, stmt.span);
  }
  // tso: only a full fence does anything.
  if (stmt.name != "full" || buffer() == nullptr) return;
  const LocationId at =
      stop(StopKind::access, gate(AccessKind::atomic, no_id, stmt.span), stmt.span);
  if (at != no_id) open_gates_.insert(at);
}

ExprId Elaboration::marked_access(const lang::Expr& expr) {
  const lang::Expr& place = *expr.args[1];
  const bool acquires = expr.builtin == lang::Builtin::load_acquire;
  const bool releases = expr.builtin == lang::Builtin::store_release;
  if (in_thread_text()) {
    MemoryUse& use = learnt_.uses[thread_];
    use.primitive = true;
    use.releases = use.releases || releases;
  }
  const auto with_order = [&](MemoryOrder order, const std::function<ExprId()>& access) {
    const MemoryOrder before = std::exchange(order_, order);
    const ExprId result = access();
    order_ = before;
    return result;
  };
  if (expr.builtin == lang::Builtin::read_once || acquires) {
    const Binding from = refer(place);
    const bool waits = acquires && pure_ && known_.woven && known_.memory == Memory::weak &&
                       in_thread_text() && from.kind == Binding::Kind::storage && !as_it_is_;
    if (waits) {
      pure_gate_ = both(pure_gate_, with_order(MemoryOrder::acquire, [&] {
                          return weak_gate(AccessKind::load, from.addr);
                        }));
    }
    return with_order(acquires ? MemoryOrder::acquire : MemoryOrder::relaxed,
                      [&] { return read(from, place); });
  }
  ExprId stored = value(*expr.args[2]);
  if (known_.fine) stored = capture(stored, text(place));
  const Binding target = refer_to_write(place);
  return with_order(releases ? MemoryOrder::release : MemoryOrder::relaxed, [&] {
    assign_scalar(target, stored, expr.span, text(place));
    return b_.constant(0);
  });
}

ExprId Elaboration::seen(AddrId addr, ExprId load) {
  if (!known_.woven || !in_thread_text()) return load;
  if (known_.memory == Memory::weak) return view_load(addr, load);
  if (as_it_is_ || atomic_depth_ > 0) return load;
  const BufferState* own = buffer();
  return own == nullptr ? load : buffered(*own, addr, load);
}

void Elaboration::store_scalar(AddrId addr, ExprId value, lang::Span where) {
  if (known_.woven && in_thread_text() && is_shared(addr) && is_variable(addr)) {
    if (known_.memory == Memory::weak && own_views() != nullptr) {
      return history_store(addr, value, where);
    }
    if (atomic_depth_ == 0 && buffer() != nullptr) {
      return buffer_store(*buffer(), addr, value, where);
    }
  }
  Stmt stmt = base(StmtKind::assign, where);
  stmt.target = addr;
  stmt.value = value;
  b_.emit(stmt);
}

// A sum or a quantifier in a thread's own text reads memory as it is, so it waits until all that
// the thread stored is there.
ExprId Elaboration::whole_memory() {
  if (!known_.woven || !in_thread_text() || as_it_is_ || atomic_depth_ > 0) return no_id;
  if (known_.memory == Memory::weak) return caught_up(true);
  const BufferState* own = buffer();
  if (own == nullptr) return no_id;
  return b_.equals(b_.load(b_.at(own->length), {0, static_cast<Word>(known_.store_depth)}), 0);
}

ExprId Elaboration::slot_number(AddrId addr) {
  const Address a = program_->addresses[addr];
  ExprId sum = b_.constant(static_cast<Word>(a.base));
  const auto add = [&](ExprId term) { sum = b_.binary(ExprKind::add, sum, term); };
  if (a.absolute != no_id) add(a.absolute);
  for (const Index& index : a.indices) {
    add(b_.binary(ExprKind::multiply, index.index, b_.constant(static_cast<Word>(index.stride))));
  }
  return sum;
}

// Which of the numbered slots the address is; 0: none of them.
ExprId Elaboration::variable_number(const std::map<SlotId, Word>& number, AddrId addr) {
  const std::vector<SlotId> slots = b_.slots_of(addr);
  const auto of = [&](SlotId slot) {
    const auto found = number.find(slot);
    return found == number.end() ? Word{0} : found->second;
  };
  if (b_.is_static(addr)) return b_.constant(of(b_.static_slot(addr)));
  std::vector<Word> values(slots.back() - slots.front() + 1, 0);
  for (const SlotId slot : slots) values[slot - slots.front()] = of(slot);
  return b_.table(std::move(values), b_.binary(ExprKind::subtract, slot_number(addr),
                                               b_.constant(static_cast<Word>(slots.front()))));
}

ThreadId Elaboration::add_memory_thread(ThreadId of, const std::string& name,
                                        const std::string& function) {
  const auto id = static_cast<ThreadId>(program_->threads.size());
  Thread thread;
  thread.name = name;
  thread.function = function;
  thread.urgent = program_->threads[of].urgent;
  thread.memory_of = of;
  thread.where = program_->threads[of].where;
  Slot pc;
  pc.kind = SlotKind::pc;
  pc.name = name + ".pc";
  pc.owner = id;
  thread.pc = b_.add_slot(pc);
  slot_keys_.resize(program_->slots.size());
  program_->threads.push_back(std::move(thread));
  return id;
}

void Elaboration::finish_memory() {
  for (const auto& [thread, state] : buffers_) add_flusher(thread, state);
  for (const auto& [thread, views] : weak_.views) {
    if (!weak_.variables.empty()) add_viewer(thread);
  }
  thread_ = no_id;
}

// Notes are claims: false in a state where a bound was met, or where a container's operation has
// to wait for the buffer.
void Elaboration::note_memory() {
  if (!known_.woven) return;
  // True where the thread stands at one of these conditions.
  const auto stands_at = [&](ThreadId id, const std::set<ExprId>& conditions) {
    const Thread& thread = program_->threads[id];
    std::vector<Word> table;
    for (const LocationId at : thread.locations) {
      table.push_back(conditions.contains(program_->locations[at].condition) ? 1 : 0);
    }
    const Range pcs{0, static_cast<Word>(thread.locations.size()) - 1};
    return b_.table(std::move(table), b_.load(b_.at(thread.pc), pcs));
  };
  const auto add = [&](MemoryNote note, const std::string& name, const std::string& text,
                       ExprId holds, lang::Span where) {
    if (b_.constant_value(holds) == 1) return;
    Property property;
    property.name = property.instance = name;
    property.text = text;
    property.kind = PropertyKind::always;
    property.is_watch = property.has_checks = true;
    property.memory_note = note;
    property.where = where;
    Claim claim;
    claim.condition = holds;
    claim.where = where;
    claim.text = text;
    property.claims.push_back(std::move(claim));
    program_->properties.push_back(std::move(property));
  };
  const std::string depth = std::to_string(known_.store_depth);
  const bool tso = known_.memory == Memory::tso;
  std::map<ThreadId, ExprId> full;
  for (const RoomSite& site : room_sites_) {
    ExprId& any = full.try_emplace(site.thread, b_.constant(0)).first->second;
    any =
        b_.logical_or(any, b_.logical_and(stands_at(site.thread, {site.condition}), site.blocked));
  }
  for (const auto& [id, met] : full) {
    const std::string& thread = program_->threads[id].name;
    const std::string waits = known_.store_depth == 1 ? " store waits" : " stores wait";
    add(MemoryNote::bound, (tso ? "store buffer of " : "store history of ") + thread,
        tso ? "a store of " + thread + " found its buffer full: " + depth + waits +
                  " there at most (--store-buffer)"
            : "a store of " + thread + " found no room: " + depth + waits +
                  " at most until every thread has seen one of the variable (--store-buffer)",
        b_.logical_not(met), program_->threads[id].where);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const DrainSite*>> by_place;
  for (const DrainSite& site : drain_sites_) {
    by_place[{site.where.file, site.where.begin}].push_back(&site);
  }
  for (const auto& [place, sites] : by_place) {
    ExprId waits = b_.constant(0);
    for (const DrainSite* site : sites) {
      waits = b_.logical_or(waits, b_.logical_and(stands_at(site->thread, {site->condition}),
                                                  b_.logical_not(site->condition)));
    }
    add(MemoryNote::drained, "order of containers",
        "it waits until the stores before it are visible", b_.logical_not(waits),
        sites.front()->where);
  }
}

}  // namespace txproof::program
