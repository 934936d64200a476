#include "checker/smt/induction.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "checker/smt/decode.h"

namespace txproof::checker::smt {

using program::State;

Induction::Induction(Task& task)
    : task_(task),
      formulas_(task, encoded_as(Numbers::bit_vectors)),
      unrolling_(formulas_.encoder, formulas_.base, formulas_.steps) {}

// In a round, all that was left of the last one is assumed before a step, and what the step breaks
// is dropped. A round that drops nothing has found the inductive ones.
void Induction::find_lemmas() {
  constexpr std::size_t sample_size = 4000;
  const Encoder& encoder = formulas_.encoder;
  lemmas_ =
      candidates(task_.program(), encoder.state_slots(), sample(task_.program(), sample_size));
  for (bool dropped = true; dropped && !lemmas_.empty();) {
    z3::solver solver = solver_for(*formulas_.context, Numbers::bit_vectors);
    solver.add(encoder.in_range(unrolling_.frame(0)));
    solver.add(unrolling_.transition(0));
    for (const Lemma& lemma : lemmas_) {
      solver.add(formula(lemma, encoder, unrolling_.frame(0)));
    }
    dropped = drop_broken(solver, unrolling_, lemmas_);
  }
}

bool Induction::drop_broken(z3::solver& solver, Unrolling& unrolling, std::vector<Lemma>& kept) {
  z3::context& context = *formulas_.context;
  std::vector<z3::expr> broken;  // by lemma, after the step
  broken.reserve(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const z3::expr name = context.bool_const(("broken" + std::to_string(i)).c_str());
    solver.add(z3::implies(name, !formula(kept[i], formulas_.encoder, unrolling.frame(1))));
    broken.push_back(name);
  }
  bool dropped = false;
  for (unsigned round = 0; !kept.empty(); ++round) {
    z3::expr_vector any(context);
    for (const z3::expr& each : broken) any.push_back(each);
    const z3::expr wanted = context.bool_const(("round" + std::to_string(round)).c_str());
    solver.add(z3::implies(wanted, z3::mk_or(any)));
    z3::expr_vector assumptions(context);
    assumptions.push_back(wanted);
    const z3::check_result result = checked(task_.watch(), solver, assumptions);
    if (result == z3::unknown) throw Refusal("Z3 gave up: " + solver.reason_unknown());
    if (result == z3::unsat) return dropped;
    const State after = state_of(solver.get_model(), unrolling.frame(1));
    std::size_t left = 0;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (!holds(kept[i], task_.program(), after)) continue;
      kept[left] = kept[i];
      broken[left] = broken[i];
      ++left;
    }
    if (left == kept.size()) throw std::logic_error("a broken lemma holds");
    kept.resize(left);
    broken.erase(broken.begin() + static_cast<std::ptrdiff_t>(left), broken.end());
    dropped = true;
  }
  return dropped;
}

void Induction::add_core(z3::solver& solver, const z3::expr& impossible, std::vector<char>& needed,
                         std::vector<std::size_t>& todo) {
  z3::context& context = *formulas_.context;
  const auto name_of = [](std::size_t lemma) { return "use" + std::to_string(lemma); };
  for (const bool all : {false, true}) {
    z3::expr_vector assumptions(context);
    assumptions.push_back(impossible);
    for (std::size_t i = 0; i < lemmas_.size(); ++i) {
      if (all || needed[i] != 0) assumptions.push_back(context.bool_const(name_of(i).c_str()));
    }
    const z3::check_result result = checked(task_.watch(), solver, assumptions);
    if (result == z3::sat && !all) continue;
    if (result != z3::unsat) throw std::logic_error("a lemma that was proved is not proved");
    const z3::expr_vector core = solver.unsat_core();
    std::set<std::string> names;
    for (unsigned i = 0; i < core.size(); ++i) {
      names.insert(core[static_cast<int>(i)].decl().name().str());
    }
    for (std::size_t i = 0; i < lemmas_.size(); ++i) {
      if (needed[i] != 0 || names.count(name_of(i)) == 0) continue;
      needed[i] = 1;
      todo.push_back(i);
    }
    return;
  }
}

std::vector<Lemma> Induction::needed_for(std::size_t goal) {
  z3::context& context = *formulas_.context;
  const Encoder& encoder = formulas_.encoder;
  std::vector<char> needed(lemmas_.size(), 0);
  std::vector<std::size_t> todo;
  const auto solver_with_lemmas = [&](unsigned frames) {
    z3::solver solver = solver_for(context, Numbers::bit_vectors);
    for (unsigned frame = 0; frame <= frames; ++frame) {
      solver.add(encoder.in_range(unrolling_.frame(frame)));
    }
    return solver;
  };
  const auto offer = [&](z3::solver& solver, unsigned frames) {
    for (std::size_t i = 0; i < lemmas_.size(); ++i) {
      const z3::expr use = context.bool_const(("use" + std::to_string(i)).c_str());
      for (unsigned frame = 0; frame <= frames; ++frame) {
        solver.add(z3::implies(use, formula(lemmas_[i], encoder, unrolling_.frame(frame))));
      }
    }
  };
  {
    z3::solver solver = solver_with_lemmas(steps_);
    offer(solver, steps_);
    const Goal& wanted = formulas_.goals[goal];
    const auto met = [&](unsigned frame) {
      return unrolling_.at(wanted.state, frame) || unrolling_.at(wanted.step, frame);
    };
    for (unsigned frame = 0; frame < steps_; ++frame) {
      solver.add(unrolling_.transition(frame));
      solver.add(!met(frame));
    }
    solver.add(met(steps_));
    add_core(solver, context.bool_const("end"), needed, todo);
  }
  z3::solver solver = solver_with_lemmas(0);
  offer(solver, 0);
  solver.add(unrolling_.transition(0));
  while (!todo.empty()) {
    const std::size_t lemma = todo.back();
    todo.pop_back();
    const z3::expr broken = context.bool_const(("breaks" + std::to_string(lemma)).c_str());
    solver.add(z3::implies(broken, !formula(lemmas_[lemma], encoder, unrolling_.frame(1))));
    add_core(solver, broken, needed, todo);
  }
  std::vector<Lemma> result;
  for (std::size_t i = 0; i < lemmas_.size(); ++i) {
    if (needed[i] != 0) result.push_back(lemmas_[i]);
  }
  return result;
}

void Induction::add_frame(unsigned number) {
  const Encoder& encoder = formulas_.encoder;
  solver_->add(encoder.in_range(unrolling_.frame(number)));
  for (const Lemma& lemma : lemmas_) {
    solver_->add(formula(lemma, encoder, unrolling_.frame(number)));
  }
}

std::vector<std::size_t> Induction::deepen() {
  z3::context& context = *formulas_.context;
  if (!started_) {
    solver_ = solver_for(context, Numbers::bit_vectors);
    add_frame(0);
  } else {
    ++steps_;
    solver_->add(unrolling_.transition(steps_ - 1));
    add_frame(steps_);
  }
  started_ = true;
  std::vector<std::size_t> proved;
  for (std::size_t i = 0; i < task_.goals().size(); ++i) {
    GoalState& goal = task_.goals()[i];
    if (!task_.is_wanted(goal)) continue;
    const Goal& wanted = formulas_.goals[i];
    const std::string name = "goal" + std::to_string(i) + "@" + std::to_string(steps_);
    const z3::expr last = context.bool_const(name.c_str());
    solver_->add(z3::implies(
        last, unrolling_.at(wanted.state, steps_) || unrolling_.at(wanted.step, steps_)));
    // In the frames before, this goal was not met.
    z3::expr_vector assumptions(context);
    for (unsigned before = 0; before < steps_; ++before) {
      const std::string clean = "clean" + std::to_string(i) + "@" + std::to_string(before);
      const z3::expr is_clean = context.bool_const(clean.c_str());
      solver_->add(z3::implies(
          is_clean, !unrolling_.at(wanted.state, before) && !unrolling_.at(wanted.step, before)));
      assumptions.push_back(is_clean);
    }
    assumptions.push_back(last);
    const z3::check_result result = checked(task_.watch(), *solver_, assumptions);
    if (result == z3::unknown) throw Refusal("Z3 gave up: " + solver_->reason_unknown());
    if (result != z3::unsat) continue;
    goal.known = Known::unreachable;
    proved.push_back(i);
  }
  return proved;
}

}  // namespace txproof::checker::smt
