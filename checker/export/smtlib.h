// A Program as a transition system in SMT-LIB 2, for any solver of integers.
#pragma once

#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::exporting {

struct SmtLib {
  std::string text;
  std::vector<std::string> left_out;  // properties that are not told, by name, each with its reason
};

// Functions over the state (one argument a slot), and over the choices of a step:
//   (init STATE)  (trans STATE NEXT CHOICES)  (bad.I STATE): a claim of property I is false
//   (fault.I STATE CHOICES): a step from STATE fails a check of property I
// A step that fails a fatal check is no step of `trans`.
//   throws Refusal: what the encoder cannot express
SmtLib to_smtlib(const program::Program& program);

}  // namespace txproof::checker::exporting
