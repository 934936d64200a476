// Which slots a piece of a Program reads and writes.
#pragma once

#include <set>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

// Every slot that the address can be, sorted.
std::vector<SlotId> possible_slots(const Program& program, AddrId addr);

struct Access {
  std::set<SlotId> reads, writes;
};

// only: if given, nothing but slots of that thread is added (to `sharp` neither).
void add_reads(const Program& program, ExprId expr, std::set<SlotId>& reads, ThreadId only = no_id);
// `sharp`, if given, gets the slots that are certainly written. Without `with_handles`, what a
// packet's move or end does to the handles that name it is left out.
void add_access(const Program& program, const Stmt& stmt, Access& access,
                std::set<SlotId>* sharp = nullptr, bool with_handles = true, ThreadId only = no_id);

// Fills Location::reads and writes; leaves them empty in a program that is too large for it.
void compute_step_accesses(Program& program);

// The slots that two threads reach and one of them writes. Properties that look on between steps,
// and probes, count as one more thread, for slots that are no thread's own.
std::set<SlotId> shared_slots(const Program& program);

}  // namespace txproof::program
