#include "model/program/builder.h"

#include <algorithm>
#include <cassert>

#include "model/program/access.h"
#include "model/program/evaluate.h"

namespace txproof::program {

namespace {

constexpr Word limit = Word{1} << 62;
constexpr Range boolean{0, 1};

Word smallest_mask(Word value) {
  Word mask = 1;
  while (mask <= value && mask < limit) mask <<= 1;
  return mask - 1;
}

}  // namespace

ExprId Builder::add(Expr expr) {
  program_.exprs.push_back(expr);
  return static_cast<ExprId>(program_.exprs.size() - 1);
}

ExprId Builder::constant(Word value) {
  const auto [found, inserted] = constants_.try_emplace(value, no_id);
  if (inserted) {
    Expr e;
    e.value = value;
    e.range = {value, value};
    found->second = add(e);
  }
  return found->second;
}

std::optional<Word> Builder::constant_value(ExprId expr) const {
  const Expr& e = program_.exprs[expr];
  if (e.kind != ExprKind::constant) return std::nullopt;
  return e.value;
}

Range Builder::checked(Wide lo, Wide hi) {
  if (lo < -limit || hi > limit) {
    if (on_overflow) on_overflow();
    return {-limit, limit};
  }
  return {static_cast<Word>(lo), static_cast<Word>(hi)};
}

Range Builder::interval(ExprKind kind, Range a, Range b) {
  switch (kind) {
    case ExprKind::add:
      return checked(Wide{a.lo} + b.lo, Wide{a.hi} + b.hi);
    case ExprKind::subtract:
      return checked(Wide{a.lo} - b.hi, Wide{a.hi} - b.lo);
    case ExprKind::multiply: {
      const Wide corners[] = {Wide{a.lo} * b.lo, Wide{a.lo} * b.hi, Wide{a.hi} * b.lo,
                              Wide{a.hi} * b.hi};
      return checked(*std::min_element(corners, corners + 4),
                     *std::max_element(corners, corners + 4));
    }
    case ExprKind::divide: {
      const Word most = std::max(std::abs(a.lo), std::abs(a.hi));
      return {a.lo < 0 || b.lo < 0 ? -most : 0, most};
    }
    case ExprKind::modulo: {
      const Word most = std::max(std::abs(b.lo), std::abs(b.hi));
      const Word bound = most > 0 ? most - 1 : 0;
      return {a.lo < 0 ? -bound : 0, a.hi > 0 ? std::min(bound, std::max(a.hi, Word{0})) : 0};
    }
    case ExprKind::bit_and:
      if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi)};
      if (a.lo >= 0) return {0, a.hi};
      if (b.lo >= 0) return {0, b.hi};
      return {-limit, limit};
    case ExprKind::bit_or:
    case ExprKind::bit_xor:
      if (a.lo >= 0 && b.lo >= 0) return {0, smallest_mask(std::max(a.hi, b.hi))};
      return {-limit, limit};
    case ExprKind::shift_left:
      if (b.lo < 0 || b.hi > 61) return checked(-Wide{limit} - 1, Wide{limit} + 1);
      return checked(std::min(Wide{a.lo} << b.hi, Wide{a.lo}),
                     std::max(Wide{a.hi} << b.hi, Wide{a.hi}));
    case ExprKind::shift_right:
      return {std::min(a.lo, Word{0}), std::max(a.hi, Word{0})};
    case ExprKind::minimum:
      return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case ExprKind::maximum:
      return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    default:
      return boolean;
  }
}

ExprId Builder::unary(ExprKind kind, ExprId a) {
  const Expr& operand = program_.exprs[a];
  if (kind == ExprKind::logical_not && operand.kind == ExprKind::logical_not) {
    return truth(operand.a);
  }
  Expr e;
  e.kind = kind;
  e.a = a;
  const Range r = operand.range;
  switch (kind) {
    case ExprKind::negate:
      e.range = {-r.hi, -r.lo};
      break;
    case ExprKind::bit_not:
      e.range = {~r.hi, ~r.lo};
      break;
    default:
      e.range = boolean;
      break;
  }
  const bool folded = operand.kind == ExprKind::constant;
  const ExprId id = add(e);
  if (!folded) return id;
  return constant(evaluate_expr(program_, {}, id));
}

ExprId Builder::binary(ExprKind kind, ExprId a, ExprId b) {
  const auto left = constant_value(a);
  const auto right = constant_value(b);
  if (kind == ExprKind::logical_and) {
    if (left) return *left != 0 ? truth(b) : constant(0);
    if (right) return *right != 0 ? truth(a) : constant(0);
  }
  if (kind == ExprKind::logical_or) {
    if (left) return *left != 0 ? constant(1) : truth(b);
    if (right) return *right != 0 ? constant(1) : truth(a);
  }
  if (right && *right == 0 && (kind == ExprKind::add || kind == ExprKind::subtract)) return a;
  if (left && *left == 0 && kind == ExprKind::add) return b;
  const Range ra = range(a);
  const Range rb = range(b);
  const bool apart = ra.hi < rb.lo || rb.hi < ra.lo;
  if (kind == ExprKind::equal && apart) return constant(0);
  if (kind == ExprKind::not_equal && apart) return constant(1);
  if (kind == ExprKind::less && ra.hi < rb.lo) return constant(1);
  if (kind == ExprKind::less && ra.lo >= rb.hi) return constant(0);
  if (kind == ExprKind::less_equal && ra.hi <= rb.lo) return constant(1);
  if (kind == ExprKind::less_equal && ra.lo > rb.hi) return constant(0);
  Expr e;
  e.kind = kind;
  e.a = a;
  e.b = b;
  e.range = interval(kind, ra, rb);
  const ExprId id = add(e);
  if (left && right) return constant(evaluate_expr(program_, {}, id));
  return id;
}

ExprId Builder::conditional(ExprId condition, ExprId a, ExprId b) {
  if (const auto known = constant_value(condition)) return *known != 0 ? a : b;
  if (a == b) return a;
  Expr e;
  e.kind = ExprKind::conditional;
  e.a = condition;
  e.b = a;
  e.c = b;
  e.range = {std::min(range(a).lo, range(b).lo), std::max(range(a).hi, range(b).hi)};
  return add(e);
}

ExprId Builder::wrap(ExprId a, Word modulus) {
  if (range(a).lo >= 0 && range(a).hi < modulus) return a;
  Expr e;
  e.kind = ExprKind::wrap;
  e.a = a;
  e.value = modulus;
  e.range = {0, modulus - 1};
  const bool folded = program_.exprs[a].kind == ExprKind::constant;
  const ExprId id = add(e);
  return folded ? constant(evaluate_expr(program_, {}, id)) : id;
}

ExprId Builder::load(AddrId addr, Range range) {
  Expr e;
  e.kind = ExprKind::load;
  e.addr = addr;
  e.range = range;
  return add(e);
}

ExprId Builder::load(AddrId addr) {
  const std::vector<SlotId> slots = slots_of(addr);
  Range hull{0, 0};
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Range r = program_.slots[slots[i]].range;
    hull = i == 0 ? r : Range{std::min(hull.lo, r.lo), std::max(hull.hi, r.hi)};
  }
  return load(addr, hull);
}

ExprId Builder::table(std::vector<Word> values, ExprId index) {
  assert(!values.empty());
  if (const auto known = constant_value(index)) {
    return constant(values[static_cast<std::size_t>(*known)]);
  }
  const auto [lo, hi] = std::minmax_element(values.begin(), values.end());
  if (*lo == *hi) return constant(*lo);
  Expr e;
  e.kind = ExprKind::table;
  e.a = index;
  e.range = {*lo, *hi};
  e.value = static_cast<Word>(program_.tables.size());
  program_.tables.push_back(std::move(values));
  return add(e);
}

AggregateId Builder::reserve_aggregate() {
  program_.aggregates.emplace_back();
  return static_cast<AggregateId>(program_.aggregates.size() - 1);
}

ExprId Builder::aggregate_value(AggregateId id, Range range) {
  Expr e;
  e.kind = ExprKind::aggregate;
  e.value = static_cast<Word>(id);
  e.range = range;
  return add(e);
}

ExprId Builder::aggregate(Aggregate aggregate, Range range) {
  const AggregateId id = reserve_aggregate();
  program_.aggregates[id] = std::move(aggregate);
  return aggregate_value(id, range);
}

ExprId Builder::cursor(AggregateId aggregate, StructId structure, Range range) {
  Expr e;
  e.kind = ExprKind::cursor;
  e.value = static_cast<Word>(aggregate);
  e.structure = structure;
  e.range = range;
  return add(e);
}

ExprId Builder::place_id(AddrId place, StructId structure) {
  Expr e;
  e.kind = ExprKind::place_id;
  e.addr = place;
  e.structure = structure;
  e.range = {0, Word{1} << 30};
  return add(e);
}

ExprId Builder::truth(ExprId a) {
  const Range r = range(a);
  if (r.lo >= 0 && r.hi <= 1) return a;
  return differs(a, 0);
}

RefSet Builder::references(ExprId expr, const std::function<RefSet(SlotId)>& of_slot) const {
  const Expr& e = program_.exprs[expr];
  switch (e.kind) {
    case ExprKind::constant:
      return {e.value};
    case ExprKind::conditional: {
      RefSet result = references(e.b, of_slot);
      result.merge(references(e.c, of_slot));
      return result;
    }
    case ExprKind::table: {
      const auto& values = program_.tables[static_cast<std::size_t>(e.value)];
      return {values.begin(), values.end()};
    }
    case ExprKind::load: {
      RefSet result;
      for (const SlotId slot : slots_of(e.addr)) result.merge(of_slot(slot));
      return result;
    }
    default: {
      RefSet result;
      for (Word value = e.range.lo; value <= e.range.hi; ++value) result.insert(value);
      return result;
    }
  }
}

AddrId Builder::at(SlotId slot) {
  const auto [found, inserted] = static_addresses_.try_emplace(slot, no_id);
  if (inserted) {
    Address addr;
    addr.base = slot;
    program_.addresses.push_back(addr);
    found->second = static_cast<AddrId>(program_.addresses.size() - 1);
  }
  return found->second;
}

AddrId Builder::offset(AddrId addr, std::uint32_t words) {
  if (words == 0) return addr;
  if (is_static(addr)) return at(program_.addresses[addr].base + words);
  Address moved = program_.addresses[addr];
  moved.base += words;
  program_.addresses.push_back(std::move(moved));
  return static_cast<AddrId>(program_.addresses.size() - 1);
}

AddrId Builder::indexed(AddrId addr, ExprId index, std::uint32_t stride, std::uint32_t count) {
  if (const auto known = constant_value(index)) {
    return offset(addr, static_cast<std::uint32_t>(*known) * stride);
  }
  Address moved = program_.addresses[addr];
  moved.indices.push_back({index, stride, count});
  program_.addresses.push_back(std::move(moved));
  return static_cast<AddrId>(program_.addresses.size() - 1);
}

AddrId Builder::through_handle(ExprId handle, StructId structure, std::uint32_t offset) {
  Address addr;
  addr.base = offset;
  addr.handle = handle;
  addr.handle_struct = structure;
  program_.addresses.push_back(addr);
  return static_cast<AddrId>(program_.addresses.size() - 1);
}

AddrId Builder::absolute(ExprId slot, std::vector<SlotId> possible) {
  Address addr;
  addr.absolute = slot;
  std::sort(possible.begin(), possible.end());
  addr.absolute_limit = possible.empty() ? 0 : possible.back() + 1;
  addr.absolute_slots = std::move(possible);
  program_.addresses.push_back(std::move(addr));
  return static_cast<AddrId>(program_.addresses.size() - 1);
}

bool Builder::is_static(AddrId addr) const {
  const Address& a = program_.addresses[addr];
  return a.indices.empty() && a.handle == no_id && a.absolute == no_id;
}

std::vector<SlotId> Builder::slots_of(AddrId addr) const { return possible_slots(program_, addr); }

SlotId Builder::add_slot(Slot slot) {
  program_.slots.push_back(std::move(slot));
  program_.place_at.push_back(no_id);
  return static_cast<SlotId>(program_.slots.size() - 1);
}

BlockId Builder::new_block(ThreadId thread) {
  Block block;
  block.thread = thread;
  block.end.kind = TerminatorKind::halt;
  program_.blocks.push_back(std::move(block));
  return static_cast<BlockId>(program_.blocks.size() - 1);
}

Stmt& Builder::emit(Stmt stmt) {
  program_.blocks[current_].stmts.push_back(stmt);
  return program_.blocks[current_].stmts.back();
}

void Builder::jump(BlockId to) {
  Terminator& end = program_.blocks[current_].end;
  end.kind = TerminatorKind::jump;
  end.targets = {to};
}

void Builder::branch(ExprId condition, BlockId then, BlockId otherwise) {
  if (const auto known = constant_value(condition)) return jump(*known != 0 ? then : otherwise);
  Terminator& end = program_.blocks[current_].end;
  end.kind = TerminatorKind::branch;
  end.condition = condition;
  end.targets = {then, otherwise};
}

}  // namespace txproof::program
