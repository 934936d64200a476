#include "checker/explicit/bytecode.h"

namespace txproof::checker {

namespace {

const char* name_of(Op op) {
  switch (op) {
#define TXPROOF_OPCODE(name) \
  case Op::name:             \
    return #name;
    TXPROOF_OPCODES(TXPROOF_OPCODE)
#undef TXPROOF_OPCODE
  }
  return "?";
}

}  // namespace

std::string disassemble(const Code& code) {
  std::string text;
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    const Instruction& in = code.instructions[i];
    text += std::to_string(i) + ": " + name_of(in.op) + ' ' + std::to_string(in.a) + ' ' +
            std::to_string(in.b) + ' ' + std::to_string(in.c) + ' ' + std::to_string(in.d) + '\n';
  }
  return text;
}

}  // namespace txproof::checker
