// Sums, counts, extrema and quantifiers: what ranges over elements.
#include "checker/explicit/compile_expression.h"

namespace txproof::checker {

using program::AggregateId;
using program::AggregateKind;
using program::CellTable;
using program::no_id;
using program::SlotId;
using program::Span;
using program::StructId;
using program::Word;

namespace {

// Copies of one piece of code that unrolling may make, nested aggregates multiplied.
constexpr std::size_t most_copies = 256;

}  // namespace

bool ExpressionCompiler::unrolls(std::uint32_t count) const {
  return unrolled_ * count <= most_copies;
}

Operand ExpressionCompiler::accumulate(AggregateId id) {
  const program::Aggregate& aggregate = program_.aggregates[id];
  const bool extremum =
      aggregate.kind == AggregateKind::minimum || aggregate.kind == AggregateKind::maximum;
  const Operand result = assembler_.temporary();
  const Operand any = extremum ? assembler_.temporary() : result;
  const std::uint32_t mark = assembler_.mark();
  const Operand zero = assembler_.constant(0);
  const Operand one = assembler_.constant(1);
  assembler_.emit(Op::copy, result, zero);
  if (extremum) assembler_.emit(Op::copy, any, zero);
  for_each(id, [&] {
    const Operand term = aggregate.body == no_id ? one : value(aggregate.body);
    if (!extremum) {
      assembler_.emit(Op::add, result, result, term);
      return;
    }
    const Label first = assembler_.label();
    const Label end = assembler_.label();
    assembler_.emit(Op::jump_zero, any, 0U, 0U, first);
    assembler_.emit(aggregate.kind == AggregateKind::minimum ? Op::minimum : Op::maximum, result,
                    result, term);
    assembler_.emit(Op::jump, end);
    assembler_.bind(first);
    assembler_.emit(Op::copy, result, term);
    assembler_.emit(Op::copy, any, one);
    assembler_.bind(end);
  });
  if (extremum) {
    const Label end = assembler_.label();
    assembler_.emit(Op::jump_nonzero, any, 0U, 0U, end);
    assembler_.emit(Op::copy, result, assembler_.constant(aggregate.empty));
    assembler_.bind(end);
  }
  assembler_.release(mark);
  return result;
}

void ExpressionCompiler::search(AggregateId id, bool sense, Label found) {
  const program::Aggregate& aggregate = program_.aggregates[id];
  for_each(id, [&] {
    if (aggregate.body == no_id) {
      if (sense) assembler_.emit(Op::jump, found);
      return;
    }
    jump_if(aggregate.body, sense, found);
  });
}

void ExpressionCompiler::for_each(AggregateId id, const Visit& visit) {
  const program::Aggregate& aggregate = program_.aggregates[id];
  const AggregateId bound = aggregate.cursor_of == program::no_id ? id : aggregate.cursor_of;
  Cursor cursor;
  const std::uint32_t mark = assembler_.mark();
  const Visit filtered = [&] {
    const Cursor outer = cursors_[bound];
    cursors_[bound] = cursor;
    const std::uint32_t inner = assembler_.mark();
    const Label next = assembler_.label();
    if (aggregate.where != no_id) jump_if(aggregate.where, false, next);
    visit();
    assembler_.bind(next);
    assembler_.release(inner);
    cursors_[bound] = outer;
  };
  for (const Span& span : aggregate.spans) {
    for_each_in(span, cursor, filtered);
    assembler_.release(mark);
  }
}

void ExpressionCompiler::for_each_in(const Span& span, Cursor& cursor, const Visit& visit) {
  // A container and an array can be unrolled only if they stand at a known place; they see to
  // that themselves.
  const std::size_t outer = unrolled_;
  const bool outer_unroll = unroll_;
  unroll_ = unrolls(span.count);
  if (unroll_ && span.count > 0) unrolled_ *= span.count;
  switch (span.kind) {
    case Span::Kind::places:
      over_places(span, cursor, visit);
      break;
    case Span::Kind::cells:
      over_cells(span, cursor, visit);
      break;
    case Span::Kind::container:
      over_container(span, cursor, visit);
      break;
    case Span::Kind::array:
      over_array(span, cursor, visit);
      break;
    case Span::Kind::range:
      over_range(span, cursor, visit);
      break;
  }
  unrolled_ = outer;
  unroll_ = outer_unroll;
}

void ExpressionCompiler::count_up(Word first, Operand limit,
                                  const std::function<void(Operand)>& body) {
  const Operand i = assembler_.temporary();
  const Label head = assembler_.label();
  const Label end = assembler_.label();
  assembler_.emit(Op::copy, i, assembler_.constant(first));
  assembler_.bind(head);
  assembler_.emit(Op::jump_less_equal, limit, i, 0U, end);
  const std::uint32_t mark = assembler_.mark();
  body(i);
  assembler_.release(mark);
  assembler_.emit(Op::add, i, i, assembler_.constant(1));
  assembler_.emit(Op::jump, head);
  assembler_.bind(end);
}

void ExpressionCompiler::over_places(const Span& span, Cursor& cursor, const Visit& visit) {
  const program::Struct& structure = program_.structs[span.structure];
  const Operand one = assembler_.constant(1);
  // Nothing is there: on to the next. A counted place has tag 1 when it is stale.
  const auto skip_empty = [&](Operand tag, Label next) {
    if (structure.counted) {
      assembler_.emit(Op::jump_less_equal, tag, one, 0U, next);
    } else {
      assembler_.emit(Op::jump_not_equal, tag, one, 0U, next);
    }
  };
  if (unroll_) {
    for (std::uint32_t i = span.first; i < span.first + span.count; ++i) {
      const Label next = assembler_.label();
      const Operand tag = Assembler::slot(structure.places[i].base);
      skip_empty(tag, next);
      cursor = structure.counted ? Cursor{{}, tag} : Cursor{2 + Word{i}, {}};
      visit();
      assembler_.bind(next);
    }
    return;
  }
  const std::uint32_t bases = [&] {
    std::vector<Word> tags;
    for (const program::Place& place : structure.places) tags.push_back(place.base);
    return assembler_.table(std::move(tags));
  }();
  count_up(2 + Word{span.first}, assembler_.constant(2 + Word{span.first} + span.count),
           [&](Operand i) {
             const Label next = assembler_.label();
             const Operand base = assembler_.temporary();
             const Operand tag = assembler_.temporary();
             assembler_.emit(Op::place_base, base, i, bases);
             assembler_.emit(Op::load, tag, base);
             skip_empty(tag, next);
             cursor = {{}, structure.counted ? tag : i};
             visit();
             assembler_.bind(next);
           });
}

void ExpressionCompiler::over_cells(const Span& span, Cursor& cursor, const Visit& visit) {
  const CellTable& cells = cells_of(span.structure);
  const std::uint32_t bases = base_table(span.structure, 0);
  count_up(2, assembler_.constant(2 + Word{cells.count}), [&](Operand i) {
    const Label next = assembler_.label();
    const Operand base = assembler_.temporary();
    const Operand live = assembler_.temporary();
    assembler_.emit(Op::place_base, base, i, bases);
    assembler_.emit(Op::load, live, base);
    assembler_.emit(Op::jump_zero, live, 0U, 0U, next);
    cursor = {{}, i};
    visit();
    assembler_.bind(next);
  });
}

void ExpressionCompiler::over_container(const Span& span, Cursor& cursor, const Visit& visit) {
  const bool packets = span.structure != no_id;
  const bool counted = packets && program_.structs[span.structure].counted;
  const Located length = locate(span.addr);
  if (length.fixed && unroll_) {
    const Label end = assembler_.label();
    for (std::uint32_t i = 0; i < span.count; ++i) {
      assembler_.emit(Op::jump_less_equal, Assembler::slot(length.slot), assembler_.constant(i), 0U,
                      end);
      const SlotId element = length.slot + 1 + i * span.stride;
      if (counted) {
        cursor = {{}, Assembler::slot(element)};
      } else if (packets) {
        cursor = {2 + Word{program_.place_at[element]}, {}};
      } else {
        cursor = {Word{element}, {}};
      }
      visit();
    }
    assembler_.bind(end);
    return;
  }
  const Operand first = assembler_.temporary();
  const Operand base = length.fixed ? assembler_.constant(length.slot) : length.address;
  assembler_.emit(Op::add, first, base, assembler_.constant(1));
  count_up(0, load(length), [&](Operand i) {
    const Operand element = assembler_.temporary();
    assembler_.emit(Op::index, element, first, i, span.stride);
    if (counted) {
      const Operand tag = assembler_.temporary();
      assembler_.emit(Op::load, tag, element);
      cursor = {{}, tag};
    } else {
      cursor = {{}, packets ? element_handle(element) : element};
    }
    visit();
  });
}

void ExpressionCompiler::over_array(const Span& span, Cursor& cursor, const Visit& visit) {
  const Located first = locate(span.addr);
  if (first.fixed && unroll_) {
    for (std::uint32_t i = 0; i < span.count; ++i) {
      cursor = {Word{first.slot} + i * span.stride, {}};
      visit();
    }
    return;
  }
  const Operand base = first.fixed ? assembler_.constant(first.slot) : first.address;
  count_up(0, assembler_.constant(span.count), [&](Operand i) {
    const Operand element = assembler_.temporary();
    assembler_.emit(Op::index, element, base, i, span.stride);
    cursor = {{}, element};
    visit();
  });
}

void ExpressionCompiler::over_range(const Span& span, Cursor& cursor, const Visit& visit) {
  if (unroll_) {
    for (std::uint32_t i = 0; i < span.count; ++i) {
      cursor = {span.range_first + i, {}};
      visit();
    }
    return;
  }
  count_up(span.range_first, assembler_.constant(span.range_first + span.count), [&](Operand i) {
    cursor = {{}, i};
    visit();
  });
}

void ExpressionCompiler::set_cursor(AggregateId aggregate, StructId structure, Operand element) {
  if (structure == no_id) {
    cursors_[aggregate] = {{}, element};
  } else if (program_.structs[structure].counted) {
    const Operand tag = assembler_.temporary();
    assembler_.emit(Op::load, tag, element);
    cursors_[aggregate] = {{}, tag};
  } else {
    cursors_[aggregate] = {{}, element_handle(element)};
  }
}

}  // namespace txproof::checker
