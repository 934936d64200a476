// An array of objects whose length is left unknown: one in focus, and the others.
#include <algorithm>

#include "model/program/elaboration.h"
#include "model/program/evaluate.h"

namespace txproof::program {

namespace {

bool names(const lang::Expr& expr, const lang::Decl* decl) {
  if (expr.kind == lang::ExprKind::name && expr.decl == decl) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const auto& arg) { return arg != nullptr && names(*arg, decl); });
}

// `udp[i]` and nothing else of `udp` or `i`.
bool is_element(const lang::Expr& expr, const lang::Decl* array, const lang::Decl* index) {
  if (!names(expr, array) && !names(expr, index)) return true;
  return expr.kind == lang::ExprKind::index && expr.args[0]->kind == lang::ExprKind::name &&
         expr.args[0]->decl == array && expr.args[1]->kind == lang::ExprKind::name &&
         expr.args[1]->decl == index && index != nullptr;
}

}  // namespace

bool Elaboration::is_number(ExprId value) const {
  if (sketch_.others.number == no_id || crowd_ == nullptr) return false;
  const Expr& e = program_->exprs[value];
  return e.kind == ExprKind::load && b_.is_static(e.addr) &&
         b_.static_slot(e.addr) == sketch_.others.number;
}

bool Elaboration::is_last_index(ExprId value) const {
  const Expr& e = program_->exprs[value];
  return e.kind == ExprKind::subtract && is_number(e.a) && b_.constant_value(e.b) == 1;
}

Word Elaboration::number_of_objects(const lang::VarDecl& decl, const lang::Expr& size) {
  if (options_.for_all.empty()) return constant_of(size);
  const ExprId number = fixed_value(size);
  if (const auto known = b_.constant_value(number)) return *known;
  const Expr& e = program_->exprs[number];
  const bool is_param = e.kind == ExprKind::load && b_.is_static(e.addr) &&
                        program_->slots[b_.static_slot(e.addr)].range.lo >= 1;
  if (!is_param || crowd_ != nullptr) {
    error(
        "TX0437", size.span,
        "one array of objects may have an unknown length, and that must be a parameter that is at "
        "least 1");
    return 1;
  }
  crowd_ = &decl;
  sketch_.others.array = decl.name;
  sketch_.others.number = b_.static_slot(e.addr);
  sketch_.others.where = decl.span;
  return 2;
}

// Which of the objects one is must not matter to the stack.
void Elaboration::check_symmetry() {
  const auto refuse = [&](const lang::Expr& expr) {
    error("TX0437", expr.span,
          "`" + crowd_->name + "` has an unknown length, so its objects may be named only as `" +
              crowd_->name + "[i]`, in what runs for each i");
  };
  for (const auto& item : stack_.runs) {
    const lang::Decl* binder = item->binder.get();
    for (const auto& arg : item->args) {
      if (!is_element(*arg, crowd_, binder)) refuse(*arg);
      if (names(*arg, crowd_) && (item->hi == nullptr || !is_last_index(fixed_value(*item->hi)))) {
        refuse(*arg);
      }
    }
    if (item->when != nullptr && binder != nullptr && names(*item->when, binder)) {
      refuse(*item->when);
    }
  }
  for (const auto& instance : stack_.instances) {
    if (instance->init != nullptr && names(*instance->init, crowd_)) refuse(*instance->init);
  }
  for (const auto& item : stack_.checks) {
    for (const auto& arg : item->args) {
      if (names(*arg, crowd_)) refuse(*arg);
    }
  }
  if (other_ != focus_ + 1 || (other_ + 1 < static_cast<Word>(instances_.size()) &&
                               instances_[static_cast<std::size_t>(other_ + 1)].name.starts_with(
                                   instances_[static_cast<std::size_t>(other_)].name))) {
    error("TX0437", crowd_->span, "objects of an unknown number cannot have objects inside");
  }
}

SlotId Elaboration::caps_of(ExprId each) {
  for (const auto& [known, slot] : caps_) {
    if (same_value(known, each)) return slot;
  }
  State initial;
  for (const Slot& slot : program_->slots) initial.push_back(slot.initial);
  const Expr e = program_->exprs[each];
  Slot slot;
  slot.name = "(" + program_->slots[sketch_.others.number].name + " - 1) * " +
              (e.kind == ExprKind::load ? program_->slots[b_.static_slot(e.addr)].name
                                        : "(" + std::to_string(caps_.size()) + ")");
  slot.range = {0, unbounded};
  slot.parameter = true;
  slot.initial = slot.rest_value =
      (initial[sketch_.others.number] - 1) * evaluate_expr(*program_, initial, each);
  const SlotId id = b_.add_slot(slot);
  slot_keys_.resize(program_->slots.size());
  caps_.emplace_back(each, id);
  return id;
}

ExprId Elaboration::times_others(ExprId each) {
  const ExprId number = b_.load(b_.at(sketch_.others.number));
  if (b_.constant_value(each)) {
    return b_.binary(ExprKind::multiply, each,
                     b_.binary(ExprKind::subtract, number, b_.constant(1)));
  }
  if (b_.range(each).lo < 0) {
    error("TX0437", here_, "a negative amount for each of an unknown number of objects");
  }
  return b_.load(b_.at(caps_of(each)));
}

ExprId Elaboration::sum_over_others(ExprId body, lang::Span where) {
  if (b_.constant_value(body) || is_fixed(body)) return times_others(body);
  const Expr& e = program_->exprs[body];
  if (e.kind == ExprKind::load && b_.is_static(e.addr)) {
    for (const OthersSketch::Field& field : sketch_.fields) {
      if (field.other == b_.static_slot(e.addr) && field.cap != no_id) return body;
    }
  }
  error("TX0437", where,
        "over an unknown number of objects only the sum of a counter with a limit, or of what is "
        "the same for each, is kept");
  return b_.constant(0);
}

// Conjunctions and cases of a claim, down to `forall` and `max`. (`max … <= E` says it of each.)
void Elaboration::find_symmetric(const lang::Expr& expr, bool is_maximum) {
  if (expr.kind == lang::ExprKind::conditional) {
    find_symmetric(*expr.args[1], is_maximum);
    find_symmetric(*expr.args[2], is_maximum);
  } else if (expr.kind == lang::ExprKind::binary && expr.name == "&&") {
    find_symmetric(*expr.args[0], is_maximum);
    find_symmetric(*expr.args[1], is_maximum);
  } else if (expr.kind == lang::ExprKind::aggregate &&
             expr.aggregate_op ==
                 (is_maximum ? lang::AggregateOp::maximum : lang::AggregateOp::forall)) {
    symmetric_.insert(&expr);
  }
}

void Elaboration::sketch_others() {
  const Instance& other = instances_[static_cast<std::size_t>(other_)];
  for (const auto& entry : other.members) {
    const lang::VarDecl& decl = *entry.first;
    const Binding& binding = entry.second;
    if (binding.kind != Binding::Kind::storage) continue;
    const Binding* focus = member(focus_, decl);
    const bool scalar =
        binding.shape.kind == Shape::Kind::scalar && decl.ticks == lang::VarDecl::Ticks::none;
    if (!scalar || focus == nullptr) {
      error("TX0437", decl.span,
            "`" + decl.name +
                "` of an unknown number of objects: only numbers, booleans and "
                "references can be kept for all of them");
      continue;
    }
    OthersSketch::Field field;
    field.name = decl.name;
    field.focus = b_.static_slot(focus->addr);
    field.other = b_.static_slot(binding.addr);
    const Shape& shape = binding.shape;
    const bool sums = shape.hi_end != no_id && shape.lo_end == no_id && shape.range.lo == 0 &&
                      shape.modulus == 0 && program_->slots[field.other].initial == 0;
    if (sums) {
      // What the end of the range is but for a constant: `sk_sndbuf + 15` allows for sizes.
      ExprId cap = shape.hi_end;
      while (program_->exprs[cap].kind == ExprKind::add &&
             b_.constant_value(program_->exprs[cap].b)) {
        cap = program_->exprs[cap].a;
      }
      field.cap = cap;
      field.caps = caps_of(cap);
      program_->slots[field.other].range = {0, unbounded};
    }
    sketch_.fields.push_back(field);
  }
  std::sort(sketch_.fields.begin(), sketch_.fields.end(),
            [](const auto& a, const auto& b) { return a.other < b.other; });
}

}  // namespace txproof::program
