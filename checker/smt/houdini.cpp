#include "checker/smt/houdini.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::SlotId;
using program::State;
using program::Word;

namespace {

z3::solver new_solver(const System& system, const ProofLimits& limits) {
  z3::solver solver(system.context());
  z3::params params(system.context());
  params.set("timeout", limits.query_milliseconds);
  solver.set(params);
  solver.add(system.background());
  return solver;
}

// The number that a term has in a model.
//   returns nothing where it does not fit a word
std::optional<Word> word_in(const z3::model& model, const System& system, const Value& value) {
  if (value.is_constant()) return value.constant();
  const z3::expr found = model.eval(system.number(value), true);
  std::int64_t word = 0;
  if (!found.is_numeral_i64(word)) return std::nullopt;
  return word;
}

// A candidate, and what it says of the variables at its point.
struct Candidate {
  Fact fact;
  z3::expr formula;
};

class Pruner {
 public:
  Pruner(const System& system, const std::vector<Edge>& edges, const std::vector<Fact>& base,
         std::vector<Fact> candidates, const ProofLimits& limits)
      : system_(system), edges_(edges), limits_(limits), by_point_(system.points()) {
    for (std::uint32_t point = 0; point < system.points(); ++point) {
      z3::expr_vector all(system.context());
      all.push_back(system.in_range(point, system.at(point)));
      for (const Fact& fact : base) {
        if (fact.point == point) all.push_back(system.formula(fact, system.at(point)));
      }
      always_.push_back(z3::mk_and(all));
    }
    for (Fact& fact : candidates) {
      const z3::expr formula = system.formula(fact, system.at(fact.point));
      by_point_[fact.point].push_back({std::move(fact), formula});
    }
  }

  Pruned run() {
    Pruned out;
    bool good = initial();
    std::vector<char> clean(edges_.size(), 0);
    for (bool changed = true; good && changed;) {
      changed = false;
      for (std::size_t e = 0; good && e < clean.size(); ++e) {
        if (clean[e] != 0) continue;
        changed = true;
        const Edge& edge = edges_[e];
        const std::size_t before = by_point_[edge.to].size();
        good = settle(edge);
        clean[e] = 1;
        if (by_point_[edge.to].size() == before) continue;
        // Facts at `to` are fewer: whatever starts there has to be looked at again.
        for (std::size_t other = 0; other < clean.size(); ++other) {
          if (edges_[other].from == edge.to) clean[other] = 0;
        }
      }
    }
    out.finished = good;
    out.reason = reason_;
    out.questions = questions_;
    for (auto& candidates : by_point_) {
      for (Candidate& candidate : candidates) out.facts.push_back(std::move(candidate.fact));
    }
    return out;
  }

 private:
  bool initial() {
    z3::solver solver = new_solver(system_, limits_);
    solver.add(system_.initial());
    return drop_broken(solver, 0, system_.at(0));
  }

  // Drops what the edge breaks, until it breaks nothing.
  bool settle(const Edge& edge) {
    if (by_point_[edge.to].empty()) return true;
    z3::solver solver = new_solver(system_, limits_);
    solver.add(edge.condition);
    solver.add(always_[edge.from]);
    for (const Candidate& candidate : by_point_[edge.from]) solver.add(candidate.formula);
    return drop_broken(solver, edge.to, edge.after);
  }

  // While the solver has a model whose state `after` breaks facts at the point, drops these. That
  // facts were dropped from the solver's own premises meanwhile does not matter: with fewer
  // premises each model stays one.
  bool drop_broken(z3::solver& solver, std::uint32_t point, const SymbolicState& after) {
    std::vector<Candidate>& candidates = by_point_[point];
    while (!candidates.empty()) {
      if (limits_.stop && limits_.stop()) {
        reason_ = "stopped";
        return false;
      }
      z3::expr_vector broken(system_.context());
      for (const Candidate& candidate : candidates) {
        broken.push_back(!system_.formula(candidate.fact, after));
      }
      solver.push();
      solver.add(z3::mk_or(broken));
      ++questions_;
      const z3::check_result answer = solver.check();
      if (answer == z3::unsat) return true;
      if (answer == z3::unknown) {
        reason_ = "Z3: " + solver.reason_unknown();
        return false;
      }
      if (!drop(solver.get_model(), candidates, after)) {
        reason_ = "a model of Z3 breaks no fact";
        return false;
      }
      solver.pop();
    }
    return true;
  }

  bool drop(const z3::model& model, std::vector<Candidate>& candidates,
            const SymbolicState& after) const {
    constexpr Word largest = Word{1} << 40;
    std::vector<Word> state(after.size(), 0);
    std::vector<char> known(after.size(), 0);
    const auto value = [&](SlotId slot) {
      if (known[slot] != 0) return true;
      const std::optional<Word> word = word_in(model, system_, after[slot]);
      if (!word || *word > largest || *word < -largest) return false;
      state[slot] = *word;
      known[slot] = 1;
      return true;
    };
    const std::size_t before = candidates.size();
    std::erase_if(candidates, [&](const Candidate& candidate) {
      bool small = true;
      for (const auto& literal : candidate.fact.guard) small = small && value(literal.variable);
      for (const auto& term : candidate.fact.linear.terms) small = small && value(term.first);
      if (small) return !parametric::holds(candidate.fact, state);
      return model.eval(system_.formula(candidate.fact, after), true).is_false();
    });
    return candidates.size() < before;
  }

  const System& system_;
  const std::vector<Edge>& edges_;
  const ProofLimits& limits_;
  std::vector<z3::expr> always_;  // by point: ranges and what is known
  std::vector<std::vector<Candidate>> by_point_;
  std::string reason_;
  std::size_t questions_ = 0;
};

// Follows unsat cores backwards from a property.
class Slicer {
 public:
  Slicer(const System& system, const Known& known, const std::vector<Fact>& facts,
         const ProofLimits& limits)
      : system_(system), known_(known), facts_(facts), limits_(limits), needed_(facts.size(), 0) {
    for (std::uint32_t point = 0; point < system.points(); ++point) {
      z3::expr_vector all(system.context());
      all.push_back(at(point, system.in_range(point, system.at(point))));
      for (const Fact& fact : known.facts) {
        if (fact.point == point) all.push_back(at(point, system.formula(fact, system.at(point))));
      }
      always_.push_back(z3::mk_and(all).simplify());
    }
    for (std::size_t i = 0; i < facts.size(); ++i) {
      formulas_.push_back(at(facts[i].point, system.formula(facts[i], system.at(facts[i].point))));
      switches_.push_back(system.context().bool_const(("use." + std::to_string(i)).c_str()));
    }
  }

  std::optional<std::vector<Fact>> run(program::PropertyId property, std::string& open) {
    for (std::uint32_t point = 0; point < system_.points(); ++point) {
      if (!exclude_goals(property, point, open)) return std::nullopt;
    }
    for (bool first = true; first || added_;) {
      added_ = false;
      for (std::size_t e = 0; e < known_.edges.size(); ++e) {
        if (!close(e, first)) {
          open = known_.edges[e].name + ": a step out of the invariant";
          return std::nullopt;
        }
      }
      first = false;
    }
    std::vector<Fact> out;
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (needed_[i] != 0) out.push_back(facts_[i]);
    }
    return out;
  }

 private:
  [[nodiscard]] z3::expr at(std::uint32_t point, const z3::expr& formula) const {
    return system_.simplified(known_.facts, point, formula);
  }

  z3::solver premises(std::uint32_t point) const {
    z3::solver solver = new_solver(system_, limits_);
    solver.add(always_[point]);
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (facts_[i].point == point) solver.add(z3::implies(switches_[i], formulas_[i]));
    }
    return solver;
  }

  bool exclude_goals(program::PropertyId property, std::uint32_t point, std::string& open) {
    z3::expr_vector broken(system_.context());
    for (const Goal& goal : system_.goals()) {
      const bool mine = goal.property == property || goal.property == every_property;
      if (!mine || goal.point != point) continue;
      const z3::expr simple = at(point, goal.broken);
      if (!simple.is_false()) broken.push_back(simple);
    }
    if (broken.empty()) return true;
    z3::solver solver = premises(point);
    solver.add(z3::mk_or(broken));
    if (need_core(solver, point)) return true;
    open = system_.program().properties[property].instance;
    for (const Goal& goal : system_.goals()) {
      const bool mine = goal.property == property || goal.property == every_property;
      if (!mine || goal.point != point || !last_model_) continue;
      if (last_model_->eval(at(point, goal.broken), true).is_true()) {
        open = goal.name;
        break;
      }
    }
    return false;
  }

  // Needed facts at the end of the edge that were not looked at for this edge yet.
  bool close(std::size_t e, bool first) {
    const Edge& edge = known_.edges[e];
    z3::expr_vector broken(system_.context());
    if (first) {
      // The known facts are inductive, but for the whole invariant the ranges have to be shown.
      broken.push_back(!system_.in_range(edge.to, edge.after));
    }
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (facts_[i].point == edge.to && needed_[i] != 0 && !looked_at(e, i)) {
        broken.push_back(!system_.formula(facts_[i], edge.after));
      }
    }
    if (broken.empty()) return true;
    z3::solver solver = premises(edge.from);
    solver.add(edge.condition);
    solver.add(z3::mk_or(broken));
    return need_core(solver, edge.from);
  }

  bool looked_at(std::size_t edge, std::size_t fact) {
    if (looked_.empty()) looked_.resize(known_.edges.size() * facts_.size(), 0);
    char& mark = looked_[edge * facts_.size() + fact];
    const bool was = mark != 0;
    mark = 1;
    return was;
  }

  // Marks the facts that an unsat core uses. Those already needed are tried alone first.
  bool need_core(z3::solver& solver, std::uint32_t point) {
    z3::expr_vector few(system_.context());
    z3::expr_vector all(system_.context());
    for (std::size_t i = 0; i < facts_.size(); ++i) {
      if (facts_[i].point != point) continue;
      all.push_back(switches_[i]);
      if (needed_[i] != 0) few.push_back(switches_[i]);
    }
    last_model_.reset();
    if (limits_.stop && limits_.stop()) return false;
    if (solver.check(few) == z3::unsat) return true;
    const z3::check_result answer = solver.check(all);
    if (answer == z3::sat) last_model_ = solver.get_model();
    if (answer != z3::unsat) return false;
    const z3::expr_vector core = solver.unsat_core();
    for (unsigned i = 0; i < core.size(); ++i) {
      const std::string name = core[static_cast<int>(i)].decl().name().str();
      char& mark = needed_[std::stoul(name.substr(4))];
      if (mark == 0) added_ = true;
      mark = 1;
    }
    return true;
  }

  const System& system_;
  const Known& known_;
  const std::vector<Fact>& facts_;
  const ProofLimits& limits_;
  std::vector<z3::expr> always_;    // by point: ranges and known facts
  std::vector<z3::expr> formulas_;  // by fact
  std::vector<z3::expr> switches_;  // by fact: whether it is used
  std::vector<char> needed_;
  std::vector<char> looked_;  // by edge, by fact
  std::optional<z3::model> last_model_;
  bool added_ = false;
};

}  // namespace

Pruned prune(const System& system, const std::vector<Edge>& edges, const std::vector<Fact>& base,
             std::vector<Fact> candidates, const ProofLimits& limits) {
  return Pruner(system, edges, base, std::move(candidates), limits).run();
}

std::optional<std::vector<Fact>> sufficient(const System& system, const Known& known,
                                            const std::vector<Fact>& facts,
                                            program::PropertyId property, const ProofLimits& limits,
                                            std::string& open) {
  return Slicer(system, known, facts, limits).run(property, open);
}

}  // namespace txproof::checker::smt
