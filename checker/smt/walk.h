// One step: the blocks behind a location, executed in an order in which joining paths meet.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "checker/smt/block_order.h"
#include "checker/smt/execution.h"

namespace txproof::checker::smt {

class Walk {
 public:
  //   before: the state that canonical form is compared with; null at a cut point
  Walk(Algebra& algebra, const program::Program& program, const EncodeOptions& options,
       const BlockOrder& order, const std::vector<program::BlockId>& cuts, std::string name,
       const SymbolicState* before)
      : algebra_(algebra),
        program_(program),
        options_(options),
        order_(order),
        cuts_(cuts),
        before_(before),
        execution_(algebra, program, options, std::move(name), record_) {}

  // Runs from `block`, under the condition `enabled`. A cut point at `block` itself is passed.
  //   errors: Refusal
  void run(program::BlockId block, const z3::expr& enabled, const SymbolicState& state);

  // Moves what was found into `step`.
  void give(Step& step);

 private:
  struct Visit {
    program::BlockId block = program::no_id;
    std::vector<PathState> paths;
  };

  void arrive(const VisitKey& key, program::BlockId block, PathState path);
  void go_on(const VisitKey& key, program::BlockId from, program::BlockId to, PathState path);
  void terminate(const VisitKey& key, program::BlockId block, PathState path);
  void choose(const VisitKey& key, program::BlockId block, PathState path);
  void stop(PathState path, const program::Terminator& end, program::ThreadId thread);
  void end(PathState path, program::LocationId location, program::BlockId cut);
  [[nodiscard]] PathState joined(const PathState& a, const PathState& b) const;
  [[nodiscard]] bool slipped(Slip slip) const { return options_.slips.count(slip) != 0; }

  Algebra& algebra_;
  const program::Program& program_;
  const EncodeOptions& options_;
  const BlockOrder& order_;
  const std::vector<program::BlockId>& cuts_;
  const SymbolicState* before_;
  StepRecord record_;
  Execution execution_;
  std::map<VisitKey, Visit> waiting_;
  struct End {
    program::LocationId location;
    program::BlockId cut;
    PathState path;
  };
  std::vector<End> ends_;
};

}  // namespace txproof::checker::smt
