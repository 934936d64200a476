#include "checker/smt/unrolling.h"

namespace txproof::checker::smt {

using program::SlotId;
using program::Word;

namespace {

Value step_variable(const Encoder& encoder, std::size_t count) {
  Algebra algebra = encoder.algebra();
  return algebra.variable("step", {0, static_cast<Word>(count) - 1});
}

}  // namespace

Unrolling::Unrolling(const Encoder& encoder, SymbolicState base, const std::vector<Step>& steps)
    : encoder_(encoder),
      base_(std::move(base)),
      next_(encoder.variables("next")),
      step_(step_variable(encoder, std::max<std::size_t>(steps.size(), 1))),
      from_(encoder.context()),
      next_terms_(encoder.context()),
      transition_(one_step(steps)) {
  for (const SlotId slot : encoder_.state_slots()) {
    if (base_[slot].is_constant()) continue;
    from_.push_back(base_[slot].term());
    next_terms_.push_back(next_[slot].term());
  }
  for (const Step& step : steps) {
    for (const Choice& choice : step.choices) {
      if (!choice.variable.is_constant()) from_.push_back(choice.variable.term());
    }
  }
  if (!step_.is_constant()) from_.push_back(step_.term());
}

z3::expr Unrolling::one_step(const std::vector<Step>& steps) {
  const Algebra& algebra = encoder_.algebra();
  z3::expr all = algebra.in_range(step_, {0, static_cast<Word>(steps.size()) - 1});
  if (steps.empty()) return algebra.truth(false);
  std::vector<z3::expr> written(base_.size(), algebra.truth(false));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const z3::expr taken = algebra.equal(step_, static_cast<Word>(i));
    const Outcome outcome = merged(algebra, steps[i]);
    z3::expr effect = outcome.condition;
    if (!outcome.after.empty()) {
      for (const SlotId slot : encoder_.state_slots()) {
        if (outcome.after[slot].is_identical(base_[slot])) continue;
        written[slot] = algebra.either(written[slot], taken);
        effect =
            algebra.both(effect, encoder_.term(next_, slot) == encoder_.term(outcome.after, slot));
      }
    }
    all = algebra.both(all, algebra.either(algebra.opposite(taken), effect));
  }
  for (const SlotId slot : encoder_.state_slots()) {
    all = algebra.both(all, algebra.either(written[slot], algebra.equal(next_[slot], base_[slot])));
  }
  return all;
}

Unrolling::Frame& Unrolling::get(unsigned number) {
  while (frames_.size() <= number) {
    const std::string name = std::to_string(frames_.size());
    Frame frame{encoder_.variables("s" + name), z3::expr_vector(encoder_.context())};
    unsigned i = 0;
    for (const SlotId slot : encoder_.state_slots()) {
      if (base_[slot].is_constant()) continue;
      frame.terms.push_back(frame.state[slot].term());
      ++i;
    }
    for (; i < from_.size(); ++i) {
      const z3::expr input = from_[static_cast<int>(i)];
      const std::string renamed = input.decl().name().str() + "@" + name;
      frame.terms.push_back(encoder_.context().constant(renamed.c_str(), input.get_sort()));
    }
    frames_.push_back(std::move(frame));
  }
  return frames_[number];
}

const SymbolicState& Unrolling::frame(unsigned number) { return get(number).state; }

z3::expr Unrolling::at(const z3::expr& formula, unsigned number) {
  z3::expr copy = formula;
  return copy.substitute(from_, get(number).terms);
}

z3::expr Unrolling::transition(unsigned number) {
  get(number + 1);
  const Frame& here = frames_[number];
  const Frame& there = frames_[number + 1];
  z3::expr_vector from(encoder_.context());
  z3::expr_vector to(encoder_.context());
  for (unsigned i = 0; i < from_.size(); ++i) {
    from.push_back(from_[static_cast<int>(i)]);
    to.push_back(here.terms[static_cast<int>(i)]);
  }
  for (unsigned i = 0; i < next_terms_.size(); ++i) {
    from.push_back(next_terms_[static_cast<int>(i)]);
    to.push_back(there.terms[static_cast<int>(i)]);
  }
  z3::expr copy = transition_;
  return copy.substitute(from, to);
}

z3::expr Unrolling::is(unsigned number, const SymbolicState& state) {
  const SymbolicState& here = frame(number);
  z3::expr all = encoder_.algebra().truth(true);
  for (const SlotId slot : encoder_.state_slots()) {
    if (here[slot].is_constant()) continue;
    all = encoder_.algebra().both(
        all, here[slot].term() == encoder_.algebra().fitted(state[slot], encoder_.range_of(slot)));
  }
  return all;
}

}  // namespace txproof::checker::smt
