// The books after a step: what each container and slot holds, what the integers of each object
// stand at, and how many packets there are in all. It knows no networking: all of it is read from
// the slots' names and kinds.
#pragma once

#include <vector>

#include "counterexamples/packets.h"
#include "counterexamples/trace.h"

namespace txproof::counterexamples {

class Ledger {
 public:
  explicit Ledger(const program::Program& program);

  // Always the same entries in the same order.
  [[nodiscard]] std::vector<LedgerEntry> entries(const program::State& state,
                                                 const Packets& packets) const;

  // Told by the ledger or by moves of packets: part of a place or of a container.
  [[nodiscard]] bool holds_packets_or_elements(program::SlotId slot) const {
    return covered_[slot];
  }

 private:
  struct Queue {
    std::string name;
    program::SlotId length = 0;
    program::StructId structure = program::no_id;  // no_id: scalars
    std::vector<program::SlotId> elements;
  };
  struct Single {
    program::SlotId tag = 0;
    program::StructId structure = program::no_id;
    std::string name;
  };
  void find_queues();
  void find_singles();
  [[nodiscard]] LedgerEntry totals(program::StructId structure, const program::State& state) const;

  const program::Program& program_;
  std::vector<bool> covered_;
  std::vector<Queue> queues_;
  std::vector<Single> singles_;  // places that are in no container
  std::vector<program::SlotId> numbers_;
};

}  // namespace txproof::counterexamples
