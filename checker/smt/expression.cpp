#include "checker/smt/expression.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::Address;
using program::AddrId;
using program::Aggregate;
using program::AggregateId;
using program::AggregateKind;
using program::Expr;
using program::ExprId;
using program::ExprKind;
using program::no_id;
using program::PlaceId;
using program::SlotId;
using program::Span;
using program::Struct;
using program::Word;

const program::CellTable& cells_of(const program::Program& program, program::StructId structure) {
  for (const program::CellTable& cells : program.cells) {
    if (cells.structure == structure) return cells;
  }
  throw Refusal("a counted struct without cells");
}

// ---------------------------------------------------------------- values

Value Expressions::binary(const Expr& e, const Cursor* cursor) const {
  const Value a = value(e.a, cursor);
  const Value b = value(e.b, cursor);
  const Algebra& g = algebra_;
  switch (e.kind) {
    case ExprKind::add:
      return g.add(a, b);
    case ExprKind::subtract:
      return g.subtract(a, b);
    case ExprKind::multiply:
      return g.multiply(a, b);
    case ExprKind::divide:
      if (slipped(Slip::division_rounds_down)) {
        return g.divide(g.subtract(a, g.wrap(a, b.is_constant() ? b.constant() : 2)), b);
      }
      return g.divide(a, b);
    case ExprKind::modulo:
      return g.modulo(a, b);
    case ExprKind::bit_and:
    case ExprKind::bit_or:
    case ExprKind::bit_xor:
      return g.bitwise(e.kind, a, b);
    case ExprKind::shift_left:
      return g.shift_left(a, b);
    case ExprKind::shift_right:
      return g.shift_right(a, b);
    case ExprKind::less:
      return g.of_truth(g.less(a, b));
    case ExprKind::less_equal:
      return g.of_truth(g.less_equal(a, b));
    case ExprKind::equal:
      return g.of_truth(g.equal(a, b));
    case ExprKind::not_equal:
      return g.of_truth(g.opposite(g.equal(a, b)));
    case ExprKind::minimum:
      return g.choose(g.less(b, a), b, a);
    case ExprKind::maximum:
      return g.choose(g.less(a, b), b, a);
    default:
      throw Refusal("an operator that the encoder does not know");
  }
}

Value Expressions::table(const Expr& e, const Cursor* cursor) const {
  const auto& table = program_.tables[static_cast<std::size_t>(e.value)];
  const Value index = value(e.a, cursor);
  if (index.is_constant()) {
    const Word at = std::clamp<Word>(index.constant(), 0, static_cast<Word>(table.size()) - 1);
    return table[static_cast<std::size_t>(at)];
  }
  std::optional<Value> result;
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto at = static_cast<Word>(i);
    if (!index.range().contains(at)) continue;
    result = result ? algebra_.choose(algebra_.equal(index, at), table[i], *result) : table[i];
  }
  return result ? *result : Value(table.front());
}

Value Expressions::place_id(const Expr& e, const Cursor* cursor) const {
  const std::vector<Target> places = targets(e.addr, cursor);
  const bool counted = program_.structs[e.structure].counted;
  std::optional<Value> result;
  for (const Target& place : places) {
    const Value& tag = state_[place.slot];
    const Value named =
        counted ? algebra_.choose(algebra_.less(tag, 2), 0, tag)
                : algebra_.choose(algebra_.equal(tag, 1),
                                  2 + static_cast<Word>(program_.place_at[place.slot]), 0);
    result = result ? algebra_.choose(place.when, named, *result) : named;
  }
  return *result;
}

Value Expressions::value(ExprId id, const Cursor* cursor) const {
  const Expr& e = program_.exprs[id];
  const Algebra& g = algebra_;
  switch (e.kind) {
    case ExprKind::constant:
      return e.value;
    case ExprKind::load:
      return load(targets(e.addr, cursor));
    case ExprKind::negate:
      return g.negate(value(e.a, cursor));
    case ExprKind::bit_not:
      return g.subtract(-1, value(e.a, cursor));
    case ExprKind::logical_not:
      return g.of_truth(g.opposite(truth(e.a, cursor)));
    case ExprKind::logical_and: {
      const z3::expr a = truth(e.a, cursor);
      return a.is_false() ? Value(0) : g.of_truth(g.both(a, truth(e.b, cursor)));
    }
    case ExprKind::logical_or: {
      const z3::expr a = truth(e.a, cursor);
      return a.is_true() ? Value(1) : g.of_truth(g.either(a, truth(e.b, cursor)));
    }
    case ExprKind::conditional: {
      const z3::expr condition = truth(e.a, cursor);
      if (condition.is_true()) return value(e.b, cursor);
      if (condition.is_false()) return value(e.c, cursor);
      return g.choose(condition, value(e.b, cursor), value(e.c, cursor));
    }
    case ExprKind::wrap:
      if (slipped(Slip::residue_has_sign)) return g.modulo(value(e.a, cursor), e.value);
      return g.wrap(value(e.a, cursor), e.value);
    case ExprKind::table:
      return table(e, cursor);
    case ExprKind::aggregate:
      return aggregate(static_cast<AggregateId>(e.value), cursor);
    case ExprKind::cursor:
      for (const Cursor* c = cursor; c != nullptr; c = c->outer) {
        if (c->aggregate == static_cast<AggregateId>(e.value)) return c->value;
      }
      throw Refusal("a cursor outside its aggregate");
    case ExprKind::place_id:
      return place_id(e, cursor);
    default:
      return binary(e, cursor);
  }
}

// ---------------------------------------------------------------- addresses

Value Expressions::load(const std::vector<Target>& targets) const {
  Value result = state_[targets.back().slot];
  for (std::size_t i = targets.size() - 1; i-- > 0;) {
    result = algebra_.choose(targets[i].when, state_[targets[i].slot], result);
  }
  return result;
}

// Each target moves by offset * stride, where the offset is in 0..count-1.
void Expressions::add_offset(std::vector<Target>& targets, const Value& offset,
                             std::uint32_t stride, std::uint32_t count) const {
  if (offset.is_constant()) {
    const Word at = std::clamp<Word>(offset.constant(), 0, std::max<Word>(count, 1) - 1);
    for (Target& target : targets) target.slot += static_cast<SlotId>(at) * stride;
    return;
  }
  std::vector<Target> moved;
  for (std::uint32_t i = 0; i < count; ++i) {
    const z3::expr here = algebra_.equal(offset, static_cast<Word>(i));
    if (here.is_false()) continue;
    for (const Target& target : targets) {
      moved.push_back({algebra_.both(target.when, here), target.slot + i * stride});
    }
  }
  if (!moved.empty()) targets = std::move(moved);  // otherwise never used
}

void Expressions::add_absolute(std::vector<Target>& targets, const Address& address,
                               const Cursor* cursor) const {
  const Value at = value(address.absolute, cursor);
  if (at.is_constant()) {
    for (Target& target : targets) target.slot += static_cast<SlotId>(at.constant());
    return;
  }
  if (address.absolute_slots.empty()) throw Refusal("a cursor over slots that are not listed");
  std::vector<Target> moved;
  for (const SlotId slot : address.absolute_slots) {
    const z3::expr here = algebra_.equal(at, static_cast<Word>(slot));
    if (here.is_false()) continue;
    for (const Target& target : targets) {
      moved.push_back({algebra_.both(target.when, here), target.slot + slot});
    }
  }
  if (!moved.empty()) targets = std::move(moved);
}

void Expressions::add_handle(std::vector<Target>& targets, const Address& address,
                             const Cursor* cursor) const {
  const Value handle = value(address.handle, cursor);
  const Struct& structure = program_.structs[address.handle_struct];
  std::vector<SlotId> bases;
  if (structure.counted) {
    const program::CellTable& cells = cells_of(program_, address.handle_struct);
    for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
      bases.push_back(cells.first + cell * cells.stride);
    }
  } else {
    for (const program::Place& place : structure.places) bases.push_back(place.base);
  }
  std::vector<Target> moved;
  for (std::size_t i = 0; i < bases.size(); ++i) {
    const z3::expr here = algebra_.equal(handle, 2 + static_cast<Word>(i));
    if (here.is_false()) continue;
    for (const Target& target : targets) {
      moved.push_back({algebra_.both(target.when, here), target.slot + bases[i]});
    }
  }
  if (moved.empty() && !bases.empty()) {  // null: never used
    for (const Target& target : targets) moved.push_back({target.when, target.slot + bases[0]});
  }
  targets = std::move(moved);
}

std::vector<Target> Expressions::targets(AddrId id, const Cursor* cursor) const {
  const Address& address = program_.addresses[id];
  std::vector<Target> result{{algebra_.truth(true), address.base}};
  for (const program::Index& index : address.indices) {
    add_offset(result, value(index.index, cursor), index.stride, index.count);
  }
  if (address.absolute != no_id) add_absolute(result, address, cursor);
  if (address.handle != no_id) add_handle(result, address, cursor);
  if (result.empty()) throw Refusal("an address that names no slot");
  return result;
}

// ---------------------------------------------------------------- aggregates

Value Expressions::element_cursor(program::StructId structure, SlotId element) const {
  if (structure == no_id) return static_cast<Word>(element);
  if (program_.structs[structure].counted) return state_[element];
  return 2 + static_cast<Word>(program_.place_at[element]);
}

void Expressions::for_each_element(
    const Span& span, const Cursor* outer,
    const std::function<void(const z3::expr&, const Value&)>& visit) const {
  const auto give = [&](const z3::expr& condition, const Value& at) {
    if (!condition.is_false()) visit(condition, at);
  };
  switch (span.kind) {
    case Span::Kind::places:
      for (PlaceId place = span.first; place < span.first + span.count; ++place) {
        const Value& tag = state_[program_.structs[span.structure].places[place].base];
        if (program_.structs[span.structure].counted) {
          give(algebra_.opposite(algebra_.less(tag, 2)), tag);
        } else {
          const z3::expr full = slipped(Slip::empty_places_count)
                                    ? algebra_.opposite(algebra_.equal(tag, 2))
                                    : algebra_.equal(tag, 1);
          give(full, 2 + static_cast<Word>(place));
        }
      }
      break;
    case Span::Kind::cells: {
      const program::CellTable& cells = cells_of(program_, span.structure);
      for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
        give(algebra_.nonzero(state_[cells.first + cell * cells.stride]),
             2 + static_cast<Word>(cell));
      }
      break;
    }
    case Span::Kind::container:
      for (const Target& length : targets(span.addr, outer)) {
        for (std::uint32_t i = 0; i < span.count; ++i) {
          const z3::expr there = algebra_.less(static_cast<Word>(i), state_[length.slot]);
          give(algebra_.both(length.when, there),
               element_cursor(span.structure, length.slot + 1 + i * span.stride));
        }
      }
      break;
    case Span::Kind::array:
      for (const Target& first : targets(span.addr, outer)) {
        for (std::uint32_t i = 0; i < span.count; ++i) {
          give(first.when, static_cast<Word>(first.slot + i * span.stride));
        }
      }
      break;
    case Span::Kind::range:
      for (std::uint32_t i = 0; i < span.count; ++i) {
        give(algebra_.truth(true), span.range_first + static_cast<Word>(i));
      }
      break;
  }
}

Value Expressions::aggregate(AggregateId id, const Cursor* outer) const {
  const Aggregate& a = program_.aggregates[id];
  const Algebra& g = algebra_;
  AggregateKind kind = a.kind;
  if (kind == AggregateKind::forall && slipped(Slip::forall_is_exists)) {
    kind = AggregateKind::exists;
  }
  Value result = kind == AggregateKind::forall ? 1 : 0;
  z3::expr any = g.truth(false);
  for (const Span& span : a.spans) {
    for_each_element(span, outer, [&](const z3::expr& there, const Value& at) {
      const Cursor here{a.cursor_of != no_id ? a.cursor_of : id, at, outer};
      const z3::expr counts = a.where == no_id ? there : g.both(there, truth(a.where, &here));
      if (counts.is_false()) return;
      const Value term = a.body == no_id ? Value(1) : value(a.body, &here);
      const z3::expr first = g.opposite(any);
      switch (kind) {
        case AggregateKind::sum:
        case AggregateKind::count:
          result = g.add(result, g.choose(counts, term, 0));
          break;
        case AggregateKind::forall:
          result =
              g.of_truth(g.both(g.nonzero(result), g.either(g.opposite(counts), g.nonzero(term))));
          break;
        case AggregateKind::exists:
          result = g.of_truth(g.either(g.nonzero(result), g.both(counts, g.nonzero(term))));
          break;
        case AggregateKind::minimum: {
          const z3::expr better = slipped(Slip::minimum_ignores_first)
                                      ? g.less(term, result)
                                      : g.either(first, g.less(term, result));
          result = g.choose(g.both(counts, better), term, result);
          break;
        }
        case AggregateKind::maximum:
          result = g.choose(g.both(counts, g.either(first, g.less(result, term))), term, result);
          break;
      }
      any = g.either(any, counts);
    });
  }
  const bool extremum = kind == AggregateKind::minimum || kind == AggregateKind::maximum;
  return extremum ? g.choose(any, result, a.empty) : result;
}

}  // namespace txproof::checker::smt
