#include "tests/support/engine/formulas.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "checker/smt/decode.h"
#include "model/program/interpreter.h"

namespace txproof::test {

using checker::smt::Encoder;
using checker::smt::Step;
using checker::smt::SymbolicState;
using program::Interpreter;
using program::SlotId;
using program::State;
using program::Successor;
using program::Word;

namespace {

std::vector<State> some_states(const program::Program& program, const FormulaCheck& check) {
  const Interpreter interpreter(program);
  std::vector<State> all{program::initial_state(program)};
  std::set<State> seen(all.begin(), all.end());
  for (std::size_t i = 0; i < all.size() && all.size() < check.most_states * check.stride; ++i) {
    const State from = all[i];
    for (Successor& next : interpreter.successors(from)) {
      if (!next.ended() && seen.insert(next.state).second) all.push_back(std::move(next.state));
    }
  }
  std::vector<State> some;
  for (std::size_t i = 0; i < all.size() && some.size() < check.most_states; i += check.stride) {
    some.push_back(all[i]);
  }
  return some;
}

// A way to go on, comparable: who, which choices, what failed, and the state after it (none where
// the step ended in a fault).
using Way = std::tuple<program::ThreadId, std::vector<std::uint32_t>,
                       std::vector<program::ViolationId>, std::vector<Word>>;

std::string written(const Way& way) {
  std::string text = "thread " + std::to_string(std::get<0>(way)) + " choices";
  for (const std::uint32_t c : std::get<1>(way)) text += " " + std::to_string(c);
  text += " faults";
  for (const program::ViolationId v : std::get<2>(way)) text += " " + std::to_string(v);
  text += " to";
  for (const Word w : std::get<3>(way)) text += " " + std::to_string(w);
  return text;
}

class Comparison {
 public:
  Comparison(const program::Program& program, const FormulaCheck& check)
      : program_(program),
        interpreter_(program),
        encoder_(context_, program, check.encode),
        before_(encoder_.variables("s")),
        steps_(encoder_.steps(before_)),
        solver_(context_) {}

  std::string state(const State& state) {
    solver_.push();
    for (const SlotId slot : encoder_.state_slots()) {
      solver_.add(encoder_.term(before_, slot) ==
                  encoder_.algebra().fitted(state[slot], encoder_.range_of(slot)));
    }
    std::string wrong = successors(state);
    if (wrong.empty()) wrong = claims(state);
    solver_.pop();
    if (wrong.empty()) return wrong;
    wrong += "\nin the state";
    for (const Word w : state) wrong += " " + std::to_string(w);
    return wrong;
  }

 private:
  std::vector<Word> stored(const State& state) const {
    std::vector<Word> words;
    for (SlotId slot = 0; slot < state.size(); ++slot) {
      if (program_.slots[slot].stored) words.push_back(state[slot]);
    }
    return words;
  }

  std::string successors(const State& state) {
    std::map<Way, int> ways;
    for (const Successor& next : interpreter_.successors(state)) {
      std::vector<program::ViolationId> faults;
      for (const program::Fault& fault : next.faults) faults.push_back(fault.violation);
      std::sort(faults.begin(), faults.end());
      ++ways[{next.move.thread, next.move.choices, faults,
              next.ended() ? std::vector<Word>{} : stored(next.state)}];
    }
    for (const Step& step : steps_) {
      const std::string wrong = models(step, ways);
      if (!wrong.empty()) return wrong;
    }
    for (const auto& [way, count] : ways) {
      if (count != 0) return "the formulas lack: " + written(way);
    }
    return "";
  }

  std::string models(const Step& step, std::map<Way, int>& ways) {
    z3::expr happens = context_.bool_val(false);
    for (const auto& outcome : step.outcomes) happens = happens || outcome.condition;
    for (const auto& failure : step.failures) {
      if (failure.fatal) happens = happens || failure.condition;
    }
    solver_.push();
    solver_.add(happens);
    std::string wrong;
    while (wrong.empty() && solver_.check() == z3::sat) {
      const z3::model model = solver_.get_model();
      const Way way = way_of(step, model, wrong);
      if (wrong.empty() && --ways[way] < 0) wrong = "only the formulas have: " + written(way);
      z3::expr same = context_.bool_val(true);
      for (const auto& choice : step.choices) {
        const bool met = checker::smt::is_true(model, choice.met);
        same = same && (met ? choice.met : !choice.met);
        if (met && !choice.variable.is_constant()) {
          same = same && choice.variable.term() == model.eval(choice.variable.term(), true);
        }
      }
      solver_.add(!same);
    }
    solver_.pop();
    return wrong;
  }

  Way way_of(const Step& step, const z3::model& model, std::string& wrong) const {
    std::vector<program::ViolationId> faults;
    bool ended = false;
    for (const auto& failure : step.failures) {
      if (!checker::smt::is_true(model, failure.condition)) continue;
      faults.push_back(failure.violation);
      ended = ended || failure.fatal;
    }
    std::sort(faults.begin(), faults.end());
    std::vector<Word> after;
    int ends = 0;
    for (const auto& outcome : step.outcomes) {
      if (!checker::smt::is_true(model, outcome.condition)) continue;
      ++ends;
      after = stored(checker::smt::state_of(model, outcome.after));
    }
    if (ends != (ended ? 0 : 1)) {
      wrong = step.name + " has " + std::to_string(ends) + " ends" + (ended ? " and a fault" : "");
    }
    return {step.thread, checker::smt::move_of(model, step).choices, faults, after};
  }

  std::string compare(const std::string& what, const z3::expr& formula, bool expected) {
    solver_.push();
    solver_.add(expected ? !formula : formula);
    const bool wrong = solver_.check() != z3::unsat;
    solver_.pop();
    return wrong ? what + " differs" : "";
  }

  std::string claims(const State& state) {
    for (program::ThreadId t = 0; t < program_.threads.size(); ++t) {
      std::string wrong = compare(program_.threads[t].name, encoder_.can_step(before_, t),
                                  interpreter_.enabled(state, t));
      if (!wrong.empty()) return wrong;
    }
    std::string wrong = compare("at rest", encoder_.at_rest(before_), interpreter_.at_rest(state));
    if (!wrong.empty()) return wrong;
    wrong = compare("deadlock", encoder_.deadlocked(before_), interpreter_.deadlocked(state));
    for (const program::Property& property : program_.properties) {
      for (const program::Claim& claim : property.claims) {
        if (!wrong.empty()) return wrong;
        if (claim.kind == program::PropertyKind::maximum) {
          wrong = compare(
              property.name, encoder_.broken(before_, claim),
              interpreter_.evaluate(state, claim.left) > interpreter_.evaluate(state, claim.right));
        } else if (claim.kind == program::PropertyKind::always &&
                   claim.condition != program::no_id) {
          wrong = compare(property.name, encoder_.broken(before_, claim),
                          interpreter_.evaluate(state, claim.condition) == 0);
        } else if (claim.kind == program::PropertyKind::at_rest &&
                   claim.condition != program::no_id) {
          wrong = compare(
              property.name, encoder_.broken(before_, claim),
              interpreter_.at_rest(state) && interpreter_.evaluate(state, claim.condition) == 0);
        }
      }
    }
    return wrong;
  }

  const program::Program& program_;
  Interpreter interpreter_;
  z3::context context_;
  Encoder encoder_;
  SymbolicState before_;
  std::vector<Step> steps_;
  z3::solver solver_;
};

}  // namespace

std::string disagreement(const program::Program& program, const FormulaCheck& check) {
  try {
    Comparison comparison(program, check);
    for (const State& state : some_states(program, check)) {
      std::string wrong = comparison.state(state);
      if (!wrong.empty()) return wrong;
    }
    return "";
  } catch (const checker::smt::Refusal& refusal) {
    return std::string("refused: ") + refusal.what();
  }
}

}  // namespace txproof::test
