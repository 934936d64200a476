#include "counterexamples/ledger.h"

#include <map>

#include "counterexamples/memory_text.h"
#include "model/program/display.h"

namespace txproof::counterexamples {

using program::no_id;
using program::Slot;
using program::SlotId;
using program::SlotKind;
using program::StructId;
using program::Word;

namespace {

// "eth0.ring[1]" from "eth0.ring[1].truesize" with base "eth0.ring"; empty if not an element.
std::string element_name(const std::string& name, const std::string& base) {
  if (name.size() <= base.size() || name.compare(0, base.size(), base) != 0 ||
      name[base.size()] != '[') {
    return "";
  }
  const std::size_t close = name.find(']', base.size());
  return close == std::string::npos ? "" : name.substr(0, close + 1);
}

}  // namespace

Ledger::Ledger(const program::Program& program)
    : program_(program), covered_(program.slots.size(), false) {
  find_queues();
  find_singles();
  for (SlotId s = 0; s < program.slots.size(); ++s) {
    const Slot& slot = program.slots[s];
    if (covered_[s] || !slot.stored || slot.ghost || slot.owner != no_id) continue;
    if (is_memory_slot(program, s)) continue;
    // Flags, enums and references are told when they change; the books are about amounts.
    if (slot.kind == SlotKind::scalar && slot.display == no_id && slot.range.hi > 1) {
      numbers_.push_back(s);
    }
  }
}

void Ledger::find_queues() {
  constexpr std::string_view suffix = ".len";
  std::map<SlotId, StructId> tags;
  for (StructId s = 0; s < program_.structs.size(); ++s) {
    for (const program::Place& place : program_.structs[s].places) tags[place.base] = s;
  }
  for (SlotId s = 0; s < program_.slots.size(); ++s) {
    const Slot& slot = program_.slots[s];
    if (slot.kind != SlotKind::length || covered_[s]) continue;
    Queue queue;
    queue.length = s;
    queue.name = slot.name;
    if (queue.name.size() > suffix.size() && queue.name.ends_with(suffix)) {
      queue.name.resize(queue.name.size() - suffix.size());
    }
    covered_[s] = true;
    std::string last;
    for (SlotId e = s + 1; e < program_.slots.size(); ++e) {
      const std::string element = element_name(program_.slots[e].name, queue.name);
      if (element.empty()) break;
      covered_[e] = true;
      if (element == last) continue;
      last = element;
      queue.elements.push_back(e);
      const auto tag = tags.find(e);
      if (tag != tags.end()) queue.structure = tag->second;
    }
    if (slot.stored && !slot.ghost) queues_.push_back(std::move(queue));
  }
}

void Ledger::find_singles() {
  for (StructId s = 0; s < program_.structs.size(); ++s) {
    const program::Struct& structure = program_.structs[s];
    for (const program::Place& place : structure.places) {
      const bool in_container = covered_[place.base];
      const std::uint32_t words = structure.counted ? 1 : structure.words;
      for (std::uint32_t w = 0; w < words; ++w) covered_[place.base + w] = true;
      if (!in_container && program_.slots[place.base].stored) {
        singles_.push_back({place.base, s, place_name(program_, s, place.base)});
      }
    }
  }
  for (const program::CellTable& cells : program_.cells) {
    for (SlotId s = cells.first; s < cells.first + cells.stride * cells.count; ++s) {
      covered_[s] = true;
    }
  }
}

// "4 in flight, 3 with sk none": fields that refer to an object are counted where they refer to
// none, since a packet that belongs to nobody is what these models are about.
LedgerEntry Ledger::totals(StructId structure, const program::State& state) const {
  const program::Struct& type = program_.structs[structure];
  std::vector<SlotId> bases;
  if (type.counted) {
    for (const program::CellTable& cells : program_.cells) {
      if (cells.structure != structure) continue;
      for (std::uint32_t c = 0; c < cells.count; ++c) {
        const SlotId live = cells.first + c * cells.stride;
        if (state[live] != 0) bases.push_back(live);
      }
    }
  } else {
    for (const program::Place& place : type.places) {
      if (state[place.base] == 1) bases.push_back(place.base);
    }
  }
  LedgerEntry entry{type.name, std::to_string(bases.size()) + " in flight", bases.empty()};
  if (bases.empty()) return entry;
  for (const program::Field& field : type.fields) {
    if (field.words != 1) continue;
    std::size_t none = 0;
    bool is_reference = false;
    for (const SlotId base : bases) {
      const Slot& slot = program_.slots[base + field.offset];
      if (slot.kind != SlotKind::scalar || slot.ghost) break;
      const Word value = state[base + field.offset];
      const Word lowest = slot.range.lo;
      is_reference = program::has_name(program_, slot.display, lowest) &&
                     program::display_value(program_, slot.display, lowest) == "none";
      if (is_reference && value == lowest) ++none;
    }
    if (is_reference) {
      entry.text += ", " + std::to_string(none) + " with " + field.name + " none";
    }
  }
  return entry;
}

std::vector<LedgerEntry> Ledger::entries(const program::State& state,
                                         const Packets& packets) const {
  std::vector<LedgerEntry> out;
  for (const SlotId s : numbers_) {
    out.push_back({program_.slots[s].name, std::to_string(state[s]), state[s] == 0});
  }
  const auto shown = [&](StructId structure, SlotId tag) {
    const auto packet = packets.at(structure, tag);
    return packet ? packets.name(*packet) : std::string("?");
  };
  for (const Queue& queue : queues_) {
    const auto length = static_cast<std::size_t>(state[queue.length]);
    std::string text = "[";
    for (std::size_t i = 0; i < length && i < queue.elements.size(); ++i) {
      const SlotId element = queue.elements[i];
      if (i > 0) text += ", ";
      text +=
          queue.structure == no_id
              ? program::display_value(program_, program_.slots[element].display, state[element])
              : shown(queue.structure, element);
    }
    out.push_back({queue.name, text + "]", length == 0});
  }
  for (const Single& single : singles_) {
    const Word tag = state[single.tag];
    const bool full = program_.structs[single.structure].counted ? tag >= 2 : tag == 1;
    out.push_back({single.name, full ? shown(single.structure, single.tag) : "-", !full});
  }
  for (StructId s = 0; s < program_.structs.size(); ++s) out.push_back(totals(s, state));
  return out;
}

}  // namespace txproof::counterexamples
