#include "checker/explicit/findings.h"

#include <algorithm>

namespace txproof::checker {

void Findings::merge(const Findings& other) {
  rest_seen = rest_seen || other.rest_seen;
  fault_seen = fault_seen || other.fault_seen;
  for (std::size_t i = 0; i < of_.size(); ++i) {
    Finding& mine = of_[i];
    const Finding& theirs = other.of_[i];
    if (theirs.check && (!mine.check || theirs.check->before(*mine.check))) {
      mine.check = theirs.check;
    }
    if (theirs.claim && (!mine.claim || theirs.claim->state < mine.claim->state)) {
      mine.claim = theirs.claim;
    }
    const bool larger = theirs.largest && (!mine.largest || *mine.largest < *theirs.largest);
    const bool sooner = theirs.largest && mine.largest == theirs.largest &&
                        theirs.largest_at.state < mine.largest_at.state;
    if (larger || sooner) {
      mine.largest = theirs.largest;
      mine.largest_at = theirs.largest_at;
    }
    mine.spoken = mine.spoken || theirs.spoken;
  }
}

}  // namespace txproof::checker
