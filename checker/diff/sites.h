// Which packet ends and which constant return codes some run reaches: what a patch adds to these or
// takes away is often the first thing that a reader wants to know.
//
// A site is named by functions and by the text of its line, not by line numbers, so that both sides
// of a diff name it alike.
#pragma once

#include <set>
#include <string>
#include <tuple>

#include "model/lang/source.h"
#include "model/program/program.h"
#include "properties/verdict.h"

namespace txproof::diff {

struct Site {
  std::string function;  // the one that ends the packet, or that returns
  std::string where;     // drops: the function that calls it; empty in a thread's own text
  std::string text;      // drops: the line of that call; returns: the value, "NET_XMIT_DROP"
  bool operator==(const Site&) const = default;
  bool operator<(const Site& other) const {
    return std::tie(function, where, text) < std::tie(other.function, other.where, other.text);
  }
};

struct Sites {
  std::set<Site> drops;    // reached `destroy` statements, by the call that led there
  std::set<Site> returns;  // reached returns of constants
};

// requires: coverage was asked for
// ensures:  exact if the exploration is complete; otherwise what was reached so far
Sites reached_sites(const program::Program& program, const properties::Exploration& exploration,
                    const lang::SourceSet& sources);

}  // namespace txproof::diff
