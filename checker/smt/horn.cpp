#include "checker/smt/horn.h"

namespace txproof::checker::smt {

using program::SlotId;

namespace {

// Debian's Z3 4.8.12 can answer wrongly with its default transformations.
z3::params careful(z3::context& context) {
  z3::params params(context);
  params.set("engine", context.str_symbol("spacer"));
  params.set("xform.slice", false);
  params.set("xform.inline_linear", false);
  params.set("xform.inline_eager", false);
  return params;
}

z3::expr_vector variables_of(const Encoder& encoder, const SymbolicState& state) {
  z3::expr_vector result(encoder.context());
  for (const SlotId slot : encoder.state_slots()) {
    if (!state[slot].is_constant()) result.push_back(state[slot].term());
  }
  return result;
}

z3::func_decl relation(z3::context& context, const z3::expr_vector& variables) {
  z3::sort_vector sorts(context);
  for (unsigned i = 0; i < variables.size(); ++i) {
    sorts.push_back(variables[static_cast<int>(i)].get_sort());
  }
  return context.function("reachable", sorts, context.bool_sort());
}

}  // namespace

Horn::Horn(Task& task)
    : task_(task),
      formulas_(task, encoded_as(Numbers::integers)),
      fixedpoint_(*formulas_.context),
      variables_(variables_of(formulas_.encoder, formulas_.base)),
      reachable_(relation(*formulas_.context, variables_)) {
  fixedpoint_.set(careful(*formulas_.context));
  fixedpoint_.register_relation(reachable_);
}

// All constants of the clause become its variables.
void Horn::rule(const z3::expr& body, const z3::expr& head, const std::string& name) {
  z3::context& context = *formulas_.context;
  z3::expr_vector bound(context);
  for (unsigned i = 0; i < variables_.size(); ++i) bound.push_back(variables_[static_cast<int>(i)]);
  for (const Step& step : formulas_.steps) {
    for (const Choice& choice : step.choices) {
      if (!choice.variable.is_constant()) bound.push_back(choice.variable.term());
    }
  }
  const SymbolicState next = formulas_.encoder.variables("next");
  for (const SlotId slot : formulas_.encoder.state_slots()) {
    if (!next[slot].is_constant()) bound.push_back(next[slot].term());
  }
  z3::expr clause = z3::implies(body, head);
  if (!bound.empty()) clause = z3::forall(bound, clause);
  fixedpoint_.add_rule(clause, context.str_symbol(name.c_str()));
}

bool Horn::is_reachable(std::size_t goal) {
  z3::context& context = *formulas_.context;
  const Encoder& encoder = formulas_.encoder;
  const Algebra& algebra = encoder.algebra();
  const SymbolicState& base = formulas_.base;
  const z3::expr here = reachable_(variables_);
  {
    z3::expr_vector first(context);
    const SymbolicState initial = encoder.initial(base);
    for (const SlotId slot : encoder.state_slots()) {
      if (!base[slot].is_constant()) first.push_back(encoder.term(initial, slot));
    }
    rule(algebra.truth(true), reachable_(first), "initial");
  }
  const z3::expr possible = here && encoder.in_range(base);
  for (std::size_t i = 0; i < formulas_.steps.size(); ++i) {
    const Step& step = formulas_.steps[i];
    const Outcome outcome = merged(algebra, step);
    if (outcome.condition.is_false()) continue;
    const SymbolicState next = encoder.variables("next");
    z3::expr body = possible && outcome.condition;
    z3::expr_vector then(context);
    for (const SlotId slot : encoder.state_slots()) {
      if (base[slot].is_constant()) continue;
      if (outcome.after[slot].is_identical(base[slot])) {
        then.push_back(base[slot].term());
      } else if (outcome.after[slot].is_constant()) {
        then.push_back(encoder.term(outcome.after, slot));
      } else {
        body = body && next[slot].term() == encoder.term(outcome.after, slot);
        then.push_back(next[slot].term());
      }
    }
    rule(body, reachable_(then), std::to_string(i) + " " + step.name);
  }
  const z3::func_decl bad = context.function("goal", z3::sort_vector(context), context.bool_sort());
  z3::func_decl goal_relation = bad;
  fixedpoint_.register_relation(goal_relation);
  const Goal& wanted = formulas_.goals[goal];
  rule(possible && (wanted.state || wanted.step), bad(), "goal");
  task_.watch().poll();
  z3::expr query = bad();
  z3::check_result result = z3::unknown;
  try {
    result = fixedpoint_.query(query);
  } catch (const z3::exception&) {
    task_.watch().poll();
    throw;
  }
  if (result == z3::unknown) {
    task_.watch().poll();
    throw Refusal("Spacer gave up: " + fixedpoint_.reason_unknown());
  }
  return result == z3::sat;
}

z3::expr Horn::invariant(const Encoder& target, const SymbolicState& state) {
  z3::func_decl relation = reachable_;
  z3::expr cover = fixedpoint_.get_cover_delta(-1, relation);
  cover = cover.substitute(variables_);
  z3::expr there(target.context(), Z3_translate(*formulas_.context, cover, target.context()));
  // The target may know less about a slot, and so have another sort for it.
  z3::expr_vector from(target.context());
  z3::expr_vector to(target.context());
  for (const SlotId slot : formulas_.encoder.state_slots()) {
    const Value& mine = formulas_.base[slot];
    if (mine.is_constant()) continue;
    const z3::sort sort =
        mine.is_truth() ? target.context().bool_sort() : target.context().int_sort();
    from.push_back(target.context().constant(mine.term().decl().name().str().c_str(), sort));
    to.push_back(target.algebra().fitted(state[slot], formulas_.encoder.range_of(slot)));
  }
  return there.substitute(from, to) && target.found(formulas_.encoder, state);
}

}  // namespace txproof::checker::smt
