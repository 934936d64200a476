#include "checker/smt/engines.h"
#include "checker/smt/guard.h"
#include "checker/smt/horn.h"
#include "checker/smt/recheck.h"

namespace txproof::checker::smt {

namespace {

class SpacerRun {
 public:
  explicit SpacerRun(Task& task) : task_(task), bounded_(task) {}

  void run() {
    // Also says which goals the initial state meets, which Spacer would be slow to say.
    bounded_.deepen();
    for (;;) {
      bool any = false;
      for (std::size_t i = 0; i < task_.goals().size(); ++i) {
        if (!task_.is_wanted(task_.goals()[i])) continue;
        any = true;
        decide(i);
      }
      if (!any) return;
    }
  }

 private:
  void decide(std::size_t goal) {
    Horn horn(task_);
    if (!horn.is_reachable(goal)) {
      if (!recheck_) recheck_ = std::make_unique<Recheck>(task_);
      const z3::expr invariant = horn.invariant(recheck_->encoder(), recheck_->base());
      if (!recheck_->is_inductive(invariant) || !recheck_->excludes(invariant, goal, 0)) {
        throw Refusal("a proof was found, and Z3 gave up on checking it");
      }
      task_.goals()[goal].known = Known::unreachable;
      return;
    }
    // There is a run, it says: the shortest is found by looking.
    while (task_.goals()[goal].known != Known::reached) {
      if (task_.options().max_depth && task_.depth() > *task_.options().max_depth) {
        task_.watch().stop(properties::Limit::depth);
        throw Stopped();
      }
      bounded_.deepen();
    }
  }

  Task& task_;
  Bounded bounded_;
  std::unique_ptr<Recheck> recheck_;
};

}  // namespace

properties::Exploration spacer(const program::Program& program, const SearchOptions& options) {
  return guarded(program, options, "spacer", [](Task& task) { SpacerRun(task).run(); });
}

}  // namespace txproof::checker::smt
