// Two runs of the same stack, before and after a change: what became of each property.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/diff/sites.h"
#include "model/program/program.h"
#include "properties/verdict.h"

namespace txproof::diff {

enum class Change { fixed, regressed, unchanged, added, removed, inconclusive };
const char* to_string(Change change);

// A property that this side asks for and that its text makes impossible to evaluate, for example a
// probe on a function that is gone.
struct Unusable {
  std::string property;
  std::string reason;
};

struct Side {
  const program::Program* program = nullptr;
  const properties::Exploration* exploration = nullptr;
  std::vector<Unusable> unusable;
};

struct PropertyChange {
  std::string property;                      // the name after `property`
  std::string instance;                      // with its arguments
  std::optional<std::size_t> base, patched;  // which Result of each side
  Change change = Change::unchanged;
  std::string note;       // why, where the verdicts alone do not say it
  bool is_worse = false;  // counts as a regression
};

struct MovedMaximum {
  std::string instance;
  std::int64_t base = 0, patched = 0;
};

struct MovedRate {
  std::string instance;
  std::string base, patched;  // worst ratios, "1/3"
};

struct Comparison {
  std::vector<PropertyChange> changes;  // in the order of the base, added ones behind
  std::vector<MovedMaximum> maxima;     // exact on both sides, and different
  std::vector<MovedRate> rates;         // likewise
  std::vector<Site> drops_gained, drops_lost, returns_gained, returns_lost;
  bool sites_are_exact = false;  // both sides saw every reachable state
};

// requires: both explorations have a Result for each property, and coverage
Comparison compare(const Side& base, const Side& patched, const lang::SourceSet& sources);

}  // namespace txproof::diff
