// What a name, a field or an element stands for at a point of the walk.
#include <algorithm>
#include <cassert>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

const lang::VarDecl* variable(const lang::Decl* decl) {
  return decl != nullptr && decl->decl_kind == lang::DeclKind::variable
             ? static_cast<const lang::VarDecl*>(decl)
             : nullptr;
}

}  // namespace

const Binding* Elaboration::find(const lang::VarDecl& decl) const {
  for (const Frame* frame = frame_; frame != nullptr; frame = frame->outer) {
    const auto found = frame->names.find(&decl);
    if (found != frame->names.end()) return &found->second;
  }
  const auto global = globals_.find(&decl);
  return global == globals_.end() ? nullptr : &global->second;
}

Binding Elaboration::refer(const lang::Expr& expr) {
  switch (expr.kind) {
    case lang::ExprKind::name:
      return refer_name(expr);
    case lang::ExprKind::field:
      if (expr.builtin == lang::Builtin::not_builtin) return refer_member(expr);
      break;
    case lang::ExprKind::index:
      return refer_index(expr);
    case lang::ExprKind::call:
    case lang::ExprKind::take:
    case lang::ExprKind::take_where:
    case lang::ExprKind::copy:
    case lang::ExprKind::get:
      if (expr.type != nullptr && expr.type->kind == lang::Type::Kind::structure) {
        return place(expr);
      }
      break;
    default:
      break;
  }
  Binding result;
  result.value = value(expr);
  if (expr.type != nullptr && expr.type->kind == lang::Type::Kind::weak) {
    result.shape.kind = Shape::Kind::handle;
    result.shape.structure = struct_of(*expr.type->decl);
  }
  return result;
}

Binding Elaboration::refer_to_write(const lang::Expr& expr) {
  const bool before = std::exchange(writing_, true);
  const Binding result = refer(expr);
  writing_ = before;
  return result;
}

Binding Elaboration::refer_name(const lang::Expr& expr) {
  const lang::VarDecl* decl = variable(expr.decl);
  if (decl == nullptr) {
    Binding result;
    result.value = value(expr);
    return result;
  }
  if (expr.via_this) {
    Word receiver = 0;
    for (const Frame* f = frame_; f != nullptr && receiver == 0; f = f->outer)
      receiver = f->receiver;
    return object_member(b_.constant(receiver), *decl, expr);
  }
  if (decl->role == lang::VarDecl::Role::constant) {
    Binding result;
    result.value = b_.constant(decl->constant.value_or(0));
    return result;
  }
  const Binding* found = find(*decl);
  if (found == nullptr) {
    error("TX0415", expr.span, "the value of `" + expr.name + "` is not known here");
    Binding result;
    result.value = b_.constant(0);
    return result;
  }
  return *found;
}

// Outside pure code a condition that fails is a fault; in pure code the binding then reads as 0.
void Elaboration::demand(Binding& binding, ExprId condition, const std::string& property,
                         const std::string& kind, const std::string& message, lang::Span where) {
  if (!pure_) return check(condition, property, kind, message, where);
  if (b_.constant_value(condition) == 1) return;
  if (pure_faults_ != nullptr && !kind.empty()) {
    const ExprId asked = pure_context_ == no_id
                             ? condition
                             : b_.logical_or(b_.logical_not(pure_context_), condition);
    pure_faults_->push_back({asked, property, kind, message, where});
  }
  binding.guard = binding.guard == no_id ? condition : b_.logical_and(binding.guard, condition);
}

Binding Elaboration::object_member(ExprId object, const lang::VarDecl& decl, const lang::Expr& at) {
  std::vector<Word> candidates;
  bool may_be_none = false;
  for (const Word id : references(object)) {
    if (id == 0) may_be_none = true;
    if (id > 0 && id < static_cast<Word>(instances_.size()) && member(id, decl) != nullptr) {
      candidates.push_back(id);
    }
  }
  Binding result;
  result.value = b_.constant(0);
  result.shape = Shape{};
  if (may_be_none) {
    demand(result, b_.differs(object, 0), "range", "call.none",
           "`" + text(at.kind == lang::ExprKind::field ? *at.args[0] : at) + "` is none here",
           at.op_span);
  }
  const ExprId guard = result.guard;
  if (candidates.empty()) return unreachable_member(decl);
  const Binding& first = *member(candidates.front(), decl);
  if (candidates.size() == 1) {
    result = first;
    result.guard = guard;
    return result;
  }
  const auto entries = static_cast<std::size_t>(candidates.back() + 1);
  result = first;
  result.guard = guard;
  if (first.kind == Binding::Kind::value && !options_.for_all.empty()) {
    result.value = by_object(object, candidates, [&](Word id) { return member(id, decl)->value; });
    return result;
  }
  if (first.kind == Binding::Kind::value) {
    std::vector<Word> values(entries, *b_.constant_value(first.value));
    for (const Word id : candidates) {
      values[static_cast<std::size_t>(id)] = *b_.constant_value(member(id, decl)->value);
    }
    result.value = b_.table(std::move(values), object);
    return result;
  }
  if (first.kind == Binding::Kind::storage) {
    std::vector<Word> bases(entries, static_cast<Word>(b_.static_slot(first.addr)));
    std::vector<SlotId> possible;
    for (const Word id : candidates) {
      const Binding& other = *member(id, decl);
      if (other.shape.words != first.shape.words) {
        error("TX0416", at.span,
              "`" + decl.name +
                  "` has another size in each object that this may be; call a method "
                  "of the object instead");
        return result;
      }
      result.shape.range.lo = std::min(result.shape.range.lo, other.shape.range.lo);
      result.shape.range.hi = std::max(result.shape.range.hi, other.shape.range.hi);
      const SlotId base = b_.static_slot(other.addr);
      bases[static_cast<std::size_t>(id)] = static_cast<Word>(base);
      possible.push_back(base);
    }
    if (first.shape.lo_end != no_id || first.shape.hi_end != no_id) {
      const auto end_of = [&](ExprId Shape::*end, Word Range::*known) {
        return by_object(object, candidates, [&](Word id) {
          const Shape& shape = member(id, decl)->shape;
          return shape.*end != no_id ? shape.*end : b_.constant(shape.range.*known);
        });
      };
      result.shape.lo_end = end_of(&Shape::lo_end, &Range::lo);
      result.shape.hi_end = end_of(&Shape::hi_end, &Range::hi);
    }
    result.addr = b_.absolute(b_.table(std::move(bases), object), std::move(possible));
    return result;
  }
  for (const Word id : candidates) {
    if (member(id, decl)->list != first.list) {
      error("TX0416", at.span,
            "`" + decl.name +
                "` differs between the objects that this may be; call a method of "
                "the object instead");
      break;
    }
  }
  return result;
}

// A member of a reference that names no object: none, or nothing learnt yet. What follows is not
// reached, but is walked; it needs something of the member's shape.
Binding Elaboration::unreachable_member(const lang::VarDecl& decl) {
  if (!pure_) dead_end();
  for (std::size_t id = 1; id < instances_.size(); ++id) {
    const Binding* other = member(static_cast<Word>(id), decl);
    if (other == nullptr) continue;
    Binding result = *other;
    if (pure_) result.guard = b_.constant(0);
    return result;
  }
  Binding result;
  result.value = b_.constant(0);
  const bool is_array = decl.type->kind == lang::Type::Kind::array;
  result.kind = is_array ? Binding::Kind::list : Binding::Kind::value;
  result.shape.is_reference = decl.type->kind == lang::Type::Kind::object;
  return result;
}

Binding Elaboration::refer_member(const lang::Expr& expr) {
  const lang::VarDecl* decl = variable(expr.decl);
  const lang::Expr& base = *expr.args[0];
  assert(decl != nullptr);
  if (base.type != nullptr && base.type->kind == lang::Type::Kind::object) {
    return object_member(value(base), *decl, expr);
  }
  return packet_field(refer(base), *decl, expr);
}

Binding Elaboration::packet_field(const Binding& packet, const lang::VarDecl& field,
                                  const lang::Expr& at) {
  const std::string name = "`" + text(*at.args[0]) + "`";
  Binding result;
  result.kind = Binding::Kind::storage;
  result.guard = packet.guard;
  const StructId structure = packet.shape.structure;
  result.shape = field_shape(structure, field);
  const std::uint32_t offset = field_offset(structure, field);
  // The test that the packet is there and the access to its field are one access.
  const auto reach = [&](AddrId addr) {
    result.addr = addr;
    if (!is_shared(addr)) return;
    stop_for_access(at.span, writing_ ? AccessKind::container : AccessKind::load);
    result.touched = true;
  };
  if (packet.kind == Binding::Kind::packet) {  // a binder: certainly there
    reach(b_.through_handle(packet.value, structure, offset));
    return result;
  }
  if (packet.shape.kind == Shape::Kind::handle) {
    const ExprId handle =
        packet.kind == Binding::Kind::value ? packet.value : read(packet, *at.args[0]);
    reach(b_.through_handle(handle, structure, offset));
    demand(result, b_.differs(handle, 1), "own.linear", "weak.dangling",
           name + " names a packet that has ended", at.op_span);
    demand(result, b_.differs(handle, 0), "own.linear", "weak.none", name + " names no packet",
           at.op_span);
    result.present = b_.binary(ExprKind::less, b_.constant(1), handle);
    return result;
  }
  if (program_->structs[structure].counted) {
    reach(b_.through_handle(b_.load(packet.addr, {0, Word{1} << 30}), structure, offset));
  } else {
    reach(b_.offset(packet.addr, offset));
  }
  if (pure_) {
    demand(result, is_full(packet), "own.linear", "own.empty",
           name + " holds no packet, and is used here", at.span);
  } else {
    check_full(packet, *at.args[0], "is used");
    result.present = is_full(packet);
  }
  return result;
}

Binding Elaboration::refer_index(const lang::Expr& expr) {
  const Binding array = refer(*expr.args[0]);
  return element(array, value(*expr.args[1]), expr);
}

Binding Elaboration::element(const Binding& array, ExprId index, const lang::Expr& at) {
  const bool is_list = array.kind == Binding::Kind::list;
  const auto count = static_cast<Word>(is_list ? array.list.size() : array.shape.count);
  Binding result;
  result.guard = array.guard;
  result.value = b_.constant(0);
  if (!pure_ && !b_.constant_value(index)) index = capture(index, "index");
  const ExprId inside = b_.logical_and(b_.binary(ExprKind::less_equal, b_.constant(0), index),
                                       b_.binary(ExprKind::less, index, b_.constant(count)));
  demand(result, inside, "range", "index",
         "the index of `" + text(at) + "` is outside 0.." + std::to_string(count - 1), at.span);
  const auto known = b_.constant_value(index);
  if (known && (*known < 0 || *known >= count)) {
    if (pure_) result.guard = b_.constant(0);
    if (!is_list) result.shape = *array.shape.element;
    return result;
  }
  if (!is_list) {
    result.kind = Binding::Kind::storage;
    result.shape = *array.shape.element;
    result.addr = b_.indexed(array.addr, index, array.shape.element->words,
                             static_cast<std::uint32_t>(count));
    result.local = array.local;
    return result;
  }
  if (array.shape.element != nullptr) result.shape = *array.shape.element;
  if (array.list.empty()) return result;
  result.value = b_.table(array.list, index);
  return result;
}

bool Elaboration::is_shared(AddrId addr) const {
  if (!known_.fine || probe_ != nullptr || pure_) return false;
  // Which places a handle reaches is known only when all are made; an extra stop is harmless.
  if (program_->addresses[addr].handle != no_id) return true;
  const std::vector<SlotId> slots = b_.slots_of(addr);
  return std::any_of(slots.begin(), slots.end(),
                     [&](SlotId slot) { return program_->slots[slot].shared; });
}

ExprId Elaboration::read(const Binding& binding, const lang::Expr& at) {
  if (binding.kind != Binding::Kind::storage) return guarded(binding.guard, binding.value);
  Range range = binding.shape.range;
  if (binding.shape.kind == Shape::Kind::handle) {
    range = {0, Word{1} << 30};
  } else {
    range = {std::min(range.lo, Word{0}), std::max(range.hi, Word{0})};
    if (b_.is_static(binding.addr)) range = program_->slots[b_.static_slot(binding.addr)].range;
  }
  if (binding.touched) return capture(b_.load(binding.addr, range), text(at));
  if (!is_shared(binding.addr)) {
    ExprId load = b_.load(binding.addr, range);
    if (pure_ && in_thread_text()) {
      note_access(AccessKind::load, binding.addr);
      load = seen(binding.addr, load);
    }
    return guarded(binding.guard, load);
  }
  const AddrId addr = freeze(binding.addr);
  stop_for_access(at.span, AccessKind::load, addr);
  const ExprId load = b_.load(addr, range);
  const ExprId value = seen(addr, load);
  const ExprId kept = capture(value, text(at));
  if (known_.woven && known_.memory == Memory::weak && in_thread_text()) after_load(addr, at.span);
  // What a store that waits may have put there is what any store may.
  if (value != load && binding.shape.is_reference) {
    temporary_references_[b_.static_slot(program_->exprs[kept].addr)] = references(load);
  }
  return kept;
}

ExprId Elaboration::guarded(ExprId condition, ExprId value) {
  if (condition == no_id) return value;
  return b_.conditional(condition, value, b_.constant(0));
}

AddrId Elaboration::freeze(AddrId addr) {
  Address frozen = program_->addresses[addr];
  if (frozen.indices.empty() && frozen.handle == no_id && frozen.absolute == no_id) return addr;
  for (Index& index : frozen.indices) index.index = capture(index.index, "index");
  if (frozen.handle != no_id) frozen.handle = capture_handle(frozen.handle, frozen.handle_struct);
  if (frozen.absolute != no_id) frozen.absolute = capture(frozen.absolute, "object");
  program_->addresses.push_back(std::move(frozen));
  return static_cast<AddrId>(program_->addresses.size() - 1);
}

// A handle kept for later: in a slot that follows the packet, unless it is one already.
ExprId Elaboration::capture_handle(ExprId handle, StructId structure) {
  const Expr& e = program_->exprs[handle];
  const bool follows = e.kind == ExprKind::load && b_.is_static(e.addr) &&
                       program_->slots[b_.static_slot(e.addr)].kind == SlotKind::handle;
  if (follows || e.kind == ExprKind::constant) return handle;
  Shape shape;
  shape.kind = Shape::Kind::handle;
  shape.structure = structure;
  const AddrId kept = allocate("handle", "", shape, thread_, true, probe_ != nullptr, std::nullopt);
  set_scratch(b_.static_slot(kept), handle, here_);
  return b_.load(kept, {0, Word{1} << 30});
}

RefSet Elaboration::slot_references(SlotId slot) const {
  const auto temporary = temporary_references_.find(slot);
  if (temporary != temporary_references_.end()) return temporary->second;
  RefSet result{program_->slots[slot].initial};
  const auto owner = slot_owner_.find(slot);
  if (owner == slot_owner_.end()) return result;
  const auto known = known_.references.find(owner->second);
  if (known != known_.references.end()) result.insert(known->second.begin(), known->second.end());
  return result;
}

RefSet Elaboration::references(ExprId expr) {
  const Expr& e = program_->exprs[expr];
  // A field reached through a handle: what any packet's field may be.
  if (e.kind == ExprKind::load && program_->addresses[e.addr].handle != no_id) {
    const Address& addr = program_->addresses[e.addr];
    RefSet result{0};
    for (const lang::VarDecl* field : field_order_[addr.handle_struct]) {
      if (field_offset(addr.handle_struct, *field) != addr.base) continue;
      const auto known = known_.references.find({field, 0});
      if (known != known_.references.end()) {
        result.insert(known->second.begin(), known->second.end());
      }
    }
    return result;
  }
  return b_.references(expr, [this](SlotId slot) { return slot_references(slot); });
}

void Elaboration::learn(const Binding& target, ExprId value) {
  if (!target.shape.is_reference || target.kind != Binding::Kind::storage) return;
  const RefSet set = references(value);
  const Address& addr = program_->addresses[target.addr];
  if (addr.handle != no_id) {
    for (const lang::VarDecl* field : field_order_[addr.handle_struct]) {
      if (field_offset(addr.handle_struct, *field) == addr.base) {
        learnt_.references[{field, 0}].insert(set.begin(), set.end());
      }
    }
    return;
  }
  for (const SlotId slot : b_.slots_of(target.addr)) {
    const auto owner = slot_owner_.find(slot);
    if (owner != slot_owner_.end()) {
      learnt_.references[owner->second].insert(set.begin(), set.end());
    }
  }
}

}  // namespace txproof::program
