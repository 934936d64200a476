#include "counterexamples/packets.h"

#include <algorithm>

#include "model/program/display.h"
#include "model/program/evaluate.h"
#include "model/program/words.h"

namespace txproof::counterexamples {

using program::no_id;
using program::SlotId;
using program::StmtKind;
using program::StructId;
using program::Word;

namespace {

constexpr Word dangling = 1;
constexpr Word first_handle = 2;

}  // namespace

Packets::Packets(const program::Program& program, const program::State& state)
    : program_(program), words_(state.size()), state_(state) {
  for (StructId s = 0; s < program.structs.size(); ++s) {
    std::vector<Word> seen;
    for (const program::Place& place : program.structs[s].places) {
      const Word tag = state[place.base];
      if (program.structs[s].counted) {
        if (tag < first_handle || std::count(seen.begin(), seen.end(), tag) > 0) continue;
        seen.push_back(tag);
        follow(s, tag);
      } else if (tag == 1) {
        follow_place(s, place.base);
      }
    }
  }
}

void Packets::follow(StructId structure, Word handle) {
  const auto slot = static_cast<SlotId>(state_.size());
  program::Slot added;
  added.kind = program::SlotKind::handle;
  added.handle_of = structure;
  program_.slots.push_back(added);
  program_.structs[structure].handles.push_back(slot);
  if (!program_.place_at.empty()) program_.place_at.push_back(no_id);
  state_.push_back(handle);
  slots_.push_back(slot);
  structs_.push_back(structure);
}

void Packets::follow_place(StructId structure, SlotId tag) {
  follow(structure, first_handle + program_.place_at[tag]);
}

SlotId Packets::resolve(program::AddrId addr) const {
  return program::resolve_address(program_, state_, addr);
}

void Packets::copy_words(const program::State& state) {
  std::copy(state.begin(), state.end(), state_.begin());
}

void Packets::before(const program::State& state) { copy_words(state); }

// state_ still has the words from before the statement.
void Packets::after(const program::Stmt& stmt, const program::State& state) {
  switch (stmt.kind) {
    case StmtKind::create: {
      const SlotId place = resolve(stmt.target);
      if (program_.structs[stmt.structure].counted) {
        follow(stmt.structure, state[place]);
      } else {
        follow_place(stmt.structure, place);
      }
      break;
    }
    case StmtKind::duplicate: {
      const SlotId source = resolve(stmt.source);
      const SlotId target = resolve(stmt.target);
      follow_place(stmt.structure, target);
      for (const program::NestedPlace& nested : program_.structs[stmt.structure].nested) {
        if (program_.structs[nested.structure].counted || state[source + nested.offset] != 1) {
          continue;
        }
        follow_place(nested.structure, target + nested.offset);
      }
      break;
    }
    case StmtKind::move:
      if (!program_.structs[stmt.structure].counted) {
        program::relocate_handles(program_, state_, resolve(stmt.source), resolve(stmt.target),
                                  program_.structs[stmt.structure].words);
      }
      break;
    case StmtKind::destroy: {
      const SlotId place = resolve(stmt.source);
      if (!program_.structs[stmt.structure].counted) {
        program::erase_block(program_, state_, place, program_.structs[stmt.structure].words);
        break;
      }
      const Word reference = state_[place];
      for (const program::CellTable& cells : program_.cells) {
        if (cells.structure != stmt.structure) continue;
        const SlotId live =
            cells.first + static_cast<SlotId>(reference - first_handle) * cells.stride;
        if (state[live] != 0) continue;
        for (std::size_t i = 0; i < slots_.size(); ++i) {
          if (structs_[i] == stmt.structure && state_[slots_[i]] == reference) {
            state_[slots_[i]] = dangling;
          }
        }
      }
      break;
    }
    case StmtKind::insert:
      insert(stmt);
      break;
    case StmtKind::remove:
      remove(stmt);
      break;
    case StmtKind::splice:
      splice(stmt);
      break;
    default:
      break;
  }
  copy_words(state);
}

// The same moves as the interpreter makes, words too: a bag is sorted by them.
void Packets::insert(const program::Stmt& stmt) {
  const program::Container& container = program_.containers[stmt.container];
  const SlotId length = resolve(container.addr);
  const auto count = static_cast<std::uint32_t>(state_[length]);
  const std::uint32_t position =
      stmt.value == no_id
          ? count
          : static_cast<std::uint32_t>(program::evaluate_expr(program_, state_, stmt.value));
  const SlotId element = length + 1 + position * container.stride;
  if (container.structure == no_id) return;
  const SlotId source = resolve(stmt.source);
  program::move_block(program_, state_, element, element + container.stride,
                      (count - position) * container.stride);
  if (program_.structs[container.structure].counted) {
    state_[element] = state_[source];
  } else {
    program::move_block(program_, state_, source, element, container.stride);
  }
  state_[source] = stmt.leave;
  state_[length] = static_cast<Word>(count) + 1;
  if (container.sorted) program::canonicalise(program_, state_);
}

void Packets::remove(const program::Stmt& stmt) {
  const program::Container& container = program_.containers[stmt.container];
  if (container.structure == no_id || program_.structs[container.structure].counted) return;
  const SlotId length = resolve(container.addr);
  const auto count = static_cast<std::uint32_t>(state_[length]);
  const auto position =
      static_cast<std::uint32_t>(program::evaluate_expr(program_, state_, stmt.value));
  const SlotId element = length + 1 + position * container.stride;
  program::relocate_handles(program_, state_, element, resolve(stmt.target), container.stride);
  program::relocate_handles(program_, state_, element + container.stride, element,
                            (count - position - 1) * container.stride);
}

void Packets::splice(const program::Stmt& stmt) {
  const program::Container& from = program_.containers[stmt.container];
  const program::Container& to = program_.containers[stmt.container2];
  if (from.structure == no_id) return;
  const SlotId from_length = resolve(from.addr);
  const SlotId to_length = resolve(to.addr);
  const auto moved = static_cast<std::uint32_t>(state_[from_length]);
  const auto there = static_cast<std::uint32_t>(state_[to_length]);
  program::move_block(program_, state_, from_length + 1, to_length + 1 + there * to.stride,
                      moved * from.stride);
  state_[from_length] = 0;
  state_[to_length] = static_cast<Word>(there) + static_cast<Word>(moved);
  if (to.sorted) program::canonicalise(program_, state_);
}

void Packets::step_ends(const program::State& state) {
  program::canonicalise(program_, state_);
  copy_words(state);
}

std::string Packets::name(PacketId packet) const {
  std::string out;
  for (std::size_t n = packet + 1; n > 0; n = (n - 1) / 26) {
    out.insert(out.begin(), static_cast<char>('a' + (n - 1) % 26));
  }
  return out;
}

std::optional<SlotId> Packets::place(PacketId packet) const {
  const Word handle = state_[slots_[packet]];
  if (handle < first_handle) return std::nullopt;
  const program::Struct& structure = program_.structs[structs_[packet]];
  if (!structure.counted) {
    return structure.places[static_cast<std::size_t>(handle - first_handle)].base;
  }
  for (const program::Place& place : structure.places) {
    if (state_[place.base] == handle) return place.base;
  }
  return std::nullopt;
}

std::optional<PacketId> Packets::at(StructId structure, SlotId tag) const {
  const program::PlaceId place = program_.place_at[tag];
  const std::vector<program::Place>& places = program_.structs[structure].places;
  if (place >= places.size() || places[place].base != tag) return std::nullopt;
  for (PacketId i = 0; i < slots_.size(); ++i) {
    if (structs_[i] != structure) continue;
    const Word handle = state_[slots_[i]];
    if (handle < first_handle) continue;
    const bool here = program_.structs[structure].counted
                          ? state_[tag] == handle
                          : first_handle + static_cast<Word>(place) == handle;
    if (here) return i;
  }
  return std::nullopt;
}

std::string place_name(const program::Program& program, StructId structure, SlotId tag) {
  const program::Place& place = program.structs[structure].places[program.place_at[tag]];
  const program::ThreadId owner = program.slots[tag].owner;
  if (!place.is_local || owner == no_id) return place.name;
  return program::thread_label(program, owner) + ": " + place.name;
}

}  // namespace txproof::counterexamples
