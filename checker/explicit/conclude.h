// From what a search has found to verdicts with their reasons.
#pragma once

#include <string>
#include <vector>

#include "checker/explicit/findings.h"
#include "checker/explicit/trace_path.h"
#include "model/program/program.h"
#include "properties/verdict.h"

namespace txproof::checker {

// What was covered when the search ended.
struct Coverage {
  bool complete = false;
  properties::Limit limit = properties::Limit::none;  // why not complete
  std::string limit_text;                             // "the time limit of 10 s was reached"
  bool some_level = false;                            // a whole level was checked
  std::uint32_t level = 0;                            // the deepest of these
  std::uint64_t states = 0;                           // in them
};

// Whether only another engine can decide the property (unless some other part of it is violated).
bool needs_other_engine(const program::Property& property);

// Why a property that holds says nothing; nullopt: it was really tested.
//   spoken: a claim was tested (its left side was true), or an assertion was
//   rest_seen: some state is at rest; fault_seen: some run ends in a fault
std::optional<std::string> vacuity(const program::Property& property, bool spoken, bool rest_seen,
                                   bool fault_seen);

// evaluated: by property, an assertion of it was evaluated.
std::vector<properties::Result> conclude(const program::Program& program, const Findings& findings,
                                         const std::vector<char>& evaluated,
                                         const Coverage& coverage, const PathBuilder& paths);

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace txproof::checker
