// Facts that hold of every state that was seen, as candidates for an invariant.
//
// Sources: linear equations as in Karr (Affine relationships among variables of a program, 1976),
// but found from states as Daikon and the data-driven provers do; inequalities of the octagon form
// (Miné, 2006) whose bounds are linear in the parameters; each under guards of a few literals. What
// is fitted is a guess: pruning (checker/smt/houdini.h) keeps what is inductive.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "checker/parametric/linear.h"

namespace txproof::checker::parametric {

// States at one point, each a value for every variable.
using States = std::vector<std::vector<Word>>;

struct FitOptions {
  std::size_t most_literals = 1;  // of a guard: 0 to 2
  bool pair_bounds = true;        // bounds also under guards of two; otherwise equations only
  Word largest_coefficient = 2;   // of a parameter in a bound
  // Further expressions that are worth a bound: those that the properties mention.
  std::vector<Linear> expressions;
  std::size_t most_guards = 4000;
  // Parameter values at which a bound has to be reached to be one, at one of them at least: those
  // where every state was seen, and at one more of each parameter too. Empty: those below the
  // largest that occur.
  std::set<std::vector<Word>> interior;
};

// The facts at `point` that all of `states` satisfy, those left out that a fact with a part of the
// same guard says already.
//   requires: the states come from several values of each parameter, or bounds mean nothing
std::vector<Fact> fit(std::uint32_t point, const std::vector<Variable>& variables,
                      const States& states, const FitOptions& options);

// What never changes: variable == value for each variable that is the same in all states. To be
// pruned before anything else: a program is far smaller once these are known. Of a point without
// states: that it is never reached, 0 <= -1.
std::vector<Fact> constants(std::uint32_t point, const std::vector<Variable>& variables,
                            const States& states);

// The least bounds `expression <= a * parameters + k` that hold of all states, and that are reached
// at parameters below the largest ones seen (where they say more than how far one looked).
std::vector<Linear> bounds(const Linear& expression, const std::vector<Variable>& variables,
                           const States& states, const FitOptions& options);

}  // namespace txproof::checker::parametric
