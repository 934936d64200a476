#include "model/program/abstract_value.h"

#include "model/program/access.h"

namespace txproof::program {

namespace {

Word known_binary(ExprKind kind, Word a, Word b) {
  switch (kind) {
    case ExprKind::add:
      return a + b;
    case ExprKind::subtract:
      return a - b;
    case ExprKind::multiply:
      return a * b;
    case ExprKind::divide:
      return b == 0 ? any_value : a / b;
    case ExprKind::modulo:
      return b == 0 ? any_value : a % b;
    case ExprKind::bit_and:
      return a & b;
    case ExprKind::bit_or:
      return a | b;
    case ExprKind::bit_xor:
      return a ^ b;
    case ExprKind::less:
      return a < b ? 1 : 0;
    case ExprKind::less_equal:
      return a <= b ? 1 : 0;
    case ExprKind::equal:
      return a == b ? 1 : 0;
    case ExprKind::not_equal:
      return a != b ? 1 : 0;
    case ExprKind::minimum:
      return a < b ? a : b;
    case ExprKind::maximum:
      return a < b ? b : a;
    default:
      return any_value;
  }
}

// Far from where sums and products of two overflow.
bool is_small(Word value) { return value > -(Word{1} << 30) && value < (Word{1} << 30); }

Word logical(const Program& program, const Expr& e, const ReadSlot& read) {
  const bool is_and = e.kind == ExprKind::logical_and;
  const Word a = abstract_value(program, e.a, read);
  const Word decides = is_and ? 0 : 1;
  if (a != any_value && (a != 0) == (decides != 0)) return decides;
  const Word b = abstract_value(program, e.b, read);
  if (b != any_value && (b != 0) == (decides != 0)) return decides;
  if (a == any_value || b == any_value) return any_value;
  return 1 - decides;
}

Word unary(const Expr& e, Word a) {
  if (a == any_value) return any_value;
  switch (e.kind) {
    case ExprKind::negate:
      return -a;
    case ExprKind::bit_not:
      return ~a;
    case ExprKind::wrap:
      return ((a % e.value) + e.value) % e.value;
    default:
      return a == 0 ? 1 : 0;
  }
}

}  // namespace

SlotId abstract_slot(const Program& program, AddrId addr, const ReadSlot& read) {
  const Address& a = program.addresses[addr];
  Word slot = a.base;
  if (a.handle != no_id) {
    const Struct& structure = program.structs[a.handle_struct];
    const Word handle = abstract_value(program, a.handle, read);
    const auto places = static_cast<Word>(structure.places.size());
    if (structure.counted || handle < 2 || handle >= 2 + places) return no_id;  // any_value too
    slot += structure.places[static_cast<std::size_t>(handle - 2)].base;
  }
  if (a.absolute != no_id) {
    const Word base = abstract_value(program, a.absolute, read);
    if (base == any_value) return no_id;
    slot += base;
  }
  for (const Index& index : a.indices) {
    const Word at = abstract_value(program, index.index, read);
    if (at < 0 || at >= static_cast<Word>(index.count)) return no_id;  // any_value too
    slot += at * static_cast<Word>(index.stride);
  }
  return static_cast<SlotId>(slot);
}

Word abstract_value(const Program& program, ExprId expr, const ReadSlot& read) {
  const Expr& e = program.exprs[expr];
  switch (e.kind) {
    case ExprKind::constant:
      return e.value;
    case ExprKind::load: {
      const SlotId slot = abstract_slot(program, e.addr, read);
      if (slot != no_id) return read(slot);
      Word common = any_value;
      const std::vector<SlotId> possible = possible_slots(program, e.addr);
      for (std::size_t i = 0; i < possible.size(); ++i) {
        const Word value = read(possible[i]);
        if (value == any_value || (i > 0 && value != common)) return any_value;
        common = value;
      }
      return common;
    }
    case ExprKind::negate:
    case ExprKind::bit_not:
    case ExprKind::logical_not:
    case ExprKind::wrap:
      return unary(e, abstract_value(program, e.a, read));
    case ExprKind::logical_and:
    case ExprKind::logical_or:
      return logical(program, e, read);
    case ExprKind::conditional: {
      const Word condition = abstract_value(program, e.a, read);
      if (condition != any_value) {
        return abstract_value(program, condition != 0 ? e.b : e.c, read);
      }
      const Word a = abstract_value(program, e.b, read);
      return a == abstract_value(program, e.c, read) ? a : any_value;
    }
    case ExprKind::table: {
      const Word index = abstract_value(program, e.a, read);
      const auto& table = program.tables[static_cast<std::size_t>(e.value)];
      if (index < 0 || index >= static_cast<Word>(table.size())) return any_value;
      return table[static_cast<std::size_t>(index)];
    }
    case ExprKind::place_id: {
      if (program.structs[e.structure].counted) return any_value;
      const SlotId slot = abstract_slot(program, e.addr, read);
      return slot == no_id ? any_value : 2 + static_cast<Word>(program.place_at[slot]);
    }
    case ExprKind::aggregate:
    case ExprKind::cursor:
      return any_value;
    default: {
      const Word a = abstract_value(program, e.a, read);
      const Word b = abstract_value(program, e.b, read);
      if (a == any_value || b == any_value || !is_small(a) || !is_small(b)) return any_value;
      return known_binary(e.kind, a, b);
    }
  }
}

}  // namespace txproof::program
