// Pruning candidates to an inductive invariant, and what follows from one.
//
// The algorithm is Houdini (Flanagan and Leino, 2001): while a step leads from states that satisfy
// all facts to one that breaks some, those are dropped. What is left is the largest subset that is
// inductive, whatever the order.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/smt/system.h"

namespace txproof::checker::smt {

using parametric::Fact;

struct ProofLimits {
  unsigned query_milliseconds = 20'000;  // for one question to Z3
  std::function<bool()> stop;            // asked between questions
};

struct Pruned {
  bool finished = false;  // the facts are inductive; otherwise a limit or an unknown ended it
  std::string reason;     // … which
  std::vector<Fact> facts;
  std::size_t questions = 0;
};

// The largest inductive subset of `candidates` where those of `base` are known, which are inductive
// themselves; ranges of slots are taken for granted. `edges` are those of the system or what is
// left of them where other inductive facts are known.
Pruned prune(const System& system, const std::vector<Edge>& edges, const std::vector<Fact>& base,
             std::vector<Fact> candidates, const ProofLimits& limits);

// Facts that never change (variable == value, a point that is not reached) and the values of
// discrete variables, inductive among themselves, with what they make of the system.
struct Known {
  std::vector<Fact> facts;
  std::vector<Edge> edges;  // System::simplified
};

// Which of `facts` suffice for the property: with those of `known` an inductive invariant that
// excludes its goals, those of every_property too, and that shows the ranges. All of `known` are
// part of it.
//   requires: facts are inductive where `known` hold
//   returns nothing if they do not suffice, with the goal that is left in `open`
std::optional<std::vector<Fact>> sufficient(const System& system, const Known& known,
                                            const std::vector<Fact>& facts,
                                            program::PropertyId property, const ProofLimits& limits,
                                            std::string& open);

}  // namespace txproof::checker::smt
