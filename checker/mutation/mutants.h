// Small faults planted in the text of a model, one at a time: if none of a stack's properties
// notices one, they say less than they seem to.
//
// The faults are the classic ones of mutation testing (DeMillo, Lipton, Sayward: Hints on Test Data
// Selection, 1978), as a slip in kernel code would make them. Only code is touched: never a
// property, a declaration or a stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/lang/source.h"
#include "model/lang/syntax.h"

namespace txproof::mutation {

enum class Fault {
  drop,       // a statement is gone
  lost_wake,  // … and what it wrote is what some thread waits for
  swap,       // two neighbouring statements change places
  off_by_one,
  comparison,  // < for <=, == for !=
  negation,    // if (E) becomes if (!(E))
  constant,    // true for false
};
const char* to_string(Fault fault);

// One edit of one file.
struct Mutant {
  Fault fault = Fault::drop;
  lang::Span span;          // what is replaced
  std::string replacement;  // by what
  std::string function;     // in which function: "qdisc_run", "pfifo.enqueue"
};

struct MutantOptions {
  // Neighbouring assignments to different things are worth swapping only where somebody can look
  // between them.
  bool fine = false;
};

// Every mutant of the functions and threads of the model, in the order of the files and places.
//   requires: the model is checked and `sources` is what it was read from
//   reached:  places of statements that some run executes; others are left alone, since no
//             property could tell
std::vector<Mutant> mutants_of(const lang::Model& model, const lang::SourceSet& sources,
                               const std::vector<lang::Span>& reached,
                               const MutantOptions& options);

// The text of the mutant's file after the edit.
std::string mutated_text(const Mutant& mutant, const lang::SourceSet& sources);

// The edit of the file, which the diff is to call `path`, as a unified diff with three lines of
// context, which `txproof diff` reads.
std::string mutant_diff(const Mutant& mutant, const lang::SourceSet& sources,
                        const std::string& path);

}  // namespace txproof::mutation
