// Packets and containers: the machine's counterpart of the same statements in the reference
// interpreter, with every write logged.
#include <algorithm>

#include "checker/explicit/machine.h"

namespace txproof::checker {

using program::CellTable;
using program::no_id;
using program::SlotId;
using program::StmtKind;
using program::StructId;
using program::Word;

// May overlap. The vacated slots become 0, and handles into the block follow.
void Machine::move_block(SlotId from, SlotId to, std::uint32_t words) {
  if (words == 0 || from == to) return;
  checked_slot(Word{from} + words - 1);
  checked_slot(Word{to} + words - 1);
  if (to < from) {
    for (std::uint32_t i = 0; i < words; ++i) set(to + i, frame_[from + i]);
    for (SlotId slot = std::max(from, to + words); slot < from + words; ++slot) set(slot, 0);
  } else {
    for (std::uint32_t i = words; i-- > 0;) set(to + i, frame_[from + i]);
    for (SlotId slot = from; slot < std::min(to, from + words); ++slot) set(slot, 0);
  }
  if (linear_handles_.empty()) return;
  rename_handles(
      [&](SlotId base) { return base >= from && base < from + words ? base - from + to : base; });
}

// Handles into the block dangle.
void Machine::erase_block(SlotId from, std::uint32_t words) {
  if (words == 0) return;
  checked_slot(Word{from} + words - 1);
  for (std::uint32_t i = 0; i < words; ++i) set(from + i, 0);
  if (linear_handles_.empty()) return;
  rename_handles([&](SlotId base) { return base >= from && base < from + words ? no_id : base; });
}

void Machine::create(const Effect& effect, SlotId target) {
  if (!program_.structs[effect.structure].counted) {
    set(target, 1);
    return;
  }
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != effect.structure) continue;
    for (std::uint32_t cell = 0; cell < cells.count; ++cell) {
      const SlotId live = cells.first + cell * cells.stride;
      if (frame_[live] != 0) continue;
      set(live, 1);
      set(target, 2 + Word{cell});
      return;
    }
  }
  outside("a counted struct with no free cell");
}

void Machine::destroy(const Effect& effect, SlotId source) {
  const program::Struct& structure = program_.structs[effect.structure];
  if (!structure.counted) {
    erase_block(source, structure.words);
    set(source, effect.leave);
    return;
  }
  const Word reference = frame_[source];
  set(source, effect.leave);
  for (const program::Place& place : structure.places) {
    if (frame_[place.base] == reference) return;
  }
  for (const SlotId handle : structure.handles) {
    if (frame_[handle] == reference) set(handle, 1);
  }
  for (const CellTable& cells : program_.cells) {
    if (cells.structure != effect.structure) continue;
    erase_block(cells.first + static_cast<SlotId>(reference - 2) * cells.stride, cells.stride);
  }
}

void Machine::move_packet(StructId structure, SlotId source, SlotId target, std::uint8_t leave) {
  if (program_.structs[structure].counted) {
    set(target, frame_[source]);
  } else {
    move_block(source, target, program_.structs[structure].words);
  }
  set(source, leave);
}

void Machine::insert(const Effect& effect) {
  const SlotId length = checked_slot(frame_[effect.container]);
  const auto count = static_cast<std::uint32_t>(frame_[length]);
  const std::uint32_t position =
      effect.has_value ? static_cast<std::uint32_t>(frame_[effect.value]) : count;
  if (position > count || count >= effect.capacity) outside("an insertion outside a container");
  const SlotId element = length + 1 + position * effect.stride;
  const Word scalar = frame_[effect.element];
  const SlotId source = effect.has_source ? checked_slot(frame_[effect.source]) : 0;
  move_block(element, element + effect.stride, (count - position) * effect.stride);
  if (effect.scalar) {
    set(element, scalar);
  } else {
    move_packet(effect.structure, source, element, effect.leave);
  }
  set(length, Word{count} + 1);
  if (effect.sorted) canonicalise();
}

void Machine::remove(const Effect& effect) {
  const SlotId length = checked_slot(frame_[effect.container]);
  const auto count = static_cast<std::uint32_t>(frame_[length]);
  const auto position = static_cast<std::uint32_t>(frame_[effect.value]);
  if (position >= count) outside("a removal outside a container");
  const SlotId element = length + 1 + position * effect.stride;
  const SlotId target = effect.has_target ? checked_slot(frame_[effect.target]) : no_id;
  if (effect.scalar) {
    const Word scalar = frame_[element];
    if (position + 1 == count) set(element, 0);  // otherwise the next one moves there
    if (effect.has_target) set(target, scalar);
  } else {
    move_packet(effect.structure, element, target, 0);
  }
  move_block(element + effect.stride, element, (count - position - 1) * effect.stride);
  set(length, Word{count} - 1);
}

void Machine::splice(const Effect& effect) {
  const SlotId from = checked_slot(frame_[effect.container]);
  const SlotId to = checked_slot(frame_[effect.container2]);
  const auto moved = static_cast<std::uint32_t>(frame_[from]);
  const auto there = static_cast<std::uint32_t>(frame_[to]);
  move_block(from + 1, to + 1 + there * effect.stride2, moved * effect.stride);
  set(from, 0);
  set(to, Word{there} + moved);
  if (effect.sorted) canonicalise();
}

void Machine::apply(const Effect& effect) {
  const auto target = [&] { return checked_slot(frame_[effect.target]); };
  const auto source = [&] { return checked_slot(frame_[effect.source]); };
  switch (effect.kind) {
    case StmtKind::create:
      return create(effect, target());
    case StmtKind::move:
      return move_packet(effect.structure, source(), target(), effect.leave);
    case StmtKind::duplicate: {
      const std::uint32_t words = program_.structs[effect.structure].words;
      const SlotId from = source();
      const SlotId to = target();
      checked_slot(Word{std::max(from, to)} + words - 1);
      for (std::uint32_t i = 0; i < words; ++i) set(to + i, frame_[from + i]);
      return;
    }
    case StmtKind::share:
      return set(target(), effect.has_source ? frame_[source()] : frame_[effect.value]);
    case StmtKind::destroy:
      return destroy(effect, source());
    case StmtKind::clear_tag:
      return set(target(), 0);
    case StmtKind::insert:
      return insert(effect);
    case StmtKind::remove:
      return remove(effect);
    case StmtKind::splice:
      return splice(effect);
    case StmtKind::clear:
      return erase_block(checked_slot(frame_[effect.container]),
                         1 + effect.capacity * effect.stride);
    case StmtKind::assign:
    case StmtKind::check:
    case StmtKind::witness:
    case StmtKind::pick:
    case StmtKind::pick_element:
    case StmtKind::count:
    case StmtKind::enter:
    case StmtKind::leave:
      break;
  }
  outside("a statement that is no effect");
}

}  // namespace txproof::checker
