// The engines and their settings, in one table: a new engine joins here, and every random program
// and every stored regression is put to it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "model/program/program.h"
#include "tests/support/agree/oracle.h"

namespace txproof::test {

struct Engine {
  std::string name;
  // Runs the engine on the program and compares all that it says with what is true.
  //   requires: truth.complete
  //   returns a sentence where they disagree, otherwise nothing
  std::function<std::string(const program::Program& program, const Truth& truth)> disagrees;
};

// Those that are quick enough for every program.
const std::vector<Engine>& engines();

}  // namespace txproof::test
