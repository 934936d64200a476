// The code that the search runs: a Program flattened for a register machine.
//
// All operands live in one frame of words: the slots of the state first, then the constants, then
// temporaries. So reading a slot or a constant costs no instruction, and `x < 5` with a branch on
// it is one. An instruction is 20 bytes; jumps are absolute.
//
//   frame:  [ slots … | constants … | temporaries … ]
//
// Operand letters below: A..D are frame indices, #a..#d are immediate numbers, @a..@d are code
// addresses, slot numbers in the frame ("address") are computed like any value.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker {

// clang-format off
#define TXPROOF_OPCODES(X)                                                              \
  /* values: A := … */                                                                  \
  X(copy)           /* B */                                                             \
  X(negate)         /* B */                                                             \
  X(bit_not)        /* B */                                                             \
  X(logical_not)    /* B */                                                             \
  X(add)            /* B + C */                                                         \
  X(subtract) X(multiply) X(divide) X(modulo)                                           \
  X(bit_and) X(bit_or) X(bit_xor) X(shift_left) X(shift_right)                          \
  X(less) X(less_equal) X(equal) X(not_equal)                                           \
  X(minimum) X(maximum)                                                                 \
  X(wrap)           /* B modulo C, in 0..C-1 */                                         \
  X(table)          /* tables[#c][B] */                                                 \
  X(index)          /* B + C * #d: an address */                                        \
  X(place_base)     /* tables[#c][B - 2]: the address that a handle B names */          \
  X(load)           /* the slot at address B */                                         \
  /* writing slots, logged */                                                           \
  X(set)            /* slot #a := B */                                                  \
  X(set_add)        /* slot #a := B + C */                                              \
  X(set_subtract)   /* slot #a := B - C */                                              \
  X(set_at)         /* slot at address A := B */                                        \
  X(effect)         /* effects[#a]: packets and containers */                           \
  /* control */                                                                         \
  X(jump)           /* @a */                                                            \
  X(jump_zero)      /* if A == 0: @d */                                                 \
  X(jump_nonzero)   /* if A != 0: @d */                                                 \
  X(jump_less)      /* if A < B: @d */                                                  \
  X(jump_less_equal) X(jump_equal) X(jump_not_equal)                                    \
  /* choices: a stack of alternatives */                                                \
  X(alternative)    /* new choice; the next alternative is at @a */                     \
  X(next_alternative) /* the topmost choice goes on at @a */                            \
  X(last_alternative) /* the topmost choice is over */                                  \
  X(impossible)     /* this path is no step */                                          \
  X(pick)           /* slot at address A := any of B..C */                              \
  X(elements)       /* new choice over positions, going on at the next instruction */   \
  X(next_element)   /* A := next position below B, or the choice is over */             \
  /* choices of a random walk, where one option is drawn and there is no way back */      \
  X(offer)          /* option number A, which goes on at @b */                          \
  X(draw)           /* to one of the options offered; none: this path is no step */     \
  X(drawn)          /* A := the number of the option drawn */                           \
  X(draw_value)     /* slot at address A := one of B..C */                              \
  /* what happened */                                                                   \
  X(fail)           /* violation #a; #b: fatal */                                       \
  X(evaluated)      /* an assertion of property #a was evaluated */                     \
  X(cover)          /* block #a is reached */                                           \
  X(count)          /* counter element A += B: no part of the state */                  \
  /* ends */                                                                            \
  X(stop)           /* stops[#a]: the step ends there */                                \
  X(halt)           /* unreachable */                                                   \
  X(answer)         /* a condition or claim has value A */
// clang-format on

enum class Op : std::uint32_t {
#define TXPROOF_OPCODE(name) name,
  TXPROOF_OPCODES(TXPROOF_OPCODE)
#undef TXPROOF_OPCODE
};

struct Instruction {
  Op op = Op::halt;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};

using CodeAddress = std::uint32_t;

// A statement about packets or containers, with its operands in the frame. Addresses are values:
// the frame index of a word that holds a slot number.
struct Effect {
  program::StmtKind kind = program::StmtKind::clear_tag;
  std::uint8_t leave = 0;
  bool sorted = false;
  bool scalar = false;     // elements of the container are no packets
  bool has_value = false;  // a position (insert, remove), a handle (share)
  bool has_target = false;
  bool has_source = false;
  program::StructId structure = program::no_id;
  std::uint32_t stride = 1;
  std::uint32_t stride2 = 1;  // of container2
  std::uint32_t capacity = 0;
  std::uint32_t target = 0;  // address
  std::uint32_t source = 0;  // address
  std::uint32_t value = 0;
  std::uint32_t element = 0;
  std::uint32_t container = 0;   // address of its length
  std::uint32_t container2 = 0;  // likewise
};

// Where a step ends: the thread's pc, and dead slots to reset.
struct Stop {
  program::SlotId pc_slot = 0;
  program::Word pc = 0;
  std::vector<program::SlotId> forget;
};

struct Code {
  std::vector<Instruction> instructions;
  std::vector<program::Word> constants;
  std::vector<std::vector<program::Word>> tables;
  std::vector<Effect> effects;
  std::vector<Stop> stops;
  std::uint32_t slots = 0;
  std::uint32_t temporaries = 0;

  // By LocationId. Entries begin with the condition and answer 0 where it is false.
  // no_id: always true (conditions); nothing to run (entries).
  std::vector<CodeAddress> conditions;
  std::vector<CodeAddress> entries;

  // By property and claim; no_id: has none.
  struct ClaimCode {
    CodeAddress condition = program::no_id;
    CodeAddress left = program::no_id;
    CodeAddress right = program::no_id;
    CodeAddress antecedent = program::no_id;
    CodeAddress assuming = program::no_id;
  };
  std::vector<std::vector<ClaimCode>> claims;

  [[nodiscard]] std::size_t frame_size() const { return slots + constants.size() + temporaries; }
};

// Text of the code, for people: a line an instruction.
std::string disassemble(const Code& code);

}  // namespace txproof::checker
