#include "counterexamples/check_lasso.h"

#include <algorithm>
#include <numeric>

namespace txproof::counterexamples {

using program::Claim;
using program::Interpreter;
using program::no_id;
using program::Program;
using program::PropertyKind;
using program::State;
using program::StopKind;
using program::Successor;
using program::ThreadId;
using program::Word;

namespace {

__extension__ using Wide = __int128;

class Checker {
 public:
  Checker(const Program& program, const Claim& claim, const Run& run, std::size_t loop)
      : program_(program), interpreter_(program), claim_(claim), run_(run), loop_(loop) {}

  LassoCheck check() {
    if (loop_ > run_.steps.size()) return {"the cycle begins behind the end", ""};
    stays_ = loop_ == run_.steps.size();
    if (!stays_ && run_.before(loop_) != run_.steps.back().state) {
      return {"the cycle does not lead back to where it begins", ""};
    }
    return claim_.kind == PropertyKind::rate ? rate() : liveness();
  }

 private:
  [[nodiscard]] bool holds(const State& state, program::ExprId expr) const {
    return interpreter_.evaluate(state, expr) != 0;
  }
  [[nodiscard]] const program::Location& location(const State& state, ThreadId thread) const {
    const program::Thread& t = program_.threads[thread];
    return program_.locations[t.locations[static_cast<std::size_t>(state[t.pc])]];
  }
  [[nodiscard]] bool can_step(const State& state, ThreadId thread) const {
    if (thread == program::time_step) return interpreter_.time_enabled(state);
    return location(state, thread).kind != StopKind::pause && interpreter_.enabled(state, thread);
  }
  [[nodiscard]] bool steps_in_cycle(ThreadId thread) const {
    return std::any_of(run_.steps.begin() + static_cast<std::ptrdiff_t>(loop_), run_.steps.end(),
                       [&](const Successor& step) { return step.move.thread == thread; });
  }

  LassoCheck liveness() {
    const bool leads_to = claim_.kind == PropertyKind::leads_to;
    const program::ExprId wanted = leads_to ? claim_.right : claim_.condition;
    // The last state in which it held; from there on it must become pending.
    bool pending = false;
    for (std::size_t i = 0; i <= run_.steps.size(); ++i) {
      const State& state = run_.before(i);
      if (holds(state, wanted)) {
        if (i >= loop_) return {"what is wanted is true on the cycle", ""};
        pending = false;
      } else if (!leads_to || holds(state, claim_.condition)) {
        pending = true;
      }
    }
    if (!pending) return {"nothing is owed on the cycle", ""};
    if (claim_.assuming != no_id) {
      bool met = false;
      for (std::size_t i = loop_; i <= run_.steps.size(); ++i) {
        met = met || holds(run_.before(i), claim_.assuming);
      }
      if (!met) return {"what is assumed is never true on the cycle", ""};
    }
    if (stays_) {
      if (!interpreter_.at_rest(run_.before(loop_))) return {"the last state is not at rest", ""};
      return {"", "nobody need step any more, and yet never: " + claim_.text};
    }
    const std::string unfair = unfairness();
    if (!unfair.empty()) return {unfair, ""};
    return {"", "the cycle can go on for ever, and yet never: " + claim_.text};
  }

  [[nodiscard]] std::string unfairness() const {
    for (ThreadId thread = 0; thread <= program_.threads.size(); ++thread) {
      const bool is_time = thread == program_.threads.size();
      const ThreadId who = is_time ? program::time_step : thread;
      if (steps_in_cycle(who)) continue;
      bool always = true;
      bool owed = false;
      for (std::size_t i = loop_; i < run_.steps.size(); ++i) {
        const bool can = can_step(run_.before(i), who);
        always = always && can;
        const bool strongly =
            !is_time && (program_.threads[thread].strong || location(run_.before(i), thread).fair);
        owed = owed || (can && strongly);
      }
      if (always || owed) {
        return "the cycle is unfair to " +
               (is_time ? std::string("time") : program_.threads[thread].name);
      }
    }
    return "";
  }

  [[nodiscard]] Wide sum(const program::Tally& tally) const {
    Wide total = 0;
    for (std::size_t i = loop_; i < run_.steps.size(); ++i) {
      const Successor& step = run_.steps[i];
      if (tally.is_ticks) {
        total += step.move.thread == program::time_step ? 1 : 0;
        continue;
      }
      for (std::uint32_t e = tally.first; e < tally.first + tally.count; ++e) {
        if (e < step.counts.size()) total += step.counts[e];
      }
    }
    return total;
  }

  LassoCheck rate() {
    if (stays_) return {"a rate needs a cycle", ""};
    const auto a = static_cast<Word>(sum(claim_.numerator));
    const auto b = static_cast<Word>(sum(claim_.denominator));
    const Wide value = Wide{a} * claim_.bound_denominator;
    const Wide bound = Wide{claim_.bound_numerator} * b;
    bool broken = false;
    std::string ratio = std::to_string(a) + "/" + std::to_string(b);
    if (b != 0) {
      broken = claim_.at_least ? value < bound : value > bound;
    } else if (a != 0) {
      broken = !claim_.at_least;
      ratio += " (infinite)";
    }
    if (!broken) return {"the ratio of the cycle is " + ratio, ""};
    return {"", "the cycle has the ratio " + ratio + ": " + claim_.text};
  }

  const Program& program_;
  const Interpreter interpreter_;
  const Claim& claim_;
  const Run& run_;
  std::size_t loop_;
  bool stays_ = false;
};

}  // namespace

LassoCheck check_lasso(const Program& program, const Claim& claim, const Run& run,
                       std::size_t loop) {
  return Checker(program, claim, run, loop).check();
}

}  // namespace txproof::counterexamples
