// The engine for infinite runs: leads_to, infinitely_often and rate.
#pragma once

#include "checker/explicit/search.h"
#include "model/program/program.h"
#include "properties/verdict.h"

namespace txproof::checker::graph {

// Whether some property was left to this engine. If none was, no graph is built.
bool is_wanted(const properties::Exploration& exploration);

// Decides what `explore` left to the analysis of cycles.
//   requires: exploration is what explore(program, options) returned
//   ensures:  every result that was inconclusive for want of another engine has a verdict of this
//             one; a violated one has a lasso as its path (Path::loop). `holds` only if the whole
//             graph was built and every part of the property was decided. The limits of `options`
//             count from the beginning of the search.
void analyse(const program::Program& program, const SearchOptions& options,
             properties::Exploration& exploration);

}  // namespace txproof::checker::graph
