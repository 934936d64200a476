// insert, remove and splice: each is a few cases of moves between fixed slots.
#include <algorithm>

#include "checker/smt/execution.h"

namespace txproof::checker::smt {

using program::Container;
using program::no_id;
using program::SlotId;
using program::Stmt;
using program::Word;

// Elements beyond the length are all 0, and no handle names them. So what is shifted is everything
// up to the capacity, whatever the length.
void Execution::insert(PathState& path, const Stmt& stmt) const {
  const Container& container = program_.containers[stmt.container];
  const Expressions here = expressions(path);
  const Value scalar = stmt.element == no_id ? Value(0) : here.value(stmt.element);
  const std::vector<Target> sources = stmt.source == no_id
                                          ? std::vector<Target>{{algebra_.truth(true), 0}}
                                          : here.targets(stmt.source);
  std::vector<Case> cases;
  for (const Target& length : here.targets(container.addr)) {
    const Value count = path.slots[length.slot];
    const Value position = stmt.value == no_id ? count : here.value(stmt.value);
    for (std::uint32_t at = 0; at < container.capacity; ++at) {
      const z3::expr there = algebra_.equal(position, static_cast<Word>(at));
      if (there.is_false()) continue;
      for (const Target& source : sources) {
        const auto run = [this, &stmt, &container, scalar, count, at, slot = length.slot,
                          from = source.slot](SymbolicState& state) {
          const SlotId element = slot + 1 + at * container.stride;
          if (stmt.value != no_id && !slipped(Slip::insert_at_head_does_not_shift)) {
            words_.move_block(state, element, element + container.stride,
                              (container.capacity - 1 - at) * container.stride);
          }
          if (container.structure == no_id) {
            state[element] = scalar;
          } else {
            move_packet(state, container.structure, from, element, stmt.leave);
          }
          if (!slipped(Slip::insert_forgets_length)) {
            state[slot] = clipped(algebra_.add(count, 1), slot);
          }
        };
        cases.push_back({algebra_.both(length.when, algebra_.both(there, source.when)), run});
      }
    }
  }
  if (cases.empty()) return;  // a container without room: a check failed before
  by_cases(path, cases);
  if (container.sorted) words_.canonicalise(path.slots, nullptr);
}

void Execution::remove(PathState& path, const Stmt& stmt) const {
  const Container& container = program_.containers[stmt.container];
  const Expressions here = expressions(path);
  const Value position = here.value(stmt.value);
  const std::vector<Target> targets = stmt.target == no_id
                                          ? std::vector<Target>{{algebra_.truth(true), no_id}}
                                          : here.targets(stmt.target);
  std::vector<Case> cases;
  for (const Target& length : here.targets(container.addr)) {
    const Value count = path.slots[length.slot];
    for (std::uint32_t at = 0; at < container.capacity; ++at) {
      const z3::expr there = algebra_.equal(position, static_cast<Word>(at));
      if (there.is_false()) continue;
      for (const Target& target : targets) {
        const auto run = [this, &container, count, at, slot = length.slot,
                          to = target.slot](SymbolicState& state) {
          const SlotId element = slot + 1 + at * container.stride;
          if (container.structure != no_id) {
            move_packet(state, container.structure, element, to, 0);
          } else {
            if (to != no_id) state[to] = clipped(state[element], to);
            state[element] = 0;
          }
          if (!slipped(Slip::remove_does_not_shift)) {
            words_.move_block(state, element + container.stride, element,
                              (container.capacity - 1 - at) * container.stride);
          }
          state[slot] = clipped(algebra_.subtract(count, 1), slot);
        };
        cases.push_back({algebra_.both(length.when, algebra_.both(there, target.when)), run});
      }
    }
  }
  if (cases.empty()) return;
  by_cases(path, cases);
}

void Execution::splice(PathState& path, const Stmt& stmt) const {
  const Container& from = program_.containers[stmt.container];
  const Container& to = program_.containers[stmt.container2];
  const Expressions here = expressions(path);
  std::vector<Case> cases;
  for (const Target& source : here.targets(from.addr)) {
    for (const Target& target : here.targets(to.addr)) {
      const Value moved = path.slots[source.slot];
      const Value there = path.slots[target.slot];
      for (std::uint32_t at = 0; at <= to.capacity; ++at) {
        const z3::expr stands = algebra_.equal(there, static_cast<Word>(at));
        if (stands.is_false()) continue;
        const auto run = [this, &from, &to, moved, there, at, source_slot = source.slot,
                          target_slot = target.slot](SymbolicState& state) {
          const std::uint32_t most = std::min(from.capacity, to.capacity - at);
          words_.move_block(state, source_slot + 1, target_slot + 1 + at * to.stride,
                            most * from.stride);
          state[source_slot] = 0;
          state[target_slot] = clipped(algebra_.add(there, moved), target_slot);
        };
        cases.push_back({algebra_.both(source.when, algebra_.both(target.when, stands)), run});
      }
    }
  }
  by_cases(path, cases);
  if (to.sorted) words_.canonicalise(path.slots, nullptr);
}

}  // namespace txproof::checker::smt
