// Parameters that are left unknown, and what depends on them: ends of ranges, capacities, bounds.
#include <algorithm>

#include "model/program/access.h"
#include "model/program/elaboration.h"
#include "model/program/evaluate.h"

namespace txproof::program {

bool Elaboration::is_left_unknown(const lang::VarDecl& param) const {
  const auto& names = options_.for_all;
  return std::find(names.begin(), names.end(), param.name) != names.end();
}

// The lower end of its domain stays, the upper one goes.
Binding Elaboration::unknown_param(const lang::VarDecl& param, const Shape& shape, Word value) {
  Binding binding;
  binding.shape = shape;
  binding.value = b_.constant(value);
  const bool is_number = param.type->kind == lang::Type::Kind::integer && !shape.is_open;
  if (!is_number) {
    error("TX0432", param.span,
          "`" + param.name + "` cannot be left unknown: only an integer with a domain can");
    return binding;
  }
  Slot slot;
  slot.name = param.name;
  slot.range = {shape.range.lo, unbounded};
  slot.initial = slot.rest_value = value;
  slot.parameter = true;
  const SlotId id = b_.add_slot(slot);
  slot_keys_.resize(program_->slots.size());
  binding.shape.range = slot.range;
  binding.value = b_.load(b_.at(id), slot.range);
  Parameter parameter{param.name, value, shape.range, !options_.set.contains(param.name), id};
  program_->parameters.push_back(parameter);
  return binding;
}

bool Elaboration::is_fixed(ExprId value) const {
  std::set<SlotId> reads;
  add_reads(*program_, value, reads);
  return std::all_of(reads.begin(), reads.end(),
                     [&](SlotId slot) { return program_->slots[slot].parameter; });
}

ExprId Elaboration::fixed_value(const lang::Expr& expr) {
  if (options_.for_all.empty()) return b_.constant(constant_of(expr));
  const ExprId id = pure_value(expr);
  if (b_.constant_value(id) || is_fixed(id)) return id;
  return b_.constant(constant_of(expr));  // an error
}

void Elaboration::assume(ExprId condition, const std::string& what, lang::Span where) {
  const auto known = b_.constant_value(condition);
  if (known && *known != 0) return;
  if (known) {
    error("TX0429", where, "the stack makes sense only if " + what + ", which never holds");
    return;
  }
  for (const Assumption& before : program_->assumptions) {
    if (before.text == what && same_value(before.condition, condition)) return;
  }
  program_->assumptions.push_back({condition, what, where});
}

// The values in force are among those that the assumptions allow.
void Elaboration::check_assumptions() {
  const State state = initial_state(*program_);
  for (const Assumption& assumption : program_->assumptions) {
    if (evaluate_expr(*program_, state, assumption.condition) != 0) continue;
    error("TX0429", assumption.where,
          "the stack assumes `" + assumption.text + "`, which the values in force do not meet");
  }
}

void Elaboration::set_range(Shape& shape, const lang::Expr& low, const lang::Expr& high,
                            lang::Span where) {
  const ExprId lo = fixed_value(low);
  const ExprId hi = fixed_value(high);
  const Range lowest = b_.range(lo);
  const Range highest = b_.range(hi);
  if (!b_.constant_value(lo)) shape.lo_end = lo;
  if (!b_.constant_value(hi)) shape.hi_end = hi;
  shape.range = {std::max(lowest.lo, -unbounded), std::min(highest.hi, unbounded)};
  if (shape.lo_end == no_id && shape.hi_end == no_id) {
    if (lowest.lo > highest.hi) {
      error("TX0401", where, "the range " + range_text(shape) + " is empty here");
      shape.range.hi = shape.range.lo;
    } else if (lowest.lo < -unbounded || highest.hi > unbounded) {
      error("TX0402", where, "a range may not go beyond 2^40 either way");
      shape.range = {0, 0};
    }
  } else {
    shape.range_text = text(low) + ".." + text(high);
    assume(b_.binary(ExprKind::less_equal, lo, hi), shape.range_text + " is not empty", where);
  }
  // 0, if it certainly lies inside; otherwise an end that does.
  if (lowest.hi <= 0 && highest.lo >= 0) {
    shape.initial = 0;
  } else if (shape.lo_end == no_id && lowest.lo > 0) {
    shape.initial = lowest.lo;
  } else if (shape.hi_end == no_id && highest.hi < 0) {
    shape.initial = highest.hi;
  } else {
    shape.initial = std::clamp(Word{0}, shape.range.lo, shape.range.hi);
    assume(in_range(shape, b_.constant(shape.initial)),
           std::to_string(shape.initial) + " is in " + range_text(shape), where);
  }
}

void Elaboration::set_capacity(Shape& shape, const lang::Expr& size, lang::Span where) {
  const ExprId capacity = fixed_value(size);
  if (b_.constant_value(capacity)) return;
  assume(b_.binary(ExprKind::less_equal, b_.constant(1), capacity), text(size) + " is at least 1",
         where);
  shape.capacity = capacity;
  shape.count = 0;
  shape.words = 1;
  shape.range_text = text(size);
  const Shape& element = *shape.element;
  const bool counted =
      element.kind == Shape::Kind::packet && program_->structs[element.structure].counted;
  const bool flat = element.kind == Shape::Kind::packet || element.kind == Shape::Kind::scalar;
  if (!flat || counted) {
    error("TX0435", where,
          "a container of unknown capacity can hold packets of a linear struct, or numbers; "
          "these are neither");
  }
}

std::string Elaboration::range_text(const Shape& shape) {
  if (!shape.range_text.empty()) return shape.range_text;
  return std::to_string(shape.range.lo) + ".." +
         (shape.range.hi == unbounded ? "" : std::to_string(shape.range.hi));
}

ExprId Elaboration::in_range(const Shape& shape, ExprId value) {
  const Range r = b_.range(value);
  ExprId inside = b_.constant(1);
  if (shape.lo_end != no_id || r.lo < shape.range.lo) {
    const ExprId lo = shape.lo_end != no_id ? shape.lo_end : b_.constant(shape.range.lo);
    inside = b_.binary(ExprKind::less_equal, lo, value);
  }
  const bool has_top = options_.for_all.empty() || shape.range.hi < unbounded;
  if (shape.hi_end != no_id || (r.hi > shape.range.hi && has_top)) {
    const ExprId hi = shape.hi_end != no_id ? shape.hi_end : b_.constant(shape.range.hi);
    inside = b_.logical_and(inside, b_.binary(ExprKind::less_equal, value, hi));
  }
  return inside;
}

ExprId Elaboration::capacity_of(const Shape& shape) {
  return shape.is_unbounded() ? shape.capacity : b_.constant(shape.count);
}

std::string Elaboration::capacity_text(const Shape& shape) const {
  return shape.is_unbounded() ? shape.range_text : std::to_string(shape.count);
}

// Until the whole is known, its length stands for the counters.
void Elaboration::note_unordered(const std::string& name, SlotId length, const Shape& shape) {
  Unordered container;
  container.name = name;
  container.kinds.push_back({length, {}, ""});
  if (shape.element->kind == Shape::Kind::packet) container.structure = shape.element->structure;
  container.capacity = shape.capacity;
  container.where = here_.begin != here_.end ? here_ : stack_.span;
  program_->unordered.push_back(std::move(container));
}

bool Elaboration::refuse_unordered(const Binding& container, const std::string& what,
                                   lang::Span where) {
  if (!container.shape.is_unbounded()) return false;
  error("TX0435", where,
        what + " in a container of unknown capacity (" + container.shape.range_text +
            ") is forgotten: only how many of each kind there are is kept. Leave the parameter "
            "known, or use push, pop, len, empty, full");
  return true;
}

bool Elaboration::same_value(ExprId a, ExprId b) const {
  if (a == b) return true;
  if (a == no_id || b == no_id) return false;
  const Expr& x = program_->exprs[a];
  const Expr& y = program_->exprs[b];
  if (x.kind != y.kind || x.value != y.value || x.structure != y.structure || x.addr != y.addr) {
    return false;
  }
  return same_value(x.a, y.a) && same_value(x.b, y.b) && same_value(x.c, y.c);
}

ExprId Elaboration::by_object(ExprId object, const std::vector<Word>& candidates,
                              const std::function<ExprId(Word)>& each) {
  ExprId result = each(candidates.back());
  for (auto it = std::next(candidates.rbegin()); it != candidates.rend(); ++it) {
    const ExprId one = each(*it);
    if (!same_value(one, result)) {
      result = b_.conditional(b_.equals(object, *it), one, result);
    }
  }
  return result;
}

void Elaboration::begin_round(BlockId head, SlotId rounds, lang::Span where) {
  if (options_.for_all.empty()) return;
  program_->blocks[head].loop = static_cast<std::uint32_t>(program_->loops.size());
  program_->loops.push_back({head, rounds, {}, where});
}

}  // namespace txproof::program
