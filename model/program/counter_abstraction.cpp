#include "model/program/counter_abstraction.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/program/builder.h"
#include "model/program/liveness.h"
#include "model/program/packet_kinds.h"

namespace txproof::program {

namespace {

class Abstraction {
 public:
  Abstraction(Program& program, lang::Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics), b_(program) {
    for (std::size_t i = 0; i < program.unordered.size(); ++i) {
      by_length_[program.unordered[i].kinds.front().counter] = i;
    }
  }

  void run();

 private:
  void prune(const PacketKinds& kinds);

  // ---- counters
  void create_counters(const PacketKinds& kinds);
  [[nodiscard]] std::string text_of(const Unordered& container, const std::vector<Word>& fields,
                                    const std::set<std::vector<Word>>& all) const;
  ExprId count(const Unordered::Kind& kind) { return b_.load(b_.at(kind.counter)); }
  ExprId length(const Unordered& container);
  [[nodiscard]] const Unordered* container_at(AddrId addr) const;

  // ---- statements
  void rewrite_block(BlockId id);
  void push(const Stmt& stmt, const Unordered& container);
  void pop(const Stmt& stmt, const Unordered& container);
  void clear(const Stmt& stmt, const Unordered& container);
  void change(const Stmt& stmt, const Unordered::Kind& kind, Word by);
  ExprId is_kind(const Stmt& stmt, const Unordered& container, const Unordered::Kind& kind);

  // ---- expressions
  void rewrite_lengths();
  void rewrite_aggregates();
  [[nodiscard]] bool mentions(ExprId expr, AggregateId cursor) const;
  ExprId with_kind(const Aggregate& aggregate, AggregateId cursor, const Unordered::Kind& kind,
                   ExprId so_far);
  ExprId at_kind(ExprId expr, AggregateId cursor, const Unordered::Kind& kind);

  void refuse(const std::string& code, lang::Span where, const std::string& message) {
    diagnostics_.error(code, where, message);
  }

  Program& program_;
  lang::Diagnostics& diagnostics_;
  Builder b_;
  std::map<SlotId, std::size_t> by_length_;
  lang::Span where_;  // of the container whose kinds are being written out
};

void Abstraction::run() {
  const PacketKinds kinds = packet_kinds(program_);
  if (!kinds.refusal.empty()) {
    return refuse(
        "TX0436", program_.unordered.front().where,
        "what the containers of unknown capacity hold cannot be counted by kind: " + kinds.refusal);
  }
  prune(kinds);
  create_counters(kinds);
  rewrite_lengths();
  rewrite_aggregates();
  const auto blocks = static_cast<BlockId>(program_.blocks.size());
  for (BlockId id = 0; id < blocks; ++id) rewrite_block(id);
  compact(program_, true);
}

// What the analysis knows never to happen goes, and ranges shrink to what is stored. (No location
// goes: claims know them by number.)
void Abstraction::prune(const PacketKinds& kinds) {
  for (BlockId id = 0; id < program_.blocks.size(); ++id) {
    Block& block = program_.blocks[id];
    if (!kinds.reached[id]) {
      block.stmts.clear();
      block.end = {};
      block.end.kind = TerminatorKind::halt;
      continue;
    }
    std::vector<Stmt> kept;
    for (std::size_t i = 0; i < block.stmts.size(); ++i) {
      const bool needed = block.stmts[i].kind != StmtKind::check || kinds.fails.contains({id, i});
      if (needed) kept.push_back(block.stmts[i]);
    }
    block.stmts = std::move(kept);
    if (block.end.kind != TerminatorKind::branch || kinds.next[id].size() != 1) continue;
    block.end.kind = TerminatorKind::jump;
    block.end.condition = no_id;
    block.end.targets = {*kinds.next[id].begin()};
  }
  for (SlotId slot = 0; slot < kinds.values.size(); ++slot) {
    Slot& s = program_.slots[slot];
    const Range values = kinds.values[slot];
    if (s.kind == SlotKind::pc || s.kind == SlotKind::handle || values.lo > values.hi) continue;
    s.range.lo = std::max(s.range.lo, std::min({values.lo, s.initial, s.rest_value}));
    s.range.hi = std::min(s.range.hi, std::max({values.hi, s.initial, s.rest_value}));
  }
}

// ---------------------------------------------------------------- counters

// Only what tells the kinds apart is named.
std::string Abstraction::text_of(const Unordered& container, const std::vector<Word>& fields,
                                 const std::set<std::vector<Word>>& all) const {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const bool differs = std::any_of(all.begin(), all.end(), [&](const std::vector<Word>& other) {
      return other[i] != fields[i];
    });
    if (!differs && all.size() > 1) continue;
    std::string value = std::to_string(fields[i]);
    std::string name;
    if (container.structure != no_id) {
      const Struct& structure = program_.structs[container.structure];
      for (const Field& field : structure.fields) {
        if (field.offset == i + 1) name = field.name + " ";
      }
      const DisplayId display = structure.places.empty()
                                    ? no_id
                                    : program_.slots[structure.places.front().base + i + 1].display;
      if (display != no_id) {
        const Display& d = program_.displays[display];
        const Word at = fields[i] - d.first;
        if (at >= 0 && at < static_cast<Word>(d.names.size())) {
          value = d.names[static_cast<std::size_t>(at)];
        }
      }
    }
    text += (text.empty() ? "" : ", ") + name + value;
  }
  return text;
}

// The length's slot becomes the first counter.
void Abstraction::create_counters(const PacketKinds& kinds) {
  for (std::size_t i = 0; i < program_.unordered.size(); ++i) {
    Unordered& container = program_.unordered[i];
    const SlotId first = container.kinds.front().counter;
    container.kinds.clear();
    program_.slots[first].kind = SlotKind::scalar;
    if (kinds.of[i].empty()) program_.slots[first].range = {0, 0};  // nothing is ever pushed
    for (const std::vector<Word>& fields : kinds.of[i]) {
      Unordered::Kind kind;
      kind.fields = fields;
      kind.text = text_of(container, fields, kinds.of[i]);
      kind.counter = first;
      if (!container.kinds.empty()) {
        const Slot copy = program_.slots[first];
        kind.counter = b_.add_slot(copy);
      }
      if (kinds.of[i].size() > 1) {
        program_.slots[kind.counter].name = container.name + "{" + kind.text + "}";
      }
      container.kinds.push_back(std::move(kind));
    }
  }
}

ExprId Abstraction::length(const Unordered& container) {
  ExprId sum = b_.constant(0);
  for (const Unordered::Kind& kind : container.kinds) {
    sum = b_.binary(ExprKind::add, sum, count(kind));
  }
  return sum;
}

const Unordered* Abstraction::container_at(AddrId addr) const {
  for (const SlotId slot : b_.slots_of(addr)) {
    const auto found = by_length_.find(slot);
    if (found != by_length_.end()) return &program_.unordered[found->second];
  }
  return nullptr;
}

// ---------------------------------------------------------------- statements

void Abstraction::change(const Stmt& stmt, const Unordered::Kind& kind, Word by) {
  Stmt assign;
  assign.kind = StmtKind::assign;
  assign.target = b_.at(kind.counter);
  assign.value =
      b_.binary(by > 0 ? ExprKind::add : ExprKind::subtract, count(kind), b_.constant(1));
  assign.call = stmt.call;
  assign.probe = stmt.probe;
  assign.where = stmt.where;
  b_.emit(assign);
}

ExprId Abstraction::is_kind(const Stmt& stmt, const Unordered& container,
                            const Unordered::Kind& kind) {
  if (container.structure == no_id) return b_.equals(stmt.element, kind.fields[0]);
  ExprId all = b_.constant(1);
  for (std::uint32_t i = 0; i < kind.fields.size(); ++i) {
    const bool tells = std::any_of(
        container.kinds.begin(), container.kinds.end(),
        [&](const Unordered::Kind& other) { return other.fields[i] != kind.fields[i]; });
    if (!tells) continue;
    const ExprId field = b_.load(b_.offset(stmt.source, i + 1));
    all = b_.logical_and(all, b_.equals(field, kind.fields[i]));
  }
  return all;
}

// The last kind needs no test: there is no other. Then the packet is in the counter alone.
void Abstraction::push(const Stmt& stmt, const Unordered& container) {
  const ThreadId thread = program_.blocks[b_.block()].thread;
  const BlockId join = b_.new_block(thread);
  const std::vector<Unordered::Kind>& kinds = container.kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    BlockId next = no_id;
    if (i + 1 < kinds.size()) {
      const BlockId here = b_.new_block(thread);
      next = b_.new_block(thread);
      b_.branch(is_kind(stmt, container, kinds[i]), here, next);
      b_.set_block(here);
    }
    change(stmt, kinds[i], 1);
    b_.jump(join);
    if (next != no_id) b_.set_block(next);
  }
  b_.set_block(join);
  if (container.structure == no_id) return;
  Stmt ends = stmt;
  ends.kind = StmtKind::destroy;
  ends.structure = container.structure;
  ends.container = no_id;
  ends.value = ends.element = no_id;
  b_.emit(ends);
}

void Abstraction::pop(const Stmt& stmt, const Unordered& container) {
  const ThreadId thread = program_.blocks[b_.block()].thread;
  const std::vector<Unordered::Kind>& kinds = container.kinds;
  const auto take = [&](const Unordered::Kind& kind) {
    change(stmt, kind, -1);
    if (stmt.target == no_id) return;
    Stmt to = stmt;
    to.container = no_id;
    to.value = no_id;
    if (container.structure == no_id) {
      to.kind = StmtKind::assign;
      to.value = b_.constant(kind.fields[0]);
      b_.emit(to);
      return;
    }
    to.kind = StmtKind::create;
    to.structure = container.structure;
    b_.emit(to);
    to.kind = StmtKind::assign;
    to.structure = no_id;
    // Zeroes too: it says that no earlier value of the field matters.
    for (std::uint32_t i = 0; i < kind.fields.size(); ++i) {
      to.target = b_.offset(stmt.target, i + 1);
      to.value = b_.constant(kind.fields[i]);
      b_.emit(to);
    }
  };
  if (kinds.size() == 1) return take(kinds.front());
  const BlockId from = b_.block();
  const BlockId join = b_.new_block(thread);
  Terminator end;
  end.kind = TerminatorKind::choose;
  end.where = stmt.where;
  end.unordered = static_cast<std::uint32_t>(&container - program_.unordered.data());
  for (const Unordered::Kind& kind : kinds) {
    const BlockId taken = b_.new_block(thread);
    end.targets.push_back(taken);
    end.guards.push_back(b_.binary(ExprKind::less, b_.constant(0), count(kind)));
    b_.set_block(taken);
    take(kind);
    b_.jump(join);
  }
  program_.blocks[from].end = std::move(end);
  b_.set_block(join);
  // Nothing is ever pushed: the check before this never holds.
  if (kinds.empty()) program_.blocks[from].end.kind = TerminatorKind::halt;
}

void Abstraction::clear(const Stmt& stmt, const Unordered& container) {
  for (const Unordered::Kind& kind : container.kinds) {
    Stmt assign = stmt;
    assign.kind = StmtKind::assign;
    assign.container = no_id;
    assign.target = b_.at(kind.counter);
    assign.value = b_.constant(0);
    b_.emit(assign);
  }
}

void Abstraction::rewrite_block(BlockId id) {
  const auto concerned = [&](const Stmt& stmt) -> const Unordered* {
    switch (stmt.kind) {
      case StmtKind::insert:
      case StmtKind::remove:
      case StmtKind::clear:
        return container_at(program_.containers[stmt.container].addr);
      case StmtKind::assign:  // a local container that comes into scope
        return container_at(stmt.target);
      default:
        return nullptr;
    }
  };
  const std::vector<Stmt> stmts = program_.blocks[id].stmts;
  if (std::none_of(stmts.begin(), stmts.end(), concerned)) return;
  const Terminator end = program_.blocks[id].end;
  program_.blocks[id].stmts.clear();
  program_.blocks[id].end = {};
  program_.blocks[id].end.kind = TerminatorKind::halt;  // where nothing of a kind ever arrives
  b_.set_block(id);
  for (const Stmt& stmt : stmts) {
    const Unordered* container = concerned(stmt);
    if (container == nullptr) {
      b_.emit(stmt);
      continue;
    }
    const AddrId addr =
        stmt.kind == StmtKind::assign ? stmt.target : program_.containers[stmt.container].addr;
    if (!b_.is_static(addr)) {
      refuse("TX0435", stmt.where,
             "which container of unknown capacity this is changes at run time; call a method of "
             "the object that has it instead");
      return;
    }
    if (stmt.kind == StmtKind::insert) push(stmt, *container);
    if (stmt.kind == StmtKind::remove) pop(stmt, *container);
    if (stmt.kind == StmtKind::clear || stmt.kind == StmtKind::assign) clear(stmt, *container);
  }
  program_.blocks[b_.block()].end = end;
}

// ---------------------------------------------------------------- expressions

// Every load of a length that the elaboration made; before any load of a counter is made.
void Abstraction::rewrite_lengths() {
  const auto made = static_cast<ExprId>(program_.exprs.size());
  for (ExprId id = 0; id < made; ++id) {
    if (program_.exprs[id].kind != ExprKind::load) continue;
    const AddrId addr = program_.exprs[id].addr;
    const Unordered* container = container_at(addr);
    if (container == nullptr || container->kinds.size() == 1) continue;
    if (!b_.is_static(addr)) {
      refuse("TX0435", container->where,
             "the length of `" + container->name + "` is read through a variable reference");
      continue;
    }
    const ExprId sum = length(*container);
    program_.exprs[id] = program_.exprs[sum];
  }
}

bool Abstraction::mentions(ExprId expr, AggregateId cursor) const {
  if (expr == no_id) return false;
  const Expr& e = program_.exprs[expr];
  if (e.kind == ExprKind::cursor) return static_cast<AggregateId>(e.value) == cursor;
  if (e.addr != no_id) {
    const Address& addr = program_.addresses[e.addr];
    if (mentions(addr.handle, cursor) || mentions(addr.absolute, cursor)) return true;
    for (const Index& index : addr.indices) {
      if (mentions(index.index, cursor)) return true;
    }
  }
  if (e.kind == ExprKind::aggregate) {
    const Aggregate& inner = program_.aggregates[static_cast<AggregateId>(e.value)];
    return mentions(inner.where, cursor) || mentions(inner.body, cursor);
  }
  return mentions(e.a, cursor) || mentions(e.b, cursor) || mentions(e.c, cursor);
}

// `expr` where the cursor is at a packet of this kind.
ExprId Abstraction::at_kind(ExprId expr, AggregateId cursor, const Unordered::Kind& kind) {
  if (!mentions(expr, cursor)) return expr;
  const Expr e = program_.exprs[expr];
  const auto inside = [&](ExprId part) {
    return part == no_id ? no_id : at_kind(part, cursor, kind);
  };
  const auto is_cursor = [&](ExprId part) {
    return part != no_id && program_.exprs[part].kind == ExprKind::cursor;
  };
  switch (e.kind) {
    case ExprKind::load: {
      Address addr = program_.addresses[e.addr];
      if (is_cursor(addr.handle) && mentions(addr.handle, cursor) && addr.indices.empty()) {
        return b_.constant(kind.fields[addr.base - 1]);
      }
      if (is_cursor(addr.absolute) && mentions(addr.absolute, cursor)) {
        return b_.constant(kind.fields[0]);
      }
      for (Index& index : addr.indices) index.index = inside(index.index);
      addr.absolute = inside(addr.absolute);
      addr.handle = inside(addr.handle);
      program_.addresses.push_back(std::move(addr));
      return b_.load(static_cast<AddrId>(program_.addresses.size() - 1), e.range);
    }
    case ExprKind::cursor:
    case ExprKind::place_id:
      refuse("TX0435", where_,
             "which packet of a container of unknown capacity this is, and not "
             "only its fields, matters here");
      return b_.constant(0);
    case ExprKind::aggregate: {
      Aggregate inner = program_.aggregates[static_cast<AggregateId>(e.value)];
      if (inner.cursor_of == no_id) inner.cursor_of = static_cast<AggregateId>(e.value);
      inner.where = inside(inner.where);
      inner.body = inside(inner.body);
      return b_.aggregate(std::move(inner), e.range);
    }
    case ExprKind::conditional:
      return b_.conditional(inside(e.a), inside(e.b), inside(e.c));
    case ExprKind::wrap:
      return b_.wrap(inside(e.a), e.value);
    case ExprKind::table:
      return b_.table(program_.tables[static_cast<std::size_t>(e.value)], inside(e.a));
    default:
      if (e.b == no_id) return b_.unary(e.kind, inside(e.a));
      return b_.binary(e.kind, inside(e.a), inside(e.b));
  }
}

// What one kind adds to an aggregate.
ExprId Abstraction::with_kind(const Aggregate& aggregate, AggregateId cursor,
                              const Unordered::Kind& kind, ExprId so_far) {
  const ExprId where =
      aggregate.where == no_id ? b_.constant(1) : at_kind(aggregate.where, cursor, kind);
  const ExprId body =
      aggregate.body == no_id ? b_.constant(1) : at_kind(aggregate.body, cursor, kind);
  const ExprId there =
      b_.logical_and(b_.binary(ExprKind::less, b_.constant(0), count(kind)), where);
  switch (aggregate.kind) {
    case AggregateKind::count:
    case AggregateKind::sum: {
      const bool one = aggregate.kind == AggregateKind::count || b_.constant_value(body) == 1;
      const ExprId all = one ? count(kind) : b_.binary(ExprKind::multiply, body, count(kind));
      return b_.binary(ExprKind::add, so_far, b_.conditional(where, all, b_.constant(0)));
    }
    case AggregateKind::forall:
      return b_.logical_and(so_far, b_.logical_or(b_.logical_not(there), body));
    case AggregateKind::exists:
      return b_.logical_or(so_far, b_.logical_and(there, body));
    case AggregateKind::minimum:
    case AggregateKind::maximum:
      refuse("TX0435", where_,
             "the least or greatest over a container of unknown capacity is not "
             "kept");
      break;
  }
  return so_far;
}

void Abstraction::rewrite_aggregates() {
  std::map<AggregateId, std::vector<const Unordered*>> counted;
  for (AggregateId id = 0; id < program_.aggregates.size(); ++id) {
    auto& spans = program_.aggregates[id].spans;
    for (auto span = spans.begin(); span != spans.end();) {
      const Unordered* container =
          span->kind == Span::Kind::container ? container_at(span->addr) : nullptr;
      if (container == nullptr) {
        ++span;
        continue;
      }
      counted[id].push_back(container);
      span = spans.erase(span);
    }
  }
  // An aggregate inside another has the smaller number.
  const auto made = static_cast<ExprId>(program_.exprs.size());
  for (ExprId id = 0; id < made; ++id) {
    const Expr e = program_.exprs[id];
    if (e.kind != ExprKind::aggregate) continue;
    const auto aggregate_id = static_cast<AggregateId>(e.value);
    const auto found = counted.find(aggregate_id);
    if (found == counted.end()) continue;
    const Aggregate aggregate = program_.aggregates[aggregate_id];
    const AggregateId cursor = aggregate.cursor_of == no_id ? aggregate_id : aggregate.cursor_of;
    ExprId result = b_.constant(aggregate.kind == AggregateKind::forall ? 1 : 0);
    if (!aggregate.spans.empty()) result = b_.aggregate_value(aggregate_id, e.range);
    for (const Unordered* container : found->second) {
      where_ = container->where;
      for (const Unordered::Kind& kind : container->kinds) {
        result = with_kind(aggregate, cursor, kind, result);
      }
    }
    program_.exprs[id] = program_.exprs[result];
  }
}

}  // namespace

void abstract_containers(Program& program, lang::Diagnostics& diagnostics) {
  if (program.unordered.empty()) return;
  Abstraction(program, diagnostics).run();
}

}  // namespace txproof::program
