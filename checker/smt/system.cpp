#include "checker/smt/system.h"

#include <algorithm>

namespace txproof::checker::smt {

using program::PropertyKind;
using program::SlotId;

System::System(const Encoder& encoder)
    : encoder_(encoder),
      background_(encoder.context().bool_val(true)),
      initial_(encoder.context().bool_val(true)) {
  add_points();
  const Algebra& algebra = encoder_.algebra();
  const program::Program& program = encoder_.program();
  const SymbolicState first = encoder_.initial(at_[0]);
  for (const SlotId slot : slots_[0]) {
    initial_ = algebra.both(initial_, algebra.equal(at_[0][slot], first[slot]));
    if (!program.slots[slot].parameter) continue;
    background_ =
        algebra.both(background_, algebra.in_range(at_[0][slot], encoder_.range_of(slot)));
  }
  for (const program::Assumption& assumption : program.assumptions) {
    background_ =
        algebra.both(background_, algebra.nonzero(encoder_.evaluate(at_[0], assumption.condition)));
  }
  for (const Step& step : encoder_.steps(at_[0])) add_step(step, 0);
  for (std::uint32_t i = 0; i < program.loops.size(); ++i) {
    add_step(encoder_.step_from_cut(at_[i + 1], program.loops[i].head), i + 1);
  }
  add_claims();
  add_others();
}

void System::add_points() {
  at_.push_back(encoder_.variables("s"));
  slots_.push_back(encoder_.state_slots());
  for (const program::Loop& loop : encoder_.program().loops) {
    at_.push_back(encoder_.variables_within("s", loop.head));
    std::vector<SlotId> slots = encoder_.state_slots();
    for (const SlotId slot : loop.live) {
      if (!at_.back()[slot].is_constant()) slots.push_back(slot);
    }
    std::sort(slots.begin(), slots.end());
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    slots_.push_back(std::move(slots));
  }
}

std::uint32_t System::point_of(program::BlockId cut) const {
  const auto& loops = program().loops;
  for (std::uint32_t i = 0; i < loops.size(); ++i) {
    if (loops[i].head == cut) return i + 1;
  }
  return 0;
}

std::string System::point_name(std::uint32_t point) const {
  return point == 0 ? "between two steps" : "in the head of loop " + std::to_string(point);
}

void System::add_step(const Step& step, std::uint32_t from) {
  for (const Outcome& outcome : step.outcomes) {
    if (outcome.condition.is_false()) continue;
    const std::uint32_t to = outcome.cut == program::no_id ? 0 : point_of(outcome.cut);
    edges_.push_back({step.name, from, to, outcome.condition, outcome.after});
  }
  for (const Failure& failure : step.failures) {
    if (failure.condition.is_false()) continue;
    const program::Violation& violation = program().violations[failure.violation];
    goals_.push_back(
        {violation.property, from, failure.condition, step.name + ": " + violation.message});
  }
}

void System::add_claims() {
  const program::Program& p = program();
  for (program::PropertyId id = 0; id < p.properties.size(); ++id) {
    if (p.properties[id].kind == PropertyKind::deadlock) {
      goals_.push_back({id, 0, encoder_.deadlocked(at_[0]), "nobody can step"});
    }
    for (const program::Claim& claim : p.properties[id].claims) {
      const bool invariant = claim.kind == PropertyKind::always ||
                             claim.kind == PropertyKind::at_rest ||
                             claim.kind == PropertyKind::maximum;
      if (invariant) goals_.push_back({id, 0, encoder_.broken(at_[0], claim), claim.text});
    }
  }
}

void System::add_others() {
  for (const program::Others& others : program().others) {
    for (const program::Others::Sum& sum : others.sums) {
      const z3::expr holds = encoder_.algebra().nonzero(encoder_.evaluate(at_[0], sum.goal));
      goals_.push_back({every_property, 0, encoder_.algebra().opposite(holds),
                        others.array + "[focus]." + sum.field + " exceeds its own bound"});
    }
  }
}

z3::expr System::variable(std::uint32_t point, SlotId slot) const {
  const Value& value = at_[point][slot];
  return value.is_constant() ? context().int_val(static_cast<std::int64_t>(value.constant()))
                             : value.term();
}

z3::expr System::in_range(std::uint32_t point, const SymbolicState& state) const {
  z3::expr all = context().bool_val(true);
  for (const SlotId slot : slots_[point]) {
    if (program().slots[slot].parameter) continue;
    all = encoder_.algebra().both(
        all, encoder_.algebra().in_range(state[slot], encoder_.range_of(slot)));
  }
  return all;
}

std::optional<System::Substitution> System::substitution(
    const std::vector<parametric::Fact>& constants, std::uint32_t point) const {
  Substitution out{z3::expr_vector(context()), z3::expr_vector(context())};
  for (const parametric::Fact& fact : constants) {
    if (fact.point != point) continue;
    if (fact.linear.terms.empty() && fact.guard.empty()) return std::nullopt;
    if (!fact.equality) continue;
    const SlotId slot = fact.linear.terms[0].first;
    if (at_[point][slot].is_constant()) continue;
    const z3::expr name = variable(point, slot);
    const program::Word value = -fact.linear.constant;
    out.names.push_back(name);
    out.values.push_back(name.is_bool() ? context().bool_val(value != 0)
                                        : context().int_val(static_cast<std::int64_t>(value)));
  }
  return out;
}

std::vector<Edge> System::simplified(const std::vector<parametric::Fact>& constants) const {
  std::vector<Edge> out;
  for (std::uint32_t point = 0; point < points(); ++point) {
    const std::optional<Substitution> known = substitution(constants, point);
    if (!known) continue;
    const auto put_in = [&](z3::expr term) {
      return term.substitute(known->names, known->values).simplify();
    };
    for (const Edge& edge : edges_) {
      if (edge.from != point) continue;
      Edge simple = edge;
      simple.condition = put_in(edge.condition);
      if (simple.condition.is_false()) continue;
      for (const SlotId slot : slots_[edge.to]) {
        Value& value = simple.after[slot];
        if (value.is_constant()) continue;
        const z3::expr term = put_in(value.term());
        std::int64_t word = 0;
        if (term.is_true() || term.is_false()) {
          value = Value(term.is_true() ? 1 : 0);
        } else if (term.is_numeral_i64(word)) {
          value = Value(word);
        } else {
          value = Value(term, value.range());
        }
      }
      out.push_back(std::move(simple));
    }
  }
  return out;
}

z3::expr System::simplified(const std::vector<parametric::Fact>& constants, std::uint32_t point,
                            const z3::expr& formula) const {
  const std::optional<Substitution> known = substitution(constants, point);
  if (!known) return context().bool_val(false);
  z3::expr term = formula;
  return term.substitute(known->names, known->values).simplify();
}

z3::expr System::number(const Value& value) const {
  if (value.is_constant()) return context().int_val(static_cast<std::int64_t>(value.constant()));
  if (!value.is_truth()) return value.term();
  return z3::ite(value.term(), context().int_val(1), context().int_val(0));
}

z3::expr System::formula(const parametric::Fact& fact, const SymbolicState& state) const {
  z3::expr_vector out(context());
  for (const parametric::Literal& literal : fact.guard) {
    const z3::expr equal = encoder_.algebra().equal(state[literal.variable], literal.value);
    out.push_back(literal.equal ? encoder_.algebra().opposite(equal) : equal);
  }
  const z3::expr value = sum(fact.linear, state);
  out.push_back(fact.equality ? value == 0 : value >= 0);
  return z3::mk_or(out);
}

z3::expr System::sum(const parametric::Linear& linear, const SymbolicState& state) const {
  z3::expr out = context().int_val(static_cast<std::int64_t>(linear.constant));
  for (const auto& [variable, coefficient] : linear.terms) {
    const z3::expr term = number(state[variable]);
    const z3::expr factor = context().int_val(static_cast<std::int64_t>(coefficient));
    out = out + (coefficient == 1 ? term : factor * term);
  }
  return out;
}

void System::ask_for_bound(program::PropertyId maximum, const parametric::Linear& bound) {
  std::erase_if(goals_, [&](const Goal& goal) { return goal.property == maximum; });
  const program::Claim& claim = program().properties[maximum].claims[0];
  const z3::expr left = number(encoder_.evaluate(at_[0], claim.left));
  goals_.push_back({maximum, 0, left > sum(bound, at_[0]), claim.text});
}

}  // namespace txproof::checker::smt
