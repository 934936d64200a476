// A failing run as a line of text: parameters, property, moves.
//
//   txproof/1|SOCKETS=2,W=1|no_silent_loss|0 0 1:2 1:0.3 t
//
// A move is a thread's number, behind a colon its choices with points between; `t` is time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/model.h"
#include "model/program/interpreter.h"

namespace txproof::harness {

struct FailingRun {
  Parameters set;
  std::string property;  // Property::instance
  std::vector<program::Move> moves;
};

std::string to_text(const FailingRun& run);

// ensures: absent if the text is no such line
std::optional<FailingRun> failing_run_of(const std::string& text);

}  // namespace txproof::harness
