// Many random runs of a Program: what broke, the largest values, and samples of expressions.
//
// It is sampling. A property that no run broke has not been proved, and nothing here says `holds`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/sampling/statistics.h"
#include "checker/sampling/walk.h"
#include "properties/verdict.h"

namespace txproof::checker::sampling {

struct SimulateOptions {
  std::uint64_t seed = 0;
  std::uint64_t steps = 10'000;  // of each run
  std::uint64_t runs = 20;
  Schedule schedule = Schedule::threads;
  unsigned jobs = 1;  // threads; never changes a result of runs that were completed
  std::optional<double> time_limit;
  const std::atomic<bool>* interrupted = nullptr;
  // Maxima whose left sides are sampled after every step, and not watched as properties.
  std::vector<program::PropertyId> expressions;
  // Rates that are measured, and not watched as properties.
  std::vector<program::PropertyId> rates;
  std::size_t points = 200;                           // of a course over time
  std::function<void(std::uint64_t steps)> progress;  // now and then, from one thread
};

// A run ended, or broke something.
struct RunSummary {
  std::uint64_t steps = 0;                         // made
  bool stuck = false;                              // ended since nobody could move
  bool fault = false;                              // ended in a fatal check
  std::vector<Histogram> samples;                  // by expression
  std::vector<std::vector<program::Word>> course;  // by expression: the value at each point reached
  std::vector<std::pair<program::Word, program::Word>> rates;  // by rate: what was counted
};

struct Broken {
  std::uint64_t runs = 0;       // of those made
  std::uint64_t first_run = 0;  // the first of them
  std::uint64_t step = 0;       // the step that broke it there
};

struct Simulation {
  std::vector<RunSummary> runs;  // those that were completed: the first ones, in order
  std::uint64_t steps = 0;       // made, in all of these
  properties::Limit limit = properties::Limit::none;  // why not all were
  double seconds = 0;
  // By property, over the completed runs.
  std::vector<std::optional<Broken>> broken;
  std::vector<std::optional<program::Word>> largest;  // left side of a maximum
  std::vector<char> spoken;                           // something was really tested
  std::vector<program::Word> counts;                  // by counter element
  program::Word ticks = 0;
};

// requires: steps >= 1, runs >= 1; expressions are maxima, rates are rates
Simulation simulate(const Plan& plan, const SimulateOptions& options);

// The moves of a run up to the step that first broke `property`, by making the run again.
//   requires: the simulation with these options says that this run broke it
properties::Path path_of(const Plan& plan, const SimulateOptions& options, std::uint64_t run,
                         program::PropertyId property);

// What of a finding a Path tells: the check or the claim, whichever came first.
void tell(const Finding& finding, properties::Path& path);

}  // namespace txproof::checker::sampling
