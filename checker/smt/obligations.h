// A proof as texts: its three obligations and its Horn clauses in SMT-LIB, the invariant for
// readers. Variables carry the names of the model; a primed one is its value after a step.
#pragma once

#include <string>
#include <vector>

#include "checker/smt/houdini.h"

namespace txproof::checker::smt {

struct Obligations {
  std::string initial, step, goal;  // each self-contained, one check-sat, expected unsat
  std::string horn;                 // the clauses whose solution the invariant is
  std::string invariant;            // for readers
};

// requires: facts are an inductive invariant that excludes the goals of `property`
Obligations obligations(const System& system, const std::vector<Fact>& facts,
                        program::PropertyId property);

// How the slots of a point are called in facts.
std::vector<parametric::Variable> fact_variables(const System& system, std::uint32_t point);

}  // namespace txproof::checker::smt
