#include "checker/smt/engines.h"
#include "checker/smt/guard.h"
#include "checker/smt/induction.h"
#include "checker/smt/recheck.h"

namespace txproof::checker::smt {

namespace {

class KindRun {
 public:
  explicit KindRun(Task& task) : task_(task), bounded_(task) {}

  void run() {
    // Short runs first: they refute what is easy to refute, and say what is tested at all.
    constexpr unsigned first_depth = 4;
    for (unsigned depth = 0; depth < first_depth && !task_.is_decided(); ++depth) look_deeper();
    if (task_.is_decided()) return;
    Induction induction(task_);
    induction.find_lemmas();
    for (;;) {
      prove(induction);
      if (task_.is_decided()) return;
      while (task_.depth() <= induction.steps() + 1) look_deeper();
      if (task_.is_decided()) return;
    }
  }

 private:
  void look_deeper() {
    if (task_.options().max_depth && task_.depth() > *task_.options().max_depth) {
      task_.watch().stop(properties::Limit::depth);
      throw Stopped();
    }
    bounded_.deepen();
  }

  void prove(Induction& induction) {
    for (const std::size_t goal : induction.deepen()) {
      task_.goals()[goal].known = Known::open;  // until it was proved again
      if (proved_again(induction, goal)) {
        task_.goals()[goal].known = Known::unreachable;
      } else {
        throw Refusal("a proof was found, and Z3 gave up on checking it");
      }
    }
  }

  bool proved_again(Induction& induction, std::size_t goal) {
    if (!recheck_) recheck_ = std::make_unique<Recheck>(task_);
    z3::expr invariant = recheck_->encoder().found(induction.encoder(), recheck_->base());
    for (const Lemma& lemma : induction.needed_for(goal)) {
      invariant = invariant && formula(lemma, recheck_->encoder(), recheck_->base());
    }
    return recheck_->is_inductive(invariant) &&
           recheck_->excludes(invariant, goal, induction.steps());
  }

  Task& task_;
  Bounded bounded_;
  std::unique_ptr<Recheck> recheck_;
};

}  // namespace

properties::Exploration induction(const program::Program& program, const SearchOptions& options) {
  return guarded(program, options, "kind", [](Task& task) { KindRun(task).run(); });
}

}  // namespace txproof::checker::smt
