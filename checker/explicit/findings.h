// What a search has learned about each property so far.
//
// Of several violations of a property the first in the order of levels counts, then the least by
// (predecessor, move). Each worker keeps the least that it met, and keeping the least of these
// gives the same, whatever the number of workers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checker/explicit/state_table.h"
#include "model/program/program.h"

namespace txproof::checker {

// A check failed in a step: the ordinal is the step's number among the moves of `parent`.
struct FailedCheck {
  std::uint32_t depth = 0;  // steps to the failure, that step included
  StateId parent = 0;
  std::uint64_t ordinal = 0;
  program::ViolationId violation = program::no_id;
  [[nodiscard]] bool before(const FailedCheck& other) const {
    return parent != other.parent ? parent < other.parent : ordinal < other.ordinal;
  }
};

// A claim is false in a state (or the state is deadlocked).
struct FalseClaim {
  std::uint32_t depth = 0;
  StateId state = 0;
  std::uint32_t claim = 0;
};

struct Finding {
  std::optional<FailedCheck> check;
  std::optional<FalseClaim> claim;
  std::optional<program::Word> largest;  // left side of a maximum
  FalseClaim largest_at;                 // the first state with it
  bool spoken = false;  // a claim was really tested: its antecedent was true, a state was at rest
  [[nodiscard]] bool violated() const { return check.has_value() || claim.has_value(); }
};

class Findings {
 public:
  explicit Findings(std::size_t properties) : of_(properties) {}

  Finding& operator[](program::PropertyId property) { return of_[property]; }
  const Finding& operator[](program::PropertyId property) const { return of_[property]; }

  // requires: checks of one worker come in ascending order
  void failed(program::PropertyId property, const FailedCheck& check) {
    if (!of_[property].check) of_[property].check = check;
  }
  void merge(const Findings& other);

  bool rest_seen = false;   // some state was at rest
  bool fault_seen = false;  // some run ended in a fatal check

 private:
  std::vector<Finding> of_;
};

}  // namespace txproof::checker
