// Moving words about in a symbolic state so that weak handles follow, and the canonical form at the
// end of a step: the image of model/program/words.h.
#pragma once

#include <functional>
#include <optional>
#include <set>

#include "checker/smt/encode.h"

namespace txproof::checker::smt {

class Words {
 public:
  Words(const Algebra& algebra, const program::Program& program, const std::set<Slip>& slips)
      : algebra_(algebra), program_(program), slips_(slips) {}

  void move_block(SymbolicState& state, program::SlotId from, program::SlotId to,
                  std::uint32_t words) const;
  // Handles into the block dangle, and the words become 0.
  void erase_block(SymbolicState& state, program::SlotId from, std::uint32_t words) const;

  // Bags sorted, cells numbered by first use.
  //   before: a canonical state; what is still as there is left alone. null: none is known
  void canonicalise(SymbolicState& state, const SymbolicState* before) const;

 private:
  // New bases of places (in a block that moved), or no_id: gone.
  using Mapping = std::function<program::SlotId(program::SlotId)>;
  void rename_handles(SymbolicState& state, const Mapping& where_to) const;
  void sort_bag(SymbolicState& state, const program::Bag& bag) const;
  [[nodiscard]] z3::expr precedes(const SymbolicState& state, program::SlotId a, program::SlotId b,
                                  std::uint32_t words) const;
  void renumber_cells(SymbolicState& state, const program::CellTable& cells) const;
  // Blocks were permuted: block i is now what block number[i] was. Handles into them follow.
  void follow_permutation(SymbolicState& state, program::SlotId first, std::uint32_t stride,
                          const std::vector<Value>& numbers) const;
  [[nodiscard]] bool slipped(Slip slip) const { return slips_.count(slip) != 0; }

  const Algebra& algebra_;
  const program::Program& program_;
  const std::set<Slip>& slips_;
};

}  // namespace txproof::checker::smt
