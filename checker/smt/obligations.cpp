#include "checker/smt/obligations.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>

namespace txproof::checker::smt {

using program::SlotId;

namespace {

// A name that may stand between bars in SMT-LIB.
std::string plain(std::string name) {
  std::replace(name.begin(), name.end(), '|', '/');
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

std::string comment(const std::string& text) {
  std::string out = text;
  std::replace(out.begin(), out.end(), '\n', ' ');
  return "; " + out + "\n";
}

class Writer {
 public:
  Writer(const System& system, const std::vector<Fact>& facts, program::PropertyId property)
      : system_(system),
        facts_(facts),
        property_(property),
        from_(system.context()),
        to_(system.context()),
        kept_(system.context()) {
    for (std::uint32_t point = 0; point < system.points(); ++point) {
      for (const SlotId slot : system.slots(point)) slots_.insert(slot);
    }
    std::set<std::string> taken = {"at", "at'"};
    for (const SlotId slot : slots_) {
      std::string name = plain(system.program().slots[slot].name);
      while (!taken.insert(name).second) name += "_";
      names_[slot] = name;
      const z3::expr old = variable(slot);
      from_.push_back(old);
      to_.push_back(system.context().constant(name.c_str(), old.get_sort()));
    }
  }

  Obligations run() {
    Obligations out;
    const std::string initial = text(system_.initial());
    std::vector<std::string> edges;
    for (const Edge& edge : system_.edges()) edges.push_back(edge_text(edge));
    std::string goals;
    for (const Goal& goal : system_.goals()) {
      if (goal.property == property_ || goal.property == every_property) goals += goal_text(goal);
    }
    const std::string invariant = definition();
    const std::string background = text(system_.background());

    out.initial = head("an initial state outside the invariant") + declarations(false) + invariant +
                  "(assert (and (= at 0) " + background + "\n  " + initial + "))\n(assert (not " +
                  application(false) + "))\n(check-sat)\n";
    out.step = head("a step out of the invariant") + declarations(true) + invariant;
    std::string any;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const std::string name = "step_" + std::to_string(e);
      out.step += comment(system_.edges()[e].name) + "(define-fun " + name + " () Bool\n  " +
                  edges[e] + ")\n";
      any += " " + name;
    }
    out.step += "(assert " + application(false) + ")\n(assert (or false" + any +
                "))\n(assert (not " + application(true) + "))\n(check-sat)\n";
    out.goal = head("a state of the invariant in which the property is broken") +
               declarations(false) + invariant + "(assert " + application(false) +
               ")\n(assert (or false" + goals + "))\n(check-sat)\n";
    out.horn = horn(background, initial, edges);
    out.invariant = readable();
    return out;
  }

 private:
  [[nodiscard]] z3::expr variable(SlotId slot) const {
    for (std::uint32_t point = 0; point < system_.points(); ++point) {
      if (!system_.at(point)[slot].is_constant()) return system_.variable(point, slot);
    }
    return system_.variable(0, slot);
  }
  [[nodiscard]] bool is_parameter(SlotId slot) const {
    return system_.program().slots[slot].parameter;
  }

  // The text of an expression, its variables called by their names; notes what else is free in it.
  std::string text(z3::expr expr) {
    expr = expr.substitute(from_, to_);
    kept_.push_back(expr);
    note(expr);
    return expr.to_string();
  }

  void note(const z3::expr& expr) {
    if (!seen_.insert(Z3_get_ast_id(system_.context(), expr)).second || !expr.is_app()) return;
    if (expr.is_const() && expr.decl().decl_kind() == Z3_OP_UNINTERPRETED) {
      free_.emplace(expr.decl().name().str(), expr.is_bool() ? "Bool" : "Int");
    }
    unsigned unknown_factors = 0;
    for (unsigned i = 0; i < expr.num_args(); ++i) {
      note(expr.arg(i));
      if (!expr.arg(i).is_numeral()) ++unknown_factors;
    }
    const Z3_decl_kind kind = expr.decl().decl_kind();
    if (kind == Z3_OP_MUL && unknown_factors > 1) linear_ = false;
    if ((kind == Z3_OP_IDIV || kind == Z3_OP_MOD) && !expr.arg(1).is_numeral()) linear_ = false;
  }

  [[nodiscard]] std::string sort(SlotId slot) const {
    return variable(slot).is_bool() ? "Bool" : "Int";
  }
  [[nodiscard]] std::string quoted(SlotId slot, bool primed) const {
    return "|" + names_.at(slot) + (primed && !is_parameter(slot) ? "'|" : "|");
  }

  [[nodiscard]] std::string head(const std::string& asks) const {
    return comment("txproof, stack " + system_.program().stack + ", property " +
                   system_.program().properties[property_].instance) +
           comment("Is there " + asks + "? Expected: unsat.") + sum_comment() + "(set-logic " +
           (linear_ ? "QF_LIA" : "QF_NIA") + ")\n(set-info :status unsat)\n";
  }

  // What the reader has to believe besides: the symmetry of the objects.
  [[nodiscard]] std::string sum_comment() const {
    std::string out;
    for (const program::Others& others : system_.program().others) {
      out += comment("One object of '" + others.array +
                     "' is in focus, the others are one aggregate. They are interchangeable, so "
                     "what holds for any one");
      out += comment("in focus holds for each.");
      for (const program::Others::Sum& sum : others.sums) {
        out +=
            comment("The others' cap '" + system_.program().slots[sum.caps].name +
                    "' is one unknown number, for (" + system_.program().slots[others.number].name +
                    " - 1) times the cap of one; that the object in focus keeps");
        out += comment(
            "its own cap is part of what is proved, and is what the others are "
            "believed in turn.");
      }
    }
    return out;
  }

  // Before its own text is written, text() has met all that is free.
  [[nodiscard]] std::string declarations(bool primed) const {
    std::string out = "(declare-const at Int)\n";
    if (primed) out += "(declare-const |at'| Int)\n";
    std::set<std::string> names;
    for (const SlotId slot : slots_) {
      out += "(declare-const " + quoted(slot, false) + " " + sort(slot) + ")\n";
      names.insert(names_.at(slot));
      names.insert(names_.at(slot) + "'");
      if (primed && !is_parameter(slot)) {
        out += "(declare-const " + quoted(slot, true) + " " + sort(slot) + ")\n";
      }
    }
    for (const auto& [name, kind] : free_) {
      if (!names.contains(name)) out += "(declare-const |" + name + "| " + kind + ")\n";
    }
    return out;
  }

  std::string definition() {
    std::string out = "(define-fun invariant ((at Int)";
    for (const SlotId slot : slots_) out += " (" + quoted(slot, false) + " " + sort(slot) + ")";
    out += ") Bool\n  (and " + text(system_.background());
    out += " (<= 0 at " + std::to_string(system_.points() - 1) + ")";
    for (std::uint32_t point = 0; point < system_.points(); ++point) {
      out += "\n  (=> (= at " + std::to_string(point) + ") (and\n    " +
             text(system_.in_range(point, system_.at(point)));
      for (const Fact& fact : facts_) {
        if (fact.point == point) {
          out += "\n    " + text(system_.formula(fact, system_.at(point)));
        }
      }
      out += "))";
    }
    return out + "))\n";
  }

  [[nodiscard]] std::string application(bool primed) const {
    std::string out = primed ? "(invariant |at'|" : "(invariant at";
    for (const SlotId slot : slots_) out += " " + quoted(slot, primed);
    return out + ")";
  }

  // As one term, so that what its parts share is written once.
  std::string edge_text(const Edge& edge) {
    z3::expr_vector parts(system_.context());
    parts.push_back(edge.condition);
    for (const SlotId slot : system_.slots(edge.to)) {
      if (is_parameter(slot)) continue;
      const bool is_bool = variable(slot).is_bool();
      const z3::expr after = is_bool ? system_.encoder().algebra().nonzero(edge.after[slot])
                                     : system_.number(edge.after[slot]);
      const z3::expr next = system_.context().constant(
          (names_.at(slot) + "'").c_str(),
          is_bool ? system_.context().bool_sort() : system_.context().int_sort());
      parts.push_back(next == after);
    }
    return "(and (= at " + std::to_string(edge.from) + ") (= |at'| " + std::to_string(edge.to) +
           ")\n  " + text(z3::mk_and(parts)) + ")";
  }

  std::string goal_text(const Goal& goal) {
    return "\n  (and (= at " + std::to_string(goal.point) + ") " + text(goal.broken) + ")";
  }

  std::string horn(const std::string& background, const std::string& initial,
                   const std::vector<std::string>& edges) {
    std::string now;
    std::string next;
    std::string sorts;
    std::string bound = "(at Int)";
    std::string bound_next = "(|at'| Int)";
    for (const SlotId slot : slots_) {
      now += " " + quoted(slot, false);
      next += " " + quoted(slot, true);
      sorts += " " + sort(slot);
      bound += " (" + quoted(slot, false) + " " + sort(slot) + ")";
      if (!is_parameter(slot)) bound_next += " (" + quoted(slot, true) + " " + sort(slot) + ")";
    }
    std::set<std::string> names;
    for (const auto& [slot, name] : names_) {
      names.insert(name);
      names.insert(name + "'");
    }
    for (const auto& [name, kind] : free_) {
      if (!names.contains(name)) bound_next += " (|" + name + "| " + kind + ")";
    }
    std::string out = comment("txproof, stack " + system_.program().stack + ", property " +
                              system_.program().properties[property_].instance) +
                      comment("The property holds if these clauses have a solution (sat).") +
                      sum_comment() + "(set-logic HORN)\n(declare-fun state (Int" + sorts +
                      ") Bool)\n";
    out += "(assert (forall (" + bound + ") (=> (and (= at 0) " + background + "\n  " + initial +
           ")\n  (state at" + now + "))))\n";
    for (std::size_t e = 0; e < edges.size(); ++e) {
      out += comment(system_.edges()[e].name) + "(assert (forall (" + bound + " " + bound_next +
             ")\n  (=> (and (state at" + now + ")\n  " + edges[e] + ")\n  (state |at'|" + next +
             "))))\n";
    }
    for (const Goal& goal : system_.goals()) {
      if (goal.property != property_ && goal.property != every_property) continue;
      out += comment(goal.name) + "(assert (forall (" + bound + " " + bound_next +
             ")\n  (=> (and (state at" + now + ")" + goal_text(goal) + ")\n  false)))\n";
    }
    return out + "(check-sat)\n";
  }

  [[nodiscard]] std::string readable() const {
    const program::Program& program = system_.program();
    std::string out = "Why " + program.properties[property_].instance + " holds in stack " +
                      program.stack + ", for all values of";
    for (const program::Parameter& parameter : program.parameters) {
      if (parameter.slot != program::no_id) out += " " + parameter.name;
    }
    out += "\n";
    for (const program::Assumption& assumption : program.assumptions) {
      out += "assuming " + assumption.text + "\n";
    }
    std::string others = sum_comment();
    if (!others.empty()) out += "\n" + others;
    out +=
        "\nThese hold at the beginning, every step keeps them, and they exclude what would break"
        "\nthe property; every slot keeps its range besides.\n";
    for (std::uint32_t point = 0; point < system_.points(); ++point) {
      const auto variables = fact_variables(system_, point);
      std::string facts;
      for (const Fact& fact : facts_) {
        if (fact.point == point) facts += "  " + parametric::to_text(fact, variables) + "\n";
      }
      if (!facts.empty()) out += "\n" + system_.point_name(point) + ":\n" + facts;
    }
    return out;
  }

  const System& system_;
  const std::vector<Fact>& facts_;
  program::PropertyId property_;
  z3::expr_vector from_, to_;
  z3::expr_vector kept_;  // what was noted: the numbers of terms that are gone are given again
  std::set<SlotId> slots_;
  std::map<SlotId, std::string> names_;
  std::map<std::string, std::string> free_;  // name, sort
  std::unordered_set<unsigned> seen_;
  bool linear_ = true;
};

}  // namespace

std::vector<parametric::Variable> fact_variables(const System& system, std::uint32_t point) {
  const program::Program& program = system.program();
  std::vector<parametric::Variable> out(program.slots.size());
  constexpr program::Word most_values = 256;
  for (const SlotId slot : system.slots(point)) {
    const program::Slot& s = program.slots[slot];
    out[slot].name = s.name;
    out[slot].is_parameter = s.parameter;
    out[slot].is_discrete = !s.parameter && s.kind != program::SlotKind::length &&
                            s.range.hi - s.range.lo < most_values;
  }
  return out;
}

Obligations obligations(const System& system, const std::vector<Fact>& facts,
                        program::PropertyId property) {
  return Writer(system, facts, property).run();
}

}  // namespace txproof::checker::smt
