// Emits bytecode: operands, labels, constants and temporaries, resolved when the code is finished.
//
// Where constants and temporaries stand in the frame is known only at the end, and a label may be
// used before it is bound; both are fixed up in `finish`.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "checker/explicit/bytecode.h"

namespace txproof::checker {

// Something in the frame.
struct Operand {
  enum class Space : std::uint8_t { slot, constant, temporary } space = Space::slot;
  std::uint32_t index = 0;
};

// A place in the code, bound or still to be.
struct Label {
  std::uint32_t id = 0;
};

// A field of an instruction.
class Field {
 public:
  Field(std::uint32_t immediate) : kind_(Kind::immediate), value_(immediate) {}  // NOLINT
  Field(Operand operand) : kind_(Kind::operand), space_(operand.space), value_(operand.index) {}
  Field(Label label) : kind_(Kind::label), value_(label.id) {}  // NOLINT

 private:
  friend class Assembler;
  enum class Kind : std::uint8_t { immediate, operand, label } kind_;
  Operand::Space space_ = Operand::Space::slot;
  std::uint32_t value_;
};

class Assembler {
 public:
  explicit Assembler(std::uint32_t slots) { code_.slots = slots; }

  CodeAddress emit(Op op, Field a = 0U, Field b = 0U, Field c = 0U, Field d = 0U);
  [[nodiscard]] CodeAddress here() const {
    return static_cast<CodeAddress>(code_.instructions.size());
  }

  Label label();
  void bind(Label label);

  static Operand slot(program::SlotId slot) { return {Operand::Space::slot, slot}; }
  Operand constant(program::Word value);

  // Temporaries are a stack: those taken after a mark are free again after release(mark).
  Operand temporary();
  [[nodiscard]] std::uint32_t mark() const { return next_temporary_; }
  void release(std::uint32_t mark) { next_temporary_ = mark; }

  std::uint32_t table(std::vector<program::Word> values);
  std::uint32_t stop(Stop stop);
  std::uint32_t effect(const Effect& effect);
  void set_operand(std::uint32_t effect, std::uint32_t Effect::*member, Operand operand);

  // requires: every label used is bound
  Code finish();

  // Tables that finish() does not touch (entries, conditions, claims) are filled in by the user.
  Code& code() { return code_; }

 private:
  struct Fixup {
    CodeAddress instruction;
    std::uint32_t Instruction::*member;
    Field field;
  };
  struct EffectFixup {
    std::uint32_t effect;
    std::uint32_t Effect::*member;
    Operand operand;
  };
  [[nodiscard]] std::uint32_t frame_index(Operand::Space space, std::uint32_t index) const;

  Code code_;
  std::vector<Fixup> fixups_;
  std::vector<EffectFixup> effect_fixups_;
  std::vector<CodeAddress> labels_;  // no_id: not bound yet
  std::map<program::Word, std::uint32_t> constants_;
  std::map<std::vector<program::Word>, std::uint32_t> tables_;
  std::uint32_t next_temporary_ = 0;
};

}  // namespace txproof::checker
