// Shorter ways to the same violation.
//
// First moves are left out, in halves, quarters, … (ddmin: Zeller, Hildebrandt: Simplifying and
// isolating failure-inducing input, IEEE TSE 28, 2002); what can still be made of the rest is made,
// and a way that ends in the violation is kept. Then the search engine looks for the shortest, if
// it comes through in the time given.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "checker/sampling/walk.h"
#include "properties/verdict.h"

namespace txproof::checker::sampling {

struct ShortenOptions {
  double leave_out_seconds = 2;
  double search_seconds = 5;  // 0: no search
  std::uint64_t memory_limit = std::uint64_t{1} << 30U;
  const std::atomic<bool>* interrupted = nullptr;
};

struct Shortened {
  properties::Path path;
  bool shortest = false;  // the search has been through all shorter ones
};

// requires: `path` leads to a violation of `property`
// ensures:  so does the path of the answer, in no more moves
Shortened shorten(const Plan& plan, program::PropertyId property, properties::Path path,
                  const ShortenOptions& options);

}  // namespace txproof::checker::sampling
