// The stack's parameters, its objects with their members, and its threads.
#include <algorithm>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

// Params first, so that ranges may mention them; an interface's before the object's own.
std::vector<const lang::VarDecl*> members_of(const lang::TypeDecl& type) {
  std::vector<const lang::VarDecl*> params;
  std::vector<const lang::VarDecl*> fields;
  const auto add = [&](const lang::TypeDecl& from) {
    for (const auto& field : from.fields) {
      (field->role == lang::VarDecl::Role::param ? params : fields).push_back(field.get());
    }
  };
  if (type.implements != nullptr) add(*type.implements);
  add(type);
  params.insert(params.end(), fields.begin(), fields.end());
  return params;
}

const lang::Expr* binding_of(const lang::Expr* bindings, const std::string& name) {
  if (bindings == nullptr) return nullptr;
  for (std::size_t i = 0; i < bindings->field_names.size(); ++i) {
    if (bindings->field_names[i] == name) return bindings->args[i].get();
  }
  return nullptr;
}

}  // namespace

void Elaboration::create_params() {
  for (const auto& setting : options_.set) {
    const std::string& name = setting.first;
    const bool known = std::any_of(stack_.params.begin(), stack_.params.end(),
                                   [&](const auto& p) { return p->name == name; });
    if (known) continue;
    std::vector<std::string> names;
    for (const auto& p : stack_.params) names.push_back(p->name);
    const std::string nearest = lang::nearest_name(name, names);
    error("TX0410", stack_.span,
          "the stack `" + stack_.name + "` has no parameter `" + name + "`" +
              (nearest.empty() ? "" : "; did you mean `" + nearest + "`?"));
  }
  for (const std::string& name : options_.for_all) {
    const bool known = std::any_of(stack_.params.begin(), stack_.params.end(),
                                   [&](const auto& p) { return p->name == name; });
    if (known) continue;
    error("TX0432", stack_.span,
          "the stack `" + stack_.name + "` has no parameter `" + name + "` to leave unknown");
  }
  for (const auto& param : stack_.params) {
    const Shape shape = shape_of(*param->type, param.get());
    Binding binding;
    binding.shape = shape;
    Word value = shape.initial;
    const auto set = options_.set.find(param->name);
    if (set != options_.set.end()) {
      value = set->second;
    } else if (param->init != nullptr) {
      value = constant_of(*param->init);
    } else {
      error("TX0411", param->span,
            "the parameter `" + param->name + "` has no default; give one, or --set " +
                param->name + "=VALUE");
    }
    if (!shape.is_open && (value < shape.range.lo || value > shape.range.hi)) {
      error("TX0412", param->span,
            "the parameter " + param->name + " = " + std::to_string(value) +
                " is outside its domain " + std::to_string(shape.range.lo) + ".." +
                std::to_string(shape.range.hi));
      value = shape.range.lo;
    }
    if (is_left_unknown(*param)) {
      globals_[param.get()] = unknown_param(*param, shape, value);
      continue;
    }
    binding.value = b_.constant(value);
    globals_[param.get()] = binding;
    program_->parameters.push_back(
        {param->name, value, shape.range, set == options_.set.end(), no_id});
  }
}

bool Elaboration::is_kind_of(Word object, const lang::TypeDecl& type) const {
  const lang::TypeDecl* own = instances_[static_cast<std::size_t>(object)].type;
  return own == &type || (own != nullptr && own->implements == &type);
}

std::vector<Word> Elaboration::instances_of(const lang::TypeDecl& type) const {
  std::vector<Word> result;
  for (std::size_t id = 1; id < instances_.size(); ++id) {
    if (is_kind_of(static_cast<Word>(id), type)) result.push_back(static_cast<Word>(id));
  }
  return result;
}

const Binding* Elaboration::member(Word object, const lang::VarDecl& decl) const {
  const auto& members = instances_[static_cast<std::size_t>(object)].members;
  const auto found = members.find(&decl);
  return found == members.end() ? nullptr : &found->second;
}

// Gives the object and those inside it their numbers; members are bound when all have one.
Word Elaboration::create_instance(const lang::TypeDecl& type, const std::string& name,
                                  const lang::Expr* bindings) {
  const auto id = static_cast<Word>(instances_.size());
  instances_.push_back({id, &type, name, {}, bindings});
  const auto nested = [&](const lang::Expr& bound, const std::string& child) {
    const lang::Decl* named = nullptr;
    const auto found = model_.names.find(bound.type_name);
    if (found != model_.names.end()) named = found->second;
    const auto* child_type = dynamic_cast<const lang::TypeDecl*>(named);
    if (child_type != nullptr) nested_[{&bound, id}] = create_instance(*child_type, child, &bound);
  };
  for (const lang::VarDecl* field : members_of(type)) {
    const lang::Expr* bound = binding_of(bindings, field->name);
    const std::string child = name + "." + field->name;
    if (field->is_instance) {
      if (bound == nullptr) bound = field->init.get();
      const lang::Type* element =
          field->type->kind == lang::Type::Kind::array ? field->type->element : field->type;
      if (field->type->kind != lang::Type::Kind::array) {
        embedded_[{field, id}] = {create_instance(*element->decl, child, bound)};
        continue;
      }
      // The length may depend on params of this object, which are not bound yet: those that the
      // length needs are bound on their own first.
      bind_params(id);
      Frame frame;
      frame.receiver = id;
      Frame* const before = std::exchange(frame_, &frame);
      const Word count = field->type->size != nullptr ? constant_of(*field->type->size) : 0;
      frame_ = before;
      std::vector<Word> children;
      for (Word i = 0; i < std::min(count, Word{4096}); ++i) {
        children.push_back(
            create_instance(*element->decl, child + "[" + std::to_string(i) + "]", bound));
      }
      embedded_[{field, id}] = children;
      continue;
    }
    if (bound == nullptr) continue;
    if (bound->kind == lang::ExprKind::instance) nested(*bound, child);
    if (bound->kind == lang::ExprKind::list) {
      for (std::size_t i = 0; i < bound->args.size(); ++i) {
        if (bound->args[i]->kind == lang::ExprKind::instance) {
          nested(*bound->args[i], child + "[" + std::to_string(i) + "]");
        }
      }
    }
  }
  return id;
}

void Elaboration::create_instances() {
  for (const auto& decl : stack_.instances) {
    const bool is_array = decl->type->kind == lang::Type::Kind::array;
    const lang::Type* element = is_array ? decl->type->element : decl->type;
    if (element->kind != lang::Type::Kind::object) continue;
    Binding binding;
    if (!is_array) {
      const Word id = create_instance(*element->decl, decl->name, decl->init.get());
      binding.value = b_.constant(id);
    } else {
      binding.kind = Binding::Kind::list;
      const Word count =
          decl->type->size != nullptr ? number_of_objects(*decl, *decl->type->size) : 0;
      if (count < 0 || count > 65536) {
        error("TX0404", decl->span,
              "an array of " + std::to_string(count) + " objects is not possible (0 to 65536)");
      } else {
        for (Word i = 0; i < count; ++i) {
          std::string index = std::to_string(i);
          if (decl.get() == crowd_) index = i == 0 ? "in focus" : "others";
          binding.list.push_back(
              create_instance(*element->decl, decl->name + "[" + index + "]", decl->init.get()));
        }
        if (decl.get() == crowd_) {
          focus_ = binding.list[0];
          other_ = binding.list[1];
        }
      }
    }
    binding.shape.is_reference = true;
    globals_[decl.get()] = std::move(binding);
  }
  std::vector<std::string> names;
  for (const Instance& instance : instances_) {
    names.push_back(instance.id == 0 ? "none" : instance.name);
  }
  program_->displays[objects_display_].names = std::move(names);
  for (std::size_t id = 1; id < instances_.size(); ++id) bind_params(static_cast<Word>(id));
  for (std::size_t id = 1; id < instances_.size(); ++id) bind_members(static_cast<Word>(id));
  if (crowd_ == nullptr) return;
  check_symmetry();
  sketch_others();
}

void Elaboration::bind_params(Word id) {
  for (const lang::VarDecl* decl : members_of(*instances_[static_cast<std::size_t>(id)].type)) {
    if (decl->role != lang::VarDecl::Role::param) break;
    bind_member(id, *decl);
  }
}

void Elaboration::bind_members(Word id) {
  for (const lang::VarDecl* decl : members_of(*instances_[static_cast<std::size_t>(id)].type)) {
    if (decl->role != lang::VarDecl::Role::param) bind_member(id, *decl);
  }
}

// A list of constants, or one constant, as a binding says.
Binding Elaboration::bound_value(const lang::Expr& bound, Word parent) {
  const auto one = [&](const lang::Expr& e) {
    const auto nested = nested_.find({&e, parent});
    return nested != nested_.end() ? nested->second : constant_of(e);
  };
  Binding result;
  if (!options_.for_all.empty() && bound.kind != lang::ExprKind::list &&
      !nested_.contains({&bound, parent}) && bound.type != nullptr &&
      bound.type->kind == lang::Type::Kind::integer) {
    result.value = fixed_value(bound);
    return result;
  }
  if (bound.kind == lang::ExprKind::list) {
    result.kind = Binding::Kind::list;
    for (const auto& item : bound.args) result.list.push_back(one(*item));
    return result;
  }
  if (bound.kind == lang::ExprKind::name && bound.decl != nullptr) {
    const auto global = globals_.find(dynamic_cast<const lang::VarDecl*>(bound.decl));
    if (global != globals_.end() && global->second.kind == Binding::Kind::list) {
      return global->second;
    }
  }
  result.value = b_.constant(one(bound));
  return result;
}

void Elaboration::bind_member(Word id, const lang::VarDecl& decl) {
  Instance& object = instances_[static_cast<std::size_t>(id)];
  if (object.members.contains(&decl)) return;
  const auto embedded = embedded_.find({&decl, id});
  if (embedded != embedded_.end()) {
    Binding binding;
    binding.shape.is_reference = true;
    if (decl.type->kind == lang::Type::Kind::array) {
      binding.kind = Binding::Kind::list;
      binding.list = embedded->second;
    } else {
      binding.value = b_.constant(embedded->second.front());
    }
    object.members[&decl] = std::move(binding);
    return;
  }
  const lang::Expr* bound = binding_of(object.bindings, decl.name);
  std::optional<Binding> given;
  if (bound != nullptr) given = bound_value(*bound, id);  // read where the stack is written
  Frame frame;
  frame.receiver = id;
  Frame* const before = std::exchange(frame_, &frame);
  const bool open_array = decl.is_array && decl.array_size == nullptr;
  Shape shape;
  if (open_array) {
    shape.kind = Shape::Kind::array;
    shape.element = std::make_shared<Shape>(shape_of(*decl.type->element, nullptr));
  } else {
    shape = shape_of(*decl.type, &decl);
  }
  if (!given && decl.init != nullptr && shape.kind != Shape::Kind::packet) {
    given = bound_value(*decl.init, id);
  }
  frame_ = before;
  const std::string name = object.name + "." + decl.name;
  const lang::Span where = bound != nullptr ? bound->span : decl.span;
  const Shape& scalar = shape.kind == Shape::Kind::array ? *shape.element : shape;
  const auto in_domain = [&](Word value) {
    if (scalar.kind != Shape::Kind::scalar || scalar.is_open) return true;
    if (value >= scalar.range.lo && value <= scalar.range.hi) return true;
    error("TX0412", where,
          name + " = " + std::to_string(value) + " is outside " +
              (decl.role == lang::VarDecl::Role::param ? "its domain " : "its range ") +
              std::to_string(scalar.range.lo) + ".." + std::to_string(scalar.range.hi));
    return false;
  };
  std::optional<Word> initial;
  ExprId unknown = no_id;  // its value, if it depends on unknown parameters
  if (given && given->kind == Binding::Kind::value) {
    initial = b_.constant_value(given->value);
    if (initial && !in_domain(*initial)) initial = scalar.range.lo;
    if (!initial) unknown = given->value;
  }
  if (given && given->kind == Binding::Kind::list) {
    for (const Word value : given->list) in_domain(value);
  }
  const bool is_param = decl.role == lang::VarDecl::Role::param;
  const bool scalar_like = shape.kind == Shape::Kind::scalar || shape.kind == Shape::Kind::array;
  const bool fixed = is_param || (!decl.is_assigned && decl.ticks == lang::VarDecl::Ticks::none &&
                                  scalar_like && scalar.kind == Shape::Kind::scalar);
  if (fixed) {
    Binding binding = given.value_or(Binding{});
    if (shape.kind == Shape::Kind::array) {
      if (binding.kind != Binding::Kind::list) {
        binding.kind = Binding::Kind::list;
        binding.list.assign(shape.count, initial.value_or(scalar.initial));
      } else if (!open_array && binding.list.size() != shape.count) {
        error("TX0413", where,
              name + " has " + std::to_string(shape.count) + " elements, and is given " +
                  std::to_string(binding.list.size()));
        binding.list.resize(shape.count, scalar.initial);
      }
    } else if (unknown != no_id) {
      // The upper end of a parameter's domain goes; that of a field stays.
      Shape domain = scalar;
      if (is_param) {
        domain.range.hi = unbounded;
        domain.hi_end = no_id;
      }
      assume(in_range(domain, unknown), name + " is in " + range_text(domain), where);
    } else if (binding.kind == Binding::Kind::list) {
      error("TX0413", where, name + " is one value, and is given a list");
      binding = Binding{};
      binding.value = b_.constant(scalar.initial);
    } else {
      binding.value = b_.constant(initial.value_or(scalar.initial));
    }
    binding.shape = shape;
    object.members[&decl] = std::move(binding);
    return;
  }
  if (unknown != no_id) {
    error("TX0433", where,
          "the initial value of " + name + " would depend on a parameter that is left unknown");
  }
  Binding binding;
  binding.kind = Binding::Kind::storage;
  const auto first = static_cast<SlotId>(program_->slots.size());
  binding.addr = allocate(name, name, shape, no_id, false, false, initial);
  if (given && given->kind == Binding::Kind::list && shape.kind == Shape::Kind::array) {
    for (std::uint32_t i = 0; i < shape.count && i < given->list.size(); ++i) {
      Slot& slot = program_->slots[first + i];
      slot.initial = slot.rest_value = given->list[i];
    }
  }
  binding.shape = shape;
  const std::pair<const lang::Decl*, Word> owner{&decl, id};
  for (SlotId slot = first; slot < program_->slots.size(); ++slot) {
    if (program_->slots[slot].kind == SlotKind::scalar && !slot_owner_.contains(slot)) {
      slot_owner_[slot] = owner;
      if (scalar.is_reference) learnt_.references[owner].insert(program_->slots[slot].initial);
    }
  }
  if (decl.ticks != lang::VarDecl::Ticks::none) {
    set_clocks(first, decl, shape, no_id);
  }
  const Shape* inner = &shape;
  while (inner->kind == Shape::Kind::array) inner = inner->element.get();
  if (inner->kind == Shape::Kind::scalar && decl.ticks == lang::VarDecl::Ticks::none) {
    for (SlotId slot = first; slot < program_->slots.size(); ++slot) scalars_.insert(slot);
  }
  object.members[&decl] = std::move(binding);
}

void Elaboration::create_threads() {
  struct Planned {
    const lang::RunItem* item;
    std::vector<Binding> args;
  };
  std::vector<Planned> planned;
  for (const auto& item : stack_.runs) {
    Word lo = 0;
    Word hi = 0;
    if (item->binder != nullptr) {
      lo = constant_of(*item->lo);
      const ExprId last = fixed_value(*item->hi);
      hi = lo == 0 && is_last_index(last) ? 1 : constant_of(*item->hi);
    }
    for (Word i = lo; i <= hi; ++i) {
      if (static_cast<Word>(planned.size()) >= most_threads) {
        error("TX0414", item->span, "a stack may run at most 4096 threads");
        return;
      }
      if (item->binder != nullptr) {
        Binding index;
        index.value = b_.constant(i);
        globals_[item->binder.get()] = index;
      }
      const bool is_others = crowd_ != nullptr && item->binder != nullptr && i == 1 &&
                             !b_.constant_value(fixed_value(*item->hi));
      if (is_others) {
        sketch_.others.threads.push_back(static_cast<ThreadId>(planned.size()));
      }
      if (item->when != nullptr && constant_of(*item->when) == 0) continue;
      Planned plan{item.get(), {}};
      for (const auto& arg : item->args) plan.args.push_back(bound_value(*arg, 0));
      planned.push_back(std::move(plan));
    }
  }
  for (const Planned& plan : planned) {
    const lang::FunctionDecl& function = *plan.item->thread;
    Thread thread;
    thread.function = function.name;
    thread.urgent = function.is_urgent;
    thread.strong = function.is_strong;
    thread.where = plan.item->span;
    std::string arguments;
    for (std::size_t i = 0; i < plan.args.size(); ++i) {
      const Binding& arg = plan.args[i];
      if (!arguments.empty()) arguments += ", ";
      const bool known = arg.kind == Binding::Kind::value && b_.constant_value(arg.value);
      const Word value = known ? *b_.constant_value(arg.value) : 0;
      if (arg.kind == Binding::Kind::value && !known) {
        arguments += text(*plan.item->args[i]);
        continue;
      }
      const bool is_object = i < function.parameters.size() &&
                             function.parameters[i]->type->kind == lang::Type::Kind::object;
      arguments += is_object ? object_name(value) : std::to_string(value);
    }
    thread.name = function.name + "(" + arguments + ")";
    const auto same = std::count_if(program_->threads.begin(), program_->threads.end(),
                                    [&](const Thread& t) { return t.name == thread.name; });
    Slot pc;
    pc.kind = SlotKind::pc;
    pc.name = thread.name + ".pc";
    pc.owner = static_cast<ThreadId>(program_->threads.size());
    if (same > 0) {
      thread_suffix_[static_cast<ThreadId>(program_->threads.size())] =
          "#" + std::to_string(same + 1);
    }
    thread.pc = b_.add_slot(pc);
    program_->threads.push_back(std::move(thread));
    thread_args_.push_back(plan.args);
    thread_items_.push_back(plan.item);
  }
  for (const auto& [id, suffix] : thread_suffix_) {
    program_->threads[id].name += suffix;
    program_->slots[program_->threads[id].pc].name = program_->threads[id].name + ".pc";
  }
  auto& names = program_->displays[threads_display_].names;
  names.emplace_back("none");
  for (const Thread& thread : program_->threads) names.push_back(thread.name);
  slot_keys_.resize(program_->slots.size());
}

// The code of every thread.
void Elaboration::walk_threads() {
  for (ThreadId id = 0; id < program_->threads.size(); ++id) {
    const lang::FunctionDecl& function = *thread_items_[id]->thread;
    thread_ = id;
    Frame frame;
    frame.function = &function;
    Call call;
    call.thread = id;
    call.function = function.name;
    call.site = thread_items_[id]->span;
    call.body = function.span;
    program_->calls.push_back(call);
    frame.call = static_cast<CallId>(program_->calls.size() - 1);
    for (std::size_t i = 0; i < function.parameters.size() && i < thread_args_[id].size(); ++i) {
      const lang::VarDecl& parameter = *function.parameters[i];
      Binding binding = thread_args_[id][i];
      if (binding.kind == Binding::Kind::value && parameter.is_assigned &&
          !b_.constant_value(binding.value)) {
        error("TX0433", parameter.span,
              "`" + parameter.name + "` is assigned to, and would begin with an unknown value");
        continue;
      }
      if (binding.kind == Binding::Kind::value && parameter.is_assigned) {
        const Shape shape = shape_of(*parameter.type, &parameter);
        const Word value = *b_.constant_value(binding.value);
        binding.kind = Binding::Kind::storage;
        binding.shape = shape;
        binding.addr =
            allocate(parameter.name, local_key(parameter, frame), shape, id, true, false, value);
      } else {
        binding.shape = shape_of(*parameter.type, &parameter);
      }
      frame.names[&parameter] = std::move(binding);
    }
    Frame* const before = std::exchange(frame_, &frame);
    activations_.push_back({&function, 0, {}, thread_items_[id]->span, {}});
    const BlockId entry = b_.new_block(id);
    b_.set_block(entry);
    const LocationId start = add_location(StopKind::start, no_id, function.span, false);
    program_->locations[start].entry = entry;
    entries_[entry] = start;
    frame.exit = b_.new_block(id);
    open_scope();
    body(function.body);
    close_scope(function.span);
    b_.jump(frame.exit);
    b_.set_block(frame.exit);
    if (known_.woven && known_.memory == Memory::weak) end_views(function.span);
    const LocationId end = add_location(StopKind::end, no_id, function.span, false);
    Terminator& terminator = program_->blocks[b_.block()].end;
    terminator.kind = TerminatorKind::stop;
    terminator.location = end;
    activations_.pop_back();
    frame_ = before;
  }
  thread_ = no_id;
}

std::string Elaboration::local_key(const lang::Decl& decl, const Frame& frame) const {
  return "t" + std::to_string(thread_) + "c" + std::to_string(frame.call) + "." + decl.name + "@" +
         std::to_string(decl.span.begin);
}

}  // namespace txproof::program
