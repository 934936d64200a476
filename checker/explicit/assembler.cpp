#include "checker/explicit/assembler.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace txproof::checker {

using program::no_id;
using program::Word;

CodeAddress Assembler::emit(Op op, Field a, Field b, Field c, Field d) {
  const CodeAddress address = here();
  Instruction& instruction = code_.instructions.emplace_back();
  instruction.op = op;
  const std::pair<std::uint32_t Instruction::*, Field> fields[] = {
      {&Instruction::a, a}, {&Instruction::b, b}, {&Instruction::c, c}, {&Instruction::d, d}};
  for (const auto& [member, field] : fields) {
    instruction.*member = field.value_;
    if (field.kind_ != Field::Kind::immediate) fixups_.push_back({address, member, field});
  }
  return address;
}

Label Assembler::label() {
  labels_.push_back(no_id);
  return {static_cast<std::uint32_t>(labels_.size() - 1)};
}

void Assembler::bind(Label label) { labels_[label.id] = here(); }

Operand Assembler::constant(Word value) {
  const auto [it, added] =
      constants_.emplace(value, static_cast<std::uint32_t>(code_.constants.size()));
  if (added) code_.constants.push_back(value);
  return {Operand::Space::constant, it->second};
}

Operand Assembler::temporary() {
  const Operand result{Operand::Space::temporary, next_temporary_++};
  code_.temporaries = std::max(code_.temporaries, next_temporary_);
  return result;
}

std::uint32_t Assembler::table(std::vector<Word> values) {
  const auto [it, added] = tables_.emplace(values, static_cast<std::uint32_t>(code_.tables.size()));
  if (added) code_.tables.push_back(std::move(values));
  return it->second;
}

std::uint32_t Assembler::stop(Stop stop) {
  code_.stops.push_back(std::move(stop));
  return static_cast<std::uint32_t>(code_.stops.size() - 1);
}

std::uint32_t Assembler::effect(const Effect& effect) {
  code_.effects.push_back(effect);
  return static_cast<std::uint32_t>(code_.effects.size() - 1);
}

void Assembler::set_operand(std::uint32_t effect, std::uint32_t Effect::*member, Operand operand) {
  effect_fixups_.push_back({effect, member, operand});
}

std::uint32_t Assembler::frame_index(Operand::Space space, std::uint32_t index) const {
  switch (space) {
    case Operand::Space::slot:
      return index;
    case Operand::Space::constant:
      return code_.slots + index;
    case Operand::Space::temporary:
      return code_.slots + static_cast<std::uint32_t>(code_.constants.size()) + index;
  }
  return index;
}

Code Assembler::finish() {
  for (const Fixup& fixup : fixups_) {
    std::uint32_t& target = code_.instructions[fixup.instruction].*fixup.member;
    if (fixup.field.kind_ == Field::Kind::operand) {
      target = frame_index(fixup.field.space_, fixup.field.value_);
    } else {
      target = labels_[fixup.field.value_];
      if (target == no_id) throw std::logic_error("a label is used but never bound");
    }
  }
  for (const EffectFixup& fixup : effect_fixups_) {
    code_.effects[fixup.effect].*fixup.member =
        frame_index(fixup.operand.space, fixup.operand.index);
  }
  return std::move(code_);
}

}  // namespace txproof::checker
