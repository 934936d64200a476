// Calls, inlined. Dispatch is resolved here: a constant receiver gives one callee, a mutable one
// a case for each object that some assignment lets it be.
#include <algorithm>
#include <cassert>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Ast = lang::ExprKind;

// Of one stack: a step of 2000 senders through a whole stack is some hundred calls each.
constexpr std::size_t most_calls = 2'000'000;
constexpr std::size_t deepest_call = 200;
// More objects than that, and a call is not split into cases where that can be helped: with N
// sockets, N threads would have N copies each of what may happen to any socket.
constexpr std::size_t many_cases = 16;

bool calls_nothing(const lang::Expr& expr) {
  if (expr.kind == Ast::call && expr.builtin == lang::Builtin::not_builtin) return false;
  return std::all_of(expr.args.begin(), expr.args.end(),
                     [](const auto& arg) { return arg == nullptr || calls_nothing(*arg); });
}

bool calls_nothing(const std::vector<lang::StmtPtr>& stmts);

bool calls_nothing(const lang::Stmt& stmt) {
  const auto plain = [](const auto& expr) { return expr == nullptr || calls_nothing(*expr); };
  return std::all_of(stmt.exprs.begin(), stmt.exprs.end(), plain) &&
         std::all_of(stmt.vars.begin(), stmt.vars.end(),
                     [&](const auto& decl) { return plain(decl->init); }) &&
         std::all_of(stmt.branches.begin(), stmt.branches.end(),
                     [&](const lang::Branch& branch) {
                       return plain(branch.guard) && calls_nothing(branch.body);
                     }) &&
         calls_nothing(stmt.body);
}

bool calls_nothing(const std::vector<lang::StmtPtr>& stmts) {
  return std::all_of(stmts.begin(), stmts.end(),
                     [](const auto& stmt) { return stmt == nullptr || calls_nothing(*stmt); });
}

}  // namespace

const lang::FunctionDecl* Elaboration::implementation(const lang::FunctionDecl& function,
                                                      Word object) const {
  const lang::TypeDecl* type = instances_[static_cast<std::size_t>(object)].type;
  for (const lang::TypeDecl* t = type; t != nullptr; t = t == type ? type->implements : nullptr) {
    for (const auto& method : t->methods) {
      if (method->name == function.name && method->has_body) return method.get();
    }
  }
  return nullptr;
}

// What is evaluated before the call branches into cases: everything but packets and places.
std::vector<ExprId> Elaboration::early_values(const lang::Expr& expr,
                                              const lang::FunctionDecl& function) {
  std::vector<ExprId> early;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const lang::VarDecl& parameter = *function.parameters[i - 1];
    const lang::Expr& argument = *expr.args[i];
    ExprId v = no_id;
    if (!parameter.by_reference && parameter.type->kind == lang::Type::Kind::weak) {
      // Handles are not captured in scratch: a packet that moves meanwhile would lose its name.
      v = no_id;
    } else if (!parameter.by_reference && parameter.type->kind != lang::Type::Kind::structure) {
      v = value(argument);
      const bool later_effects =
          std::any_of(expr.args.begin() + static_cast<std::ptrdiff_t>(i) + 1, expr.args.end(),
                      [](const auto& e) { return has_effects(*e); });
      if (later_effects || known_.fine) v = capture(v, parameter.name);
    }
    early.push_back(v);
  }
  return early;
}

ExprId Elaboration::call(const lang::Expr& expr, const Binding* target) {
  if (pure_) {
    error("TX0418", expr.span, "a condition or a claim cannot call this");
    return b_.constant(0);
  }
  if (++inlined_ > most_calls) {
    if (!gave_up_) {
      error("TX0422", expr.span,
            "the stack is too large: more than " + std::to_string(most_calls) +
                " calls were inlined");
    }
    gave_up_ = true;
  }
  if (gave_up_) return b_.constant(0);
  if (expr.decl == nullptr || expr.decl->decl_kind != lang::DeclKind::function) {
    return hook_call(expr, target);
  }
  const auto& function = static_cast<const lang::FunctionDecl&>(*expr.decl);
  if (function.owner == nullptr) {
    return call_cases(expr, function, 0, early_values(expr, function), 0, target);
  }
  const lang::Expr& callee = *expr.args[0];
  ExprId receiver = no_id;
  if (callee.kind == Ast::field) {
    receiver = value(*callee.args[0]);
  } else {
    for (const Frame* f = frame_; f != nullptr && receiver == no_id; f = f->outer) {
      if (f->receiver != 0) receiver = b_.constant(f->receiver);
    }
    if (receiver == no_id) receiver = b_.constant(0);
  }
  std::vector<Word> cases;
  bool may_be_none = false;
  for (const Word id : references(receiver)) {
    if (id == 0) may_be_none = true;
    if (id > 0 && is_kind_of(id, *function.owner)) cases.push_back(id);
  }
  if (!b_.constant_value(receiver)) receiver = capture(receiver, "receiver");
  if (may_be_none) {
    check(b_.differs(receiver, 0), "range", "call.none",
          "`" + text(callee.kind == Ast::field ? *callee.args[0] : callee) +
              "` is none, and is called",
          expr.op_span);
  }
  const std::vector<ExprId> early = early_values(expr, function);
  return split(expr, receiver, cases, [&](Word id) {
    const lang::FunctionDecl* method = implementation(function, id);
    if (method == nullptr) {
      error("TX0425", expr.op_span, "`" + object_name(id) + "` has no `" + function.name + "`");
      return b_.constant(0);
    }
    return call_cases(expr, *method, id, early, 0, target);
  });
}

ExprId Elaboration::hook_call(const lang::Expr& expr, const Binding* target) {
  const lang::Type* type = expr.args[0]->type;
  ExprId which = value(*expr.args[0]);
  if (!b_.constant_value(which)) which = capture(which, "hook");
  if (type == nullptr || type->hooks.empty()) return b_.constant(0);
  check(b_.differs(which, 0), "range", "call.none",
        "`" + text(*expr.args[0]) + "` is none, and is called", expr.op_span);
  std::vector<Word> cases;
  for (std::size_t i = 0; i < type->hooks.size(); ++i) cases.push_back(static_cast<Word>(i) + 1);
  if (const auto known = b_.constant_value(which)) {
    cases.clear();
    if (*known > 0) cases.push_back(*known);
  }
  const std::vector<ExprId> early = early_values(expr, *type->hooks.front());
  return split(expr, which, cases, [&](Word i) {
    return call_cases(expr, *type->hooks[static_cast<std::size_t>(i - 1)], 0, early, 0, target);
  });
}

ExprId Elaboration::split(const lang::Expr& expr, ExprId which, const std::vector<Word>& cases,
                          const std::function<ExprId(Word)>& each) {
  if (cases.empty()) {  // only none, which was checked, or nothing learnt yet
    dead_end();
    return b_.constant(0);
  }
  if (cases.size() == 1) return each(cases.front());
  const BlockId join = b_.new_block(thread_);
  std::vector<std::pair<BlockId, ExprId>> ends;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const BlockId here = b_.new_block(thread_);
    if (i + 1 == cases.size()) {
      b_.jump(here);
    } else {
      const BlockId next = b_.new_block(thread_);
      b_.branch(b_.equals(which, cases[i]), here, next);
      b_.set_block(here);
      const ExprId result = each(cases[i]);
      ends.emplace_back(b_.block(), result);
      b_.set_block(next);
      continue;
    }
    b_.set_block(here);
    const ExprId result = each(cases[i]);
    ends.emplace_back(b_.block(), result);
  }
  Range range = b_.range(ends.front().second);
  for (const auto& [block, result] : ends) {
    range = {std::min(range.lo, b_.range(result).lo), std::max(range.hi, b_.range(result).hi)};
  }
  const SlotId met = scratch("result", range);
  const bool few = range.hi <= static_cast<Word>(instances_.size());
  for (const auto& [block, result] : ends) {
    b_.set_block(block);
    if (few) temporary_references_[met].merge(references(result));
    set_scratch(met, result, expr.span);
    b_.jump(join);
  }
  b_.set_block(join);
  return b_.load(b_.at(met), range);
}

// Splits over the objects that arguments may be, from parameter `next` on, then inlines.
ExprId Elaboration::call_cases(const lang::Expr& expr, const lang::FunctionDecl& function,
                               Word receiver, std::vector<ExprId> early, std::size_t next,
                               const Binding* target) {
  for (std::size_t i = next; i < early.size(); ++i) {
    if (early[i] == no_id) continue;
    if (function.parameters[i]->type->kind != lang::Type::Kind::object) continue;
    if (b_.constant_value(early[i])) continue;
    const RefSet set = references(early[i]);
    const std::vector<Word> cases(set.begin(), set.end());
    // Its fields are reached through the reference as well, none of its methods is called, and it
    // cannot come back to itself.
    if (cases.size() > many_cases && calls_nothing(function.body)) continue;
    const ExprId which = capture(early[i], function.parameters[i]->name);
    return split(expr, which, cases, [&](Word id) {
      std::vector<ExprId> narrowed = early;
      narrowed[i] = b_.constant(id);
      return call_cases(expr, function, receiver, std::move(narrowed), i + 1, target);
    });
  }
  return inline_call(expr, function, receiver, early, target);
}

// Recursion: the same function with the same objects.
bool Elaboration::may_enter(const lang::Expr& expr, const Activation& activation) {
  std::size_t open = 0;
  std::size_t oldest = activations_.size();
  for (std::size_t i = 0; i < activations_.size(); ++i) {
    const Activation& a = activations_[i];
    if (a.function != activation.function || a.receiver != activation.receiver ||
        a.objects != activation.objects) {
      continue;
    }
    ++open;
    oldest = std::min(oldest, i);
  }
  if (open == 0 && activations_.size() < deepest_call) return true;
  const lang::FunctionDecl& function = *activation.function;
  if (function.recursion != nullptr) {
    const Word limit = constant_of(*function.recursion);
    if (static_cast<Word>(open) < limit && activations_.size() < deepest_call) return true;
    check(b_.constant(0), "range", "recursion.bound",
          "`" + function.name + "` calls itself more than " + std::to_string(limit) + " deep",
          expr.op_span);
    dead_end();
    return false;
  }
  std::string round = function.name;
  lang::Diagnostic& d = diagnostics_.error("TX0426", expr.op_span,
                                           "`" + function.name +
                                               "` can come back to itself with the same "
                                               "objects; say `recursion <= N` where that is meant");
  for (std::size_t i = oldest + 1; i < activations_.size() && i < oldest + 10; ++i) {
    const Activation& a = activations_[i];
    d.notes.push_back(
        {a.site, "it calls `" + a.function->name + "`" +
                     (a.receiver != 0 ? " of `" + object_name(a.receiver) + "`" : "")});
  }
  d.notes.push_back({expr.op_span, "which comes back to `" + function.name + "`"});
  dead_end();
  return false;
}

void Elaboration::bind_argument(const lang::VarDecl& parameter, const lang::Expr& argument,
                                ExprId early, Frame& callee) {
  Binding binding;
  if (parameter.by_reference) {
    binding = refer(argument);
    if (binding.kind == Binding::Kind::storage) binding.addr = freeze(binding.addr);
    binding.touched = false;
    callee.names[&parameter] = std::move(binding);
    return;
  }
  const Shape shape = shape_of(*parameter.type, &parameter);
  const std::string name = parameter.name;
  const auto storage = [&](const Shape& s) {
    Binding place;
    place.kind = Binding::Kind::storage;
    place.shape = s;
    place.local = true;
    place.addr = allocate(name, local_key(parameter, callee), s, thread_, true, probe_ != nullptr,
                          std::nullopt);
    return place;
  };
  if (shape.kind == Shape::Kind::packet) {
    binding = storage(shape);
    packet_into(argument, binding);
    callee.scopes.front().owned.push_back({binding.addr, shape, name, parameter.span});
    callee.names[&parameter] = std::move(binding);
    return;
  }
  if (shape.kind == Shape::Kind::handle) {
    const ExprId handle = handle_value(argument);
    binding = storage(shape);
    set_scratch(b_.static_slot(binding.addr), handle, argument.span);
    callee.names[&parameter] = std::move(binding);
    return;
  }
  const bool in_range =
      shape.is_open || shape.kind != Shape::Kind::scalar ||
      (b_.range(early).lo >= shape.range.lo && b_.range(early).hi <= shape.range.hi);
  if (!parameter.is_assigned && in_range) {
    binding.value = capture(early, name);
    binding.shape = shape;
    callee.names[&parameter] = std::move(binding);
    return;
  }
  Shape own = shape;
  if (own.is_open) {
    own.range = b_.range(early);
    own.is_open = false;
  }
  binding = storage(own);
  const SlotId slot = b_.static_slot(binding.addr);
  if (own.is_reference) slot_owner_[slot] = {&parameter, callee.receiver};
  binding.touched = true;
  assign_scalar(binding, early, argument.span, name);
  binding.touched = false;
  callee.names[&parameter] = std::move(binding);
}

ExprId Elaboration::inline_call(const lang::Expr& expr, const lang::FunctionDecl& function,
                                Word receiver, const std::vector<ExprId>& early,
                                const Binding* target) {
  Activation activation{&function, receiver, {}, expr.op_span, {}};
  Call record;
  record.parent = frame_->call;
  record.thread = thread_;
  record.function =
      function.owner != nullptr ? function.owner->name + "." + function.name : function.name;
  if (receiver != 0) record.receiver = object_name(receiver);
  record.site = expr.span;
  record.body = function.span;
  for (std::size_t i = 0; i < early.size(); ++i) {
    if (early[i] == no_id || !b_.constant_value(early[i])) continue;
    const Word v = *b_.constant_value(early[i]);
    const bool is_object = function.parameters[i]->type->kind == lang::Type::Kind::object;
    if (is_object) activation.objects.push_back(v);
    if (!record.arguments.empty()) record.arguments += ", ";
    record.arguments += is_object ? object_name(v) : std::to_string(v);
  }
  if (!may_enter(expr, activation)) return b_.constant(0);
  const auto id = static_cast<CallId>(program_->calls.size());
  program_->calls.push_back(record);
  Frame callee;
  callee.receiver = receiver;
  callee.call = id;
  callee.function = &function;
  callee.scopes.emplace_back();
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    bind_argument(*function.parameters[i], *expr.args[i + 1], early[i], callee);
  }
  callee.exit = b_.new_block(thread_);
  const bool gives_packet =
      function.result != nullptr && function.result->kind == lang::Type::Kind::structure;
  const bool gives_value = function.result != nullptr && !gives_packet &&
                           function.result->kind != lang::Type::Kind::void_;
  if (gives_packet) {
    callee.result = target != nullptr ? *target
                                      : temporary(shape_of(*function.result, nullptr),
                                                  function.name + "()", expr.span, true);
  } else if (gives_value) {
    Binding result;
    result.kind = Binding::Kind::storage;
    result.shape = function.written_result != nullptr
                       ? scalar_shape(*function.result, function.written_result->lo.get(),
                                      function.written_result->hi.get(), function.span)
                       : shape_of(*function.result, nullptr);
    Shape slots = result.shape;
    if (slots.is_open) slots.range = {0, 0};
    result.addr = allocate(function.name + "()", local_key(function, callee), slots, thread_, true,
                           probe_ != nullptr, std::nullopt);
    if (slots.is_reference) {
      slot_owner_[b_.static_slot(result.addr)] = {&function, receiver};
    }
    program_->calls[id].has_result = true;
    program_->calls[id].result_display = result.shape.display;
    callee.result = std::move(result);
  }
  Frame* const before = std::exchange(frame_, &callee);
  const lang::Span was_here = here_;
  Stmt enter = base(StmtKind::enter, expr.span);
  enter.call = id;
  b_.emit(enter);
  activations_.push_back(std::move(activation));
  on_entry(activations_.back(), callee);
  open_scope();
  body(function.body);
  close_scope(function.span);
  leave_scopes(0, function.span);
  b_.jump(callee.exit);
  b_.set_block(callee.exit);
  on_return(activations_.back(), callee);
  activations_.pop_back();
  Stmt leave = base(StmtKind::leave, expr.span);
  leave.call = id;
  ExprId result = b_.constant(0);
  if (gives_value) {
    const SlotId slot = b_.static_slot(callee.result->addr);
    const Range range = callee.result->shape.kind == Shape::Kind::handle
                            ? Range{0, Word{1} << 30}
                            : program_->slots[slot].range;
    result = b_.load(callee.result->addr, range);
    leave.value = result;
  } else if (gives_packet) {
    leave.value = is_full(*callee.result);
  }
  b_.emit(leave);
  frame_ = before;
  here_ = was_here;
  return result;
}

}  // namespace txproof::program
