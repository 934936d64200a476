#include "counterexamples/recorder.h"

#include <algorithm>

#include "counterexamples/render_text.h"
#include "model/program/evaluate.h"

namespace txproof::counterexamples {

using program::CallId;
using program::no_id;
using program::SlotId;
using program::Stmt;
using program::StmtKind;
using program::Word;

namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

bool moves_packets(StmtKind kind) {
  switch (kind) {
    case StmtKind::create:
    case StmtKind::move:
    case StmtKind::duplicate:
    case StmtKind::share:
    case StmtKind::destroy:
    case StmtKind::insert:
    case StmtKind::remove:
    case StmtKind::splice:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool Recorder::is_root(CallId call) const {
  // A thread's own text is an activation too, but nobody calls it.
  return program_.calls[call].parent == no_id;
}

void Recorder::begin(TraceStep& step, const program::Location* location) {
  step_ = &step;
  failed_ = nullptr;
  open_.clear();
  moved_by_.clear();
  born_in_.clear();
  effects_.clear();
  if (location == nullptr) return;
  std::vector<CallId> chain;
  for (CallId call = location->call; call != no_id; call = program_.calls[call].parent) {
    if (!is_root(call)) chain.push_back(call);
  }
  for (auto call = chain.rbegin(); call != chain.rend(); ++call) open(*call, false);
}

void Recorder::finish(const std::vector<SlotChange>& changes) {
  for (const Effect& effect : effects_) {
    const bool lasts = std::any_of(changes.begin(), changes.end(), [&](const SlotChange& change) {
      return change.slot == effect.only_if_changed;
    });
    if (effect.only_if_changed == no_id || lasts) {
      step_->calls[effect.call].effects.push_back(effect.text);
    }
  }
}

void Recorder::statement(const Stmt& stmt, const program::State& state) {
  packets_.before(state);
  history_.before(stmt, state);
  target_ = no_id;
  moves_ = moves_packets(stmt.kind);
  if (moves_) places_ = all_places();
  const bool writes = stmt.kind == StmtKind::assign || stmt.kind == StmtKind::pick;
  if (!writes) return;
  target_ = program::resolve_address(program_, state, stmt.target);
  old_value_ = state[target_];
  // The value of a call is assigned to a slot of its own, named after the function.
  if (!open_.empty() && program_.slots[target_].name.ends_with("()")) {
    TraceCall& call = step_->calls[open_.back()];
    if (call.call == stmt.call) call.returned = stmt.where;
  }
}

void Recorder::after(const Stmt& stmt, const program::State& state) {
  packets_.after(stmt, state);
  history_.after(stmt, state);
  if (stmt.kind == StmtKind::enter) open(stmt.call, true);
  if (stmt.kind == StmtKind::leave) close(stmt.call);
  if (target_ != no_id && !stmt.probe) assigned(target_, old_value_, state[target_]);
  if (moves_) moved(all_places(), stmt);
}

void Recorder::returned(CallId call, Word value) {
  if (!program_.calls[call].has_result) return;
  for (auto it = open_.rbegin(); it != open_.rend(); ++it) {
    const std::size_t entry = *it;
    if (step_->calls[entry].call != call) continue;
    step_->calls[entry].returns = value;
    return;
  }
}

void Recorder::failed(const Stmt& check, const program::State& state) {
  if (check.violation != wanted_) {
    const program::Violation& other = program_.violations[check.violation];
    step_->notes.push_back(program_.properties[other.property].instance +
                           " fails here too: " + other.message);
    return;
  }
  failed_ = &check;
  failed_block_ = block_;
  failed_state_ = state;
}

const Stmt* Recorder::moved_by(PacketId packet) const {
  const auto entry = moved_by_.find(packet);
  return entry == moved_by_.end() ? nullptr : entry->second;
}

std::vector<SlotId> Recorder::all_places() const {
  std::vector<SlotId> places;
  for (PacketId p = 0; p < packets_.count(); ++p) {
    places.push_back(packets_.place(p).value_or(no_id));
  }
  return places;
}

void Recorder::open(CallId call, bool entered) {
  TraceCall entry;
  entry.call = call;
  entry.depth = static_cast<unsigned>(open_.size());
  entry.entered = entered;
  open_.push_back(step_->calls.size());
  step_->calls.push_back(entry);
}

void Recorder::close(CallId call) {
  const bool is_open = std::any_of(open_.begin(), open_.end(),
                                   [&](std::size_t i) { return step_->calls[i].call == call; });
  while (is_open && !open_.empty()) {
    TraceCall& entry = step_->calls[open_.back()];
    open_.pop_back();
    entry.left = true;
    if (entry.call == call) return;
  }
}

void Recorder::effect(std::string text, SlotId only_if_changed) {
  if (!open_.empty()) effects_.push_back({open_.back(), std::move(text), only_if_changed});
}

void Recorder::assigned(SlotId slot, Word before, Word now) {
  const program::Slot& info = program_.slots[slot];
  if (before == now || info.ghost) return;
  const std::string values =
      " " + slot_value(program_, slot, before) + " -> " + slot_value(program_, slot, now);
  if (ledger_.holds_packets_or_elements(slot)) {
    // A field of a packet, wherever it is at the moment.
    for (PacketId p = 0; p < packets_.count(); ++p) {
      const auto place = packets_.place(p);
      const program::Struct& structure = program_.structs[packets_.structure(p)];
      if (!place || slot <= *place || slot >= *place + structure.words) continue;
      const auto born = born_in_.find(p);
      if (!open_.empty() && born != born_in_.end() && born->second == open_.back()) return;
      for (const program::Field& field : structure.fields) {
        if (slot >= *place + field.offset && slot < *place + field.offset + field.words) {
          effect(packets_.name(p) + "." + field.name + values);
          return;
        }
      }
    }
    return;
  }
  if (info.owner != no_id || !info.stored) return;
  const bool is_amount = info.display == no_id && info.range.hi > 1;
  effect(info.name + values, is_amount ? no_id : slot);
}

bool Recorder::is_local(PacketId packet, SlotId place) const {
  return program_.structs[packets_.structure(packet)].places[program_.place_at[place]].is_local;
}

void Recorder::moved(const std::vector<SlotId>& now, const Stmt& stmt) {
  for (PacketId p = 0; p < now.size(); ++p) {
    const SlotId before = p < places_.size() ? places_[p] : no_id;
    if (p < places_.size() && before == now[p]) continue;
    moved_by_[p] = &stmt;
    if (p >= places_.size()) born_in_[p] = open_.empty() ? nowhere : open_.back();
    const std::string name = packets_.name(p);
    const bool was_held = before != no_id && !is_local(p, before);
    const bool is_held = now[p] != no_id && !is_local(p, now[p]);
    // Elements that only moved up behind one that was taken are no news.
    const bool shifts =
        (stmt.kind == StmtKind::insert || stmt.kind == StmtKind::remove) && was_held && is_held;
    if (shifts) continue;
    if (now[p] == no_id) {
      effect(name + " ends");
    } else if (is_held) {
      effect(name + " -> " + place_name(program_, packets_.structure(p), now[p]));
    } else if (was_held) {
      effect(name + " taken from " + place_name(program_, packets_.structure(p), before));
    }
  }
}

}  // namespace txproof::counterexamples
