// Statements, one by one.
#include <algorithm>
#include <cassert>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Kind = lang::StmtKind;

constexpr Word longest_unrolled = 8;

}  // namespace

void Elaboration::body(const std::vector<lang::StmtPtr>& stmts) {
  for (const auto& stmt : stmts) {
    if (stmt->kind == Kind::label) {
      frame_->scopes.back().labels[stmt->name] = b_.new_block(thread_);
    }
  }
  for (std::size_t i = 0; i < stmts.size(); ++i) {
    const std::size_t loads = overtaken(stmts, i);
    if (loads == 0) {
      statement(*stmts[i]);
    } else {
      early_store(stmts, i, loads);
      i += loads;
    }
  }
}

void Elaboration::statement(const lang::Stmt& stmt) {
  if (gave_up_) return;
  here_ = stmt.span;
  switch (stmt.kind) {
    case Kind::block:
      open_scope();
      body(stmt.body);
      close_scope(stmt.span);
      break;
    case Kind::local:
      for (const auto& decl : stmt.vars) local(*decl);
      break;
    case Kind::assign:
      assign(stmt);
      break;
    case Kind::call:
      if (stmt.exprs[0]->builtin != lang::Builtin::not_builtin) {
        container_value(*stmt.exprs[0]);
      } else {
        call(*stmt.exprs[0], nullptr);
      }
      break;
    case Kind::if_:
      if_statement(stmt);
      break;
    case Kind::while_:
    case Kind::do_while:
      while_statement(stmt);
      break;
    case Kind::for_:
      for_statement(stmt);
      break;
    case Kind::loop:
      loop_statement(stmt);
      break;
    case Kind::either:
      either_statement(stmt);
      break;
    case Kind::wait:
    case Kind::rest: {
      // Where the condition cannot be evaluated the thread goes on, into the fault.
      const Guarded guarded = condition_of(*stmt.exprs[0]);
      stop(stmt.kind == Kind::wait ? StopKind::wait : StopKind::rest,
           b_.logical_or(b_.logical_not(no_fault(guarded.faults)), guarded.condition), stmt.span,
           stmt.is_fair);
      note_loads(guarded.loads, stmt.span);
      check_all(guarded.faults);
      break;
    }
    case Kind::pause:
      stop(StopKind::pause, no_id, stmt.span);
      break;
    case Kind::yield:
      stop(StopKind::yield, no_id, stmt.span);
      break;
    case Kind::tick:
      stop(StopKind::tick, no_id, stmt.span);
      break;
    case Kind::atomic:
      atomic_statement(stmt);
      break;
    case Kind::fence:
      fence(stmt);
      break;
    case Kind::return_:
      return_statement(stmt);
      break;
    case Kind::break_:
    case Kind::continue_: {
      if (frame_->loops.empty()) break;
      const LoopTargets loop = frame_->loops.back();
      leave_scopes(loop.scopes, stmt.span);
      b_.jump(stmt.kind == Kind::break_ ? loop.on_break : loop.on_continue);
      dead_end();
      break;
    }
    case Kind::goto_:
      goto_statement(stmt);
      break;
    case Kind::label:
      for (std::size_t i = frame_->scopes.size(); i > 0; --i) {
        const auto found = frame_->scopes[i - 1].labels.find(stmt.name);
        if (found == frame_->scopes[i - 1].labels.end()) continue;
        b_.jump(found->second);
        b_.set_block(found->second);
        break;
      }
      break;
    case Kind::destroy: {
      const lang::Expr& packet = *stmt.exprs[0];
      const bool taken = packet.kind == lang::ExprKind::take;
      destroy_packet(place(taken ? *packet.args[0] : packet), packet);
      break;
    }
    case Kind::assert_:
      assert_statement(stmt);
      break;
    case Kind::count:
      count_statement(stmt);
      break;
  }
}

void Elaboration::local(const lang::VarDecl& decl) {
  Shape shape = shape_of(*decl.type, &decl);
  Binding binding;
  binding.local = true;
  const auto storage = [&] {
    binding.kind = Binding::Kind::storage;
    binding.shape = shape;
    binding.addr = allocate(decl.name, local_key(decl, *frame_), shape, thread_, true,
                            probe_ != nullptr, std::nullopt);
    binding.touched = false;
  };
  const auto holds_packets = [](const Shape& s) {
    const Shape* inner = &s;
    while (inner->element != nullptr) inner = inner->element.get();
    return inner->kind == Shape::Kind::packet;
  };
  if (shape.kind != Shape::Kind::scalar && shape.kind != Shape::Kind::handle) {
    storage();
    if (holds_packets(shape)) {
      frame_->scopes.back().owned.push_back({binding.addr, shape, decl.name, decl.span});
    } else {  // each time it comes into scope, it starts afresh
      const SlotId first = b_.static_slot(binding.addr);
      for (std::uint32_t i = 0; i < shape.words; ++i) {
        set_scratch(first + i, b_.constant(program_->slots[first + i].initial), decl.span);
      }
    }
    frame_->names[&decl] = binding;
    if (shape.kind == Shape::Kind::packet && decl.init != nullptr) packet_into(*decl.init, binding);
    return;
  }
  if (shape.kind == Shape::Kind::handle) {
    const ExprId handle = decl.init != nullptr ? handle_value(*decl.init) : b_.constant(0);
    storage();
    set_scratch(b_.static_slot(binding.addr), handle, decl.span);
    frame_->names[&decl] = binding;
    return;
  }
  ExprId initial = decl.init != nullptr ? value(*decl.init) : b_.constant(shape.initial);
  if (shape.modulus != 0) initial = b_.wrap(initial, shape.modulus);
  if (shape.is_open) {
    shape.range = b_.range(initial);
    shape.is_open = false;
    if (decl.is_assigned && shape.range.hi >= unbounded) {
      error(
          "TX0433", decl.span,
          "the range of `" + decl.name +
              "` would be that of its initialiser, which has no end under --for-all; give it one");
    }
  }
  const auto known = b_.constant_value(initial);
  if (!decl.is_assigned && known && *known >= shape.range.lo && *known <= shape.range.hi) {
    binding.value = initial;
    binding.shape = shape;
    frame_->names[&decl] = binding;
    return;
  }
  storage();
  if (shape.is_reference) {
    slot_owner_[b_.static_slot(binding.addr)] = {&decl, frame_->receiver};
  }
  binding.touched = true;  // nobody else can see it yet
  assign_scalar(binding, initial, decl.span, decl.name);
  binding.touched = false;
  frame_->names[&decl] = binding;
}

void Elaboration::assign_scalar(const Binding& target, ExprId value, lang::Span where,
                                const std::string& name) {
  if (target.kind != Binding::Kind::storage) return;
  const Shape& shape = target.shape;
  if (shape.modulus != 0) value = b_.wrap(value, shape.modulus);
  AddrId addr = target.addr;
  if (!target.touched && is_shared(addr)) {
    value = capture(value, name);
    addr = freeze(addr);
    stop_for_access(where, is_variable(addr) ? AccessKind::store : AccessKind::container, addr);
  }
  if (shape.kind == Shape::Kind::scalar && !shape.is_open) {
    check(in_range(shape, value), "range", "range",
          "`" + name + "` would leave its range " + range_text(shape), where);
  }
  learn(target, value);
  store_scalar(addr, value, where);
}

void Elaboration::assign(const lang::Stmt& stmt) {
  const lang::Expr& left = *stmt.exprs[0];
  const lang::Expr& right = *stmt.exprs[1];
  const auto kind = left.type != nullptr ? left.type->kind : lang::Type::Kind::error;
  if (kind == lang::Type::Kind::structure) return packet_into(right, refer(left));
  const std::string name = text(left);
  const std::string& op = stmt.name;
  if (op == "=" || op.empty()) {
    const bool handle = kind == lang::Type::Kind::weak;
    ExprId v = handle ? handle_value(right) : value(right);
    if (known_.fine && !handle) v = capture(v, name);
    return assign_scalar(refer_to_write(left), v, stmt.span, name);
  }
  // `x op= e`: where x is, is found once. It is read, then written: two accesses where it is
  // shared, and a packet may have gone from there between them.
  Binding target = refer_to_write(left);
  if (target.kind != Binding::Kind::storage) return;
  target.addr = freeze(target.addr);
  ExprId old = read(target, left);
  if (has_effects(right) || known_.fine) old = capture(old, name);
  const ExprId v = value(right);
  lang::Expr at;
  at.span = at.op_span = stmt.op_span;
  at.type = left.type;
  const ExprId result = operate(op.substr(0, op.size() - 1), old, v, at);
  const ExprId present = std::exchange(target.present, no_id);
  if (present != no_id && (target.touched || has_effects(right))) {
    const ExprId kept = capture(result, name);
    if (target.touched) stop_for_access(stmt.span, AccessKind::container);
    check(present, "own.linear", "own.empty", "the packet of `" + name + "` is gone", stmt.span);
    return assign_scalar(target, kept, stmt.span, name);
  }
  assign_scalar(target, result, stmt.span, name);
}

void Elaboration::if_statement(const lang::Stmt& stmt) {
  const ExprId condition = truth(*stmt.exprs[0]);
  const bool has_else = stmt.body.size() > 1 && stmt.body[1] != nullptr;
  const auto known = b_.constant_value(condition);
  const auto part = [&](const lang::Stmt& inner) {
    open_scope();
    statement(inner);
    close_scope(inner.span);
  };
  if (known) {  // a parameter decides: the other side is no part of this stack
    if (*known != 0) part(*stmt.body[0]);
    if (*known == 0 && has_else) part(*stmt.body[1]);
    return;
  }
  const BlockId then = b_.new_block(thread_);
  const BlockId join = b_.new_block(thread_);
  const BlockId otherwise = has_else ? b_.new_block(thread_) : join;
  b_.branch(condition, then, otherwise);
  b_.set_block(then);
  part(*stmt.body[0]);
  b_.jump(join);
  if (has_else) {
    b_.set_block(otherwise);
    part(*stmt.body[1]);
    b_.jump(join);
  }
  b_.set_block(join);
}

void Elaboration::while_statement(const lang::Stmt& stmt) {
  const bool test_first = stmt.kind == Kind::while_;
  const ExprId bound = fixed_value(*stmt.exprs[1]);
  const std::optional<Word> known = b_.constant_value(bound);
  if (known && (*known < 0 || *known > (Word{1} << 30))) {
    error("TX0427", stmt.exprs[1]->span,
          "a bound of " + std::to_string(*known) + " rounds is not possible (0 to 2^30)");
    return;
  }
  const Word rounds = known.value_or(unbounded);
  const SlotId counter = scratch("rounds", {0, rounds});
  const ExprId count = b_.load(b_.at(counter), {0, rounds});
  set_scratch(counter, b_.constant(0), stmt.span);
  const BlockId head = b_.new_block(thread_);
  const BlockId round = b_.new_block(thread_);
  const BlockId done = b_.new_block(thread_);
  b_.jump(test_first ? head : round);
  b_.set_block(head);
  const ExprId condition = truth(*stmt.exprs[0]);
  b_.branch(condition, round, done);
  b_.set_block(round);
  begin_round(round, counter, stmt.span);
  check(b_.binary(ExprKind::less, count, bound), "range", "loop.bound",
        "the loop goes on for more than " +
            (known ? std::to_string(rounds) : text(*stmt.exprs[1])) + " rounds",
        stmt.span);
  set_scratch(counter, b_.binary(ExprKind::add, count, b_.constant(1)), stmt.span);
  frame_->loops.push_back({done, head, frame_->scopes.size()});
  open_scope();
  statement(*stmt.body[0]);
  close_scope(stmt.span);
  frame_->loops.pop_back();
  b_.jump(head);
  b_.set_block(done);
}

void Elaboration::for_statement(const lang::Stmt& stmt) {
  const lang::VarDecl& decl = *stmt.vars[0];
  ExprId lo = value(*stmt.exprs[0]);
  if (has_effects(*stmt.exprs[1]) || known_.fine) lo = capture(lo, "from");
  ExprId hi = value(*stmt.exprs[1]);
  const auto from = b_.constant_value(lo);
  const auto to = b_.constant_value(hi);
  const BlockId done = b_.new_block(thread_);
  const auto round = [&](BlockId next) {
    frame_->loops.push_back({done, next, frame_->scopes.size()});
    open_scope();
    statement(*stmt.body[0]);
    close_scope(stmt.span);
    frame_->loops.pop_back();
    b_.jump(next);
    b_.set_block(next);
  };
  if (from && to && *to - *from < longest_unrolled) {
    for (Word i = *from; i <= *to; ++i) {
      Binding binding;
      binding.value = b_.constant(i);
      frame_->names[&decl] = binding;
      round(b_.new_block(thread_));
    }
    b_.jump(done);
    b_.set_block(done);
    return;
  }
  lo = capture(lo, "from");
  hi = capture(hi, "to");
  const Range range{b_.range(lo).lo, std::max(b_.range(lo).hi, b_.range(hi).hi)};
  const SlotId index = scratch(decl.name, range);
  set_scratch(index, lo, stmt.span);
  Binding binding;
  binding.value = b_.load(b_.at(index), range);
  frame_->names[&decl] = binding;
  const BlockId start = b_.new_block(thread_);
  const BlockId next = b_.new_block(thread_);
  const BlockId more = b_.new_block(thread_);
  b_.branch(b_.binary(ExprKind::less_equal, lo, hi), start, done);
  if (range.hi >= unbounded) {
    error("TX0434", stmt.span,
          "the ends of a `for` must not depend on parameters that are left unknown; write a "
          "`while` with `rounds <= …`");
  }
  b_.set_block(start);
  begin_round(start, index, stmt.span);
  round(next);
  b_.branch(b_.binary(ExprKind::less, binding.value, hi), more, done);
  b_.set_block(more);
  set_scratch(index, b_.binary(ExprKind::add, binding.value, b_.constant(1)), stmt.span);
  b_.jump(start);
  b_.set_block(done);
}

void Elaboration::loop_statement(const lang::Stmt& stmt) {
  const LocationId head = stop(StopKind::loop_head, no_id, stmt.span);
  const BlockId again = b_.new_block(thread_);
  const BlockId done = b_.new_block(thread_);
  if (head != no_id) {
    Terminator& end = program_->blocks[again].end;
    end.kind = TerminatorKind::stop;
    end.location = head;
    end.where = stmt.span;
  }
  frame_->loops.push_back({done, again, frame_->scopes.size()});
  open_scope();
  statement(*stmt.body[0]);
  close_scope(stmt.span);
  frame_->loops.pop_back();
  b_.jump(again);
  b_.set_block(done);
}

void Elaboration::either_statement(const lang::Stmt& stmt) {
  std::vector<ExprId> guards;
  std::vector<std::vector<PureFault>> faults;  // of each guard: its branch is taken, into the fault
  std::vector<std::vector<ExprId>> loads;
  ExprId some = b_.constant(0);
  for (const lang::Branch& branch : stmt.branches) {
    Guarded guarded;
    if (branch.guard != nullptr) guarded = condition_of(*branch.guard);
    const ExprId guard =
        branch.guard == nullptr
            ? no_id
            : b_.logical_or(b_.logical_not(no_fault(guarded.faults)), guarded.condition);
    faults.push_back(std::move(guarded.faults));
    loads.push_back(std::move(guarded.loads));
    guards.push_back(guard != no_id && b_.constant_value(guard) == 1 ? no_id : guard);
    some = b_.logical_or(some, guard == no_id ? b_.constant(1) : guard);
  }
  if (stmt.has_guards || stmt.is_wait) {
    stop(stmt.is_wait ? StopKind::wait_choice : StopKind::choice, some, stmt.span);
  }
  const BlockId from = b_.block();
  const BlockId join = b_.new_block(thread_);
  std::vector<BlockId> targets;
  for (const lang::Branch& branch : stmt.branches) {
    const BlockId block = b_.new_block(thread_);
    targets.push_back(block);
    b_.set_block(block);
    note_loads(loads[targets.size() - 1], stmt.span);
    check_all(faults[targets.size() - 1]);
    open_scope();
    body(branch.body);
    close_scope(branch.span);
    b_.jump(join);
  }
  Terminator& end = program_->blocks[from].end;
  end.kind = TerminatorKind::choose;
  end.targets = std::move(targets);
  end.guards = std::move(guards);
  end.where = stmt.span;
  b_.set_block(join);
}

void Elaboration::return_value(const lang::Expr& expr) {
  Binding& result = *frame_->result;
  if (result.shape.kind == Shape::Kind::packet) return packet_into(expr, result);
  const bool handle = result.shape.kind == Shape::Kind::handle;
  const ExprId v = handle ? handle_value(expr) : value(expr);
  Slot& slot = program_->slots[b_.static_slot(result.addr)];
  if (result.shape.is_open) {  // grows to what is returned
    const Range r = b_.range(v);
    slot.range = {std::min(slot.range.lo, r.lo), std::max(slot.range.hi, r.hi)};
  }
  Binding target = result;
  target.touched = true;
  assign_scalar(target, v, expr.span, frame_->function->name + "()");
}

void Elaboration::return_statement(const lang::Stmt& stmt) {
  if (!stmt.exprs.empty() && stmt.exprs[0] != nullptr && frame_->result) {
    return_value(*stmt.exprs[0]);
  }
  leave_scopes(0, stmt.span);
  b_.jump(frame_->exit);
  dead_end();
}

void Elaboration::goto_statement(const lang::Stmt& stmt) {
  for (std::size_t i = frame_->scopes.size(); i > 0; --i) {
    const auto found = frame_->scopes[i - 1].labels.find(stmt.name);
    if (found == frame_->scopes[i - 1].labels.end()) continue;
    const BlockId to = found->second;
    leave_scopes(i, stmt.span);
    b_.jump(to);
    dead_end();
    return;
  }
}

void Elaboration::assert_statement(const lang::Stmt& stmt) {
  const lang::Expr& condition = *stmt.exprs[0];
  if (probe_ == nullptr) {
    const std::string kind = stmt.name.empty() ? "assert" : stmt.name;
    std::string property = "assert";
    if (kind == "lock" || kind.starts_with("lock.")) property = "lock";
    if (kind.starts_with("own.") || kind.starts_with("weak.")) property = "own.linear";
    if (kind == "range" || kind.starts_with("range.")) property = "range";
    return check(truth(condition), property, kind, "`" + text(condition) + "` does not hold",
                 stmt.span);
  }
  Watched& watched = *probe_;
  watched.asserted = true;
  const bool implies = condition.kind == lang::ExprKind::binary && condition.name == "=>";
  Stmt witness = base(StmtKind::witness, stmt.span);
  witness.property = watched.id;
  witness.value = implies ? capture(truth(*condition.args[0]), "left") : b_.constant(1);
  b_.emit(witness);
  const ExprId holds = truth(condition);
  Stmt assertion = base(StmtKind::check, stmt.span);
  assertion.value = holds;
  assertion.fatal = false;
  assertion.property = watched.id;
  assertion.violation =
      violation(watched.id, "assert", "`" + text(condition) + "` does not hold", stmt.span);
  b_.emit(assertion);
}

void Elaboration::count_statement(const lang::Stmt& stmt) {
  const lang::Expr* left = stmt.exprs[0].get();
  const lang::Expr* index = nullptr;
  if (left->kind == lang::ExprKind::index) {
    index = left->args[1].get();
    left = left->args[0].get();
  }
  const auto* decl = static_cast<const lang::VarDecl*>(left->decl);
  const CounterId id = counter_of(*decl);
  const auto size = static_cast<Word>(program_->counters[id].size);
  Stmt count = base(StmtKind::count, stmt.span);
  count.counter = id;
  count.value = value(*stmt.exprs[1]);
  if (index != nullptr) {
    const ExprId i = capture(value(*index), "index");
    check(b_.logical_and(b_.binary(ExprKind::less_equal, b_.constant(0), i),
                         b_.binary(ExprKind::less, i, b_.constant(size))),
          "range", "index",
          "the index of `" + text(*left) + "` is outside 0.." + std::to_string(size - 1),
          stmt.span);
    count.value2 = i;
  }
  b_.emit(count);
}

}  // namespace txproof::program
