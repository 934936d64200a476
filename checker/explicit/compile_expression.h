// Expressions to bytecode.
//
// Conditions become jumps, not values: short circuits, comparisons and quantifiers branch directly.
// Aggregates over few elements are unrolled: with the element known, its fields are plain operands
// and the whole sum is a few additions. Larger ones, and deep nests of them, become loops.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/explicit/assembler.h"
#include "model/program/program.h"

namespace txproof::checker {

class ExpressionCompiler {
 public:
  ExpressionCompiler(const program::Program& program, Assembler& assembler);

  // The value, wherever it is: a slot, a constant, or a new temporary.
  Operand value(program::ExprId expr);
  // Goes to `label` if the expression is true (sense) or false (!sense), otherwise on.
  void jump_if(program::ExprId expr, bool sense, Label label);
  // The value, if it is known now.
  [[nodiscard]] std::optional<program::Word> constant(program::ExprId expr) const;

  // A slot, known now or computed.
  struct Located {
    bool fixed = true;
    program::SlotId slot = 0;  // fixed
    Operand address;           // otherwise: holds the slot number
  };
  Located locate(program::AddrId addr);
  // The slot number as an operand.
  Operand address(program::AddrId addr);

  // For pick_element: the element at slot number `element` is under the cursor of `aggregate`.
  void set_cursor(program::AggregateId aggregate, program::StructId structure, Operand element);

 private:
  using Visit = std::function<void()>;
  // A cursor: nothing (outside its aggregate), a known value, or an operand.
  struct Cursor {
    std::optional<program::Word> known;
    std::optional<Operand> operand;
  };

  Operand fresh(std::uint32_t mark);
  Operand binary(const program::Expr& e, Op op);
  Operand truth(program::ExprId expr);
  Operand place_handle(const program::Expr& e);
  Operand load(const Located& located);
  Operand element_handle(Operand element);
  void jump_compare(const program::Expr& e, Op op, bool swapped, Label label);

  Operand accumulate(program::AggregateId id);
  // Goes to `found` at the first element that `where` lets through and whose body is `sense`.
  void search(program::AggregateId id, bool sense, Label found);
  void for_each(program::AggregateId id, const Visit& visit);
  void for_each_in(const program::Span& span, Cursor& cursor, const Visit& visit);
  void over_places(const program::Span& span, Cursor& cursor, const Visit& visit);
  void over_cells(const program::Span& span, Cursor& cursor, const Visit& visit);
  void over_container(const program::Span& span, Cursor& cursor, const Visit& visit);
  void over_array(const program::Span& span, Cursor& cursor, const Visit& visit);
  void over_range(const program::Span& span, Cursor& cursor, const Visit& visit);
  // for (i = first; i < limit; ++i) body(i)
  void count_up(program::Word first, Operand limit, const std::function<void(Operand)>& body);
  [[nodiscard]] bool unrolls(std::uint32_t count) const;
  const program::CellTable& cells_of(program::StructId structure) const;
  // place_bases[i]: slot at `offset` into the place (or cell) that handle i + 2 names.
  std::uint32_t base_table(program::StructId structure, std::uint32_t offset);

  const program::Program& program_;
  Assembler& assembler_;
  std::vector<Cursor> cursors_;  // by AggregateId
  std::size_t unrolled_ = 1;     // copies that are being made of what is compiled now
  bool unroll_ = false;          // the span at hand is one of those unrolled
};

}  // namespace txproof::checker
