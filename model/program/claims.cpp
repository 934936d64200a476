// Claims of properties as expressions over the state, faults, and what is settled at the end.
#include <algorithm>

#include "model/lang/frontend.h"
#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Ast = lang::ExprKind;
using Written = lang::Claim::Kind;

PropertyKind kind_of(Written kind) {
  switch (kind) {
    case Written::always:
      return PropertyKind::always;
    case Written::at_rest:
      return PropertyKind::at_rest;
    case Written::maximum:
      return PropertyKind::maximum;
    case Written::leads_to:
      return PropertyKind::leads_to;
    case Written::infinitely_often:
      return PropertyKind::infinitely_often;
    case Written::rate:
      return PropertyKind::rate;
  }
  return PropertyKind::always;
}

constexpr const char* builtin_names[] = {"own.linear", "range", "deadlock", "lock", "assert"};

const char* builtin_text(const std::string& name) {
  if (name == "own.linear") return "every packet has one owner, and is freed exactly once";
  if (name == "range")
    return "no value leaves its range, no container its capacity, no loop its bound";
  if (name == "deadlock") return "nobody waits for ever";
  if (name == "lock") return "locks are taken and released as they should be";
  return "what the model asserts is true";
}

}  // namespace

// For an implication (under any number of forall), an expression that is true where its left
// side is; no_id: there is none, the claim is never vacuous.
ExprId Elaboration::antecedent_of(const lang::Expr& expr) {
  auto* const noted = std::exchange(pure_faults_, nullptr);  // the claim itself has noted them
  const ExprId result = left_side_of(expr);
  pure_faults_ = noted;
  return result;
}

ExprId Elaboration::left_side_of(const lang::Expr& expr) {
  if (expr.kind == Ast::binary && expr.name == "=>") return pure_truth(*expr.args[0]);
  if (expr.kind != Ast::aggregate || expr.aggregate_op != lang::AggregateOp::forall) return no_id;
  const lang::Expr& body = *expr.args[2];
  const bool implies = body.kind == Ast::binary && body.name == "=>";
  if (!implies && expr.args[1] == nullptr) {
    // `forall x in S: E` says something wherever S has an element.
    return aggregate_as(expr, AggregateKind::exists, nullptr, nullptr);
  }
  return aggregate_as(expr, AggregateKind::exists, expr.args[1].get(),
                      implies ? body.args[0].get() : nullptr);
}

CounterId Elaboration::counter_of(const lang::VarDecl& decl) {
  const auto [known, inserted] = counters_.try_emplace(&decl, no_id);
  if (!inserted) return known->second;
  Counter counter;
  counter.name = decl.name;
  if (decl.is_array && decl.array_size != nullptr) {
    counter.size =
        static_cast<std::uint32_t>(std::clamp(constant_of(*decl.array_size), Word{1}, Word{65536}));
  }
  if (!program_->counters.empty()) {
    counter.first = program_->counters.back().first + program_->counters.back().size;
  }
  known->second = static_cast<CounterId>(program_->counters.size());
  program_->counters.push_back(counter);
  return known->second;
}

// A counter's name (all its elements), one element of it, or `ticks`.
Tally Elaboration::tally(const lang::Expr& expr) {
  Tally result;
  if (expr.kind == Ast::ticks) {
    result.is_ticks = true;
    return result;
  }
  const bool one = expr.kind == Ast::index;
  const lang::Expr& name = one ? *expr.args[0] : expr;
  const Counter counter =
      program_->counters[counter_of(*static_cast<const lang::VarDecl*>(name.decl))];
  result.first = counter.first;
  result.count = counter.size;
  if (!one) return result;
  const Word element = constant_of(*expr.args[1]);
  if (element < 0 || element >= static_cast<Word>(counter.size)) {
    error("TX0430", expr.span,
          "`" + counter.name + "` has the elements 0.." + std::to_string(counter.size - 1) +
              ", and not " + std::to_string(element));
    return result;
  }
  result.first += static_cast<std::uint32_t>(element);
  result.count = 1;
  return result;
}

void Elaboration::claim(Watched& watched, const lang::Claim& written) {
  Claim claim;
  claim.kind = kind_of(written.kind);
  claim.where = written.span;
  Frame* const before = std::exchange(frame_, &watched.frame);
  std::vector<PureFault> faults;
  pure_faults_ = &faults;
  const bool invariant = written.kind == Written::always || written.kind == Written::maximum ||
                         written.kind == Written::at_rest;
  if (invariant && crowd_ != nullptr) {
    find_symmetric(*written.left, written.kind == Written::maximum);
  }
  switch (written.kind) {
    case Written::always:
    case Written::at_rest:
    case Written::infinitely_often:
      claim.condition = pure_truth(*written.left);
      claim.antecedent = antecedent_of(*written.left);
      claim.text = text(*written.left);
      break;
    case Written::maximum:
      claim.left = pure_value(*written.left);
      claim.right = pure_value(*written.right);
      claim.text = text(*written.left) + " <= " + text(*written.right);
      break;
    case Written::leads_to:
      claim.condition = pure_truth(*written.left);
      claim.right = pure_truth(*written.right);
      claim.antecedent = claim.condition;
      if (written.assuming != nullptr) claim.assuming = pure_truth(*written.assuming);
      claim.text = text(*written.left) + " leads_to " + text(*written.right);
      break;
    case Written::rate:
      claim.numerator = tally(*written.left);
      claim.denominator = tally(*written.right);
      claim.at_least = written.at_least;
      claim.bound_numerator = constant_of(*written.bound_numerator);
      if (written.bound_denominator != nullptr) {
        claim.bound_denominator = constant_of(*written.bound_denominator);
      }
      if (claim.bound_denominator <= 0) {
        error("TX0431", written.span,
              "the bound of a rate is a fraction with a denominator above 0");
        claim.bound_denominator = 1;
      }
      claim.text =
          text(*written.left) + " / " + text(*written.right) +
          (written.at_least ? " >= " : " <= ") + text(*written.bound_numerator) +
          (written.bound_denominator != nullptr ? " / " + text(*written.bound_denominator) : "");
      break;
  }
  pure_faults_ = nullptr;
  // `outside f`: true where some thread stands inside f.
  if (!written.outside_functions.empty()) {
    const auto inside = [&](CallId call) {
      for (CallId c = call; c != no_id; c = program_->calls[c].parent) {
        for (const lang::FunctionDecl* f : written.outside_functions) {
          if (program_->calls[c].body == f->span) return true;
        }
      }
      return false;
    };
    ExprId excused = b_.constant(0);
    for (const Thread& thread : program_->threads) {
      std::vector<Word> table;
      for (const LocationId location : thread.locations) {
        table.push_back(inside(program_->locations[location].call) ? 1 : 0);
      }
      const ExprId pc =
          b_.load(b_.at(thread.pc), {0, static_cast<Word>(thread.locations.size()) - 1});
      excused = b_.logical_or(excused, b_.table(std::move(table), pc));
    }
    claim.condition = b_.logical_or(excused, claim.condition);
    for (PureFault& fault : faults) fault.condition = b_.logical_or(excused, fault.condition);
  }
  frame_ = before;
  Property& property = program_->properties[watched.id];
  const bool at_rest = claim.kind == PropertyKind::at_rest;
  property.claims.push_back(std::move(claim));
  // Where what it says cannot be evaluated it does not hold. (A question takes 0 there.)
  if (watched.decl->asked_about == nullptr) {
    for (const PureFault& fault : faults) {
      Claim sense;
      sense.kind = at_rest ? PropertyKind::at_rest : PropertyKind::always;
      sense.antecedent = b_.constant(0);  // it says nothing of its own
      sense.condition = fault.condition;
      sense.where = fault.where;
      sense.text = "(it has no value) " + fault.message;
      property.claims.push_back(std::move(sense));
    }
  }
}

ViolationId Elaboration::violation(PropertyId property, const std::string& kind,
                                   const std::string& message, lang::Span where) {
  program_->properties[property].has_checks = true;
  program_->violations.push_back({property, kind, message, where});
  return static_cast<ViolationId>(program_->violations.size() - 1);
}

PropertyId Elaboration::builtin(const std::string& name) {
  const auto [known, inserted] = builtins_.try_emplace(name, no_id);
  if (inserted) {
    known->second = static_cast<PropertyId>(program_->properties.size());
    Property property;
    property.name = property.instance = name;
    property.text = builtin_text(name);
    property.kind = name == "deadlock" ? PropertyKind::deadlock : PropertyKind::builtin;
    property.where = stack_.span;
    program_->properties.push_back(std::move(property));
  }
  return known->second;
}

void Elaboration::check(ExprId condition, const std::string& property, const std::string& kind,
                        const std::string& message, lang::Span where) {
  const auto known = b_.constant_value(condition);
  if (known && *known != 0) return;
  if (pure_) return;
  Stmt stmt = base(StmtKind::check, where);
  stmt.value = condition;
  stmt.property = builtin(property);
  stmt.violation = violation(stmt.property, kind, message, where);
  b_.emit(stmt);
}

void Elaboration::error(const std::string& code, lang::Span where, const std::string& message) {
  diagnostics_.error(code, where, message);
}

Stmt Elaboration::base(StmtKind kind, lang::Span where) const {
  Stmt stmt;
  stmt.kind = kind;
  stmt.where = where;
  stmt.call = frame_->call;
  stmt.probe = probe_ != nullptr;
  return stmt;
}

std::string Elaboration::text(const lang::Expr& expr) const { return lang::print_expr(expr); }

void Elaboration::watch_structs() {
  const auto watch = [&](StructId id, const std::string& name, const lang::VarDecl* unset) {
    const AggregateId aggregate = b_.reserve_aggregate();
    Aggregate count;
    count.kind = AggregateKind::count;
    Span span;
    span.kind = program_->structs[id].counted ? Span::Kind::cells : Span::Kind::places;
    span.structure = id;
    span.count = static_cast<std::uint32_t>(program_->structs[id].places.size());
    count.spans.push_back(span);
    if (unset != nullptr) {
      const ExprId cursor = b_.cursor(aggregate, id, {0, Word{1} << 30});
      const AddrId field = b_.through_handle(cursor, id, field_offset(id, *unset));
      count.where = b_.equals(b_.load(field, field_shape(id, *unset).range), 0);
    }
    b_.fill_aggregate(aggregate, std::move(count));
    Property property;
    property.name = property.instance = name;
    property.kind = PropertyKind::maximum;
    property.has_checks = property.is_watch = true;
    property.where = stack_.span;
    Claim claim;
    claim.kind = PropertyKind::maximum;
    claim.left = b_.aggregate_value(aggregate, {0, span.count});
    claim.right = b_.constant(span.count);
    property.claims.push_back(std::move(claim));
    program_->properties.push_back(std::move(property));
  };
  for (StructId id = 0; id < program_->structs.size(); ++id) {
    const std::string name = program_->structs[id].name + " in flight";
    watch(id, name, nullptr);
    for (const lang::VarDecl* field : field_order_[id]) {
      const bool ghost = field->role == lang::VarDecl::Role::ghost_field;
      if (ghost || !field_shape(id, *field).is_reference) continue;
      watch(id, name + " with " + field->name + " none", field);
    }
  }
}

void Elaboration::finish_properties() {
  for (Watched& watched : watched_) {
    for (const auto& written : watched.decl->claims) claim(watched, *written);
    Property& property = program_->properties[watched.id];
    property.has_checks = property.has_checks || !property.claims.empty();
    property.kind =
        property.claims.empty() ? PropertyKind::assertions : property.claims.front().kind;
    if (property.claims.empty() && !watched.asserted) {
      property.never_probed = true;
      for (const auto& per_call : watched.decl->per_calls) {
        if (property.never_probed_name.empty()) property.never_probed_name = per_call->name;
      }
      for (const auto& probe : watched.decl->probes) {
        if (property.never_probed_name.empty()) property.never_probed_name = probe->name;
      }
    }
  }
  const bool can_block = std::any_of(
      program_->locations.begin(), program_->locations.end(), [](const Location& location) {
        return location.kind == StopKind::wait || location.kind == StopKind::wait_choice;
      });
  if (can_block) program_->properties[builtin("deadlock")].has_checks = true;
  // The built-ins behind the stack's own, in a fixed order.
  const auto own = static_cast<PropertyId>(watched_.size());
  std::vector<PropertyId> renamed(program_->properties.size());
  std::vector<Property> ordered(program_->properties.begin(), program_->properties.begin() + own);
  for (PropertyId id = 0; id < own; ++id) renamed[id] = id;
  for (const char* name : builtin_names) {
    const auto found = builtins_.find(name);
    if (found == builtins_.end()) continue;
    renamed[found->second] = static_cast<PropertyId>(ordered.size());
    ordered.push_back(program_->properties[found->second]);
  }
  program_->properties = std::move(ordered);
  if (options_.watch) watch_structs();
  for (Violation& violation : program_->violations)
    violation.property = renamed[violation.property];
  for (Block& block : program_->blocks) {
    for (Stmt& stmt : block.stmts) {
      if (stmt.property != no_id) stmt.property = renamed[stmt.property];
    }
  }
}

}  // namespace txproof::program
