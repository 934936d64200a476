#include "checker/smt/execution.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::Container;
using program::no_id;
using program::SlotId;
using program::Stmt;
using program::StmtKind;
using program::Struct;
using program::Word;

z3::expr Execution::condition(const PathState& path) const {
  if (!path.possible) return algebra_.truth(false);
  if (path.conditions.empty()) return algebra_.truth(true);
  if (path.conditions.size() == 1) return path.conditions.front();
  z3::expr_vector all(algebra_.context());
  for (const z3::expr& each : path.conditions) all.push_back(each);
  return z3::mk_and(all);
}

void Execution::require(PathState& path, const z3::expr& condition) const {
  if (condition.is_true()) return;
  if (condition.is_false()) path.possible = false;
  path.conditions.push_back(condition);
}

Value Execution::clipped(const Value& value, SlotId slot) const {
  if (!options_.trust_ranges) return value;
  return algebra_.narrowed(value, interval_of(program_.slots[slot]));
}

void Execution::by_cases(PathState& path, const std::vector<Case>& cases) const {
  if (cases.size() == 1) {
    cases[0].run(path.slots);
    return;
  }
  SymbolicState result = path.slots;
  cases.back().run(result);
  for (std::size_t i = cases.size() - 1; i-- > 0;) {
    SymbolicState other = path.slots;
    cases[i].run(other);
    for (SlotId slot = 0; slot < result.size(); ++slot) {
      result[slot] = algebra_.choose(cases[i].when, other[slot], result[slot]);
    }
  }
  path.slots = std::move(result);
}

void Execution::store(PathState& path, const std::vector<Target>& targets,
                      const Value& value) const {
  for (const Target& target : targets) {
    Value& slot = path.slots[target.slot];
    const bool always = targets.size() == 1 || slipped(Slip::store_ignores_index);
    const Value stored = clipped(value, target.slot);
    slot = always ? stored : algebra_.choose(target.when, stored, slot);
  }
}

void Execution::check(PathState& path, const Stmt& stmt) {
  const z3::expr holds = expressions(path).truth(stmt.value);
  const z3::expr fails = algebra_.opposite(holds);
  if (fails.is_false()) return;
  record_.failures.push_back({algebra_.both(condition(path), fails), stmt.violation, stmt.fatal});
  if (stmt.fatal ? !slipped(Slip::fatal_check_goes_on) : slipped(Slip::weak_check_ends_step)) {
    require(path, holds);
  }
}

void Execution::create(PathState& path, const Stmt& stmt) const {
  const std::vector<Target> places = expressions(path).targets(stmt.target);
  if (!program_.structs[stmt.structure].counted) {
    store(path, places, 1);
    return;
  }
  const program::CellTable& cells = cells_of(program_, stmt.structure);
  z3::expr none_before = algebra_.truth(true);
  Value reference = 2;
  for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
    Value& live = path.slots[cells.first + cell * cells.stride];
    const z3::expr is_live = algebra_.nonzero(live);
    const z3::expr taken = algebra_.both(none_before, algebra_.opposite(is_live));
    live = algebra_.of_truth(algebra_.either(is_live, taken));
    reference = algebra_.choose(taken, 2 + static_cast<Word>(cell), reference);
    none_before = algebra_.both(none_before, is_live);
  }
  store(path, places, reference);
}

void Execution::move_packet(SymbolicState& state, program::StructId structure, SlotId source,
                            SlotId target, std::uint8_t leave) const {
  const Struct& type = program_.structs[structure];
  if (type.counted) {
    state[target] = state[source];
  } else {
    words_.move_block(state, source, target, type.words);
  }
  state[source] = slipped(Slip::leave_tag_is_ignored) ? 0 : leave;
}

void Execution::move(PathState& path, const Stmt& stmt) const {
  std::vector<Case> cases;
  for (const Target& source : expressions(path).targets(stmt.source)) {
    for (const Target& target : expressions(path).targets(stmt.target)) {
      cases.push_back({algebra_.both(source.when, target.when),
                       [this, &stmt, from = source.slot, to = target.slot](SymbolicState& state) {
                         move_packet(state, stmt.structure, from, to, stmt.leave);
                       }});
    }
  }
  by_cases(path, cases);
}

void Execution::duplicate(PathState& path, const Stmt& stmt) const {
  const std::uint32_t words = program_.structs[stmt.structure].words;
  std::vector<Case> cases;
  for (const Target& source : expressions(path).targets(stmt.source)) {
    for (const Target& target : expressions(path).targets(stmt.target)) {
      cases.push_back({algebra_.both(source.when, target.when),
                       [words, from = source.slot, to = target.slot](SymbolicState& state) {
                         std::copy_n(state.begin() + from, words, state.begin() + to);
                       }});
    }
  }
  by_cases(path, cases);
}

void Execution::share(PathState& path, const Stmt& stmt) const {
  const Expressions here = expressions(path);
  const Value reference =
      stmt.source != no_id ? here.load(here.targets(stmt.source)) : here.value(stmt.value);
  store(path, here.targets(stmt.target), reference);
}

void Execution::destroy(PathState& path, const Stmt& stmt) const {
  const Struct& structure = program_.structs[stmt.structure];
  const std::vector<Target> places = expressions(path).targets(stmt.source);
  const Word leave = slipped(Slip::leave_tag_is_ignored) ? 0 : stmt.leave;
  if (!structure.counted) {
    std::vector<Case> cases;
    cases.reserve(places.size());
    for (const Target& place : places) {
      cases.push_back({place.when, [this, &structure, leave, at = place.slot](auto& state) {
                         words_.erase_block(state, at, structure.words);
                         state[at] = leave;
                       }});
    }
    by_cases(path, cases);
    return;
  }
  const Value reference = expressions(path).load(places);
  store(path, places, leave);
  z3::expr held = algebra_.truth(false);
  if (!slipped(Slip::destroy_ends_shared_cell)) {
    for (const program::Place& other : structure.places) {
      held = algebra_.either(held, algebra_.equal(path.slots[other.base], reference));
    }
  }
  const z3::expr ends = algebra_.opposite(held);
  for (const SlotId handle : structure.handles) {
    Value& slot = path.slots[handle];
    slot = algebra_.choose(algebra_.both(ends, algebra_.equal(slot, reference)), 1, slot);
  }
  const program::CellTable& cells = cells_of(program_, stmt.structure);
  std::vector<Case> cases;
  for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
    const SlotId first = cells.first + cell * cells.stride;
    const z3::expr named = algebra_.equal(reference, 2 + static_cast<Word>(cell));
    cases.push_back({algebra_.both(ends, named), [this, first, &cells](SymbolicState& state) {
                       words_.erase_block(state, first, cells.stride);
                     }});
  }
  cases.push_back({algebra_.truth(true), [](SymbolicState&) {}});
  by_cases(path, cases);
}

void Execution::pick(PathState& path, const Stmt& stmt) {
  const Expressions here = expressions(path);
  const Value lo = here.value(stmt.value);
  Value hi = here.value(stmt.value2);
  if (slipped(Slip::pick_misses_last)) hi = algebra_.subtract(hi, 1);
  const std::vector<Target> targets = here.targets(stmt.target);
  store(path, targets, new_choice(path, lo, hi));
}

Value Execution::new_choice(PathState& path, const Value& lo, const Value& hi) {
  const std::string name = name_ + "!" + std::to_string(record_.choices.size());
  if (lo.range().lo > hi.range().hi) path.possible = false;
  const Interval range{lo.range().lo, std::max(lo.range().lo, hi.range().hi)};
  const z3::expr met = condition(path);
  const Value variable = algebra_.variable(name, range);
  require(path, algebra_.in_range(variable, range));
  require(path, algebra_.less_equal(lo, variable));
  require(path, algebra_.less_equal(variable, hi));
  record_.choices.push_back({variable, algebra_.subtract(variable, lo), met});
  return variable;
}

void Execution::pick_element(PathState& path, const Stmt& stmt) {
  const Container& container = program_.containers[stmt.container];
  const std::vector<Target> lengths = expressions(path).targets(container.addr);
  if (container.capacity == 0) {
    path.possible = false;
    return;
  }
  const std::vector<Target> targets = expressions(path).targets(stmt.target);
  const SymbolicState before = path.slots;
  const Value position = new_choice(path, 0, static_cast<Word>(container.capacity) - 1);
  const Expressions here(algebra_, program_, options_.slips, before);
  z3::expr is_option = algebra_.truth(false);
  for (const Target& length : lengths) {
    for (std::uint32_t i = 0; i < container.capacity; ++i) {
      const SlotId element = length.slot + 1 + i * container.stride;
      const Cursor cursor{stmt.aggregate, here.element_cursor(container.structure, element),
                          nullptr};
      z3::expr option = algebra_.both(
          length.when, algebra_.both(algebra_.equal(position, static_cast<Word>(i)),
                                     algebra_.less(static_cast<Word>(i), before[length.slot])));
      if (!slipped(Slip::pick_element_takes_any)) {
        option = algebra_.both(option, here.truth(stmt.value2, &cursor));
      }
      is_option = algebra_.either(is_option, option);
    }
  }
  require(path, is_option);
  store(path, targets, position);
}

void Execution::execute(PathState& path, const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::assign: {
      const Expressions here = expressions(path);
      const Value value = here.value(stmt.value);
      store(path, here.targets(stmt.target), value);
      break;
    }
    case StmtKind::check:
      check(path, stmt);
      break;
    case StmtKind::witness: {
      const z3::expr speaks = algebra_.both(condition(path), expressions(path).truth(stmt.value));
      if (!speaks.is_false()) record_.witnesses.push_back({speaks, stmt.property});
      break;
    }
    case StmtKind::create:
      create(path, stmt);
      break;
    case StmtKind::move:
      move(path, stmt);
      break;
    case StmtKind::duplicate:
      duplicate(path, stmt);
      break;
    case StmtKind::share:
      share(path, stmt);
      break;
    case StmtKind::destroy:
      destroy(path, stmt);
      break;
    case StmtKind::clear_tag:
      store(path, expressions(path).targets(stmt.target), 0);
      break;
    case StmtKind::insert:
      insert(path, stmt);
      break;
    case StmtKind::remove:
      remove(path, stmt);
      break;
    case StmtKind::splice:
      splice(path, stmt);
      break;
    case StmtKind::clear: {
      const Container& container = program_.containers[stmt.container];
      std::vector<Case> cases;
      for (const Target& length : expressions(path).targets(container.addr)) {
        cases.push_back({length.when, [this, &container, at = length.slot](SymbolicState& state) {
                           words_.erase_block(state, at, 1 + container.capacity * container.stride);
                         }});
      }
      by_cases(path, cases);
      break;
    }
    case StmtKind::pick:
      pick(path, stmt);
      break;
    case StmtKind::pick_element:
      pick_element(path, stmt);
      break;
    case StmtKind::count:  // counters are no part of the state
    case StmtKind::enter:
    case StmtKind::leave:
      break;
    default:
      throw Refusal("a statement that the encoder does not know");
  }
}

}  // namespace txproof::checker::smt
