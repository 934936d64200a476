#include "counterexamples/memory_text.h"

#include <algorithm>
#include <optional>

#include "counterexamples/render_text.h"

namespace txproof::counterexamples {

using program::no_id;
using program::SlotId;
using program::State;
using program::StoreBuffer;
using program::StoreHistory;
using program::ThreadId;
using program::Word;

namespace {

std::string assignment(const program::Program& program, SlotId variable, Word value) {
  return program.slots[variable].name + " = " + slot_value(program, variable, value);
}

void buffer_lines(const program::Program& program, const StoreBuffer& buffer, ThreadId moved,
                  const State& before, const State& after, std::vector<std::string>& out) {
  const auto entry = [&](const State& state, std::size_t at) {
    const SlotId first = buffer.first + static_cast<SlotId>(2 * at);
    const auto which = static_cast<std::size_t>(state[first] - 1);
    return assignment(program, buffer.variables[which], state[first + 1]);
  };
  const auto waited = static_cast<std::size_t>(before[buffer.length]);
  const auto waits = static_cast<std::size_t>(after[buffer.length]);
  if (moved == buffer.thread && waits > waited) {
    out.push_back("store of " + entry(after, waited) + " waits in the store buffer, " +
                  std::to_string(waits) + " of " + std::to_string(buffer.depth));
  }
  if (program.threads[moved].memory_of == buffer.thread && waits < waited) {
    out.push_back(entry(before, 0) + " becomes visible");
  }
}

// The values of the stores that are kept, oldest first.
std::vector<Word> values(const StoreHistory& history, const State& state) {
  const auto first = state.begin() + static_cast<std::ptrdiff_t>(history.first);
  return {first, first + static_cast<std::ptrdiff_t>(state[history.length])};
}

bool has_ended(const program::Program& program, ThreadId thread, const State& state) {
  const program::Thread& t = program.threads[thread];
  const auto pc = static_cast<std::size_t>(state[t.pc]);
  return program.locations[t.locations[pc]].kind == program::StopKind::end;
}

// Where in `kept` the new store is. What is kept is an end of what was there before, with the
// store somewhere in it; of several places that fit the last.
std::optional<std::size_t> place_of_store(const std::vector<Word>& were,
                                          const std::vector<Word>& kept) {
  if (kept.size() > were.size() + 1) return std::nullopt;
  const std::size_t dropped = were.size() + 1 - kept.size();
  const bool nothing_new =
      dropped >= 1 &&
      std::equal(kept.begin(), kept.end(), were.begin() + static_cast<std::ptrdiff_t>(dropped - 1));
  if (nothing_new) return std::nullopt;
  for (std::size_t place = kept.size(); place-- > 0;) {
    std::vector<Word> others = kept;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(place));
    const bool fits = std::equal(others.begin(), others.end(),
                                 were.begin() + static_cast<std::ptrdiff_t>(dropped));
    if (fits) return place;
  }
  return std::nullopt;
}

void store_line(const program::Program& program, const StoreHistory& history, ThreadId moved,
                const State& before, const State& after, std::vector<std::string>& out) {
  const std::vector<Word> kept = values(history, after);
  const auto place = place_of_store(values(history, before), kept);
  if (!place) return;
  std::string line = "store of " + assignment(program, history.variable, kept[*place]);
  if (*place + 1 < kept.size()) {
    line += ", ordered before " + assignment(program, history.variable, kept[*place + 1]);
  }
  std::string unaware;
  for (ThreadId other = 0; other < history.views.size(); ++other) {
    const SlotId view = history.views[other];
    if (view == no_id || other == moved || has_ended(program, other, after)) continue;
    if (after[view] >= static_cast<Word>(*place)) continue;
    unaware += (unaware.empty() ? "" : ", ") + program.threads[other].name;
  }
  if (!unaware.empty()) line += "; not seen yet by " + unaware;
  out.push_back(std::move(line));
}

// A step of a view: which variable it is about was its choice.
void view_line(const program::Program& program, const program::Move& move, const State& before,
               std::vector<std::string>& out) {
  const ThreadId reader = program.threads[move.thread].memory_of;
  std::uint32_t option = 0;
  for (const StoreHistory& history : program.store_histories) {
    const SlotId view = history.views[reader];
    if (view == no_id) continue;
    if (move.choices.empty() || option++ != move.choices[0]) continue;
    const std::vector<Word> kept = values(history, before);
    const auto next = static_cast<std::size_t>(before[view]) + 1;
    if (next < kept.size()) {
      out.push_back("now sees " + assignment(program, history.variable, kept[next]));
    }
  }
}

}  // namespace

std::vector<std::string> memory_lines(const program::Program& program, const program::Move& move,
                                      const State& before, const State& after) {
  std::vector<std::string> out;
  if (move.thread == program::time_step) return out;
  for (const StoreBuffer& buffer : program.store_buffers) {
    buffer_lines(program, buffer, move.thread, before, after, out);
  }
  if (program.store_histories.empty()) return out;
  if (program.threads[move.thread].memory_of != no_id) {
    view_line(program, move, before, out);
    return out;
  }
  for (const StoreHistory& history : program.store_histories) {
    store_line(program, history, move.thread, before, after, out);
  }
  return out;
}

bool is_memory_slot(const program::Program& program, SlotId slot) {
  SlotId first = no_id;
  for (const StoreBuffer& buffer : program.store_buffers) first = std::min(first, buffer.length);
  for (const StoreHistory& history : program.store_histories) {
    first = std::min(first, history.length);
  }
  // They are made when all objects are, in one go; behind them come only locals, ghosts and cells.
  const program::Slot& s = program.slots[slot];
  if (slot < first || s.owner != no_id || s.ghost) return false;
  return std::none_of(program.cells.begin(), program.cells.end(), [&](const auto& cells) {
    return slot >= cells.first && slot < cells.first + cells.stride * cells.count;
  });
}

}  // namespace txproof::counterexamples
