#include "harness/port.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "counterexamples/render_text.h"

namespace txproof::harness {

using program::SlotId;
using program::State;
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

Values Oracle::values_of_start(const std::vector<SlotId>& slots) const {
  Values out;
  out.reserve(slots.size());
  for (const SlotId slot : slots) out.push_back(model_.program().slots[slot].initial);
  return out;
}

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

Oracle::Known& Oracle::known(StateId id) {
  if (known_[id].expanded) return known_[id];
  std::vector<Way> ways;
  std::vector<StateId> hidden;
  bool ready = true;
  const Values no_command = values_of_start(command_slots_);
  const Values no_answer = values_of_start(answer_slots_);
  for (const Successor& next : interpreter_.successors(*states_[id])) {
    if (next.ended()) continue;
    const Values command = values_at(next.state, command_slots_);
    const Values answer = values_at(next.state, answer_slots_);
    const bool of_driver = next.move.thread == thread_;
    if (of_driver && command != no_command) {
      ways.push_back({command, answer, intern(next.state)});
      continue;
    }
    if (answer != no_answer) {
      throw ModelError("stack '" + model_.program().stack + "' answers " + answer_text(answer) +
                       " in a step without a command: a command must end in its step, which a "
                       "`wait` or an `either` with guards cuts in two");
    }
    ready = ready && !of_driver;
    hidden.push_back(intern(next.state));
  }
  const auto before = [](const Way& a, const Way& b) {
    return std::tie(a.command, a.answer, a.next) < std::tie(b.command, b.answer, b.next);
  };
  std::sort(ways.begin(), ways.end(), before);
  ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
  Known& known = known_[id];
  known.ways = std::move(ways);
  known.hidden = std::move(hidden);
  known.ready = ready;
  known.expanded = true;
  return known;
}

const std::vector<Oracle::Way>& Oracle::ways(StateId id) { return known(id).ways; }

const std::vector<Oracle::StateId>& Oracle::closure(StateId id) {
  if (!known_[id].closure.empty()) return known_[id].closure;
  std::vector<StateId> reached = {id};
  std::set<StateId> seen = {id};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const StateId next : known(reached[i]).hidden) {
      if (seen.insert(next).second) reached.push_back(next);
    }
  }
  known_[id].closure.assign(seen.begin(), seen.end());
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
    if (!known(state).ready) continue;  // it goes on by itself to where it takes commands
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
