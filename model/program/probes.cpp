// Properties woven in: their ghosts, and the code of their probes at calls, returns and packets.
#include <algorithm>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Event = lang::Probe::Event;

bool mentions(const lang::Expr& expr, const lang::Decl& decl) {
  if (expr.decl == &decl) return true;
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const auto& arg) { return arg != nullptr && mentions(*arg, decl); });
}

bool mentions(const lang::Stmt& stmt, const lang::Decl& decl) {
  for (const auto& e : stmt.exprs) {
    if (e != nullptr && mentions(*e, decl)) return true;
  }
  for (const auto& v : stmt.vars) {
    if (v->init != nullptr && mentions(*v->init, decl)) return true;
  }
  for (const auto& s : stmt.body) {
    if (s != nullptr && mentions(*s, decl)) return true;
  }
  for (const auto& branch : stmt.branches) {
    if (branch.guard != nullptr && mentions(*branch.guard, decl)) return true;
    for (const auto& s : branch.body) {
      if (mentions(*s, decl)) return true;
    }
  }
  return false;
}

bool mentions(const lang::PerCall& per_call, const lang::Decl& decl) {
  return std::any_of(per_call.probes.begin(), per_call.probes.end(), [&](const auto& probe) {
    if (probe->when != nullptr && mentions(*probe->when, decl)) return true;
    return std::any_of(probe->body.begin(), probe->body.end(),
                       [&](const auto& s) { return mentions(*s, decl); });
  });
}

bool asserts(const std::vector<lang::StmtPtr>& stmts) {
  return std::any_of(stmts.begin(), stmts.end(), [](const auto& s) {
    if (s == nullptr) return false;
    if (s->kind == lang::StmtKind::assert_) return true;
    if (asserts(s->body)) return true;
    return std::any_of(s->branches.begin(), s->branches.end(),
                       [](const lang::Branch& b) { return asserts(b.body); });
  });
}

}  // namespace

void Elaboration::create_properties() {
  for (const auto& item : stack_.checks) {
    if (item->property == nullptr) continue;
    const auto& only = options_.only_properties;
    if (!only.empty() && std::find(only.begin(), only.end(), item->name) == only.end()) continue;
    const lang::PropertyDecl& decl = *item->property;
    watched_.emplace_back();
    Watched& watched = watched_.back();
    watched.decl = &decl;
    watched.id = static_cast<PropertyId>(program_->properties.size());
    Property property;
    property.name = decl.name;
    property.instance = decl.name;
    property.text = decl.text;
    property.where = decl.span;
    std::string arguments;
    for (std::size_t i = 0; i < item->args.size(); ++i) {
      const lang::VarDecl& parameter = *decl.parameters[i];
      Binding binding = bound_value(*item->args[i], 0);
      binding.shape = shape_of(*parameter.type, &parameter);
      if (binding.kind == Binding::Kind::value && !b_.constant_value(binding.value)) {
        Shape domain = binding.shape;  // as of a parameter: its upper end goes
        domain.range.hi = unbounded;
        domain.hi_end = no_id;
        assume(in_range(domain, binding.value),
               text(*item->args[i]) + " is in " + range_text(domain), item->args[i]->span);
      }
      if (!arguments.empty()) arguments += ", ";
      arguments += text(*item->args[i]);
      watched.frame.names[&parameter] = std::move(binding);
    }
    if (!arguments.empty()) property.instance += "(" + arguments + ")";
    program_->properties.push_back(std::move(property));
    for (const auto& ghost : decl.ghosts) {
      if (ghost->role != lang::VarDecl::Role::ghost) continue;
      Frame* const before = std::exchange(frame_, &watched.frame);
      Binding binding;
      binding.kind = Binding::Kind::storage;
      binding.shape = shape_of(*ghost->type, ghost.get());
      std::optional<Word> initial;
      if (ghost->init != nullptr && binding.shape.kind == Shape::Kind::scalar) {
        initial = constant_of(*ghost->init);
      }
      const auto first = static_cast<SlotId>(program_->slots.size());
      binding.addr = allocate(program_->properties[watched.id].instance + "." + ghost->name, "",
                              binding.shape, no_id, false, true, initial);
      if (binding.shape.is_reference) {
        slot_owner_[first] = {ghost.get(), static_cast<Word>(watched.id)};
      }
      frame_ = before;
      watched.frame.names[ghost.get()] = std::move(binding);
    }
    const auto note = [&](const std::vector<std::unique_ptr<lang::Probe>>& probes) {
      for (const auto& probe : probes) watched.has_assertions |= asserts(probe->body);
    };
    note(decl.probes);
    for (const auto& per_call : decl.per_calls) note(per_call->probes);
  }
}

bool Elaboration::matches(const lang::FunctionDecl* probed,
                          const lang::FunctionDecl& called) const {
  if (probed == &called) return true;
  if (probed == nullptr || probed->owner == nullptr || called.owner == nullptr) return false;
  return probed->name == called.name && called.owner->implements == probed->owner;
}

std::map<const lang::VarDecl*, Binding> Elaboration::probe_arguments(
    const std::vector<std::unique_ptr<lang::VarDecl>>& names, const lang::FunctionDecl& function,
    const Frame& callee) {
  std::map<const lang::VarDecl*, Binding> result;
  for (std::size_t i = 0; i < names.size() && i < function.parameters.size(); ++i) {
    const auto found = callee.names.find(function.parameters[i].get());
    if (found != callee.names.end()) result[names[i].get()] = found->second;
  }
  return result;
}

void Elaboration::run_probe(Watched& watched, const lang::Probe& probe, const Frame& outer,
                            const std::map<const lang::VarDecl*, Binding>& names, Word receiver,
                            lang::Span where) {
  Frame frame;
  frame.outer = &outer;
  frame.names = names;
  frame.receiver = receiver;
  frame.call = frame_->call;
  frame.scopes.emplace_back();
  Frame* const before = std::exchange(frame_, &frame);
  Watched* const was = std::exchange(probe_, &watched);
  const lang::Span was_here = std::exchange(here_, where);
  BlockId join = no_id;
  if (probe.when != nullptr) {
    const ExprId condition = truth(*probe.when);
    const BlockId then = b_.new_block(thread_);
    join = b_.new_block(thread_);
    b_.branch(condition, then, join);
    b_.set_block(then);
  }
  body(probe.body);
  close_scope(probe.span);
  if (join != no_id) {
    b_.jump(join);
    b_.set_block(join);
  }
  probe_ = was;
  frame_ = before;
  here_ = was_here;
}

namespace {

bool is_event_of(const lang::Probe& probe, Event event) { return probe.event == event; }

}  // namespace

void Elaboration::on_entry(Activation& activation, Frame& callee) {
  if (probe_ != nullptr) return;
  const lang::FunctionDecl& function = *activation.function;
  for (Watched& watched : watched_) {
    for (const auto& per_call : watched.decl->per_calls) {
      if (!matches(per_call->function, function)) continue;
      OpenCall open;
      open.watched = &watched;
      open.per_call = per_call.get();
      open.frame = std::make_unique<Frame>();
      open.frame->outer = &watched.frame;
      open.frame->receiver = activation.receiver;
      open.frame->call = callee.call;
      Frame* const before = std::exchange(frame_, open.frame.get());
      Watched* const was = std::exchange(probe_, &watched);
      auto arguments = probe_arguments(per_call->parameters, function, callee);
      for (const auto& parameter : per_call->parameters) {
        const auto found = arguments.find(parameter.get());
        if (found == arguments.end()) continue;
        if (found->second.shape.kind == Shape::Kind::packet) {
          if (!mentions(*per_call, *parameter)) continue;
          // The packet may move and end while the call is open: a handle follows it.
          Shape shape;
          shape.kind = Shape::Kind::handle;
          shape.structure = found->second.shape.structure;
          const ExprId handle = b_.place_id(found->second.addr, shape.structure);
          Binding binding;
          binding.kind = Binding::Kind::storage;
          binding.shape = shape;
          binding.addr = allocate(parameter->name, "", shape, thread_, true, true, std::nullopt);
          set_scratch(b_.static_slot(binding.addr), handle, here_);
          open.frame->names[parameter.get()] = std::move(binding);
        } else {
          open.frame->names[parameter.get()] = found->second;
        }
      }
      for (const auto& ghost : per_call->ghosts) {
        Binding binding;
        binding.kind = Binding::Kind::storage;
        binding.shape = shape_of(*ghost->type, ghost.get());
        binding.local = true;
        const ExprId initial = ghost->init != nullptr && binding.shape.kind == Shape::Kind::scalar
                                   ? value(*ghost->init)
                                   : b_.constant(binding.shape.initial);
        binding.addr = allocate(ghost->name, "", binding.shape, thread_, true, true, std::nullopt);
        const SlotId first = b_.static_slot(binding.addr);
        if (binding.shape.is_reference) slot_owner_[first] = {ghost.get(), 0};
        if (binding.shape.kind == Shape::Kind::scalar) {
          assign_scalar(binding, initial, ghost->span, ghost->name);
        } else {
          for (std::uint32_t i = 0; i < binding.shape.words; ++i) {
            set_scratch(first + i, b_.constant(program_->slots[first + i].initial), ghost->span);
          }
        }
        open.frame->names[ghost.get()] = std::move(binding);
      }
      probe_ = was;
      frame_ = before;
      activation.open.push_back(std::move(open));
    }
  }
  const auto fire = [&](Watched& watched, const lang::Probe& probe, const Frame& outer) {
    if (!is_event_of(probe, Event::entry) || !matches(probe.function, function)) return;
    run_probe(watched, probe, outer, probe_arguments(probe.parameters, function, callee),
              activation.receiver, here_);
  };
  for (auto a = activations_.rbegin(); a != activations_.rend(); ++a) {
    for (OpenCall& open : a->open) {
      for (const auto& probe : open.per_call->probes) fire(*open.watched, *probe, *open.frame);
    }
  }
  for (Watched& watched : watched_) {
    for (const auto& probe : watched.decl->probes) fire(watched, *probe, watched.frame);
  }
}

void Elaboration::on_return(Activation& activation, Frame& callee) {
  if (probe_ != nullptr) return;
  const lang::FunctionDecl& function = *activation.function;
  const auto fire = [&](Watched& watched, const lang::Probe& probe, const Frame& outer,
                        const lang::FunctionDecl* per_call, bool own) {
    if (!is_event_of(probe, Event::return_)) return;
    const bool unnamed = probe.name.empty();
    if (unnamed ? !own || !matches(per_call, function) : !matches(probe.function, function)) return;
    auto names = probe_arguments(probe.parameters, function, callee);
    if (probe.result != nullptr && callee.result) {
      Binding result = *callee.result;
      if (result.kind == Binding::Kind::storage && result.shape.kind == Shape::Kind::scalar) {
        const SlotId slot = b_.static_slot(result.addr);
        result.value = b_.load(result.addr, program_->slots[slot].range);
        result.kind = Binding::Kind::value;
      }
      names[probe.result.get()] = std::move(result);
    }
    run_probe(watched, probe, outer, names, activation.receiver, here_);
  };
  for (auto a = activations_.rbegin(); a != activations_.rend(); ++a) {
    for (OpenCall& open : a->open) {
      for (const auto& probe : open.per_call->probes) {
        fire(*open.watched, *probe, *open.frame, open.per_call->function, &*a == &activation);
      }
    }
  }
  for (Watched& watched : watched_) {
    for (const auto& probe : watched.decl->probes) {
      fire(watched, *probe, watched.frame, nullptr, false);
    }
  }
  for (OpenCall& open : activation.open) {  // its state ends here
    for (const auto& [decl, binding] : open.frame->names) {
      if (binding.kind != Binding::Kind::storage || binding.shape.kind == Shape::Kind::packet) {
        continue;
      }
      if (decl->role != lang::VarDecl::Role::ghost && binding.shape.kind != Shape::Kind::handle) {
        continue;
      }
      if (!b_.is_static(binding.addr)) continue;
      Watched* const was = std::exchange(probe_, open.watched);
      const SlotId first = b_.static_slot(binding.addr);
      for (std::uint32_t i = 0; i < binding.shape.words; ++i) {
        set_scratch(first + i, b_.constant(program_->slots[first + i].rest_value), here_);
      }
      probe_ = was;
    }
  }
  activation.open.clear();
}

void Elaboration::on_packet(Event event, StructId structure, const Binding& packet,
                            lang::Span where) {
  if (probe_ != nullptr) return;
  const auto fire = [&](Watched& watched, const lang::Probe& probe, const Frame& outer) {
    if (!is_event_of(probe, event) || probe.structure == nullptr) return;
    const auto known = structs_.find(probe.structure);
    if (known == structs_.end() || known->second != structure) return;
    std::map<const lang::VarDecl*, Binding> names;
    if (!probe.parameters.empty()) names[probe.parameters.front().get()] = packet;
    run_probe(watched, probe, outer, names, 0, where);
  };
  for (auto a = activations_.rbegin(); a != activations_.rend(); ++a) {
    for (OpenCall& open : a->open) {
      for (const auto& probe : open.per_call->probes) fire(*open.watched, *probe, *open.frame);
    }
  }
  for (Watched& watched : watched_) {
    for (const auto& probe : watched.decl->probes) fire(watched, *probe, watched.frame);
  }
}

}  // namespace txproof::program
