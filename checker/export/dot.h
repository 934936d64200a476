// The threads of a Program as a graph for Graphviz: for each its stop points, and the steps
// between.
#pragma once

#include <string>

#include "model/lang/source.h"
#include "model/program/program.h"

namespace txproof::checker::exporting {

// A node for each location, with its kind and its line of the model; an edge for each way that a
// step can end, with the functions that it calls on some path there. A cluster for each thread.
std::string to_dot(const program::Program& program, const lang::SourceSet& sources);

}  // namespace txproof::checker::exporting
