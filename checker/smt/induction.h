// k-induction (Sheeran, Singh and Stålmarck, FMCAD 2000) with lemmas: nothing reaches a goal if no
// run of k steps from any state, in which the lemmas hold and the goal is not met, meets it at its
// end, and none of fewer steps from the beginning does.
#pragma once

#include "checker/smt/bounded.h"
#include "checker/smt/lemmas.h"

namespace txproof::checker::smt {

class Induction {
 public:
  //   errors: Refusal, Stopped
  explicit Induction(Task& task);

  // Reduces the candidates to those that are inductive together.
  void find_lemmas();
  [[nodiscard]] const std::vector<Lemma>& lemmas() const { return lemmas_; }

  // Tries to prove the open goals with runs of one step more than last time, the first time with
  // none: the lemmas alone.
  //   requires: Task::depth() > steps: those runs were looked at from the beginning
  //   returns the goals that were proved
  std::vector<std::size_t> deepen();
  [[nodiscard]] const Encoder& encoder() const { return formulas_.encoder; }
  [[nodiscard]] unsigned steps() const { return steps_; }
  // A few of the lemmas that prove the goal with this many steps, and each other: what others have
  // to check.
  //   requires: the goal was proved by the last deepen()
  std::vector<Lemma> needed_for(std::size_t goal);

 private:
  bool drop_broken(z3::solver& solver, Unrolling& unrolling, std::vector<Lemma>& checked_ones);
  void add_frame(unsigned number);
  // Adds to `needed` what a proof that `assumptions` exclude each other takes from the lemmas at
  // frames 0..frames; by what is needed already, where that is enough.
  void add_core(z3::solver& solver, const z3::expr& impossible, std::vector<char>& needed,
                std::vector<std::size_t>& todo);

  Task& task_;
  Formulas formulas_;
  Unrolling unrolling_;
  std::vector<Lemma> lemmas_;
  std::optional<z3::solver> solver_;
  unsigned steps_ = 0;
  bool started_ = false;
};

}  // namespace txproof::checker::smt
