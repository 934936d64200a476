// Paths to states, rebuilt from the predecessors by the reference interpreter.
//
// Only predecessors are stored. The move is found by running the predecessor again: it is the
// first whose successor is the state. So every path has been walked once by the interpreter, and a
// disagreement between it and the bytecode surfaces here, as an internal error.
#pragma once

#include "checker/explicit/findings.h"
#include "checker/explicit/packing.h"
#include "checker/explicit/state_table.h"
#include "model/program/interpreter.h"
#include "properties/verdict.h"

namespace txproof::checker {

class PathBuilder {
 public:
  PathBuilder(const program::Program& program, const Packing& packing, const StateTable& table)
      : program_(program), packing_(packing), table_(table), interpreter_(program) {}

  // errors: std::logic_error if the interpreter knows no such path
  [[nodiscard]] properties::Path to_state(const FalseClaim& claim) const;
  [[nodiscard]] properties::Path to_check(const FailedCheck& check) const;

  [[nodiscard]] const StateTable& table() const { return table_; }

  // Which move of its predecessor leads to the state first.
  [[nodiscard]] std::uint64_t ordinal_of(StateId state) const;

 private:
  [[nodiscard]] program::State unpacked(StateId state) const;
  [[nodiscard]] std::vector<program::Move> moves_to(StateId state) const;
  struct Found {
    std::uint64_t ordinal;
    program::Move move;
  };
  [[nodiscard]] Found move_to(StateId state) const;

  const program::Program& program_;
  const Packing& packing_;
  const StateTable& table_;
  program::Interpreter interpreter_;
};

}  // namespace txproof::checker
