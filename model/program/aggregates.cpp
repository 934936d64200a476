// sum, count, forall, exists, min and max over what is in flight. Over objects they are written
// out; over places and elements they stay one expression with a cursor.
#include <algorithm>
#include <cassert>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Ast = lang::ExprKind;
using Domain = lang::Expr::Domain;

constexpr Word most_places = Word{1} << 20;
constexpr Word widest = Word{1} << 61;

AggregateKind kind_of(lang::AggregateOp op) {
  switch (op) {
    case lang::AggregateOp::sum:
      return AggregateKind::sum;
    case lang::AggregateOp::count:
      return AggregateKind::count;
    case lang::AggregateOp::forall:
      return AggregateKind::forall;
    case lang::AggregateOp::exists:
      return AggregateKind::exists;
    case lang::AggregateOp::minimum:
      return AggregateKind::minimum;
    case lang::AggregateOp::maximum:
      return AggregateKind::maximum;
  }
  return AggregateKind::sum;
}

}  // namespace

Span Elaboration::span_of(const Binding& binding, const lang::Expr& at) {
  Span span;
  const Shape& shape = binding.shape;
  if (shape.is_container()) {
    span.kind = Span::Kind::container;
    span.addr = binding.addr;
    span.count = shape.count;
    span.stride = shape.element->words;
    if (shape.element->kind == Shape::Kind::packet) span.structure = shape.element->structure;
    return span;
  }
  if (shape.kind == Shape::Kind::packet ||
      (shape.kind == Shape::Kind::array && shape.element->kind == Shape::Kind::packet)) {
    const StructId structure =
        shape.kind == Shape::Kind::packet ? shape.structure : shape.element->structure;
    if (!b_.is_static(binding.addr)) {
      error("TX0428", at.span,
            "which place this is changes at run time; range over a container, an "
            "object or a type instead");
      return span;
    }
    span.kind = Span::Kind::places;
    span.structure = structure;
    span.first = program_->place_at[b_.static_slot(binding.addr)];
    span.count = shape.kind == Shape::Kind::packet ? 1 : shape.count;
    return span;
  }
  span.kind = Span::Kind::array;
  span.addr = binding.addr;
  span.count = shape.count;
  span.stride = shape.element != nullptr ? shape.element->words : 1;
  return span;
}

bool Elaboration::domain_spans(const lang::Expr& expr, std::vector<Span>& spans,
                               StructId& structure, Shape& element) {
  const lang::Expr& domain = *expr.args[0];
  const auto add = [&](const Binding& binding) {
    Span span = span_of(binding, domain);
    structure = span.structure;
    element = binding.shape.element != nullptr ? *binding.shape.element : binding.shape;
    spans.push_back(span);
  };
  switch (expr.domain) {
    case Domain::of_type: {
      const auto* type = static_cast<const lang::TypeDecl*>(domain.decl);
      structure = struct_of(*type);
      Span span;
      span.structure = structure;
      span.count = every_place;
      if (program_->structs[structure].counted) span.kind = Span::Kind::cells;
      element.kind = Shape::Kind::packet;
      element.structure = structure;
      spans.push_back(span);
      return true;
    }
    case Domain::of_type_field: {
      const auto* type = static_cast<const lang::TypeDecl*>(domain.args[0]->decl);
      const auto* field = static_cast<const lang::VarDecl*>(domain.decl);
      for (const Word id : instances_of(*type)) {
        const Binding* m = member(id, *field);
        if (m != nullptr && m->kind == Binding::Kind::storage) add(*m);
      }
      if (spans.empty()) {  // no such object in this stack
        const lang::Type* t = field->type;
        const lang::Type* e = t->element != nullptr ? t->element : t;
        if (e->kind == lang::Type::Kind::structure) {
          structure = struct_of(*e->decl);
          element.kind = Shape::Kind::packet;
          element.structure = structure;
        }
      }
      return true;
    }
    case Domain::of_value: {
      if (domain.type != nullptr && domain.type->kind == lang::Type::Kind::object) {
        const auto object = b_.constant_value(pure_value(domain));
        if (!object || expr.binder->type->kind != lang::Type::Kind::structure) {
          error("TX0428", domain.span,
                "which object this is must be known when the stack is built");
          return false;
        }
        structure = struct_of(*expr.binder->type->decl);
        element.kind = Shape::Kind::packet;
        element.structure = structure;
        const std::string prefix = object_name(*object);
        const auto& places = program_->structs[structure].places;
        for (PlaceId place = 0; place < places.size(); ++place) {
          const std::string& name = places[place].name;
          if (places[place].is_local || !name.starts_with(prefix) || name.size() <= prefix.size() ||
              (name[prefix.size()] != '.' && name[prefix.size()] != '[')) {
            continue;
          }
          Span span;
          span.structure = structure;
          span.first = place;
          span.count = 1;
          spans.push_back(span);
        }
        for (const Unordered& container : program_->unordered) {
          const std::string& name = container.name;
          if (container.structure != structure || !name.starts_with(prefix) ||
              name.size() <= prefix.size() ||
              (name[prefix.size()] != '.' && name[prefix.size()] != '[')) {
            continue;
          }
          spans.push_back(unordered_span(container));
        }
        return true;
      }
      const Binding binding = refer(domain);
      if (binding.kind != Binding::Kind::storage) return false;
      add(binding);
      return true;
    }
    default:
      return false;
  }
}

// Written out, one term for each object or number.
ExprId Elaboration::over_objects(const lang::Expr& expr, AggregateKind kind,
                                 const std::vector<Word>& values, const lang::Expr* where,
                                 const lang::Expr* body) {
  const bool all = kind == AggregateKind::forall;
  ExprId result = b_.constant(all ? 1 : 0);
  ExprId any = b_.constant(0);
  for (const Word v : values) {
    const bool of_others =
        crowd_ != nullptr && v == other_ && expr.binder->type->kind == lang::Type::Kind::object;
    if (of_others && symmetric_.contains(&expr)) continue;
    if (of_others && kind != AggregateKind::sum) {
      error(
          "TX0437", expr.span,
          "of an unknown number of objects only `sum` can be told, and `forall` or `max` where it "
          "is all that a claim says");
      continue;
    }
    Frame inner;
    inner.outer = frame_;
    Binding binder;
    binder.value = b_.constant(v);
    binder.shape.is_reference = expr.binder->type->kind == lang::Type::Kind::object;
    inner.names[expr.binder.get()] = binder;
    Frame* const before = std::exchange(frame_, &inner);
    const ExprId when = where != nullptr ? pure_truth(*where) : b_.constant(1);
    ExprId term = b_.constant(1);
    const bool logical = all || kind == AggregateKind::exists;
    if (body != nullptr) {
      term = in_context(when, [&] { return logical ? pure_truth(*body) : pure_value(*body); });
    }
    frame_ = before;
    b_.on_overflow = [&] { error("TX0420", expr.span, "the result can go beyond 2^62"); };
    switch (kind) {
      case AggregateKind::sum:
      case AggregateKind::count:
        if (of_others) {
          if (!b_.constant_value(when)) sum_over_others(when, expr.span);
          term = sum_over_others(term, expr.span);
        }
        result = b_.binary(ExprKind::add, result, b_.conditional(when, term, b_.constant(0)));
        break;
      case AggregateKind::forall:
        result = b_.logical_and(result, b_.logical_or(b_.logical_not(when), term));
        break;
      case AggregateKind::exists:
        result = b_.logical_or(result, b_.logical_and(when, term));
        break;
      case AggregateKind::minimum:
      case AggregateKind::maximum: {
        const ExprId better = b_.binary(
            kind == AggregateKind::minimum ? ExprKind::minimum : ExprKind::maximum, result, term);
        result = b_.conditional(when, b_.conditional(any, better, term), result);
        any = b_.logical_or(any, when);
        break;
      }
    }
    b_.on_overflow = nullptr;
  }
  return result;
}

ExprId Elaboration::aggregate_value(const lang::Expr& expr) {
  const bool before_reading = as_it_is_;
  if (in_thread_text() && !as_it_is_) {
    // It reads memory as it is, so what the thread itself stored has to be there.
    if (known_.woven && !pure_) stop_for_access(expr.span, AccessKind::container);
    if (pure_) note_access(AccessKind::container, no_id);
    if (pure_) pure_gate_ = both(pure_gate_, whole_memory());
    as_it_is_ = true;
  }
  // In ordinary code, what its terms run into is checked before it.
  std::vector<PureFault> faults;
  auto* const before = pure_faults_;
  if (!pure_) pure_faults_ = &faults;
  const ExprId result = aggregate_of(expr);
  pure_faults_ = before;
  if (!pure_) check_all(faults);
  as_it_is_ = before_reading;
  return result;
}

// A fault of one element is one of the whole: `forall` over the same elements. (One that does not
// mention the element is met only if there is one.)
void Elaboration::quantify_faults(AggregateId id, std::vector<PureFault>& faults) {
  for (PureFault& fault : faults) {
    Aggregate all;
    all.kind = AggregateKind::forall;
    all.spans = program_->aggregates[id].spans;
    all.cursor_of = id;
    all.body = fault.condition;
    fault.condition = b_.aggregate(std::move(all), {0, 1});
  }
}

ExprId Elaboration::aggregate_of(const lang::Expr& expr) {
  return aggregate_as(expr, kind_of(expr.aggregate_op), expr.args[1].get(),
                      expr.args.size() > 2 ? expr.args[2].get() : nullptr);
}

ExprId Elaboration::aggregate_as(const lang::Expr& expr, AggregateKind kind,
                                 const lang::Expr* where, const lang::Expr* body) {
  const lang::Expr& domain = *expr.args[0];
  if (expr.domain == Domain::of_type) {
    const auto* type = static_cast<const lang::TypeDecl*>(domain.decl);
    if (!type->is_struct()) return over_objects(expr, kind, instances_of(*type), where, body);
  }
  if (expr.domain == Domain::of_value) {
    const bool listed = domain.type != nullptr && domain.type->kind == lang::Type::Kind::array &&
                        domain.kind != Ast::range;
    if (listed) {
      const Binding array = refer(domain);
      if (array.kind == Binding::Kind::list) {
        return over_objects(expr, kind, array.list, where, body);
      }
    }
  }
  const bool logical = kind == AggregateKind::forall || kind == AggregateKind::exists;
  const AggregateId id = b_.reserve_aggregate();
  Aggregate aggregate;
  aggregate.kind = kind;
  StructId structure = no_id;
  Binding binder;
  if (expr.domain == Domain::of_range) {
    const auto lo = b_.constant_value(pure_value(*domain.args[0]));
    const auto hi = b_.constant_value(pure_value(*domain.args[1]));
    if (!lo || !hi || *hi - *lo > most_places) {
      error("TX0417", domain.span,
            "the ends of this range must be known when the stack is built, "
            "and at most 2^20 apart");
      return b_.constant(0);
    }
    std::vector<Word> values;
    if (*hi - *lo < 64) {
      for (Word v = *lo; v <= *hi; ++v) values.push_back(v);
      return over_objects(expr, kind, values, where, body);
    }
    Span span;
    span.kind = Span::Kind::range;
    span.range_first = *lo;
    span.count = static_cast<std::uint32_t>(*hi - *lo + 1);
    aggregate.spans.push_back(span);
    binder.value = b_.cursor(id, no_id, {*lo, *hi});
  } else {
    Shape element;
    const bool before = std::exchange(pure_, true);
    const bool usable = domain_spans(expr, aggregate.spans, structure, element);
    pure_ = before;
    if (!usable) return b_.constant(0);
    if (structure != no_id) {
      binder.kind = Binding::Kind::packet;
      binder.value = b_.cursor(id, structure, {0, Word{1} << 30});
      binder.shape = element;
      binder.shape.kind = Shape::Kind::packet;
      binder.shape.structure = structure;
    } else {
      std::vector<SlotId> possible;
      for (const Span& span : aggregate.spans) {
        const std::uint32_t header = span.kind == Span::Kind::container ? 1 : 0;
        for (const SlotId base : b_.slots_of(span.addr)) {
          for (std::uint32_t i = 0; i < span.count; ++i) {
            possible.push_back(base + header + i * span.stride);
          }
        }
      }
      binder.kind = Binding::Kind::storage;
      binder.shape = element;
      binder.addr = b_.absolute(b_.cursor(id, no_id, {0, Word{1} << 30}), std::move(possible));
    }
  }
  Frame inner;
  inner.outer = frame_;
  inner.names[expr.binder.get()] = binder;
  Frame* const before = std::exchange(frame_, &inner);
  std::vector<PureFault> faults;
  auto* const outer_faults = pure_faults_;
  if (outer_faults != nullptr) pure_faults_ = &faults;
  if (where != nullptr) aggregate.where = pure_truth(*where);
  if (body != nullptr) {
    const ExprId when = aggregate.where != no_id ? aggregate.where : b_.constant(1);
    aggregate.body =
        in_context(when, [&] { return logical ? pure_truth(*body) : pure_value(*body); });
  }
  pure_faults_ = outer_faults;
  frame_ = before;
  if (kind == AggregateKind::exists && body == nullptr) aggregate.body = b_.constant(1);
  Range range{0, 1};
  if (!logical) {
    const Range one = aggregate.body != no_id ? b_.range(aggregate.body) : Range{1, 1};
    range = {std::min(one.lo, Word{0}), std::max(one.hi, Word{0})};
    if (kind == AggregateKind::sum || kind == AggregateKind::count) {
      if (range.hi > widest / most_places || range.lo < -widest / most_places) {
        error("TX0420", expr.span, "the sum can go beyond 2^62");
      } else {
        range = {range.lo * most_places, range.hi * most_places};
      }
    }
  }
  b_.fill_aggregate(id, std::move(aggregate));
  if (outer_faults != nullptr) {
    quantify_faults(id, faults);
    outer_faults->insert(outer_faults->end(), faults.begin(), faults.end());
  }
  return b_.aggregate_value(id, range);
}

// The counted elements of a container of unknown capacity; counter_abstraction.cpp writes them out.
Span Elaboration::unordered_span(const Unordered& container) {
  Span span;
  span.kind = Span::Kind::container;
  span.structure = container.structure;
  span.addr = b_.at(container.kinds.front().counter);
  return span;
}

void Elaboration::finish_aggregates() {
  for (Aggregate& aggregate : program_->aggregates) {
    StructId everywhere = no_id;
    for (Span& span : aggregate.spans) {
      if (span.count != every_place) continue;
      span.count = static_cast<std::uint32_t>(program_->structs[span.structure].places.size());
      everywhere = span.structure;
    }
    if (everywhere == no_id) continue;
    for (const Unordered& container : program_->unordered) {
      if (container.structure == everywhere) aggregate.spans.push_back(unordered_span(container));
    }
  }
}

}  // namespace txproof::program
