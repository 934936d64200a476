// Where steps end: stop points, and what is one step whatever stands in it. And what a scope must
// have given away when it ends.
#include <algorithm>

#include "model/program/elaboration.h"

namespace txproof::program {

// ---------------------------------------------------------------- stop points

LocationId Elaboration::add_location(StopKind kind, ExprId condition, lang::Span where, bool fair) {
  Location location;
  location.kind = kind;
  location.thread = thread_;
  location.condition = condition;
  location.where = where;
  location.fair = fair;
  location.call = frame_->call;
  auto& own = program_->threads[thread_].locations;
  location.pc = static_cast<std::uint32_t>(own.size());
  const auto id = static_cast<LocationId>(program_->locations.size());
  own.push_back(id);
  program_->locations.push_back(std::move(location));
  return id;
}

// Ends the step here. A start, yield or loop head directly before another stop point is that one.
LocationId Elaboration::stop(StopKind kind, ExprId condition, lang::Span where, bool fair) {
  if (probe_ != nullptr) return no_id;
  if (atomic_depth_ > 0) {
    lang::Diagnostic& d = diagnostics_.error(
        "TX0423", where, "a step may not end inside `atomic`; this can wait or give way");
    d.notes.push_back({atomic_spans_.back(), "the `atomic` is here"});
    for (const Activation& a : activations_) d.notes.push_back({a.site, "called from here"});
    return no_id;
  }
  if (condition != no_id && b_.constant_value(condition) == 1) condition = no_id;
  const auto entry_of = entries_.find(b_.block());
  if (entry_of != entries_.end() && b_.block_is_empty()) {
    Location& before = program_->locations[entry_of->second];
    const bool gives_way = before.condition == no_id &&
                           (before.kind == StopKind::start || before.kind == StopKind::yield ||
                            before.kind == StopKind::loop_head || before.kind == StopKind::access ||
                            before.kind == StopKind::after_tick);
    const bool open = kind == StopKind::access && open_gates_.contains(entry_of->second);
    if (open) return entry_of->second;
    if (gives_way) {
      if (kind == StopKind::access && condition == no_id) return entry_of->second;
      if (kind != StopKind::tick) {
        before.kind = kind;
        before.condition = condition;
        before.where = where;
        before.fair = fair;
        before.call = frame_->call;
        return entry_of->second;
      }
    }
  }
  const LocationId id = add_location(kind, condition, where, fair);
  Terminator& end = program_->blocks[b_.block()].end;
  end.kind = TerminatorKind::stop;
  end.location = id;
  end.where = where;
  const BlockId entry = b_.new_block(thread_);
  if (kind == StopKind::tick) {
    const LocationId after = add_location(StopKind::after_tick, no_id, where, false);
    program_->locations[id].after = after;
    program_->locations[after].entry = entry;
    entries_[entry] = after;
    program_->has_time = true;
  } else {
    program_->locations[id].entry = entry;
    entries_[entry] = id;
  }
  b_.set_block(entry);
  return id;
}

void Elaboration::stop_for_access(lang::Span where, AccessKind kind, AddrId addr) {
  if (probe_ != nullptr || pure_) return;
  touched_shared_ = true;
  note_access(kind, addr);
  if (atomic_depth_ > 0) return;
  stop(StopKind::access, gate(kind, addr, where), where);
  if (kind == AccessKind::container && known_.woven && known_.memory == Memory::weak) {
    full_fence(where);
  }
}

void Elaboration::dead_end() { b_.set_block(b_.new_block(thread_)); }

void Elaboration::atomic_statement(const lang::Stmt& stmt) {
  const lang::Stmt* inner = stmt.body[0].get();
  const std::vector<lang::StmtPtr>& stmts = inner->body;
  const bool waits = !stmts.empty() && stmts.front()->kind == lang::StmtKind::wait;
  const BlockId before = b_.block();
  BlockId entry = no_id;
  const bool outermost = atomic_depth_ == 0 && in_thread_text();
  const bool weak = outermost && known_.woven && known_.memory == Memory::weak;
  if (outermost) {
    MemoryUse& use = learnt_.uses[thread_];
    use.primitive = true;
    use.releases = use.releases || stmt.name == "release";
    if (stmt.name.empty()) note_access(AccessKind::atomic, no_id);
  }
  const bool orders_all = known_.memory == Memory::tso || stmt.name.empty();
  ExprId gate_before = outermost && orders_all ? gate(AccessKind::atomic, no_id, stmt.span) : no_id;
  if (weak) begin_atomic(stmt.name);
  std::vector<ExprId> awaited;
  LocationId wait_location = no_id;
  if (waits) {
    const bool as_before = std::exchange(as_it_is_, true);
    const Guarded guarded = condition_of(*stmts.front()->exprs[0]);
    as_it_is_ = as_before;
    awaited = guarded.loads;
    const ExprId condition =
        b_.logical_or(b_.logical_not(no_fault(guarded.faults)), guarded.condition);
    const lang::Stmt& wait = *stmts.front();
    if (known_.fine || atomic_depth_ > 0) {
      wait_location = stop(StopKind::wait, both(gate_before, condition), wait.span, wait.is_fair);
    } else if (b_.constant_value(condition) != 1) {
      entry = b_.new_block(thread_);
      const LocationId location = add_location(StopKind::wait, condition, wait.span, wait.is_fair);
      program_->locations[location].entry = entry;
      Terminator& end = program_->blocks[before].end;
      end.kind = TerminatorKind::lock;
      end.condition = condition;
      end.targets = {entry};
      end.location = location;
      end.where = wait.span;
      b_.set_block(entry);
    }
    check_all(guarded.faults);
  } else if (known_.fine && atomic_depth_ == 0 && probe_ == nullptr) {
    entry = b_.new_block(thread_);
    b_.set_block(entry);
  }
  const bool touched_before = std::exchange(touched_shared_, false);
  ++atomic_depth_;
  atomic_spans_.push_back(stmt.span);
  if (weak) enter_atomic(stmt.span);
  if (weak) note_loads(awaited, stmt.span);
  open_scope();
  for (const auto& s : stmts) {
    if (s->kind == lang::StmtKind::label)
      frame_->scopes.back().labels[s->name] = b_.new_block(thread_);
  }
  for (std::size_t i = waits ? 1 : 0; i < stmts.size(); ++i) statement(*stmts[i]);
  close_scope(stmt.span);
  if (weak) {
    if (wait_location != no_id) {
      ExprId& condition = program_->locations[wait_location].condition;
      condition = end_atomic(condition);
    } else {
      gate_before = end_atomic(gate_before);
    }
  }
  atomic_spans_.pop_back();
  --atomic_depth_;
  const bool touched = std::exchange(touched_shared_, touched_before);
  touched_shared_ = touched_shared_ || touched;
  if (waits || entry == no_id) return;
  // Fine: one stop before the whole, if it reaches anything shared.
  const BlockId after = b_.block();
  b_.set_block(before);
  if (touched || gate_before != no_id) {
    const auto known = entries_.find(before);
    const bool at_entry = known != entries_.end() && b_.block_is_empty();
    if (at_entry && open_gates_.contains(known->second)) {
      b_.jump(entry);
    } else if (at_entry && program_->locations[known->second].condition == no_id &&
               program_->locations[known->second].kind != StopKind::pause) {
      if (gate_before != no_id) {
        program_->locations[known->second].kind = StopKind::access;
        program_->locations[known->second].condition = gate_before;
      }
      b_.jump(entry);
    } else {
      const LocationId location = add_location(StopKind::access, gate_before, stmt.span, false);
      program_->locations[location].entry = entry;
      Terminator& end = program_->blocks[before].end;
      end.kind = TerminatorKind::stop;
      end.location = location;
      end.where = stmt.span;
    }
  } else {
    b_.jump(entry);
  }
  b_.set_block(after);
}

// ---------------------------------------------------------------- scopes

void Elaboration::end_owned(const Owned& owned, lang::Span where) {
  Binding binding;
  binding.kind = Binding::Kind::storage;
  binding.addr = owned.addr;
  binding.shape = owned.shape;
  binding.local = true;
  const std::string message = "`" + owned.name + "` still holds a packet when its scope ends";
  if (owned.shape.kind == Shape::Kind::packet) {
    check(b_.logical_not(is_full(binding)), "own.linear", "own.leak", message, where);
    Stmt stmt = base(StmtKind::clear_tag, where);
    stmt.structure = owned.shape.structure;
    stmt.target = owned.addr;
    b_.emit(stmt);
    return;
  }
  if (owned.shape.is_container()) {
    check(b_.equals(b_.load(owned.addr, program_->slots[b_.slots_of(owned.addr).front()].range), 0),
          "own.linear", "own.leak", message, where);
    return;
  }
  for (std::uint32_t i = 0; i < owned.shape.count; ++i) {  // an array
    const Shape element = *owned.shape.element;
    end_owned({b_.offset(owned.addr, i * element.words), element, owned.name, owned.where}, where);
  }
}

void Elaboration::leave_scopes(std::size_t down_to, lang::Span where) {
  for (std::size_t i = frame_->scopes.size(); i > down_to; --i) {
    const std::vector<Owned> owned = frame_->scopes[i - 1].owned;
    for (auto it = owned.rbegin(); it != owned.rend(); ++it) end_owned(*it, where);
  }
}

void Elaboration::close_scope(lang::Span where) {
  leave_scopes(frame_->scopes.size() - 1, where);
  frame_->scopes.pop_back();
}

}  // namespace txproof::program
