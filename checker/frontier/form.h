// A formula for where a property holds, guessed from swept points.
//
// The formula is an inequality between sums of parameters and of products of two of them, with
// small integer coefficients, in the model's own syntax: `SOCKETS*W <= L + R - 1`. It is the
// simplest one found that separates the points where the property holds from those where it does
// not. It says what was swept, and is no proof of anything beyond.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::frontier {

struct Point {
  std::vector<program::Word> values;  // by parameter
  bool holds = false;
};

struct Form {
  std::string text;
  // The constant is not settled by the points: so much larger, it fits as well.
  program::Word slack = 0;
};

// The simplest form that fits every point; none where none does, or where all points agree.
std::optional<Form> fit(const std::vector<std::string>& names, const std::vector<Point>& points);

// What more of a parameter does, the others as they are, over all pairs of neighbouring points.
enum class Trend : std::uint8_t { none, helps, hurts, mixed };
std::vector<Trend> trends(std::size_t parameters, const std::vector<Point>& points);

const char* to_string(Trend trend);

}  // namespace txproof::checker::frontier
