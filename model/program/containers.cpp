// The operations of fifo and bag, and the built-in functions.
#include <algorithm>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Ast = lang::ExprKind;
using lang::Builtin;

// The container (or array) that a built-in is about.
const lang::Expr& subject(const lang::Expr& expr) {
  if (expr.kind == Ast::field) return *expr.args[0];
  const lang::Expr& callee = *expr.args[0];
  if (callee.kind == Ast::field) return *callee.args[0];
  return *expr.args[1];  // len(x)
}

Range length_range(const Shape& shape) {
  return {0, shape.is_unbounded() ? unbounded : static_cast<Word>(shape.count)};
}

}  // namespace

std::uint32_t Elaboration::container_of(const Binding& binding) {
  Container c;
  c.addr = binding.addr;
  c.stride = binding.shape.element->words;
  c.capacity = binding.shape.count;
  c.sorted = binding.shape.kind == Shape::Kind::bag;
  if (binding.shape.element->kind == Shape::Kind::packet) {
    c.structure = binding.shape.element->structure;
  }
  program_->containers.push_back(c);
  return static_cast<std::uint32_t>(program_->containers.size() - 1);
}

ExprId Elaboration::length_of(const Binding& container, const lang::Expr& at) {
  if (container.kind == Binding::Kind::list) {
    return b_.constant(static_cast<Word>(container.list.size()));
  }
  if (!container.shape.is_container()) return b_.constant(container.shape.count);
  Binding length = container;
  length.shape = Shape{};
  length.shape.range = length_range(container.shape);
  return read(length, at);
}

// The element at a position, which is in 0..len-1: a handle, or the scalar.
ExprId Elaboration::element_at(const Binding& container, ExprId position, const lang::Expr& at) {
  const Shape& element = *container.shape.element;
  if (refuse_unordered(container, "which packet stands where", at.span)) return b_.constant(0);
  const AddrId addr =
      b_.indexed(b_.offset(container.addr, 1), position, element.words, container.shape.count);
  if (element.kind == Shape::Kind::packet) return b_.place_id(addr, element.structure);
  Binding binding;
  binding.kind = Binding::Kind::storage;
  binding.addr = addr;
  binding.shape = element;
  binding.touched = !pure_ && known_.fine;
  return read(binding, at);
}

ExprId Elaboration::remove_at(const Binding& container, ExprId position, const Binding* target,
                              const lang::Expr& at) {
  const Shape element = *container.shape.element;
  Stmt stmt = base(StmtKind::remove, at.span);
  stmt.container = container_of(container);
  stmt.value = position;
  if (element.kind == Shape::Kind::packet) {
    check_vacant(*target, at);
    stmt.target = target->addr;
    b_.emit(stmt);
    return no_id;
  }
  const SlotId result =
      scratch("popped", {std::min(element.range.lo, Word{0}), std::max(element.range.hi, Word{0})});
  stmt.target = b_.at(result);
  b_.emit(stmt);
  if (element.is_reference) {
    RefSet& refs = temporary_references_[result];
    for (const SlotId slot : b_.slots_of(container.addr)) {
      refs.merge(slot_references(slot + 1));
    }
  }
  return b_.load(b_.at(result));
}

void Elaboration::push(const lang::Expr& expr, const Binding& container) {
  const lang::Expr& argument = *expr.args[1];
  const Shape element = *container.shape.element;
  const std::string name = text(subject(expr));
  Stmt stmt = base(StmtKind::insert, expr.span);
  if (expr.builtin == Builtin::push_head) stmt.value = b_.constant(0);
  const auto check_room = [&] {
    check(b_.binary(ExprKind::less, b_.load(container.addr, length_range(container.shape)),
                    capacity_of(container.shape)),
          "range", "container.full",
          "`" + name + "` is full (" + capacity_text(container.shape) + "), and is pushed to",
          expr.span);
  };
  if (element.kind == Shape::Kind::packet) {
    const Binding source = place(argument.kind == Ast::take ? *argument.args[0] : argument);
    if (is_shared(container.addr) || is_shared(source.addr)) {
      stop_for_access(expr.span, AccessKind::container);
    }
    check_full(source, argument, "is pushed");
    check_room();
    stmt.source = source.addr;
    stmt.leave = left_behind(source);
  } else {
    ExprId v = element.kind == Shape::Kind::handle ? handle_value(argument) : value(argument);
    if (element.modulus != 0) v = b_.wrap(v, element.modulus);
    if (is_shared(container.addr)) {
      v = capture(v, "pushed");
      stop_for_access(expr.span, AccessKind::container);
    }
    check_room();
    if (element.kind == Shape::Kind::scalar) {
      const Range r = b_.range(v);
      if (r.lo < element.range.lo || r.hi > element.range.hi) {
        check(b_.logical_and(b_.binary(ExprKind::less_equal, b_.constant(element.range.lo), v),
                             b_.binary(ExprKind::less_equal, v, b_.constant(element.range.hi))),
              "range", "range",
              "an element of `" + name + "` would leave its range " + range_text(element),
              expr.span);
      }
      if (element.is_reference) {
        Binding first = container;
        first.shape = element;
        first.addr = b_.offset(container.addr, 1);
        refuse_unordered(container, "references to objects", expr.span);
        for (std::uint32_t i = 0; i < container.shape.count; ++i) {
          learn(first, v);
          first.addr = b_.offset(first.addr, 1);
        }
      }
    }
    stmt.element = v;
  }
  stmt.container = container_of(container);
  b_.emit(stmt);
}

void Elaboration::splice(const lang::Expr& expr, const Binding& container) {
  const Binding from = refer(*expr.args[1]);
  if (refuse_unordered(from, "what is spliced", expr.span)) return;
  if (refuse_unordered(container, "what is spliced", expr.span)) return;
  if (is_shared(container.addr) || is_shared(from.addr))
    stop_for_access(expr.span, AccessKind::container);
  const auto length = [&](const Binding& c) { return b_.load(c.addr, length_range(c.shape)); };
  check(b_.binary(ExprKind::less_equal, b_.binary(ExprKind::add, length(container), length(from)),
                  capacity_of(container.shape)),
        "range", "container.full",
        "`" + text(subject(expr)) + "` has no room for all of `" + text(*expr.args[1]) + "`",
        expr.span);
  Stmt stmt = base(StmtKind::splice, expr.span);
  stmt.container = container_of(from);
  stmt.container2 = container_of(container);
  b_.emit(stmt);
}

ExprId Elaboration::contains(const lang::Expr& expr, const Binding& container) {
  if (refuse_unordered(container, "which packets it holds", expr.span)) return b_.constant(0);
  const lang::Expr& argument = *expr.args[1];
  const Shape element = *container.shape.element;
  const bool packets = element.kind == Shape::Kind::packet;
  ExprId wanted =
      packets || element.kind == Shape::Kind::handle ? handle_value(argument) : value(argument);
  if (!pure_) {
    wanted = capture(wanted, "wanted");
    touch(container, expr.span);
  }
  const AggregateId id = b_.reserve_aggregate();
  Aggregate aggregate;
  aggregate.kind = AggregateKind::exists;
  aggregate.spans.push_back(span_of(container, expr));
  ExprId at = b_.cursor(id, packets ? element.structure : no_id, {0, Word{1} << 30});
  if (!packets) {
    std::vector<SlotId> possible;
    for (const SlotId base : b_.slots_of(container.addr)) {
      for (std::uint32_t i = 0; i < container.shape.count; ++i) {
        possible.push_back(base + 1 + i * element.words);
      }
    }
    at = b_.load(b_.absolute(at, std::move(possible)), element.range);
  }
  aggregate.body =
      b_.logical_and(b_.differs(wanted, packets ? 1 : -1), b_.binary(ExprKind::equal, at, wanted));
  if (!packets) aggregate.body = b_.binary(ExprKind::equal, at, wanted);
  b_.fill_aggregate(id, std::move(aggregate));
  const ExprId result = b_.aggregate_value(id, {0, 1});
  return pure_ ? guarded(container.guard, result) : capture(result, "contains");
}

ExprId Elaboration::container_value(const lang::Expr& expr) {
  const auto argument = [&](std::size_t i) { return value(*expr.args[i]); };
  switch (expr.builtin) {
    case Builtin::min:
    case Builtin::max: {
      ExprId a = argument(1);
      if (!pure_ && (has_effects(*expr.args[2]) || known_.fine)) a = capture(a, "first");
      return b_.binary(expr.builtin == Builtin::min ? ExprKind::minimum : ExprKind::maximum, a,
                       argument(2));
    }
    case Builtin::read_once:
    case Builtin::load_acquire:
    case Builtin::write_once:
    case Builtin::store_release:
      return marked_access(expr);
    case Builtin::abs: {
      const ExprId a = argument(1);
      return b_.binary(ExprKind::maximum, a, b_.unary(ExprKind::negate, a));
    }
    default:
      break;
  }
  const Binding container = refer(subject(expr));
  const std::string name = "`" + text(subject(expr)) + "`";
  switch (expr.builtin) {
    case Builtin::len:
      return length_of(container, expr);
    case Builtin::empty:
      return b_.equals(length_of(container, expr), 0);
    case Builtin::full:
      return b_.binary(ExprKind::equal, length_of(container, expr), capacity_of(container.shape));
    case Builtin::cap:
      return capacity_of(container.shape);
    case Builtin::contains:
      return contains(expr, container);
    case Builtin::push:
    case Builtin::push_head:
      push(expr, container);
      return b_.constant(0);
    case Builtin::splice:
      splice(expr, container);
      return b_.constant(0);
    case Builtin::clear: {
      touch(container, expr.span, AccessKind::container);
      Stmt stmt = base(StmtKind::clear, expr.span);
      stmt.container = container_of(container);
      b_.emit(stmt);
      return b_.constant(0);
    }
    case Builtin::pop:
    case Builtin::pop_tail:
    case Builtin::head:
    case Builtin::tail:
    case Builtin::peek: {
      if (container.shape.element->kind == Shape::Kind::packet &&
          (expr.builtin == Builtin::pop || expr.builtin == Builtin::pop_tail)) {
        const Binding dropped = place(expr);  // popped and not kept: its scope reports the leak
        return is_full(dropped);
      }
      const bool at_tail = expr.builtin == Builtin::tail || expr.builtin == Builtin::pop_tail;
      ExprId position = b_.constant(0);
      if (expr.builtin == Builtin::peek) position = argument(1);
      const bool changes = expr.builtin == Builtin::pop || expr.builtin == Builtin::pop_tail;
      if (!pure_) {
        touch(container, expr.span, changes ? AccessKind::container : AccessKind::load);
      }
      const ExprId length = b_.load(container.addr, length_range(container.shape));
      Binding guard;
      if (expr.builtin == Builtin::peek) {
        demand(guard,
               b_.logical_and(b_.binary(ExprKind::less_equal, b_.constant(0), position),
                              b_.binary(ExprKind::less, position, length)),
               "range", "index", "the position is outside " + name, expr.span);
      } else {
        demand(guard, b_.differs(length, 0), "range", "container.empty", name + " is empty",
               expr.span);
      }
      if (at_tail) position = b_.binary(ExprKind::subtract, length, b_.constant(1));
      if (expr.builtin == Builtin::pop || expr.builtin == Builtin::pop_tail) {
        if (!b_.constant_value(position)) position = capture(position, "position");
        return remove_at(container, position, nullptr, expr);
      }
      if (container.guard != no_id) {
        guard.guard =
            guard.guard == no_id ? container.guard : b_.logical_and(container.guard, guard.guard);
      }
      const ExprId element = element_at(container, position, expr);
      if (pure_) return guarded(guard.guard, element);
      const bool is_handle = container.shape.element->kind != Shape::Kind::scalar;
      return known_.fine && !is_handle ? capture(element, "element") : element;
    }
    default:
      error("TX0419", expr.span, "this yields no value");
      return b_.constant(0);
  }
}

void Elaboration::container_packet(const lang::Expr& expr, const Binding& target) {
  const Binding container = refer(subject(expr));
  const std::string name = "`" + text(subject(expr)) + "`";
  if (is_shared(container.addr) || is_shared(target.addr))
    stop_for_access(expr.span, AccessKind::container);
  const ExprId length = b_.load(container.addr, length_range(container.shape));
  if (expr.builtin == Builtin::remove) {
    if (program_->structs[target.shape.structure].counted) {
      error("TX0424", expr.span,
            "`remove` cannot tell references to the same counted struct apart; write "
            "`take(p in … where …)`");
      return;
    }
    const ExprId wanted = handle_value(*expr.args[1]);
    const ExprId first = element_at(container, b_.constant(0), expr);
    const ExprId position = capture(b_.binary(ExprKind::subtract, wanted, first), "position");
    check(b_.logical_and(b_.binary(ExprKind::less, b_.constant(1), wanted),
                         b_.logical_and(b_.binary(ExprKind::less_equal, b_.constant(0), position),
                                        b_.binary(ExprKind::less, position, length))),
          "own.linear", "own.empty", "`" + text(*expr.args[1]) + "` is not in " + name, expr.span);
    remove_at(container, position, &target, expr);
    return;
  }
  check(b_.differs(length, 0), "range", "container.empty", name + " is empty, and is popped from",
        expr.span);
  ExprId position = b_.constant(0);
  if (expr.builtin == Builtin::pop_tail) {
    position = capture(b_.binary(ExprKind::subtract, length, b_.constant(1)), "position");
  }
  remove_at(container, position, &target, expr);
}

// Any element that matches, every choice explored.
void Elaboration::take_any(const lang::Expr& expr, const Binding& target) {
  const Binding container = refer(*expr.args[0]);
  if (refuse_unordered(container, "which packets match", expr.span)) return;
  if (is_shared(container.addr) || is_shared(target.addr))
    stop_for_access(expr.span, AccessKind::container);
  const Shape element = *container.shape.element;
  const AggregateId id = b_.reserve_aggregate();
  Binding binder;
  binder.kind = Binding::Kind::packet;
  binder.value = b_.cursor(id, element.structure, {0, Word{1} << 30});
  binder.shape = element;
  Frame inner;
  inner.outer = frame_;
  inner.names[expr.binder.get()] = binder;
  Frame* const before = std::exchange(frame_, &inner);
  std::vector<PureFault> faults;
  auto* const outer_faults = std::exchange(pure_faults_, &faults);
  const ExprId matches = expr.args[1] != nullptr ? pure_truth(*expr.args[1]) : b_.constant(1);
  pure_faults_ = outer_faults;
  frame_ = before;
  Aggregate aggregate;
  aggregate.kind = AggregateKind::exists;
  aggregate.spans.push_back(span_of(container, expr));
  aggregate.body = matches;
  b_.fill_aggregate(id, std::move(aggregate));
  quantify_faults(id, faults);
  check_all(faults);
  check(b_.aggregate_value(id, {0, 1}), "range", "container.empty",
        "nothing in `" + text(*expr.args[0]) + "` matches", expr.span);
  const SlotId position =
      scratch("position", {0, std::max(Word{0}, static_cast<Word>(container.shape.count) - 1)});
  Stmt stmt = base(StmtKind::pick_element, expr.span);
  stmt.container = container_of(container);
  stmt.aggregate = id;
  stmt.value2 = matches;
  stmt.target = b_.at(position);
  b_.emit(stmt);
  remove_at(container, b_.load(b_.at(position)), &target, expr);
}

}  // namespace txproof::program
