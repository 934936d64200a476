// A Program under construction: slots, expressions with their intervals, addresses, blocks.
//
// Expressions are folded as they are made. Every expression carries an interval that contains
// all its values; an interval that would not fit 62 bits is reported, so engines can compute in
// 64 bits without a test.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

// The objects that a reference may name (0: none).
using RefSet = std::set<Word>;

class Builder {
 public:
  explicit Builder(Program& program) : program_(program) {}

  // Called with the operator's meaning when an interval leaves 62 bits.
  std::function<void()> on_overflow;

  // ---- expressions
  ExprId constant(Word value);
  [[nodiscard]] std::optional<Word> constant_value(ExprId expr) const;
  [[nodiscard]] Range range(ExprId expr) const { return program_.exprs[expr].range; }
  ExprId unary(ExprKind kind, ExprId a);
  ExprId binary(ExprKind kind, ExprId a, ExprId b);
  ExprId conditional(ExprId condition, ExprId a, ExprId b);
  ExprId wrap(ExprId a, Word modulus);
  ExprId load(AddrId addr, Range range);
  ExprId load(AddrId addr);  // the range is the hull of the slots that it may reach
  ExprId table(std::vector<Word> values, ExprId index);
  ExprId aggregate(Aggregate aggregate, Range range);
  ExprId cursor(AggregateId aggregate, StructId structure, Range range);
  ExprId place_id(AddrId place, StructId structure);
  ExprId logical_and(ExprId a, ExprId b) { return binary(ExprKind::logical_and, a, b); }
  ExprId logical_or(ExprId a, ExprId b) { return binary(ExprKind::logical_or, a, b); }
  ExprId logical_not(ExprId a) { return unary(ExprKind::logical_not, a); }
  ExprId equals(ExprId a, Word value) { return binary(ExprKind::equal, a, constant(value)); }
  ExprId differs(ExprId a, Word value) { return binary(ExprKind::not_equal, a, constant(value)); }
  // Non-zero as 0 or 1; unchanged if it is already.
  ExprId truth(ExprId a);
  AggregateId reserve_aggregate();
  void fill_aggregate(AggregateId id, Aggregate aggregate) {
    program_.aggregates[id] = std::move(aggregate);
  }
  ExprId aggregate_value(AggregateId id, Range range);

  // What references a value may be; `of_slot` says it for a slot.
  [[nodiscard]] RefSet references(ExprId expr, const std::function<RefSet(SlotId)>& of_slot) const;

  // ---- addresses
  AddrId at(SlotId slot);
  AddrId offset(AddrId addr, std::uint32_t words);
  AddrId indexed(AddrId addr, ExprId index, std::uint32_t stride, std::uint32_t count);
  AddrId through_handle(ExprId handle, StructId structure, std::uint32_t offset);
  AddrId absolute(ExprId slot, std::vector<SlotId> possible);
  [[nodiscard]] bool is_static(AddrId addr) const;
  [[nodiscard]] SlotId static_slot(AddrId addr) const { return program_.addresses[addr].base; }
  // Every slot that the address may be.
  [[nodiscard]] std::vector<SlotId> slots_of(AddrId addr) const;

  // ---- slots
  SlotId add_slot(Slot slot);

  // ---- code
  BlockId new_block(ThreadId thread);
  void set_block(BlockId block) { current_ = block; }
  [[nodiscard]] BlockId block() const { return current_; }
  [[nodiscard]] bool block_is_empty() const { return program_.blocks[current_].stmts.empty(); }
  Stmt& emit(Stmt stmt);
  void jump(BlockId to);
  void branch(ExprId condition, BlockId then, BlockId otherwise);

  Program& program() { return program_; }
  [[nodiscard]] const Program& program() const { return program_; }

 private:
  ExprId add(Expr expr);
  Range interval(ExprKind kind, Range a, Range b);
  __extension__ using Wide = __int128;  // holds every result of one operation on two Words
  Range checked(Wide lo, Wide hi);

  Program& program_;
  BlockId current_ = no_id;
  std::map<Word, ExprId> constants_;
  std::map<SlotId, AddrId> static_addresses_;
};

}  // namespace txproof::program
