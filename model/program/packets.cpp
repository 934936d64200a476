// Packets: made, moved, lent, ended. Whatever the text may get wrong is a check before the move.
#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Ast = lang::ExprKind;

}  // namespace

SlotId Elaboration::scratch(const std::string& name, Range range) {
  Slot slot;
  slot.name = name;
  slot.range = range;
  slot.initial = slot.rest_value = std::clamp(Word{0}, range.lo, range.hi);
  slot.owner = thread_;
  slot.ghost = probe_ != nullptr;
  slot.stored = false;
  const SlotId id = b_.add_slot(slot);
  slot_keys_.resize(program_->slots.size());
  temporary_references_[id] = {};
  return id;
}

void Elaboration::set_scratch(SlotId slot, ExprId value, lang::Span where) {
  Stmt stmt = base(StmtKind::assign, where);
  stmt.target = b_.at(slot);
  stmt.value = value;
  b_.emit(stmt);
}

void Elaboration::touch(const Binding& binding, lang::Span where, AccessKind kind) {
  if (binding.kind == Binding::Kind::storage && !binding.touched && is_shared(binding.addr)) {
    stop_for_access(where, kind);
  }
}

ExprId Elaboration::is_full(const Binding& place) {
  const bool counted = program_->structs[place.shape.structure].counted;
  if (counted) {
    return b_.binary(ExprKind::less, b_.constant(1), b_.load(place.addr, {0, Word{1} << 30}));
  }
  return b_.equals(b_.load(place.addr, {0, place.local ? 2 : 1}), 1);
}

ExprId Elaboration::is_stale(const Binding& place) {
  if (!place.local || place.kind != Binding::Kind::storage) return b_.constant(0);
  const bool counted = program_->structs[place.shape.structure].counted;
  return counted ? b_.equals(b_.load(place.addr, {0, Word{1} << 30}), 1)
                 : b_.equals(b_.load(place.addr, {0, 2}), 2);
}

std::uint8_t Elaboration::left_behind(const Binding& from) const {
  if (!from.local) return 0;
  return program_->structs[from.shape.structure].counted ? 1 : 2;
}

void Elaboration::check_full(const Binding& from, const lang::Expr& at, const std::string& what) {
  const std::string name = "`" + text(at) + "`";
  check(b_.logical_not(is_stale(from)), "own.linear", "own.used_after_move",
        name + " was given away, and " + what + " here", at.span);
  check(is_full(from), "own.linear", "own.empty", name + " holds no packet, and " + what + " here",
        at.span);
}

void Elaboration::check_vacant(const Binding& to, const lang::Expr& at) {
  check(b_.logical_not(is_full(to)), "own.linear", "own.leak",
        "a packet is lost: the place still holds one when another is put there", at.span);
}

void Elaboration::clear_stale(const Binding& place) {
  if (!place.local) return;
  Stmt stmt = base(StmtKind::clear_tag, here_);
  stmt.structure = place.shape.structure;
  stmt.target = place.addr;
  b_.emit(stmt);
}

Binding Elaboration::temporary(const Shape& shape, const std::string& name, lang::Span where,
                               bool owned) {
  Binding result;
  result.kind = Binding::Kind::storage;
  result.shape = shape;
  result.local = true;
  result.addr = allocate(name, "", shape, thread_, true, probe_ != nullptr, std::nullopt);
  if (owned) frame_->scopes.back().owned.push_back({result.addr, shape, name, where});
  return result;
}

Binding Elaboration::place(const lang::Expr& expr) {
  switch (expr.kind) {
    case Ast::name:
    case Ast::field:
    case Ast::index:
      return refer(expr);
    default: {
      Binding result =
          temporary(shape_of(*expr.type, nullptr), "a packet in passing", expr.span, true);
      packet_into(expr, result);
      return result;
    }
  }
}

void Elaboration::move_packet(const Binding& from, const Binding& to, const lang::Expr& at) {
  if (is_shared(from.addr) || is_shared(to.addr)) {
    stop_for_access(at.span, AccessKind::container);
  }
  check_full(from, at, "is passed on");
  check_vacant(to, at);
  Stmt stmt = base(StmtKind::move, at.span);
  stmt.structure = from.shape.structure;
  stmt.source = from.addr;
  stmt.target = to.addr;
  stmt.leave = left_behind(from);
  b_.emit(stmt);
}

void Elaboration::create_packet(const Binding& target, const lang::Expr* literal,
                                const lang::Expr& at) {
  const StructId structure = target.shape.structure;
  std::map<const lang::VarDecl*, ExprId> given;
  std::map<const lang::VarDecl*, const lang::Expr*> packets;
  const auto& order = field_order_[structure];
  for (std::size_t i = 0; literal != nullptr && i < literal->field_names.size(); ++i) {
    for (const lang::VarDecl* field : order) {
      if (field->name != literal->field_names[i]) continue;
      const lang::Expr& init = *literal->args[i];
      const Shape& shape = field_shape(structure, *field);
      if (shape.kind == Shape::Kind::packet) {
        packets[field] = &init;
      } else {
        const ExprId v = shape.kind == Shape::Kind::handle ? handle_value(init) : value(init);
        given[field] = has_effects(init) || known_.fine ? capture(v, field->name) : v;
      }
    }
  }
  if (is_shared(target.addr)) stop_for_access(at.span, AccessKind::container);
  check_vacant(target, at);
  Stmt stmt = base(StmtKind::create, at.span);
  stmt.structure = structure;
  stmt.target = target.addr;
  b_.emit(stmt);
  for (const lang::VarDecl* field : order) {
    const Shape shape = field_shape(structure, *field);
    Binding place;
    place.kind = Binding::Kind::storage;
    place.shape = shape;
    place.touched = true;
    const std::uint32_t offset = field_offset(structure, *field);
    place.addr =
        program_->structs[structure].counted
            ? b_.through_handle(b_.load(target.addr, {0, Word{1} << 30}), structure, offset)
            : b_.offset(target.addr, offset);
    const auto packet = packets.find(field);
    if (packet != packets.end()) {
      packet_into(*packet->second, place);
      continue;
    }
    const auto value = given.find(field);
    if (value != given.end()) {
      assign_scalar(place, value->second, at.span, field->name);
    } else if (shape.kind == Shape::Kind::scalar && shape.initial != 0) {
      assign_scalar(place, b_.constant(shape.initial), at.span, field->name);
    }
  }
  on_packet(lang::Probe::Event::new_, structure, target, at.span);
}

void Elaboration::destroy_packet(const Binding& from, const lang::Expr& at) {
  if (is_shared(from.addr)) stop_for_access(at.span, AccessKind::container);
  check_full(from, at, "is destroyed");
  const StructId structure = from.shape.structure;
  if (!program_->structs[structure].counted) {
    const auto nested = program_->structs[structure].nested;
    for (const NestedPlace& inner : nested) {
      const ExprId tag = b_.load(b_.offset(from.addr, inner.offset), {0, 1});
      check(b_.differs(tag, 1), "own.linear", "own.leak",
            "`" + text(at) + "` is destroyed while a packet is still inside it", at.span);
    }
  }
  on_end(structure, from, at.span);
  Stmt stmt = base(StmtKind::destroy, at.span);
  stmt.structure = structure;
  stmt.source = from.addr;
  stmt.leave = left_behind(from);
  b_.emit(stmt);
}

// The end of a packet, for probes: of a counted one only with its last reference.
void Elaboration::on_end(StructId structure, const Binding& packet, lang::Span where) {
  if (!program_->structs[structure].counted) {
    return on_packet(lang::Probe::Event::destroy, structure, packet, where);
  }
  const AggregateId id = b_.reserve_aggregate();
  Aggregate references;
  references.kind = AggregateKind::count;
  Span span;
  span.structure = structure;
  span.count = every_place;
  references.spans.push_back(span);
  references.where = b_.binary(ExprKind::equal, b_.cursor(id, structure, {0, Word{1} << 30}),
                               b_.load(packet.addr, {0, Word{1} << 30}));
  b_.fill_aggregate(id, std::move(references));
  const ExprId last = b_.equals(b_.aggregate_value(id, {0, Word{1} << 20}), 1);
  const BlockId ends = b_.new_block(thread_);
  const BlockId join = b_.new_block(thread_);
  b_.branch(last, ends, join);
  b_.set_block(ends);
  on_packet(lang::Probe::Event::destroy, structure, packet, where);
  b_.jump(join);
  b_.set_block(join);
}

// Evaluates a packet-valued expression into a place.
void Elaboration::packet_into(const lang::Expr& expr, const Binding& target) {
  switch (expr.kind) {
    case Ast::name:
    case Ast::field:
    case Ast::index:
      return move_packet(refer(expr), target, expr);
    case Ast::take:
      return move_packet(refer(*expr.args[0]), target, *expr.args[0]);
    case Ast::take_where:
      return take_any(expr, target);
    case Ast::literal:
      return create_packet(target, &expr, expr);
    case Ast::none:
      if (is_shared(target.addr)) stop_for_access(expr.span, AccessKind::container);
      check_vacant(target, expr);
      return clear_stale(target);
    case Ast::copy: {
      const lang::Expr& from = *expr.args[0];
      Binding source = refer(from);
      if (source.shape.kind == Shape::Kind::handle) {
        const ExprId handle = read(source, from);
        check(b_.binary(ExprKind::less, b_.constant(1), handle), "own.linear", "weak.dangling",
              "`" + text(from) + "` names no packet that lives", expr.span);
        source.addr = b_.through_handle(handle, target.shape.structure, 0);
      } else {
        if (is_shared(source.addr)) stop_for_access(expr.span);
        check_full(source, from, "is copied");
      }
      check_vacant(target, expr);
      Stmt stmt = base(StmtKind::duplicate, expr.span);
      stmt.structure = target.shape.structure;
      stmt.source = source.addr;
      stmt.target = target.addr;
      b_.emit(stmt);
      return on_packet(lang::Probe::Event::new_, target.shape.structure, target, expr.span);
    }
    case Ast::get: {
      const ExprId handle = handle_value(*expr.args[0]);
      check(b_.binary(ExprKind::less, b_.constant(1), handle), "own.linear", "weak.dangling",
            "`" + text(*expr.args[0]) + "` names no packet that lives", expr.span);
      check_vacant(target, expr);
      Stmt stmt = base(StmtKind::share, expr.span);
      stmt.structure = target.shape.structure;
      stmt.target = target.addr;
      stmt.value = handle;
      b_.emit(stmt);
      return;
    }
    case Ast::conditional: {
      const ExprId condition = truth(*expr.args[0]);
      const BlockId then = b_.new_block(thread_);
      const BlockId otherwise = b_.new_block(thread_);
      const BlockId join = b_.new_block(thread_);
      b_.branch(condition, then, otherwise);
      b_.set_block(then);
      packet_into(*expr.args[1], target);
      b_.jump(join);
      b_.set_block(otherwise);
      packet_into(*expr.args[2], target);
      b_.jump(join);
      b_.set_block(join);
      return;
    }
    case Ast::call:
      if (expr.builtin != lang::Builtin::not_builtin) return container_packet(expr, target);
      call(expr, &target);
      return;
    default:
      error("TX0419", expr.span, "this is no packet");
  }
}

}  // namespace txproof::program
