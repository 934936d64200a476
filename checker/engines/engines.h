// The table of engines: what `--engine` offers, what its help says, and what tests compare.
#pragma once

#include <string>
#include <vector>

#include "checker/explicit/search.h"

namespace txproof::checker {

struct Engine {
  const char* name;
  const char* decides;  // for people: what it can say, and of which properties
  bool endless_runs;    // leads_to, infinitely_often, rate
  bool proves;          // can say `holds`
  // Limits of SearchOptions are obeyed; an engine without use for one of the others ignores it.
  //   errors: std::logic_error where two parts of the tool disagree: an internal error, no verdict
  properties::Exploration (*run)(const program::Program& program, const SearchOptions& options);
};

// The first one is the default.
const std::vector<Engine>& engines();

// nullptr: there is none of this name.
const Engine* find_engine(const std::string& name);

}  // namespace txproof::checker
