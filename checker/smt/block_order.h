// An order in which the blocks of a step can be executed so that everything that leads to a block
// comes before it, loops unrolled: a weak topological order (Bourdoncle, FMPA 1993), in which the
// key of a visit also counts the rounds of each loop around the block.
#pragma once

#include <cstdint>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::smt {

// A visit of a block. Visits are executed in ascending order.
using VisitKey = std::vector<std::uint32_t>;

class BlockOrder {
 public:
  explicit BlockOrder(const program::Program& program);

  // The first visit of a block, where a step starts with it.
  [[nodiscard]] VisitKey first(program::BlockId block) const;
  // The visit of `to` that follows the visit `key` of `from`.
  [[nodiscard]] VisitKey next(const VisitKey& key, program::BlockId from,
                              program::BlockId to) const;

 private:
  void decompose(const program::Program& program, const std::vector<program::BlockId>& blocks,
                 const std::vector<std::uint32_t>& around, std::uint32_t first_index);

  // Where a block stands: the position of each loop around it in the loop around that one, then
  // its own in the innermost. The head of a loop has position 0.
  std::vector<std::vector<std::uint32_t>> position_;
  std::vector<std::vector<program::BlockId>> before_;  // predecessors
};

}  // namespace txproof::checker::smt
