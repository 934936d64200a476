// An engine run in a process of its own: what it found comes back, its crashes do not.
#pragma once

#include "checker/explicit/search.h"

namespace txproof::checker {

using EngineRun = properties::Exploration (*)(const program::Program& program,
                                              const SearchOptions& options);

//   ensures: what `run` returns; if its process crashes or has to be killed, every property is
//            inconclusive and the reason says so
//   errors:  std::logic_error where `run` threw one (as any std::exception)
properties::Exploration isolated(const char* name, EngineRun run, const program::Program& program,
                                 const SearchOptions& options);

}  // namespace txproof::checker
