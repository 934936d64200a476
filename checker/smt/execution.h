// Executes the statements of a step on a symbolic state: the image of the interpreter's StepRun.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "checker/smt/expression.h"
#include "checker/smt/words.h"

namespace txproof::checker::smt {

// A path, or several that were merged: what must hold for it, and the slots.
struct PathState {
  std::vector<z3::expr> conditions;  // a conjunction; paths that split share a beginning
  SymbolicState slots;
  bool possible = true;
};

// What a step does besides: collected over all its paths.
struct StepRecord {
  std::vector<Failure> failures;
  std::vector<Witness> witnesses;
  std::vector<Choice> choices;
};

class Execution {
 public:
  Execution(Algebra& algebra, const program::Program& program, const EncodeOptions& options,
            std::string name, StepRecord& record)
      : algebra_(algebra),
        program_(program),
        options_(options),
        words_(algebra, program, options.slips),
        name_(std::move(name)),
        record_(record) {}

  [[nodiscard]] const Words& words() const { return words_; }
  [[nodiscard]] z3::expr condition(const PathState& path) const;
  void require(PathState& path, const z3::expr& condition) const;
  [[nodiscard]] Expressions expressions(const PathState& path) const {
    return {algebra_, program_, options_.slips, path.slots};
  }

  void execute(PathState& path, const program::Stmt& stmt);
  // An input of the step in lo..hi, met on this path; `base` is what recording subtracts.
  Value new_choice(PathState& path, const Value& lo, const Value& hi);

 private:
  using Operation = std::function<void(SymbolicState&)>;
  struct Case {
    z3::expr when;
    Operation run;
  };
  // Runs the case whose condition holds; the last one where none does.
  void by_cases(PathState& path, const std::vector<Case>& cases) const;
  void store(PathState& path, const std::vector<Target>& targets, const Value& value) const;
  [[nodiscard]] Value clipped(const Value& value, program::SlotId slot) const;

  void check(PathState& path, const program::Stmt& stmt);
  void create(PathState& path, const program::Stmt& stmt) const;
  void move(PathState& path, const program::Stmt& stmt) const;
  void duplicate(PathState& path, const program::Stmt& stmt) const;
  void share(PathState& path, const program::Stmt& stmt) const;
  void destroy(PathState& path, const program::Stmt& stmt) const;
  void insert(PathState& path, const program::Stmt& stmt) const;
  void remove(PathState& path, const program::Stmt& stmt) const;
  void splice(PathState& path, const program::Stmt& stmt) const;
  void pick(PathState& path, const program::Stmt& stmt);
  void pick_element(PathState& path, const program::Stmt& stmt);
  void move_packet(SymbolicState& state, program::StructId structure, program::SlotId source,
                   program::SlotId target, std::uint8_t leave) const;
  [[nodiscard]] bool slipped(Slip slip) const { return options_.slips.count(slip) != 0; }

  Algebra& algebra_;
  const program::Program& program_;
  const EncodeOptions& options_;
  Words words_;
  std::string name_;
  StepRecord& record_;
};

}  // namespace txproof::checker::smt
