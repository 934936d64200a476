#include "checker/explicit/compile_expression.h"

#include <stdexcept>

#include "checker/explicit/fold.h"

namespace txproof::checker {

using program::AddrId;
using program::AggregateId;
using program::AggregateKind;
using program::CellTable;
using program::Expr;
using program::ExprId;
using program::ExprKind;
using program::no_id;
using program::SlotId;
using program::StructId;
using program::Word;

ExpressionCompiler::ExpressionCompiler(const program::Program& program, Assembler& assembler)
    : program_(program), assembler_(assembler), cursors_(program.aggregates.size()) {}

std::optional<Word> ExpressionCompiler::constant(ExprId expr) const {
  const Expr& e = program_.exprs[expr];
  switch (e.kind) {
    case ExprKind::constant:
      return e.value;
    case ExprKind::cursor:
      return cursors_[static_cast<std::size_t>(e.value)].known;
    case ExprKind::load:
    case ExprKind::place_id:
    case ExprKind::aggregate:
      return std::nullopt;
    case ExprKind::conditional: {
      const auto test = constant(e.a);
      return test ? constant(*test != 0 ? e.b : e.c) : std::nullopt;
    }
    case ExprKind::logical_and:
    case ExprKind::logical_or: {
      const bool decides = e.kind == ExprKind::logical_or;
      const auto a = constant(e.a);
      if (a && (*a != 0) == decides) return decides ? 1 : 0;
      const auto b = constant(e.b);
      if (a && b) return *b != 0 ? 1 : 0;
      return std::nullopt;
    }
    case ExprKind::table: {
      const auto a = constant(e.a);
      const auto& table = program_.tables[static_cast<std::size_t>(e.value)];
      if (!a || *a < 0 || static_cast<std::size_t>(*a) >= table.size()) return std::nullopt;
      return table[static_cast<std::size_t>(*a)];
    }
    case ExprKind::negate:
    case ExprKind::bit_not:
    case ExprKind::logical_not:
    case ExprKind::wrap: {
      const auto a = constant(e.a);
      return a ? std::optional(fold(e.kind, *a, e.value)) : std::nullopt;
    }
    default: {
      const auto a = constant(e.a);
      if (!a) return std::nullopt;
      const auto b = constant(e.b);
      return b ? std::optional(fold(e.kind, *a, *b)) : std::nullopt;
    }
  }
}

Operand ExpressionCompiler::fresh(std::uint32_t mark) {
  assembler_.release(mark);
  return assembler_.temporary();
}

Operand ExpressionCompiler::binary(const Expr& e, Op op) {
  const std::uint32_t mark = assembler_.mark();
  const Operand a = value(e.a);
  const Operand b = value(e.b);
  const Operand result = fresh(mark);
  assembler_.emit(op, result, a, b);
  return result;
}

// 0 or 1 of an expression that is best computed by jumping.
Operand ExpressionCompiler::truth(ExprId expr) {
  const Operand result = assembler_.temporary();
  const std::uint32_t mark = assembler_.mark();
  const Label end = assembler_.label();
  const Label yes = assembler_.label();
  // The result is written last: the expression may use what stands in an enclosing temporary, but
  // never this one.
  jump_if(expr, true, yes);
  assembler_.emit(Op::copy, result, assembler_.constant(0));
  assembler_.emit(Op::jump, end);
  assembler_.bind(yes);
  assembler_.emit(Op::copy, result, assembler_.constant(1));
  assembler_.bind(end);
  assembler_.release(mark);
  return result;
}

Operand ExpressionCompiler::load(const Located& located) {
  if (located.fixed) return Assembler::slot(located.slot);
  const Operand result = assembler_.temporary();
  assembler_.emit(Op::load, result, located.address);
  return result;
}

Operand ExpressionCompiler::element_handle(Operand element) {
  std::vector<Word> handles(program_.place_at.size());
  for (SlotId slot = 0; slot < program_.place_at.size(); ++slot) {
    handles[slot] = program_.place_at[slot] == no_id ? 0 : 2 + Word{program_.place_at[slot]};
  }
  const Operand result = assembler_.temporary();
  assembler_.emit(Op::table, result, element, assembler_.table(std::move(handles)));
  return result;
}

// The handle of the place at an address: 0 if nothing is there.
Operand ExpressionCompiler::place_handle(const Expr& e) {
  const Operand result = assembler_.temporary();
  const std::uint32_t mark = assembler_.mark();
  const Located place = locate(e.addr);
  const Operand tag = load(place);
  const Label end = assembler_.label();
  if (program_.structs[e.structure].counted) {
    assembler_.emit(Op::copy, result, tag);
    assembler_.emit(Op::jump_less, assembler_.constant(1), tag, 0U, end);
    assembler_.emit(Op::copy, result, assembler_.constant(0));
  } else {
    const Label empty = assembler_.label();
    assembler_.emit(Op::jump_not_equal, tag, assembler_.constant(1), 0U, empty);
    const Operand handle = place.fixed
                               ? assembler_.constant(2 + Word{program_.place_at[place.slot]})
                               : element_handle(place.address);
    assembler_.emit(Op::copy, result, handle);
    assembler_.emit(Op::jump, end);
    assembler_.bind(empty);
    assembler_.emit(Op::copy, result, assembler_.constant(0));
  }
  assembler_.bind(end);
  assembler_.release(mark);
  return result;
}

Operand ExpressionCompiler::value(ExprId expr) {
  if (const auto known = constant(expr)) return assembler_.constant(*known);
  const Expr& e = program_.exprs[expr];
  const std::uint32_t mark = assembler_.mark();
  switch (e.kind) {
    case ExprKind::constant:
      return assembler_.constant(e.value);
    case ExprKind::load: {
      const Located located = locate(e.addr);
      if (located.fixed) return Assembler::slot(located.slot);
      const Operand result = fresh(mark);
      assembler_.emit(Op::load, result, located.address);
      return result;
    }
    case ExprKind::cursor: {
      const Cursor& cursor = cursors_[static_cast<std::size_t>(e.value)];
      if (!cursor.operand) throw std::logic_error("a cursor outside its aggregate");
      return *cursor.operand;
    }
    case ExprKind::negate:
    case ExprKind::bit_not:
    case ExprKind::logical_not: {
      const Operand a = value(e.a);
      const Operand result = fresh(mark);
      assembler_.emit(e.kind == ExprKind::negate    ? Op::negate
                      : e.kind == ExprKind::bit_not ? Op::bit_not
                                                    : Op::logical_not,
                      result, a);
      return result;
    }
    case ExprKind::wrap: {
      const Operand a = value(e.a);
      const Operand result = fresh(mark);
      assembler_.emit(Op::wrap, result, a, assembler_.constant(e.value));
      return result;
    }
    case ExprKind::table: {
      const Operand a = value(e.a);
      const Operand result = fresh(mark);
      assembler_.emit(Op::table, result, a,
                      assembler_.table(program_.tables[static_cast<std::size_t>(e.value)]));
      return result;
    }
    case ExprKind::conditional: {
      const Operand result = assembler_.temporary();
      const std::uint32_t inner = assembler_.mark();
      const Label otherwise = assembler_.label();
      const Label end = assembler_.label();
      jump_if(e.a, false, otherwise);
      assembler_.emit(Op::copy, result, value(e.b));
      assembler_.emit(Op::jump, end);
      assembler_.bind(otherwise);
      assembler_.release(inner);
      assembler_.emit(Op::copy, result, value(e.c));
      assembler_.bind(end);
      assembler_.release(inner);
      return result;
    }
    case ExprKind::logical_and:
    case ExprKind::logical_or:
      return truth(expr);
    case ExprKind::aggregate: {
      const auto id = static_cast<AggregateId>(e.value);
      const AggregateKind kind = program_.aggregates[id].kind;
      const bool quantifier = kind == AggregateKind::forall || kind == AggregateKind::exists;
      return quantifier ? truth(expr) : accumulate(id);
    }
    case ExprKind::place_id:
      return place_handle(e);
    default:
      return binary(e, operation_of(e.kind));
  }
}

void ExpressionCompiler::jump_compare(const Expr& e, Op op, bool swapped, Label label) {
  const std::uint32_t mark = assembler_.mark();
  const Operand a = value(e.a);
  const Operand b = value(e.b);
  assembler_.emit(op, swapped ? b : a, swapped ? a : b, 0U, label);
  assembler_.release(mark);
}

void ExpressionCompiler::jump_if(ExprId expr, bool sense, Label label) {
  if (const auto known = constant(expr)) {
    if ((*known != 0) == sense) assembler_.emit(Op::jump, label);
    return;
  }
  const Expr& e = program_.exprs[expr];
  switch (e.kind) {
    case ExprKind::logical_not:
      return jump_if(e.a, !sense, label);
    case ExprKind::logical_and:
    case ExprKind::logical_or: {
      // One operand alone decides for `decides`; otherwise both are needed.
      const bool decides = e.kind == ExprKind::logical_or;
      if (sense == decides) {
        jump_if(e.a, sense, label);
        return jump_if(e.b, sense, label);
      }
      const Label end = assembler_.label();
      jump_if(e.a, !sense, end);
      jump_if(e.b, sense, label);
      assembler_.bind(end);
      return;
    }
    case ExprKind::less:
      return jump_compare(e, sense ? Op::jump_less : Op::jump_less_equal, !sense, label);
    case ExprKind::less_equal:
      return jump_compare(e, sense ? Op::jump_less_equal : Op::jump_less, !sense, label);
    case ExprKind::equal:
      return jump_compare(e, sense ? Op::jump_equal : Op::jump_not_equal, false, label);
    case ExprKind::not_equal:
      return jump_compare(e, sense ? Op::jump_not_equal : Op::jump_equal, false, label);
    case ExprKind::aggregate: {
      const auto id = static_cast<AggregateId>(e.value);
      const AggregateKind kind = program_.aggregates[id].kind;
      if (kind != AggregateKind::forall && kind != AggregateKind::exists) break;
      // An exists is true, or a forall false, at the element that is found.
      const bool found_means = kind == AggregateKind::exists;
      if (sense == found_means) return search(id, found_means, label);
      const Label found = assembler_.label();
      search(id, found_means, found);
      assembler_.emit(Op::jump, label);
      assembler_.bind(found);
      return;
    }
    default:
      break;
  }
  const std::uint32_t mark = assembler_.mark();
  const Operand a = value(expr);
  assembler_.emit(sense ? Op::jump_nonzero : Op::jump_zero, a, 0U, 0U, label);
  assembler_.release(mark);
}

const CellTable& ExpressionCompiler::cells_of(StructId structure) const {
  for (const CellTable& cells : program_.cells) {
    if (cells.structure == structure) return cells;
  }
  throw std::logic_error("counted struct " + program_.structs[structure].name + " has no cells");
}

std::uint32_t ExpressionCompiler::base_table(StructId structure, std::uint32_t offset) {
  std::vector<Word> bases;
  if (program_.structs[structure].counted) {
    const CellTable& cells = cells_of(structure);
    for (std::uint32_t i = 0; i < cells.count; ++i) {
      bases.push_back(Word{cells.first} + i * cells.stride + offset);
    }
  } else {
    for (const program::Place& place : program_.structs[structure].places) {
      bases.push_back(Word{place.base} + offset);
    }
  }
  return assembler_.table(std::move(bases));
}

ExpressionCompiler::Located ExpressionCompiler::locate(AddrId addr) {
  const program::Address& address = program_.addresses[addr];
  Word base = address.base;
  std::optional<Operand> dynamic;
  // What is known goes into `base`, the rest is added up in a temporary.
  const auto add = [&](Operand index, std::uint32_t stride) {
    const Operand result = assembler_.temporary();
    assembler_.emit(Op::index, result, dynamic ? *dynamic : assembler_.constant(0), index, stride);
    dynamic = result;
  };
  if (address.absolute != no_id) {
    if (const auto known = constant(address.absolute)) {
      base += *known;
    } else {
      add(value(address.absolute), 1);
    }
  }
  for (const program::Index& index : address.indices) {
    if (const auto known = constant(index.index)) {
      base += *known * index.stride;
    } else {
      add(value(index.index), index.stride);
    }
  }
  if (address.handle != no_id) {
    const std::uint32_t table = base_table(address.handle_struct, static_cast<SlotId>(base));
    const auto& bases = assembler_.code().tables[table];
    const auto known = constant(address.handle);
    if (known && *known >= 2 && static_cast<std::size_t>(*known - 2) < bases.size()) {
      base = bases[static_cast<std::size_t>(*known - 2)];
    } else {
      const Operand handle = value(address.handle);
      const Operand named = assembler_.temporary();
      assembler_.emit(Op::place_base, named, handle, table);
      if (!dynamic) return {false, 0, named};
      const Operand sum = assembler_.temporary();
      assembler_.emit(Op::add, sum, named, *dynamic);
      return {false, 0, sum};
    }
  }
  if (!dynamic) return {true, static_cast<SlotId>(base), {}};
  if (base != 0) {
    const Operand sum = assembler_.temporary();
    assembler_.emit(Op::add, sum, *dynamic, assembler_.constant(base));
    dynamic = sum;
  }
  return {false, 0, *dynamic};
}

Operand ExpressionCompiler::address(AddrId addr) {
  const Located located = locate(addr);
  return located.fixed ? assembler_.constant(located.slot) : located.address;
}

}  // namespace txproof::checker
