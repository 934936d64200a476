#include "model/program/evaluate.h"

#include <algorithm>
#include <cassert>

namespace txproof::program {

namespace {

// The aggregates that are being evaluated, innermost first.
struct Cursor {
  AggregateId aggregate = no_id;
  Word value = 0;
  const Cursor* outer = nullptr;
};

class Evaluator {
 public:
  Evaluator(const Program& program, const State& state) : program_(program), state_(state) {}

  [[nodiscard]] Word value(ExprId id, const Cursor* cursor) const;
  [[nodiscard]] SlotId slot(AddrId id, const Cursor* cursor) const;

 private:
  [[nodiscard]] Word aggregate(AggregateId id, const Cursor* outer) const;
  template <typename Visit>
  void for_each_element(const Span& span, const Cursor* outer, Visit visit) const;
  [[nodiscard]] Word binary(const Expr& e, const Cursor* cursor) const;

  const Program& program_;
  const State& state_;
};

Word Evaluator::binary(const Expr& e, const Cursor* cursor) const {
  const Word a = value(e.a, cursor);
  const Word b = value(e.b, cursor);
  // Intermediate results are mathematical integers; the elaborator refuses a model in which one
  // could leave 64 bits, except under a wrap, where the unsigned product is right modulo 2^64.
  const auto ua = static_cast<std::uint64_t>(a);
  const auto ub = static_cast<std::uint64_t>(b);
  switch (e.kind) {
    case ExprKind::add:
      return static_cast<Word>(ua + ub);
    case ExprKind::subtract:
      return static_cast<Word>(ua - ub);
    case ExprKind::multiply:
      return static_cast<Word>(ua * ub);
    case ExprKind::divide:
      return b == 0 ? 0 : a / b;
    case ExprKind::modulo:
      return b == 0 ? 0 : a % b;
    case ExprKind::bit_and:
      return a & b;
    case ExprKind::bit_or:
      return a | b;
    case ExprKind::bit_xor:
      return a ^ b;
    case ExprKind::shift_left:
      return static_cast<Word>(ua << (ub & 63U));
    case ExprKind::shift_right:
      return a >> (ub & 63U);
    case ExprKind::less:
      return a < b ? 1 : 0;
    case ExprKind::less_equal:
      return a <= b ? 1 : 0;
    case ExprKind::equal:
      return a == b ? 1 : 0;
    case ExprKind::not_equal:
      return a != b ? 1 : 0;
    case ExprKind::minimum:
      return std::min(a, b);
    case ExprKind::maximum:
      return std::max(a, b);
    default:
      assert(false && "not a binary operator");
      return 0;
  }
}

Word Evaluator::value(ExprId id, const Cursor* cursor) const {
  const Expr& e = program_.exprs[id];
  switch (e.kind) {
    case ExprKind::constant:
      return e.value;
    case ExprKind::load:
      return state_[slot(e.addr, cursor)];
    case ExprKind::negate:
      return -value(e.a, cursor);
    case ExprKind::bit_not:
      return ~value(e.a, cursor);
    case ExprKind::logical_not:
      return value(e.a, cursor) == 0 ? 1 : 0;
    case ExprKind::logical_and:
      return value(e.a, cursor) != 0 && value(e.b, cursor) != 0 ? 1 : 0;
    case ExprKind::logical_or:
      return value(e.a, cursor) != 0 || value(e.b, cursor) != 0 ? 1 : 0;
    case ExprKind::conditional:
      return value(e.a, cursor) != 0 ? value(e.b, cursor) : value(e.c, cursor);
    case ExprKind::wrap: {
      const Word r = value(e.a, cursor) % e.value;
      return r < 0 ? r + e.value : r;
    }
    case ExprKind::table: {
      const auto& table = program_.tables[static_cast<std::size_t>(e.value)];
      return table[static_cast<std::size_t>(value(e.a, cursor))];
    }
    case ExprKind::aggregate:
      return aggregate(static_cast<AggregateId>(e.value), cursor);
    case ExprKind::cursor:
      for (const Cursor* c = cursor; c != nullptr; c = c->outer) {
        if (c->aggregate == static_cast<AggregateId>(e.value)) return c->value;
      }
      assert(false && "a cursor outside its aggregate");
      return 0;
    case ExprKind::place_id: {
      const SlotId place = slot(e.addr, cursor);
      if (program_.structs[e.structure].counted) return state_[place] >= 2 ? state_[place] : 0;
      return state_[place] == 1 ? 2 + static_cast<Word>(program_.place_at[place]) : 0;
    }
    default:
      return binary(e, cursor);
  }
}

SlotId Evaluator::slot(AddrId id, const Cursor* cursor) const {
  const Address& addr = program_.addresses[id];
  SlotId result = addr.base;
  for (const Index& index : addr.indices) {
    result += static_cast<SlotId>(value(index.index, cursor)) * index.stride;
  }
  if (addr.absolute != no_id) result += static_cast<SlotId>(value(addr.absolute, cursor));
  if (addr.handle == no_id) return result;
  const Word handle = value(addr.handle, cursor);
  const Struct& structure = program_.structs[addr.handle_struct];
  if (!structure.counted) return result + structure.places[static_cast<PlaceId>(handle - 2)].base;
  for (const CellTable& cells : program_.cells) {
    if (cells.structure == addr.handle_struct) {
      return result + cells.first + static_cast<SlotId>(handle - 2) * cells.stride;
    }
  }
  assert(false && "a counted struct has cells");
  return result;
}

// Calls visit(cursor value) for each element; stops when it returns false.
template <typename Visit>
void Evaluator::for_each_element(const Span& span, const Cursor* outer, Visit visit) const {
  switch (span.kind) {
    case Span::Kind::places:
      for (PlaceId place = span.first; place < span.first + span.count; ++place) {
        const SlotId tag = program_.structs[span.structure].places[place].base;
        if (program_.structs[span.structure].counted) {
          if (state_[tag] >= 2 && !visit(state_[tag])) return;
        } else if (state_[tag] == 1 && !visit(2 + static_cast<Word>(place))) {
          return;
        }
      }
      break;
    case Span::Kind::cells:
      for (const CellTable& cells : program_.cells) {
        if (cells.structure != span.structure) continue;
        for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
          if (state_[cells.first + cell * cells.stride] == 0) continue;
          if (!visit(2 + static_cast<Word>(cell))) return;
        }
      }
      break;
    case Span::Kind::container: {
      const SlotId length = slot(span.addr, outer);
      Container container;
      container.structure = span.structure;
      for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state_[length]); ++i) {
        const SlotId element = length + 1 + i * span.stride;
        if (!visit(element_cursor(program_, container, element, state_))) return;
      }
      break;
    }
    case Span::Kind::array: {
      const SlotId first = slot(span.addr, outer);
      for (std::uint32_t i = 0; i < span.count; ++i) {
        if (!visit(static_cast<Word>(first + i * span.stride))) return;
      }
      break;
    }
    case Span::Kind::range:
      for (std::uint32_t i = 0; i < span.count; ++i) {
        if (!visit(span.range_first + static_cast<Word>(i))) return;
      }
      break;
  }
}

Word Evaluator::aggregate(AggregateId id, const Cursor* outer) const {
  const Aggregate& a = program_.aggregates[id];
  Word result = 0;
  if (a.kind == AggregateKind::forall) result = 1;
  bool any = false;
  bool decided = false;
  for (const Span& span : a.spans) {
    for_each_element(span, outer, [&](Word at) {
      const Cursor here{a.cursor_of != no_id ? a.cursor_of : id, at, outer};
      if (a.where != no_id && value(a.where, &here) == 0) return true;
      const Word term = a.body == no_id ? 1 : value(a.body, &here);
      switch (a.kind) {
        case AggregateKind::sum:
        case AggregateKind::count:
          result += term;
          break;
        case AggregateKind::forall:
          if (term == 0) {
            result = 0;
            decided = true;
          }
          break;
        case AggregateKind::exists:
          if (term != 0) {
            result = 1;
            decided = true;
          }
          break;
        case AggregateKind::minimum:
          result = any ? std::min(result, term) : term;
          break;
        case AggregateKind::maximum:
          result = any ? std::max(result, term) : term;
          break;
      }
      any = true;
      return !decided;
    });
    if (decided) break;
  }
  const bool extremum = a.kind == AggregateKind::minimum || a.kind == AggregateKind::maximum;
  return extremum && !any ? a.empty : result;
}

}  // namespace

Word evaluate_expr(const Program& program, const State& state, ExprId expr) {
  return Evaluator(program, state).value(expr, nullptr);
}

SlotId resolve_address(const Program& program, const State& state, AddrId addr) {
  return Evaluator(program, state).slot(addr, nullptr);
}

Word element_cursor(const Program& program, const Container& container, SlotId element,
                    const State& state) {
  if (container.structure == no_id) return static_cast<Word>(element);
  if (program.structs[container.structure].counted) return state[element];
  return 2 + static_cast<Word>(program.place_at[element]);
}

Word evaluate_with_cursor(const Program& program, const State& state, AggregateId aggregate,
                          Word cursor, ExprId expr) {
  const Cursor here{aggregate, cursor, nullptr};
  return Evaluator(program, state).value(expr, &here);
}

}  // namespace txproof::program
