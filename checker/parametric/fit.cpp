#include "checker/parametric/fit.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "checker/parametric/affine.h"
#include "checker/parametric/rank.h"

namespace txproof::checker::parametric {

namespace {

// A variable with more is a number.
constexpr std::size_t most_values = 10;

// A bound of one expression: expression <= sum of factors * parameters + constant.
struct Bound {
  std::vector<Word> factors;
  Word constant = 0;
};

// States grouped by the values of the parameters.
struct Valuation {
  std::vector<Word> values;
  bool interior = false;
};

class Bounds {
 public:
  Bounds(const std::vector<VariableId>& parameters, const States& states,
         const FitOptions& options) {
    std::map<std::vector<Word>, std::size_t> known;
    group_.reserve(states.size());
    for (const std::vector<Word>& state : states) {
      std::vector<Word> values;
      values.reserve(parameters.size());
      for (const VariableId parameter : parameters) values.push_back(state[parameter]);
      const auto [at, is_new] = known.emplace(values, valuations_.size());
      if (is_new) valuations_.push_back({std::move(values), true});
      group_.push_back(at->second);
    }
    for (std::size_t p = 0; p < parameters.size(); ++p) find_ends(p);
    for (Valuation& v : valuations_) v.interior = is_interior(v, options.interior);
    std::vector<Word> factors(parameters.size(), 0);
    list_factors(factors, 0, options.largest_coefficient);
    // Few and small factors first, so that of equal bounds the plainest stays.
    const auto cost = [](const std::vector<Word>& f) {
      Word sum = 0;
      for (const Word w : f) sum += w < 0 ? 1 - 2 * w : 2 * w;
      return sum;
    };
    std::stable_sort(factors_.begin(), factors_.end(),
                     [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
  }

  [[nodiscard]] std::size_t group(std::size_t state) const { return group_[state]; }
  [[nodiscard]] std::size_t groups() const { return valuations_.size(); }

  // The least bounds of an expression whose largest value at each valuation is known (or absent).
  [[nodiscard]] std::vector<Bound> fit(const std::vector<Word>& most,
                                       const std::vector<char>& present) const {
    std::vector<Bound> found;
    for (const std::vector<Word>& factors : factors_) {
      Bound bound{factors, 0};
      bool first = true;
      bool tight = false;
      for (std::size_t g = 0; g < most.size(); ++g) {
        if (present[g] == 0) continue;
        Word rest = most[g];
        for (std::size_t p = 0; p < factors.size(); ++p) {
          rest -= factors[p] * valuations_[g].values[p];
        }
        if (first || rest > bound.constant) {
          bound.constant = rest;
          tight = valuations_[g].interior;
        } else if (rest == bound.constant) {
          tight = tight || valuations_[g].interior;
        }
        first = false;
      }
      if (first || !tight) continue;
      const bool known = std::any_of(found.begin(), found.end(),
                                     [&](const Bound& b) { return implies(b, bound); });
      if (known) continue;
      std::erase_if(found, [&](const Bound& b) { return implies(bound, b); });
      found.push_back(std::move(bound));
    }
    return found;
  }

  // For all values of the parameters that are not below the least seen.
  [[nodiscard]] bool implies(const Bound& a, const Bound& b) const {
    Word slack = b.constant - a.constant;
    for (std::size_t p = 0; p < a.factors.size(); ++p) {
      const Word more = b.factors[p] - a.factors[p];
      if (more < 0) return false;
      slack += more * least_[p];
    }
    return slack >= 0;
  }

 private:
  void find_ends(std::size_t parameter) {
    Word lo = valuations_[0].values[parameter];
    Word hi = lo;
    for (const Valuation& v : valuations_) {
      lo = std::min(lo, v.values[parameter]);
      hi = std::max(hi, v.values[parameter]);
    }
    least_.push_back(lo);
    most_.push_back(hi);
    varies_.push_back(lo != hi);
  }
  [[nodiscard]] bool is_interior(const Valuation& v,
                                 const std::set<std::vector<Word>>& interior) const {
    if (!interior.empty()) return interior.contains(v.values);
    for (std::size_t p = 0; p < most_.size(); ++p) {
      if (varies_[p] && v.values[p] == most_[p]) return false;
    }
    return true;
  }

  void list_factors(std::vector<Word>& factors, std::size_t at, Word largest) {
    if (at == factors.size()) {
      factors_.push_back(factors);
      return;
    }
    for (Word f = varies_[at] ? -largest : 0; f <= (varies_[at] ? largest : 0); ++f) {
      factors[at] = f;
      list_factors(factors, at + 1, largest);
    }
    factors[at] = 0;
  }

  std::vector<Valuation> valuations_;
  std::vector<std::size_t> group_;  // by state: which valuation
  std::vector<Word> least_, most_;  // by parameter: the least and the largest value seen
  std::vector<bool> varies_;
  std::vector<std::vector<Word>> factors_;
};

std::vector<VariableId> parameters_of(const std::vector<Variable>& variables) {
  std::vector<VariableId> out;
  for (VariableId v = 0; v < variables.size(); ++v) {
    if (variables[v].is_parameter) out.push_back(v);
  }
  return out;
}

// expression <= bound, as linear >= 0
Linear below(const Linear& expression, const Bound& bound,
             const std::vector<VariableId>& parameters) {
  std::map<VariableId, Word> terms;
  for (const auto& [variable, coefficient] : expression.terms) terms[variable] -= coefficient;
  for (std::size_t p = 0; p < parameters.size(); ++p) terms[parameters[p]] += bound.factors[p];
  Linear out;
  for (const auto& [variable, coefficient] : terms) {
    if (coefficient != 0) out.terms.emplace_back(variable, coefficient);
  }
  out.constant = bound.constant - expression.constant;
  return out;
}

// The values that a discrete variable has: its ends, and what is missing between.
void add_values(std::uint32_t point, VariableId v, const std::set<Word>& seen,
                std::vector<Fact>& facts) {
  const Word lo = *seen.begin();
  const Word hi = *seen.rbegin();
  facts.push_back({point, {}, {{{v, 1}}, -lo}, false});
  facts.push_back({point, {}, {{{v, -1}}, hi}, false});
  for (Word value = lo + 1; value < hi; ++value) {
    if (!seen.contains(value)) facts.push_back({point, {{v, value, true}}, {{}, -1}, false});
  }
}

class Fitter {
 public:
  Fitter(std::uint32_t point, const std::vector<Variable>& variables, const States& states,
         const FitOptions& options)
      : point_(point),
        variables_(variables),
        states_(states),
        options_(options),
        parameters_(parameters_of(variables)),
        bounds_(parameters_, states, options) {}

  std::vector<Fact> run() {
    find_varying();
    list_expressions();
    std::vector<std::uint32_t> all(states_.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    Guard root;
    root.states = std::move(all);
    examine(root, {});
    guards_.push_back(std::move(root));
    if (options_.most_literals >= 1) {
      list_literals();
      for (const auto& [literal, members] : literals_) {
        Guard guard;
        guard.literals = {literal};
        guard.states = members;
        examine(guard, {0});
        guards_.push_back(std::move(guard));
      }
    }
    if (options_.most_literals >= 2) pairs();
    return std::move(facts_);
  }

 private:
  struct Guard {
    std::vector<Literal> literals;
    std::vector<std::uint32_t> states;
    std::vector<Linear> equations;
    std::vector<std::vector<Bound>> bounds;  // by expression
  };

  // A discrete variable, or one that is a parameter, is of interest only if it is not constant.
  void find_varying() {
    for (VariableId v = 0; v < variables_.size(); ++v) {
      if (variables_[v].name.empty()) continue;
      mentioned_.push_back(v);
      const bool varies = std::any_of(states_.begin(), states_.end(),
                                      [&](const auto& state) { return state[v] != states_[0][v]; });
      if (!varies || variables_[v].is_parameter) continue;
      std::set<Word> seen;
      for (const auto& state : states_) seen.insert(state[v]);
      if (variables_[v].is_discrete && seen.size() <= most_values) {
        discrete_.push_back(v);
        add_values(point_, v, seen, facts_);
      } else if (!follows_another(v)) {
        numeric_.push_back(v);
      }
    }
    // Equations express counters by what is plainer: discrete variables and parameters.
    std::stable_sort(mentioned_.begin(), mentioned_.end(), [&](VariableId a, VariableId b) {
      const auto rank = [&](VariableId v) {
        return variables_[v].is_parameter ? 2 : variables_[v].is_discrete ? 0 : 1;
      };
      return rank(a) < rank(b);
    });
  }

  // It differs from a numeric variable before it by a constant: the equations say so, and its
  // bounds would be the other's once more.
  [[nodiscard]] bool follows_another(VariableId v) const {
    return std::any_of(numeric_.begin(), numeric_.end(), [&](VariableId other) {
      const Word difference = states_[0][v] - states_[0][other];
      return std::all_of(states_.begin(), states_.end(),
                         [&](const auto& state) { return state[v] - state[other] == difference; });
    });
  }

  void list_expressions() {
    for (std::size_t i = 0; i < numeric_.size(); ++i) {
      expressions_.push_back({{{numeric_[i], 1}}, 0});
      expressions_.push_back({{{numeric_[i], -1}}, 0});
      expressions_.push_back({{{numeric_[i], 2}}, 0});
      expressions_.push_back({{{numeric_[i], -2}}, 0});
      for (std::size_t j = i + 1; j < numeric_.size(); ++j) {
        for (const Word a : {1, -1}) {
          for (const Word b : {1, -1}) {
            expressions_.push_back({{{numeric_[i], a}, {numeric_[j], b}}, 0});
          }
        }
      }
    }
    for (const Linear& extra : options_.expressions) {
      if (std::find(expressions_.begin(), expressions_.end(), extra) == expressions_.end()) {
        expressions_.push_back(extra);
      }
    }
    values_.resize(expressions_.size());
    for (std::size_t e = 0; e < expressions_.size(); ++e) {
      values_[e].reserve(states_.size());
      for (const auto& state : states_) values_[e].push_back(evaluate(expressions_[e], state));
    }
  }

  void list_literals() {
    std::vector<Literal> all;
    for (const VariableId v : discrete_) {
      std::set<Word> seen;
      for (const auto& state : states_) seen.insert(state[v]);
      for (const Word value : seen) all.push_back({v, value, true});
      if (seen.size() > 2) {
        for (const Word value : seen) all.push_back({v, value, false});
      }
    }
    for (const VariableId v : numeric_) {
      all.push_back({v, 0, true});
      all.push_back({v, 0, false});
    }
    std::set<std::vector<std::uint32_t>> known;
    for (const Literal& literal : all) {
      std::vector<std::uint32_t> members;
      for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (holds(literal, states_[i])) members.push_back(i);
      }
      if (members.empty() || members.size() == states_.size()) continue;
      if (known.insert(members).second) literals_.emplace_back(literal, std::move(members));
    }
  }

  void pairs() {
    std::set<std::vector<std::uint32_t>> known;
    for (const Guard& guard : guards_) known.insert(guard.states);
    for (std::size_t i = 0; i < literals_.size(); ++i) {
      for (std::size_t j = i + 1; j < literals_.size(); ++j) {
        if (guards_.size() >= options_.most_guards) return;
        if (literals_[i].first.variable == literals_[j].first.variable) continue;
        Guard guard;
        std::set_intersection(literals_[i].second.begin(), literals_[i].second.end(),
                              literals_[j].second.begin(), literals_[j].second.end(),
                              std::back_inserter(guard.states));
        if (guard.states.empty() || !known.insert(guard.states).second) continue;
        guard.literals = {literals_[i].first, literals_[j].first};
        examine(guard, {0, i + 1, j + 1});
        guards_.push_back(std::move(guard));
      }
    }
  }

  // Finds what holds of the guard's states; keeps as facts what its parents do not say.
  void examine(Guard& guard, const std::vector<std::size_t>& parents) {
    AffineHull hull(mentioned_);
    for (const std::uint32_t i : guard.states) hull.add(states_[i]);
    guard.equations = hull.equations();
    Rank rank;
    for (const Literal& literal : guard.literals) {
      if (literal.equal) rank.add({{{literal.variable, 1}}, -literal.value});
    }
    for (const std::size_t parent : parents) {
      for (const Linear& equation : guards_[parent].equations) rank.add(equation);
    }
    for (const Linear& equation : guard.equations) {
      if (rank.add(equation)) facts_.push_back({point_, guard.literals, equation, true});
    }
    if (guard.literals.size() > 1 && !options_.pair_bounds) return;
    std::vector<Word> most(bounds_.groups());
    std::vector<char> present(bounds_.groups());
    guard.bounds.resize(expressions_.size());
    for (std::size_t e = 0; e < expressions_.size(); ++e) {
      std::fill(present.begin(), present.end(), 0);
      for (const std::uint32_t i : guard.states) {
        const std::size_t g = bounds_.group(i);
        if (present[g] == 0 || values_[e][i] > most[g]) most[g] = values_[e][i];
        present[g] = 1;
      }
      guard.bounds[e] = bounds_.fit(most, present);
      for (const Bound& bound : guard.bounds[e]) {
        const bool known = std::any_of(parents.begin(), parents.end(), [&](std::size_t parent) {
          const std::vector<Bound>& said = guards_[parent].bounds[e];
          return std::any_of(said.begin(), said.end(),
                             [&](const Bound& b) { return bounds_.implies(b, bound); });
        });
        if (known) continue;
        facts_.push_back(
            {point_, guard.literals, below(expressions_[e], bound, parameters_), false});
      }
    }
  }

  std::uint32_t point_;
  const std::vector<Variable>& variables_;
  const States& states_;
  const FitOptions& options_;
  std::vector<VariableId> parameters_;
  Bounds bounds_;
  std::vector<VariableId> mentioned_, discrete_, numeric_;
  std::vector<Linear> expressions_;
  std::vector<std::vector<Word>> values_;  // by expression, by state
  std::vector<std::pair<Literal, std::vector<std::uint32_t>>> literals_;
  std::vector<Guard> guards_;
  std::vector<Fact> facts_;
};

}  // namespace

std::vector<Fact> fit(std::uint32_t point, const std::vector<Variable>& variables,
                      const States& states, const FitOptions& options) {
  if (states.empty()) return {};
  return Fitter(point, variables, states, options).run();
}

std::vector<Fact> constants(std::uint32_t point, const std::vector<Variable>& variables,
                            const States& states) {
  std::vector<Fact> out;
  if (states.empty()) return {{point, {}, {{}, -1}, false}};
  for (VariableId v = 0; v < variables.size(); ++v) {
    if (variables[v].name.empty() || variables[v].is_parameter) continue;
    std::set<Word> seen;
    for (const auto& state : states) {
      seen.insert(state[v]);
      if (seen.size() > most_values) break;
    }
    if (seen.size() == 1) {
      out.push_back({point, {}, {{{v, 1}}, -states[0][v]}, true});
    } else if (variables[v].is_discrete && seen.size() <= most_values) {
      add_values(point, v, seen, out);
    }
  }
  return out;
}

std::vector<Linear> bounds(const Linear& expression, const std::vector<Variable>& variables,
                           const States& states, const FitOptions& options) {
  std::vector<Linear> out;
  if (states.empty()) return out;
  const std::vector<VariableId> parameters = parameters_of(variables);
  const Bounds fitter(parameters, states, options);
  std::vector<Word> most(fitter.groups());
  std::vector<char> present(fitter.groups(), 0);
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Word value = evaluate(expression, states[i]);
    const std::size_t g = fitter.group(i);
    if (present[g] == 0 || value > most[g]) most[g] = value;
    present[g] = 1;
  }
  for (const Bound& bound : fitter.fit(most, present)) {
    out.push_back(below(expression, bound, parameters));
  }
  return out;
}

}  // namespace txproof::checker::parametric
