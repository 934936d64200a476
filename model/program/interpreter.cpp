// Plainness over speed: a step is run from its start with a list of choices; all successors of a
// state are found by running it again with the next list, counted up like an odometer. It ends
// because every loop inside a step carries a bound that is checked.
#include "model/program/interpreter.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "model/program/evaluate.h"
#include "model/program/words.h"

namespace txproof::program {

namespace {

// One choice that was met: what could be chosen, and which of these was.
struct ChoicePoint {
  std::vector<std::uint32_t> options;
  std::size_t taken = 0;
};

// Runs one step. Choices come from `wanted` while it lasts; beyond it, the first option is taken.
class StepRun {
 public:
  StepRun(const Program& program, State& state, Observer* observer)
      : program_(program), state_(state), observer_(observer) {}

  // ensures: choices() holds the choices met, faults() what failed
  //   returns false if a wanted choice is not among the options
  bool run(LocationId location, const std::vector<std::uint32_t>& wanted);

  [[nodiscard]] const std::vector<ChoicePoint>& choices() const { return choices_; }
  [[nodiscard]] const std::vector<Fault>& faults() const { return faults_; }
  [[nodiscard]] const std::vector<Word>& counts() const { return counts_; }

 private:
  [[nodiscard]] Word evaluate(ExprId expr) const { return evaluate_expr(program_, state_, expr); }
  [[nodiscard]] SlotId resolve(AddrId addr) const {
    return resolve_address(program_, state_, addr);
  }
  std::optional<std::uint32_t> choose(std::vector<std::uint32_t> options);
  bool execute(const Stmt& stmt);
  bool check(const Stmt& stmt);
  void create(const Stmt& stmt);
  void share(const Stmt& stmt);
  void destroy(const Stmt& stmt);
  void move_packet(StructId structure, SlotId source, SlotId target, std::uint8_t leave);
  void insert(const Stmt& stmt);
  void remove(const Stmt& stmt);
  void splice(const Stmt& stmt);
  bool pick_element(const Stmt& stmt);

  const Program& program_;
  State& state_;
  Observer* observer_;
  const std::vector<std::uint32_t>* wanted_ = nullptr;
  std::vector<ChoicePoint> choices_;
  std::vector<Fault> faults_;
  std::vector<Word> counts_;
  bool possible_ = true;  // every wanted choice was an option so far
};

std::optional<std::uint32_t> StepRun::choose(std::vector<std::uint32_t> options) {
  ChoicePoint point{std::move(options), 0};
  if (choices_.size() < wanted_->size()) {
    const auto found =
        std::find(point.options.begin(), point.options.end(), (*wanted_)[choices_.size()]);
    if (found == point.options.end()) return std::nullopt;
    point.taken = static_cast<std::size_t>(found - point.options.begin());
  } else if (point.options.empty()) {
    return std::nullopt;
  }
  choices_.push_back(std::move(point));
  return choices_.back().options[choices_.back().taken];
}

bool StepRun::run(LocationId location, const std::vector<std::uint32_t>& wanted) {
  wanted_ = &wanted;
  const ThreadId thread = program_.locations[location].thread;
  BlockId block = program_.locations[location].entry;
  const auto stop_at = [&](const Terminator& end) {
    for (const SlotId slot : end.forget) state_[slot] = program_.slots[slot].rest_value;
    state_[program_.threads[thread].pc] = program_.locations[end.location].pc;
    canonicalise(program_, state_);
    return choices_.size() >= wanted_->size();
  };
  for (;;) {
    if (observer_ != nullptr) observer_->block(block);
    for (const Stmt& stmt : program_.blocks[block].stmts) {
      if (!execute(stmt)) return possible_ && choices_.size() >= wanted_->size();
    }
    const Terminator& end = program_.blocks[block].end;
    switch (end.kind) {
      case TerminatorKind::jump:
        block = end.targets[0];
        break;
      case TerminatorKind::branch:
        block = evaluate(end.condition) != 0 ? end.targets[0] : end.targets[1];
        break;
      case TerminatorKind::choose: {
        std::vector<std::uint32_t> options;
        for (std::uint32_t i = 0; i < end.targets.size(); ++i) {
          if (end.guards[i] == no_id || evaluate(end.guards[i]) != 0) options.push_back(i);
        }
        const auto taken = choose(std::move(options));
        if (!taken) return false;
        block = end.targets[*taken];
        break;
      }
      case TerminatorKind::lock:
        if (evaluate(end.condition) == 0) return stop_at(end);
        block = end.targets[0];
        break;
      case TerminatorKind::stop:
        return stop_at(end);
      case TerminatorKind::halt:
        assert(false && "a halt is behind a check that always fails");
        return false;
    }
  }
}

bool StepRun::check(const Stmt& stmt) {
  if (evaluate(stmt.value) != 0) return true;
  faults_.push_back({stmt.violation, stmt.fatal});
  if (observer_ != nullptr) observer_->failed(stmt, state_);
  return !stmt.fatal;
}

// A counted struct's place refers to a free cell; a linear one holds the packet itself.
void StepRun::create(const Stmt& stmt) {
  const SlotId place = resolve(stmt.target);
  if (!program_.structs[stmt.structure].counted) {
    state_[place] = 1;
    return;
  }
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != stmt.structure) continue;
    for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
      const SlotId live = cells.first + cell * cells.stride;
      if (state_[live] != 0) continue;
      state_[live] = 1;
      state_[place] = 2 + static_cast<Word>(cell);
      return;
    }
  }
  assert(false && "as many cells as places: one is free");
}

void StepRun::share(const Stmt& stmt) {
  const Word reference = stmt.source != no_id ? state_[resolve(stmt.source)] : evaluate(stmt.value);
  state_[resolve(stmt.target)] = reference;
}

void StepRun::destroy(const Stmt& stmt) {
  const Struct& structure = program_.structs[stmt.structure];
  const SlotId place = resolve(stmt.source);
  if (!structure.counted) {
    erase_block(program_, state_, place, structure.words);
    state_[place] = stmt.leave;
    return;
  }
  const Word reference = state_[place];
  state_[place] = stmt.leave;
  const bool still_held =
      std::any_of(structure.places.begin(), structure.places.end(),
                  [&](const Place& other) { return state_[other.base] == reference; });
  if (still_held) return;
  for (const SlotId handle : structure.handles) {
    if (state_[handle] == reference) state_[handle] = 1;
  }
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != stmt.structure) continue;
    const auto cell = static_cast<std::uint32_t>(reference - 2);
    erase_block(program_, state_, cells.first + cell * cells.stride, cells.stride);
  }
}

void StepRun::move_packet(StructId structure, SlotId source, SlotId target, std::uint8_t leave) {
  const Struct& type = program_.structs[structure];
  if (type.counted) {
    state_[target] = state_[source];
    state_[source] = leave;
    return;
  }
  move_block(program_, state_, source, target, type.words);
  state_[source] = leave;
}

void StepRun::insert(const Stmt& stmt) {
  const Container& container = program_.containers[stmt.container];
  const SlotId length = resolve(container.addr);
  const SlotId first = length + 1;
  const auto count = static_cast<std::uint32_t>(state_[length]);
  const std::uint32_t position =
      stmt.value == no_id ? count : static_cast<std::uint32_t>(evaluate(stmt.value));
  const SlotId element = first + position * container.stride;
  const Word scalar = stmt.element == no_id ? 0 : evaluate(stmt.element);
  // The source may stand behind the gap, in the same container's own elements: it cannot, a
  // packet in a container is taken out to a place first.
  const SlotId source = stmt.source == no_id ? 0 : resolve(stmt.source);
  move_block(program_, state_, element, element + container.stride,
             (count - position) * container.stride);
  if (container.structure == no_id) {
    state_[element] = scalar;
  } else {
    move_packet(container.structure, source, element, stmt.leave);
  }
  state_[length] = static_cast<Word>(count) + 1;
  if (container.sorted) canonicalise(program_, state_);
}

void StepRun::remove(const Stmt& stmt) {
  const Container& container = program_.containers[stmt.container];
  const SlotId length = resolve(container.addr);
  const auto count = static_cast<std::uint32_t>(state_[length]);
  const auto position = static_cast<std::uint32_t>(evaluate(stmt.value));
  const SlotId element = length + 1 + position * container.stride;
  const SlotId target = stmt.target == no_id ? no_id : resolve(stmt.target);
  if (container.structure != no_id) {
    move_packet(container.structure, element, target, 0);
  } else {
    if (target != no_id) state_[target] = state_[element];
    state_[element] = 0;
  }
  move_block(program_, state_, element + container.stride, element,
             (count - position - 1) * container.stride);
  state_[length] = static_cast<Word>(count) - 1;
}

void StepRun::splice(const Stmt& stmt) {
  const Container& from = program_.containers[stmt.container];
  const Container& to = program_.containers[stmt.container2];
  const SlotId from_length = resolve(from.addr);
  const SlotId to_length = resolve(to.addr);
  const auto moved = static_cast<std::uint32_t>(state_[from_length]);
  const auto there = static_cast<std::uint32_t>(state_[to_length]);
  move_block(program_, state_, from_length + 1, to_length + 1 + there * to.stride,
             moved * from.stride);
  state_[from_length] = 0;
  state_[to_length] = static_cast<Word>(there + moved);
  if (to.sorted) canonicalise(program_, state_);
}

bool StepRun::pick_element(const Stmt& stmt) {
  const Container& container = program_.containers[stmt.container];
  const SlotId length = resolve(container.addr);
  std::vector<std::uint32_t> options;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(state_[length]); ++i) {
    const SlotId element = length + 1 + i * container.stride;
    if (evaluate_with_cursor(program_, state_, stmt.aggregate,
                             element_cursor(program_, container, element, state_),
                             stmt.value2) != 0) {
      options.push_back(i);
    }
  }
  const auto taken = choose(std::move(options));
  if (!taken) return false;
  state_[resolve(stmt.target)] = *taken;
  return true;
}

// Returns false if the step ends here.
bool StepRun::execute(const Stmt& stmt) {
  if (observer_ != nullptr) observer_->statement(stmt, state_);
  switch (stmt.kind) {
    case StmtKind::assign: {
      const Word value = evaluate(stmt.value);
      state_[resolve(stmt.target)] = value;
      break;
    }
    case StmtKind::check:
      if (!check(stmt)) return false;
      break;
    case StmtKind::create:
      create(stmt);
      break;
    case StmtKind::move:
      move_packet(stmt.structure, resolve(stmt.source), resolve(stmt.target), stmt.leave);
      break;
    case StmtKind::duplicate: {
      const SlotId source = resolve(stmt.source);
      const SlotId target = resolve(stmt.target);
      std::copy_n(state_.begin() + source, program_.structs[stmt.structure].words,
                  state_.begin() + target);
      break;
    }
    case StmtKind::share:
      share(stmt);
      break;
    case StmtKind::destroy:
      destroy(stmt);
      break;
    case StmtKind::clear_tag:
      state_[resolve(stmt.target)] = 0;
      break;
    case StmtKind::insert:
      insert(stmt);
      break;
    case StmtKind::remove:
      remove(stmt);
      break;
    case StmtKind::splice:
      splice(stmt);
      break;
    case StmtKind::clear: {
      const Container& container = program_.containers[stmt.container];
      erase_block(program_, state_, resolve(container.addr),
                  1 + container.capacity * container.stride);
      break;
    }
    case StmtKind::pick: {
      const Word lo = evaluate(stmt.value);
      const Word hi = evaluate(stmt.value2);
      std::vector<std::uint32_t> options;
      for (Word value = lo; value <= hi; ++value) {
        options.push_back(static_cast<std::uint32_t>(value - lo));
      }
      const auto taken = choose(std::move(options));
      if (!taken) return possible_ = false;
      state_[resolve(stmt.target)] = lo + *taken;
      break;
    }
    case StmtKind::pick_element:
      if (!pick_element(stmt)) return possible_ = false;
      break;
    case StmtKind::leave:
      if (observer_ != nullptr) {
        observer_->returned(stmt.call, stmt.value == no_id ? 0 : evaluate(stmt.value));
      }
      break;
    case StmtKind::count: {
      const Counter& counter = program_.counters[stmt.counter];
      const Word element = stmt.value2 == no_id ? 0 : evaluate(stmt.value2);
      const Counter& last = program_.counters.back();
      counts_.resize(last.first + last.size);
      counts_[counter.first + static_cast<std::size_t>(element)] += evaluate(stmt.value);
      break;
    }
    case StmtKind::witness:
    case StmtKind::enter:
      break;
  }
  if (observer_ != nullptr) observer_->after(stmt, state_);
  return true;
}

const Location& location_of(const Program& program, const State& state, ThreadId thread) {
  const Thread& t = program.threads[thread];
  return program.locations[t.locations[static_cast<std::size_t>(state[t.pc])]];
}

Word after_a_tick(const Slot& slot, Word value) {
  if (slot.ticks == TickEffect::up) return std::min(value + 1, slot.tick_end);
  if (slot.ticks == TickEffect::down) return std::max(value - 1, slot.tick_end);
  return value;
}

// A clock in an unused element of a container, or in an empty place, does not run.
bool clock_runs(const Slot& slot, const State& state) {
  return slot.ticks != TickEffect::none && (slot.clock_of == no_id || state[slot.clock_of] == 1);
}

// One unit of time passes.
void pass_time(const Program& program, State& state) {
  for (ThreadId thread = 0; thread < program.threads.size(); ++thread) {
    const Location& here = location_of(program, state, thread);
    if (here.kind == StopKind::tick) {
      state[program.threads[thread].pc] = program.locations[here.after].pc;
    }
  }
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    if (clock_runs(program.slots[slot], state)) {
      state[slot] = after_a_tick(program.slots[slot], state[slot]);
    }
  }
  canonicalise(program, state);
}

bool time_changes(const Program& program, const State& state) {
  State later = state;
  pass_time(program, later);
  return later != state;
}

}  // namespace

Word Interpreter::evaluate(const State& state, ExprId expr) const {
  return evaluate_expr(program_, state, expr);
}

SlotId Interpreter::resolve(const State& state, AddrId addr) const {
  return resolve_address(program_, state, addr);
}

bool Interpreter::enabled(const State& state, ThreadId thread) const {
  const Location& here = location_of(program_, state, thread);
  if (here.kind == StopKind::end || here.kind == StopKind::tick) return false;
  return here.condition == no_id || evaluate(state, here.condition) != 0;
}

bool Interpreter::time_enabled(const State& state) const {
  if (!program_.has_time) return false;
  for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
    if (!program_.threads[thread].urgent) continue;
    if (location_of(program_, state, thread).kind == StopKind::pause) continue;
    if (enabled(state, thread)) return false;
  }
  return time_changes(program_, state);
}

bool Interpreter::at_rest(const State& state) const {
  for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
    if (location_of(program_, state, thread).kind == StopKind::pause) continue;
    if (enabled(state, thread)) return false;
  }
  return !program_.has_time || !time_changes(program_, state);
}

bool Interpreter::deadlocked(const State& state) const {
  if (!at_rest(state)) return false;
  for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
    const StopKind kind = location_of(program_, state, thread).kind;
    if (kind == StopKind::wait || kind == StopKind::wait_choice || kind == StopKind::access) {
      return true;
    }
  }
  return false;
}

std::vector<Successor> Interpreter::successors(const State& state) const {
  std::vector<Successor> result;
  for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
    if (!enabled(state, thread)) continue;
    const Location& here = location_of(program_, state, thread);
    const auto location = static_cast<LocationId>(&here - program_.locations.data());
    std::vector<std::uint32_t> wanted;
    for (;;) {
      Successor next{{thread, {}}, state, {}, {}};
      StepRun step(program_, next.state, nullptr);
      const bool possible = step.run(location, wanted);
      next.faults = step.faults();
      next.counts = step.counts();
      for (const ChoicePoint& point : step.choices()) {
        next.move.choices.push_back(point.options[point.taken]);
      }
      std::vector<ChoicePoint> points = step.choices();
      if (possible) result.push_back(std::move(next));
      while (!points.empty() && points.back().taken + 1 == points.back().options.size()) {
        points.pop_back();
      }
      if (points.empty()) break;
      ++points.back().taken;
      wanted.clear();
      for (const ChoicePoint& point : points) wanted.push_back(point.options[point.taken]);
    }
  }
  if (time_enabled(state)) {
    Successor next{{time_step, {}}, state, {}, {}};
    pass_time(program_, next.state);
    result.push_back(std::move(next));
  }
  return result;
}

bool Interpreter::run(const State& state, const Move& move, Successor& successor,
                      Observer* observer) const {
  successor = Successor{move, state, {}, {}};
  if (move.thread == time_step) {
    if (!move.choices.empty() || !time_enabled(state)) return false;
    pass_time(program_, successor.state);
    return true;
  }
  if (move.thread >= program_.threads.size() || !enabled(state, move.thread)) return false;
  const Location& here = location_of(program_, state, move.thread);
  StepRun step(program_, successor.state, observer);
  const bool possible =
      step.run(static_cast<LocationId>(&here - program_.locations.data()), move.choices);
  successor.faults = step.faults();
  successor.counts = step.counts();
  return possible && step.choices().size() == move.choices.size();
}

}  // namespace txproof::program
