// Runs a path again with the reference interpreter and tells what happened.
//
// The path comes from an engine, which may be wrong, or from a file, whose model may have changed.
// Nothing of it is believed: each move must be possible, and the violation must be there at the
// end.
#pragma once

#include <optional>
#include <string>

#include "counterexamples/trace.h"
#include "properties/verdict.h"

namespace txproof::counterexamples {

struct Replay {
  std::optional<Trace> trace;  // absent: the path does not show the violation
  std::string mismatch;        // … and this is why
  std::size_t step = 0;        // … found at this step (0: the initial state)
};

Replay replay(const program::Program& program, program::PropertyId property,
              const properties::Path& path);

}  // namespace txproof::counterexamples
