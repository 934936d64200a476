// States of a Program with unknown parameters, at values that are tried: from these, facts are
// guessed. The interpreter runs it, so what is seen is what the Program means.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "checker/parametric/linear.h"
#include "model/program/interpreter.h"
#include "model/program/program.h"

namespace txproof::checker::parametric {

using program::Program;
using program::State;

// Places where states are looked at: 0 between two steps, 1 + i in the head of Program::loops[i].
struct Seen {
  std::uint32_t point = 0;
  const State& state;
};
using Sink = std::function<void(const Seen&)>;
using FaultSink = std::function<void(const program::Fault&)>;

// The initial state with the unknown parameters, in the order of Program::parameters, at `values`.
//   returns nothing where the assumptions exclude them
std::optional<State> initial_at(const Program& program, const std::vector<Word>& values);

// The slots of the unknown parameters, in the order of Program::parameters.
std::vector<program::SlotId> parameter_slots(const Program& program);

struct SampleLimits {
  std::size_t most_states = 5000;               // for one choice of the parameters
  const std::function<bool()>* stop = nullptr;  // asked now and then
};

// Every state that can be reached from `initial`, breadth first.
//   returns false where a limit ended it
bool explore_states(const Program& program, const State& initial, const SampleLimits& limits,
                    const Sink& sink, const FaultSink& faults);

// A run of at most `steps` steps, chosen by `seed`: which threads are quick and which slow, too, so
// that different seeds fill different queues.
void walk(const Program& program, const State& initial, std::size_t steps, std::uint64_t seed,
          const Sink& sink);

}  // namespace txproof::checker::parametric
