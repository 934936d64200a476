// Courses of expressions over the steps of the runs, as CSV or SVG.
#pragma once

#include <string>
#include <vector>

#include "checker/sampling/simulate.h"

namespace txproof::cli {

// At one point: over the runs that got there.
struct CoursePoint {
  std::uint64_t step = 0;
  double mean = 0;
  program::Word least = 0, most = 0;
};

struct Course {
  std::string name;
  std::vector<CoursePoint> points;
};

// steps: of a run; points: as asked for in SimulateOptions.
std::vector<Course> courses_of(const checker::sampling::Simulation& simulation,
                               const std::vector<std::string>& expressions, std::uint64_t steps,
                               std::size_t points);

// step, then for each expression its mean, least and most.
std::string course_csv(const std::vector<Course>& courses);

// The mean as a line and least to most as a band, a panel an expression. `title` goes above.
std::string course_svg(const std::vector<Course>& courses, const std::string& title);

}  // namespace txproof::cli
