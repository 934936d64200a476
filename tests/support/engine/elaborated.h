// A small model, given as text, made into a Program and explored.
#pragma once

#include <memory>
#include <string>

#include "model/lang/frontend.h"
#include "model/program/elaborate.h"
#include "properties/verdict.h"

namespace txproof::test {

// Elaborates the only stack of `text`.
//   throws std::runtime_error with the diagnostics if it has errors
std::unique_ptr<program::Program> elaborated(const std::string& text,
                                             const program::ElaborateOptions& options = {});

// The code of the first error in building `text`; empty if there is none.
std::string first_error(const std::string& text, const program::ElaborateOptions& options = {});

// What the search finds, in words: for each property that does not simply hold, its name, and for
// a failed check its kind: "own.linear own.leak", "deadlock", "few vacuous". Sorted, joined by ",
// ".
std::string findings(const std::string& text, const program::ElaborateOptions& options = {});

// Reachable states, counted by the search.
std::uint64_t states_of(const std::string& text, const program::ElaborateOptions& options = {});

}  // namespace txproof::test
