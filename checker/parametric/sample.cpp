#include "checker/parametric/sample.h"

#include <algorithm>
#include <deque>
#include <random>
#include <unordered_set>

#include "model/program/interpreter.h"

namespace txproof::checker::parametric {

using program::Interpreter;
using program::Move;
using program::SlotId;
using program::Successor;

namespace {

struct HashState {
  std::size_t operator()(const State& state) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (const Word word : state) {
      hash = (hash ^ static_cast<std::uint64_t>(word)) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32U;
    }
    return static_cast<std::size_t>(hash);
  }
};

// Shows the heads of loops that a step passes. A head begins with the check of its rounds, so the
// state before its first statement is that on entry.
class HeadObserver : public program::Observer {
 public:
  HeadObserver(const Program& program, const Sink& sink) : program_(program), sink_(sink) {}
  void block(program::BlockId block) override { loop_ = program_.blocks[block].loop; }
  void statement(const program::Stmt& /*stmt*/, const State& state) override {
    if (loop_ != program::no_id) sink_({loop_ + 1, state});
    loop_ = program::no_id;
  }

 private:
  const Program& program_;
  const Sink& sink_;
  std::uint32_t loop_ = program::no_id;
};

}  // namespace

std::vector<SlotId> parameter_slots(const Program& program) {
  std::vector<SlotId> out;
  for (const program::Parameter& parameter : program.parameters) {
    if (parameter.slot != program::no_id) out.push_back(parameter.slot);
  }
  return out;
}

std::optional<State> initial_at(const Program& program, const std::vector<Word>& values) {
  State state = program::initial_state(program);
  const std::vector<SlotId> slots = parameter_slots(program);
  for (std::size_t i = 0; i < slots.size(); ++i) state[slots[i]] = values[i];
  const Interpreter interpreter(program);
  for (const program::Others& others : program.others) {
    for (const program::Others::Sum& sum : others.sums) {
      state[sum.caps] = (state[others.number] - 1) * interpreter.evaluate(state, sum.cap);
    }
  }
  for (const program::Assumption& assumption : program.assumptions) {
    if (interpreter.evaluate(state, assumption.condition) == 0) return std::nullopt;
  }
  return state;
}

bool explore_states(const Program& program, const State& initial, const SampleLimits& limits,
                    const Sink& sink, const FaultSink& faults) {
  const Interpreter interpreter(program);
  HeadObserver observer(program, sink);
  std::unordered_set<State, HashState> seen = {initial};
  std::deque<const State*> todo = {&*seen.begin()};
  sink({0, initial});
  while (!todo.empty()) {
    const State& state = *todo.front();
    todo.pop_front();
    if (limits.stop != nullptr && (*limits.stop)()) return false;
    for (const Successor& next : interpreter.successors(state)) {
      Successor again;
      if (!program.loops.empty()) interpreter.run(state, next.move, again, &observer);
      for (const program::Fault& fault : next.faults) faults(fault);
      if (next.ended()) continue;
      const auto [at, is_new] = seen.insert(next.state);
      if (!is_new) continue;
      sink({0, *at});
      if (seen.size() >= limits.most_states) return false;
      todo.push_back(&*at);
    }
  }
  return true;
}

void walk(const Program& program, const State& initial, std::size_t steps, std::uint64_t seed,
          const Sink& sink) {
  const Interpreter interpreter(program);
  HeadObserver observer(program, sink);
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> weights(program.threads.size() + 1);
  for (std::uint64_t& weight : weights) weight = std::uint64_t{1} << (random() % 4 * 3);
  const auto weight = [&](const Successor& next) {
    return weights[std::min<std::size_t>(next.move.thread, weights.size() - 1)];
  };
  State state = initial;
  sink({0, state});
  for (std::size_t i = 0; i < steps; ++i) {
    std::vector<Successor> next = interpreter.successors(state);
    std::erase_if(next, [](const Successor& successor) { return successor.ended(); });
    if (next.empty()) return;
    std::uint64_t total = 0;
    for (const Successor& successor : next) total += weight(successor);
    std::uint64_t draw = random() % total;
    std::size_t at = 0;
    while (draw >= weight(next[at])) draw -= weight(next[at++]);
    Successor& chosen = next[at];
    Successor again;
    if (!program.loops.empty()) interpreter.run(state, chosen.move, again, &observer);
    state = std::move(chosen.state);
    sink({0, state});
  }
}

}  // namespace txproof::checker::parametric
