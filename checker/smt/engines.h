// The engines that work on formulas. No type of Z3 passes this line.
#pragma once

#include "checker/explicit/search.h"

namespace txproof::checker::smt {

// Bounded model checking: every run of 0, 1, 2, … steps until all is violated or a limit comes.
// Never proves. Traces are the shortest, and the least of these.
properties::Exploration bounded_model_check(const program::Program& program,
                                            const SearchOptions& options);

// k-induction, with lemmas that it finds. Proofs are done again by a plain solver before they
// count; traces are those of bounded_model_check.
properties::Exploration induction(const program::Program& program, const SearchOptions& options);

// Constrained Horn clauses, by Z3's Spacer. Its proofs and refutations are claims: the invariant is
// proved again by a plain solver, the run is found again by bounded model checking.
properties::Exploration spacer(const program::Program& program, const SearchOptions& options);

}  // namespace txproof::checker::smt
