#include "checker/export/smtlib.h"

#include <map>
#include <set>
#include <sstream>

#include "checker/export/refusal.h"
#include "checker/smt/encode.h"

namespace txproof::checker::exporting {

using namespace program;

namespace {

using Variables = std::vector<z3::expr>;

// The constants without a meaning in `e`, by name.
void collect(const z3::expr& e, std::map<std::string, z3::expr>& into, std::set<unsigned>& seen) {
  if (!seen.insert(e.id()).second) return;
  if (e.is_const() && e.decl().decl_kind() == Z3_OP_UNINTERPRETED) {
    into.emplace(e.decl().name().str(), e);
    return;
  }
  if (!e.is_app()) return;
  for (unsigned i = 0; i < e.num_args(); ++i) collect(e.arg(i), into, seen);
}

std::string symbol(const z3::expr& constant) {
  std::ostringstream out;
  out << constant;
  return out.str();
}

class Exporter {
 public:
  explicit Exporter(const Program& program)
      : program_(program),
        encoder_(context_, program, {}),
        before_(encoder_.variables("s")),
        after_(encoder_.variables("n")) {}

  SmtLib run() {
    for (const SlotId slot : encoder_.state_slots()) {
      state_.push_back(encoder_.term(before_, slot));
      next_.push_back(encoder_.term(after_, slot));
    }
    read_steps();
    head();
    function("init", state_, encoder_.equal(before_, encoder_.initial(before_)));
    Variables all = state_;
    all.insert(all.end(), next_.begin(), next_.end());
    all.insert(all.end(), choices_.begin(), choices_.end());
    function("trans", all, trans_);
    properties();
    return std::move(out_);
  }

 private:
  void read_steps() {
    trans_ = context_.bool_val(false);
    std::map<std::string, z3::expr> constants;
    std::set<unsigned> seen;
    for (const smt::Step& step : encoder_.steps(before_)) {
      for (const smt::Outcome& outcome : step.outcomes) {
        trans_ = trans_ || (outcome.condition && encoder_.equal(after_, outcome.after));
      }
      for (const smt::Failure& failure : step.failures) {
        const PropertyId id = program_.violations[failure.violation].property;
        const auto known = faults_.find(id);
        if (known == faults_.end()) {
          faults_.emplace(id, failure.condition);
        } else {
          known->second = known->second || failure.condition;
        }
        collect(failure.condition, constants, seen);
      }
    }
    // A choice is within its options, wherever a step meets it.
    collect(trans_, constants, seen);
    std::set<std::string> ours;
    for (const z3::expr& e : state_) ours.insert(symbol(e));
    for (const z3::expr& e : next_) ours.insert(symbol(e));
    z3::expr_vector from(context_);
    z3::expr_vector to(context_);
    for (const auto& [name, constant] : constants) {
      if (ours.count(symbol(constant)) != 0) continue;
      const std::string plain = "c." + std::to_string(choices_.size());
      choices_.push_back(context_.constant(plain.c_str(), constant.get_sort()));
      from.push_back(constant);
      to.push_back(choices_.back());
    }
    trans_ = trans_.substitute(from, to);
    for (auto& [id, fault] : faults_) fault = fault.substitute(from, to);
  }

  void head() {
    out_.text =
        "; " + program_.stack +
        ": exported by txproof.\n"
        "; A run is s0, s1, ... with (init s0) and (trans s0 s1 choices), ...; property I is\n"
        "; violated after k steps if (bad.I sk), or if (fault.I s(k-1) choices).\n"
        "; The state, in this order, once as s.N and once as n.N:\n";
    for (const SlotId slot : encoder_.state_slots()) {
      out_.text += ";   " + std::to_string(slot) + "  " + program_.slots[slot].name + "\n";
    }
    out_.text += "; The properties:\n";
    for (PropertyId id = 0; id < program_.properties.size(); ++id) {
      out_.text += ";   " + std::to_string(id) + "  " + program_.properties[id].instance + "\n";
    }
    out_.text += "(set-logic ALL)\n";
  }

  void function(const std::string& name, const Variables& parameters, const z3::expr& body) {
    std::ostringstream out;
    out << "(define-fun " << name << " (";
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      out << (i == 0 ? "" : " ") << "(" << parameters[i] << " " << parameters[i].get_sort() << ")";
    }
    out << ") Bool\n  " << body << ")\n";
    out_.text += out.str();
  }

  void properties() {
    Variables with_choices = state_;
    with_choices.insert(with_choices.end(), choices_.begin(), choices_.end());
    for (PropertyId id = 0; id < program_.properties.size(); ++id) {
      const Property& property = program_.properties[id];
      if (property.is_watch) continue;
      z3::expr bad = context_.bool_val(false);
      if (property.kind == PropertyKind::deadlock) bad = encoder_.deadlocked(before_);
      for (const Claim& claim : property.claims) {
        if (claim.kind == PropertyKind::leads_to || claim.kind == PropertyKind::infinitely_often ||
            claim.kind == PropertyKind::rate) {
          out_.left_out.push_back(property.instance + ": it speaks of runs without end");
          continue;
        }
        if (claim.kind == PropertyKind::always || claim.kind == PropertyKind::at_rest ||
            claim.kind == PropertyKind::maximum) {
          bad = bad || encoder_.broken(before_, claim);
        }
      }
      function("bad." + std::to_string(id), state_, bad);
      const auto fault = faults_.find(id);
      function("fault." + std::to_string(id), with_choices,
               fault == faults_.end() ? context_.bool_val(false) : fault->second);
    }
  }

  const Program& program_;
  z3::context context_;
  smt::Encoder encoder_;
  smt::SymbolicState before_, after_;
  Variables state_, next_, choices_;
  z3::expr trans_{context_};
  std::map<PropertyId, z3::expr> faults_;
  SmtLib out_;
};

}  // namespace

SmtLib to_smtlib(const Program& program) {
  if (program.memory != Memory::sc) throw Refusal("its memory model is not sc");
  try {
    return Exporter(program).run();
  } catch (const smt::Refusal& refusal) {
    throw Refusal(refusal.what());
  }
}

}  // namespace txproof::checker::exporting
