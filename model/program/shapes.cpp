// Types with numbers, and slots for them.
#include <algorithm>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

constexpr Word widest_range = Word{1} << 40;
constexpr Word most_words = Word{1} << 22;

}  // namespace

DisplayId Elaboration::display_of(std::vector<std::string> names, Word first) {
  program_->displays.push_back({first, std::move(names)});
  return static_cast<DisplayId>(program_->displays.size() - 1);
}

Shape Elaboration::scalar_shape(const lang::Type& type, const lang::Expr* lo, const lang::Expr* hi,
                                lang::Span where) {
  using Kind = lang::Type::Kind;
  Shape shape;
  switch (type.kind) {
    case Kind::boolean:
      shape.range = {0, 1};
      shape.display = boolean_display_;
      break;
    case Kind::integer: {
      const lang::Expr* low = lo != nullptr ? lo : type.lo;
      const lang::Expr* high = hi != nullptr ? hi : type.hi;
      if (low == nullptr || high == nullptr) {
        shape.is_open = true;
        shape.range = {-widest_range, widest_range};
        break;
      }
      if (!options_.for_all.empty()) {
        set_range(shape, *low, *high, where);
        break;
      }
      shape.range = {constant_of(*low), constant_of(*high)};
      if (shape.range.lo > shape.range.hi) {
        error("TX0401", where,
              "the range " + std::to_string(shape.range.lo) + ".." +
                  std::to_string(shape.range.hi) + " is empty here");
        shape.range.hi = shape.range.lo;
      } else if (shape.range.lo < -widest_range || shape.range.hi > widest_range) {
        error("TX0402", where, "a range may not go beyond 2^40 either way");
        shape.range = {0, 0};
      }
      shape.initial = std::clamp(Word{0}, shape.range.lo, shape.range.hi);
      break;
    }
    case Kind::wrapping: {
      shape.modulus = type.bits != 0 ? Word{1} << type.bits : constant_of(*type.size);
      if (shape.modulus < 1 || shape.modulus > (Word{1} << 32)) {
        error("TX0402", where,
              "the modulus must be from 1 to 2^32, and is " + std::to_string(shape.modulus));
        shape.modulus = 1;
      }
      shape.range = {0, shape.modulus - 1};
      break;
    }
    case Kind::enumeration: {
      Word low = 0;
      Word high = 0;
      const auto& enumerators = type.decl->enumerators;
      for (std::size_t i = 0; i < enumerators.size(); ++i) {
        low = i == 0 ? enumerators[i]->value : std::min(low, enumerators[i]->value);
        high = i == 0 ? enumerators[i]->value : std::max(high, enumerators[i]->value);
      }
      shape.range = {low, high};
      shape.initial = enumerators.empty() ? 0 : enumerators.front()->value;
      const auto [known, inserted] = enum_displays_.try_emplace(type.decl, no_id);
      if (inserted && high - low < 4096) {
        std::vector<std::string> names(static_cast<std::size_t>(high - low + 1));
        for (const auto& e : enumerators) names[static_cast<std::size_t>(e->value - low)] = e->name;
        known->second = display_of(std::move(names), low);
      }
      shape.display = known->second;
      break;
    }
    case Kind::object: {
      shape.is_reference = true;
      Word most = 0;
      for (const Word id : instances_of(*type.decl)) most = std::max(most, id);
      shape.range = {0, most};
      shape.display = objects_display_;
      break;
    }
    case Kind::hook: {
      shape.range = {0, static_cast<Word>(type.hooks.size())};
      std::vector<std::string> names{"none"};
      for (const lang::FunctionDecl* f : type.hooks) names.push_back(f->name);
      shape.display = display_of(std::move(names), 0);
      break;
    }
    case Kind::thread: {
      shape.range = {0, most_threads};  // there are none yet: narrowed when all is known
      shape.display = threads_display_;
      break;
    }
    case Kind::weak:
      shape.kind = Shape::Kind::handle;
      shape.structure = struct_of(*type.decl);
      shape.range = {0, 1};
      break;
    default:
      break;
  }
  return shape;
}

Shape Elaboration::shape_of(const lang::Type& type, const lang::VarDecl* decl) {
  using Kind = lang::Type::Kind;
  const lang::Span where = decl != nullptr ? decl->span : stack_.span;
  const auto element_of = [&](const lang::Type& element) {
    return std::make_shared<Shape>(shape_of(element, nullptr));
  };
  Shape shape;
  switch (type.kind) {
    case Kind::structure: {
      shape.kind = Shape::Kind::packet;
      shape.structure = struct_of(*type.decl);
      const Struct& s = program_->structs[shape.structure];
      shape.words = s.counted ? 1 : s.words;
      return shape;
    }
    case Kind::fifo:
    case Kind::bag:
    case Kind::array: {
      shape.kind = type.kind == Kind::fifo  ? Shape::Kind::fifo
                   : type.kind == Kind::bag ? Shape::Kind::bag
                                            : Shape::Kind::array;
      if (type.kind == Kind::array && decl != nullptr && type.element->kind == Kind::integer) {
        shape.element = std::make_shared<Shape>(
            scalar_shape(*type.element, decl->lo.get(), decl->hi.get(), where));
      } else {
        shape.element = element_of(*type.element);
      }
      if (shape.element->is_open) {
        error("TX0403", where, "its elements need a range: `int in lo..hi`, or a typedef with one");
      }
      if (!options_.for_all.empty() && type.kind != Kind::array && type.size != nullptr) {
        set_capacity(shape, *type.size, where);
        if (shape.is_unbounded()) return shape;
      }
      const Word count = type.size != nullptr ? constant_of(*type.size) : 0;
      const Word least = type.kind == Kind::array ? 0 : 1;
      if (count < least || count * static_cast<Word>(shape.element->words) > most_words) {
        error("TX0404", where,
              "a size of " + std::to_string(count) + " is not possible here (" +
                  std::to_string(least) + " to " +
                  std::to_string(most_words / shape.element->words) + ")");
        shape.count = 1;
      } else {
        shape.count = static_cast<std::uint32_t>(count);
      }
      const std::uint32_t header = type.kind == Kind::array ? 0 : 1;
      shape.words = header + shape.count * shape.element->words;
      return shape;
    }
    default:
      return scalar_shape(type, decl != nullptr ? decl->lo.get() : nullptr,
                          decl != nullptr ? decl->hi.get() : nullptr, where);
  }
}

StructId Elaboration::struct_of(const lang::TypeDecl& decl) {
  const auto known = structs_.find(&decl);
  if (known != structs_.end()) return known->second;
  const auto id = static_cast<StructId>(program_->structs.size());
  structs_.emplace(&decl, id);
  program_->structs.emplace_back();
  program_->structs[id].name = decl.name;
  program_->structs[id].counted = decl.kind == lang::TypeDecl::Kind::counted_struct;
  std::vector<const lang::VarDecl*> order;
  for (const auto& field : decl.fields) order.push_back(field.get());
  const auto ghosts = ghost_fields_.find(&decl);
  if (ghosts != ghost_fields_.end()) {
    order.insert(order.end(), ghosts->second.begin(), ghosts->second.end());
  }
  std::uint32_t offset = 1;
  std::vector<Field> fields;
  std::vector<NestedPlace> nested;
  // Adds the packet places inside a value of this shape.
  const std::function<void(const Shape&, std::uint32_t)> add_nested = [&](const Shape& shape,
                                                                          std::uint32_t at) {
    if (shape.kind == Shape::Kind::packet) {
      nested.push_back({at, shape.structure});
      if (program_->structs[shape.structure].counted) return;
      const auto inner = program_->structs[shape.structure].nested;
      for (const NestedPlace& n : inner) nested.push_back({at + n.offset, n.structure});
    } else if (shape.element != nullptr) {
      const std::uint32_t header = shape.is_container() ? 1 : 0;
      for (std::uint32_t i = 0; i < shape.count; ++i) {
        add_nested(*shape.element, at + header + i * shape.element->words);
      }
    }
  };
  for (const lang::VarDecl* field : order) {
    Shape shape = shape_of(*field->type, field);
    if (shape.is_open) {
      error("TX0403", field->span, "the field `" + field->name + "` needs a range: `in lo..hi`");
    }
    if (shape.kind == Shape::Kind::scalar && field->init != nullptr) {
      shape.initial = constant_of(*field->init);
      if (shape.initial < shape.range.lo || shape.initial > shape.range.hi) {
        error("TX0405", field->init->span,
              "the value " + std::to_string(shape.initial) + " of `" + field->name +
                  "` is outside its range " + std::to_string(shape.range.lo) + ".." +
                  std::to_string(shape.range.hi));
      }
    }
    if (shape.is_unbounded()) {
      error("TX0434", field->span,
            "a container inside a packet needs a capacity that is known when the stack is built");
    }
    add_nested(shape, offset);
    fields.push_back({field->name, offset, shape.words});
    const std::uint32_t words = shape.words;
    fields_.emplace(std::pair{id, field}, FieldPlace{offset, std::move(shape)});
    offset += words;
  }
  Struct& structure = program_->structs[id];
  structure.words = offset;
  structure.fields = std::move(fields);
  structure.nested = std::move(nested);
  field_order_[id] = std::move(order);
  return id;
}

const Shape& Elaboration::field_shape(StructId structure, const lang::VarDecl& field) const {
  return fields_.at({structure, &field}).shape;
}

std::uint32_t Elaboration::field_offset(StructId structure, const lang::VarDecl& field) const {
  return fields_.at({structure, &field}).offset;
}

// `inside`: part of a packet, where 0 stands for "no packet here" whatever the range.
void Elaboration::allocate_words(const std::string& name, const Shape& shape, ThreadId owner,
                                 bool local, bool ghost, std::optional<Word> initial, bool inside) {
  const auto plain = [&](const std::string& slot_name, SlotKind kind, Range range, Word first) {
    Slot slot;
    slot.name = slot_name;
    slot.kind = kind;
    slot.range = range;
    slot.initial = first;
    slot.rest_value = first;
    slot.ghost = ghost;
    slot.owner = owner;
    return b_.add_slot(std::move(slot));
  };
  switch (shape.kind) {
    case Shape::Kind::scalar: {
      Range range = shape.range;
      const Word first = inside ? 0 : initial.value_or(shape.initial);
      range.lo = std::min(range.lo, first);
      range.hi = std::max(range.hi, first);
      const SlotId slot = plain(name, SlotKind::scalar, range, first);
      program_->slots[slot].display = shape.display;
      break;
    }
    case Shape::Kind::handle: {
      const SlotId slot = plain(name, SlotKind::handle, {0, 1}, 0);
      program_->slots[slot].handle_of = shape.structure;
      program_->structs[shape.structure].handles.push_back(slot);
      break;
    }
    case Shape::Kind::packet: {
      const bool counted = program_->structs[shape.structure].counted;
      const SlotId tag = plain(name, SlotKind::tag, {0, 2}, 0);
      auto& places = program_->structs[shape.structure].places;
      program_->place_at[tag] = static_cast<PlaceId>(places.size());
      places.push_back({tag, name, local});
      if (counted) break;
      for (const lang::VarDecl* field : field_order_[shape.structure]) {
        const bool ghost_field = field->role == lang::VarDecl::Role::ghost_field;
        const Shape field_type = field_shape(shape.structure, *field);
        const auto before = static_cast<SlotId>(program_->slots.size());
        allocate_words(name + "." + field->name, field_type, owner, false, ghost || ghost_field,
                       std::nullopt, true);
        if (field_type.kind == Shape::Kind::scalar && field_type.is_reference) {
          slot_owner_[before] = {field, 0};
        }
        if (field->ticks != lang::VarDecl::Ticks::none) {
          set_clocks(before, *field, field_type, tag);
        }
      }
      break;
    }
    case Shape::Kind::fifo:
    case Shape::Kind::bag: {
      const SlotId length =
          plain(name + ".len", SlotKind::length,
                {0, shape.is_unbounded() ? unbounded : static_cast<Word>(shape.count)}, 0);
      if (shape.is_unbounded()) {
        note_unordered(name, length, shape);
        break;
      }
      if (shape.kind == Shape::Kind::bag) {
        program_->bags.push_back({length, shape.element->words, shape.count});
      }
      for (std::uint32_t i = 0; i < shape.count; ++i) {
        allocate_words(name + "[" + std::to_string(i) + "]", *shape.element, owner, false, ghost,
                       std::nullopt, true);
      }
      break;
    }
    case Shape::Kind::array:
      for (std::uint32_t i = 0; i < shape.count; ++i) {
        allocate_words(name + "[" + std::to_string(i) + "]", *shape.element, owner, false, ghost,
                       initial, inside);
      }
      break;
  }
}

AddrId Elaboration::allocate(const std::string& name, const std::string& key, const Shape& shape,
                             ThreadId owner, bool local, bool ghost, std::optional<Word> initial) {
  const auto first = static_cast<SlotId>(program_->slots.size());
  allocate_words(name, shape, owner, local, ghost, initial, false);
  slot_keys_.resize(program_->slots.size());
  if (!key.empty()) {
    for (SlotId slot = first; slot < program_->slots.size(); ++slot) {
      slot_keys_[slot] = key + "+" + std::to_string(slot - first);
      program_->slots[slot].shared = known_.shared.contains(slot_keys_[slot]);
    }
  }
  return b_.at(first);
}

void Elaboration::set_clocks(SlotId first, const lang::VarDecl& decl, const Shape& shape,
                             SlotId runs_while) {
  const Shape* scalar = &shape;
  while (scalar->kind == Shape::Kind::array) scalar = scalar->element.get();
  const bool up = decl.ticks == lang::VarDecl::Ticks::up;
  for (SlotId slot = first; slot < program_->slots.size(); ++slot) {
    program_->slots[slot].ticks = up ? TickEffect::up : TickEffect::down;
    program_->slots[slot].tick_end = up ? scalar->range.hi : scalar->range.lo;
    program_->slots[slot].clock_of = runs_while;
  }
  program_->has_time = true;
}

// As many cells as places, at the end of the slots, when every place is known.
void Elaboration::add_cells() {
  for (StructId id = 0; id < program_->structs.size(); ++id) {
    if (!program_->structs[id].counted) continue;
    CellTable cells;
    cells.structure = id;
    cells.stride = program_->structs[id].words;
    cells.count = static_cast<std::uint32_t>(program_->structs[id].places.size());
    cells.first = static_cast<SlotId>(program_->slots.size());
    for (std::uint32_t i = 0; i < cells.count; ++i) {
      Slot live;
      live.name = program_->structs[id].name + "#" + std::to_string(i);
      live.kind = SlotKind::tag;
      live.range = {0, 1};
      const SlotId flag = b_.add_slot(live);
      for (const lang::VarDecl* field : field_order_[id]) {
        const auto slot = static_cast<SlotId>(program_->slots.size());
        allocate_words(live.name + "." + field->name, field_shape(id, *field), no_id, false,
                       field->role == lang::VarDecl::Role::ghost_field, std::nullopt, true);
        if (field->ticks != lang::VarDecl::Ticks::none) {
          set_clocks(slot, *field, field_shape(id, *field), flag);
        }
      }
    }
    program_->cells.push_back(cells);
  }
  slot_keys_.resize(program_->slots.size());
}

std::set<std::string> Elaboration::keys(const std::set<SlotId>& slots) const {
  std::set<std::string> result;
  for (const SlotId slot : slots) {
    if (slot < slot_keys_.size() && !slot_keys_[slot].empty()) result.insert(slot_keys_[slot]);
  }
  return result;
}

}  // namespace txproof::program
