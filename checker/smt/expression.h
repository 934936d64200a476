// What an expression means in a symbolic state, by recursion over the tree: the image of
// model/program/evaluate.h. Addresses become the list of slots that they may name.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "checker/smt/encode.h"

namespace txproof::checker::smt {

// A slot that an address may name, and when it does. Of a list, the conditions exclude each other
// and one of them holds wherever the Program uses the address.
struct Target {
  z3::expr when;
  program::SlotId slot;
};

// The aggregates that are being evaluated, innermost first.
struct Cursor {
  program::AggregateId aggregate = program::no_id;
  Value value = 0;
  const Cursor* outer = nullptr;
};

class Expressions {
 public:
  Expressions(const Algebra& algebra, const program::Program& program, const std::set<Slip>& slips,
              const SymbolicState& state)
      : algebra_(algebra), program_(program), slips_(slips), state_(state) {}

  [[nodiscard]] Value value(program::ExprId id, const Cursor* cursor = nullptr) const;
  [[nodiscard]] z3::expr truth(program::ExprId id, const Cursor* cursor = nullptr) const {
    return algebra_.nonzero(value(id, cursor));
  }
  [[nodiscard]] std::vector<Target> targets(program::AddrId id,
                                            const Cursor* cursor = nullptr) const;
  [[nodiscard]] Value load(const std::vector<Target>& targets) const;
  // The cursor for the element at slot `element` of a container.
  [[nodiscard]] Value element_cursor(program::StructId structure, program::SlotId element) const;

 private:
  [[nodiscard]] Value binary(const program::Expr& e, const Cursor* cursor) const;
  [[nodiscard]] Value table(const program::Expr& e, const Cursor* cursor) const;
  [[nodiscard]] Value place_id(const program::Expr& e, const Cursor* cursor) const;
  [[nodiscard]] Value aggregate(program::AggregateId id, const Cursor* outer) const;
  // Calls visit(condition, cursor value) for each element that there may be, in order.
  void for_each_element(const program::Span& span, const Cursor* outer,
                        const std::function<void(const z3::expr&, const Value&)>& visit) const;
  void add_handle(std::vector<Target>& targets, const program::Address& address,
                  const Cursor* cursor) const;
  void add_offset(std::vector<Target>& targets, const Value& offset, std::uint32_t stride,
                  std::uint32_t count) const;
  void add_absolute(std::vector<Target>& targets, const program::Address& address,
                    const Cursor* cursor) const;
  [[nodiscard]] bool slipped(Slip slip) const { return slips_.count(slip) != 0; }

  const Algebra& algebra_;
  const program::Program& program_;
  const std::set<Slip>& slips_;
  const SymbolicState& state_;
};

const program::CellTable& cells_of(const program::Program& program, program::StructId structure);

}  // namespace txproof::checker::smt
