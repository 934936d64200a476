#include "model/program/display.h"

namespace txproof::program {

bool has_name(const Program& program, DisplayId display, Word value) {
  if (display == no_id) return false;
  const Display& names = program.displays[display];
  const Word index = value - names.first;
  return index >= 0 && index < static_cast<Word>(names.names.size()) &&
         !names.names[static_cast<std::size_t>(index)].empty();
}

std::string display_value(const Program& program, DisplayId display, Word value) {
  if (!has_name(program, display, value)) return std::to_string(value);
  const Display& names = program.displays[display];
  return names.names[static_cast<std::size_t>(value - names.first)];
}

std::string thread_label(const Program& program, ThreadId thread) {
  std::size_t number = 1;
  for (ThreadId before = 0; before < thread; ++before) {
    if (program.threads[before].name == program.threads[thread].name) ++number;
  }
  const std::string& name = program.threads[thread].name;
  return number == 1 ? name : name + " #" + std::to_string(number);
}

std::string slot_label(const Program& program, SlotId slot) {
  const Slot& info = program.slots[slot];
  if (info.owner == no_id || info.kind == SlotKind::pc) return info.name;
  return thread_label(program, info.owner) + ": " + info.name;
}

}  // namespace txproof::program
