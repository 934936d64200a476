#include "harness/port.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "counterexamples/render_text.h"

namespace txproof::harness {

using program::SlotId;
using program::State;
using program::StopKind;
using program::Successor;

namespace {

std::vector<SlotId> slots_of(const program::Program& program,
                             const std::vector<std::string>& names) {
  std::vector<SlotId> out;
  for (const std::string& name : names) {
    const auto found = std::find_if(program.slots.begin(), program.slots.end(),
                                    [&](const program::Slot& slot) { return slot.name == name; });
    if (found == program.slots.end()) {
      throw ModelError("stack '" + program.stack + "' has no variable '" + name + "'");
    }
    out.push_back(static_cast<SlotId>(found - program.slots.begin()));
  }
  return out;
}

Values values_at(const State& state, const std::vector<SlotId>& slots) {
  Values out;
  out.reserve(slots.size());
  for (const SlotId slot : slots) out.push_back(state[slot]);
  return out;
}

}  // namespace

Oracle::Oracle(const Model& model, Port port, std::size_t most_states)
    : model_(model),
      interpreter_(model_.program()),
      port_(std::move(port)),
      most_states_(most_states) {
  const program::Program& program = model_.program();
  std::size_t found = 0;
  for (program::ThreadId id = 0; id < program.threads.size(); ++id) {
    if (program.threads[id].function != port_.thread) continue;
    thread_ = id;
    ++found;
  }
  if (found != 1) {
    throw ModelError("stack '" + program.stack + "' runs " + std::to_string(found) + " threads '" +
                     port_.thread + "', and one is needed to take commands");
  }
  command_slots_ = slots_of(program, port_.command);
  answer_slots_ = slots_of(program, port_.answer);
  intern(program::initial_state(program));
}

// What was said at the port is no part of the state once it is heard.
Oracle::StateId Oracle::intern(State state) {
  for (const auto* slots : {&command_slots_, &answer_slots_}) {
    for (const SlotId slot : *slots) state[slot] = model_.program().slots[slot].initial;
  }
  const auto [at, inserted] =
      ids_.try_emplace(std::move(state), static_cast<StateId>(states_.size()));
  if (inserted) {
    if (states_.size() >= most_states_) {
      throw ModelError("the model has more than " + std::to_string(most_states_) +
                       " states beside this code: make its parameters smaller");
    }
    states_.push_back(&at->first);
    known_.emplace_back();
  }
  return at->second;
}

const std::vector<Oracle::Way>& Oracle::ways(StateId id) {
  if (known_[id].has_ways) return known_[id].ways;
  const program::Program& program = model_.program();
  std::vector<Way> ways;
  for (const Successor& next : interpreter_.successors(*states_[id])) {
    if (next.move.thread != thread_ || next.ended()) continue;
    const program::Thread& thread = program.threads[thread_];
    const auto pc = static_cast<std::size_t>(next.state[thread.pc]);
    const StopKind kind = program.locations[thread.locations[pc]].kind;
    const Values command = values_at(next.state, command_slots_);
    if (kind == StopKind::wait || kind == StopKind::wait_choice || kind == StopKind::access) {
      throw ModelError("the command " + command_text(command) +
                       " does not end in its step: the model waits in the middle of it");
    }
    ways.push_back({command, values_at(next.state, answer_slots_), intern(next.state)});
  }
  const auto before = [](const Way& a, const Way& b) {
    return std::tie(a.command, a.answer, a.next) < std::tie(b.command, b.answer, b.next);
  };
  std::sort(ways.begin(), ways.end(), before);
  ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
  known_[id].ways = std::move(ways);
  known_[id].has_ways = true;
  return known_[id].ways;
}

const std::vector<Oracle::StateId>& Oracle::closure(StateId id) {
  if (known_[id].has_closure) return known_[id].closure;
  std::vector<StateId> reached = {id};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Successor& next : interpreter_.successors(*states_[reached[i]])) {
      if (next.move.thread == thread_ || next.ended()) continue;
      const StateId state = intern(next.state);
      if (std::find(reached.begin(), reached.end(), state) == reached.end()) {
        reached.push_back(state);
      }
    }
  }
  std::sort(reached.begin(), reached.end());
  known_[id].closure = std::move(reached);
  known_[id].has_closure = true;
  return known_[id].closure;
}

std::vector<Oracle::StateId> Oracle::closure(const std::vector<StateId>& states) {
  std::vector<StateId> out;
  for (const StateId state : states) {
    const std::vector<StateId>& more = closure(state);
    out.insert(out.end(), more.begin(), more.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<Values> Oracle::commands(const std::vector<StateId>& states) {
  std::vector<Values> common;
  bool first = true;
  for (const StateId state : states) {
    std::vector<Values> here;
    for (const Way& way : ways(state)) {
      if (here.empty() || here.back() != way.command) here.push_back(way.command);
    }
    if (first) {
      common = std::move(here);
    } else {
      std::vector<Values> both;
      std::set_intersection(common.begin(), common.end(), here.begin(), here.end(),
                            std::back_inserter(both));
      common = std::move(both);
    }
    first = false;
  }
  return common;
}

std::vector<Oracle::StateId> Oracle::after(const std::vector<StateId>& states,
                                           const Values& command, const Values& answer) {
  std::vector<StateId> out;
  for (const StateId state : states) {
    for (const Way& way : ways(state)) {
      if (way.command == command && way.answer == answer) out.push_back(way.next);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return closure(out);
}

std::vector<Values> Oracle::answers(const std::vector<StateId>& states, const Values& command) {
  std::vector<Values> out;
  for (const StateId state : states) {
    for (const Way& way : ways(state)) {
      if (way.command == command) out.push_back(way.answer);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::string Oracle::text_of(const std::vector<SlotId>& slots, const Values& values) const {
  std::string text;
  for (std::size_t i = 0; i < slots.size() && i < values.size(); ++i) {
    text += (text.empty() ? "" : " ") + model_.program().slots[slots[i]].name + "=" +
            counterexamples::slot_value(model_.program(), slots[i], values[i]);
  }
  return text;
}

std::string Oracle::command_text(const Values& command) const {
  return text_of(command_slots_, command);
}

std::string Oracle::answer_text(const Values& answer) const {
  return text_of(answer_slots_, answer);
}

}  // namespace txproof::harness
