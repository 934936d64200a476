// Expressions taken apart into nodes and groups.
#include <algorithm>

#include "checker/sampling/formulas.h"

namespace txproof::checker::sampling {

using program::Address;
using program::Aggregate;
using program::AggregateId;
using program::AggregateKind;
using program::Expr;
using program::ExprId;
using program::ExprKind;
using program::no_id;
using program::Span;
using program::Word;

namespace {

bool is_static(const Address& address) {
  return address.indices.empty() && address.handle == no_id && address.absolute == no_id;
}

}  // namespace

Formulas::Formulas(const program::Program& program)
    : program_(program), watchers_(program.slots.size()), is_written_(program.slots.size(), 0) {}

std::optional<Formulas::Number> Formulas::add(ExprId expr) { return node_of(expr); }

Formulas::Number Formulas::push(Node node) {
  const auto id = static_cast<Number>(nodes_.size());
  for (const Number operand : node.operands) nodes_[operand].parents.push_back(id);
  nodes_.push_back(std::move(node));
  return id;
}

std::optional<Formulas::Number> Formulas::node_of(ExprId id) {
  const auto known = known_.find(id);
  if (known != known_.end()) return known->second;
  const Expr& e = program_.exprs[id];
  std::optional<Number> result;
  switch (e.kind) {
    case ExprKind::constant: {
      Node node;
      node.value = e.value;
      result = push(std::move(node));
      break;
    }
    case ExprKind::load: {
      const Address& address = program_.addresses[e.addr];
      if (!is_static(address)) break;
      const auto [at, inserted] = slot_nodes_.try_emplace(address.base, 0);
      if (inserted) {
        Node node;
        node.kind = Kind::slot;
        node.constant = address.base;
        at->second = push(std::move(node));
        watchers_[address.base].push_back({true, at->second, 0});
      }
      result = at->second;
      break;
    }
    case ExprKind::logical_and:
      result = chain(id, Kind::all);
      break;
    case ExprKind::logical_or:
      result = chain(id, Kind::any);
      break;
    case ExprKind::add:
      result = chain(id, Kind::sum);
      break;
    case ExprKind::minimum:
      result = chain(id, Kind::least);
      break;
    case ExprKind::maximum:
      result = chain(id, Kind::most);
      break;
    case ExprKind::aggregate:
      result = aggregate(id);
      break;
    case ExprKind::cursor:
    case ExprKind::place_id:
      break;
    default: {
      Node node;
      node.kind = e.kind == ExprKind::table ? Kind::table : Kind::operation;
      node.operation = e.kind;
      node.constant = e.value;
      bool good = true;
      for (const ExprId operand : {e.a, e.b, e.c}) {
        if (operand == no_id) continue;
        const auto child = node_of(operand);
        good = good && child.has_value();
        if (good) node.operands.push_back(*child);
      }
      if (good) result = push(std::move(node));
      break;
    }
  }
  known_[id] = result;
  return result;
}

// The operands of a chain of one operator, which leans to either side.
bool Formulas::operands_of(ExprId top, ExprKind kind, std::vector<Number>& out) {
  std::vector<ExprId> pending = {top};
  while (!pending.empty()) {
    const ExprId id = pending.back();
    pending.pop_back();
    if (program_.exprs[id].kind == kind) {
      pending.push_back(program_.exprs[id].b);
      pending.push_back(program_.exprs[id].a);
      continue;
    }
    const auto node = node_of(id);
    if (!node) return false;
    out.push_back(*node);
  }
  return true;
}

std::optional<Formulas::Number> Formulas::chain(ExprId expr, Kind kind) {
  std::vector<Number> operands;
  if (!operands_of(expr, program_.exprs[expr].kind, operands)) return std::nullopt;
  Node node;
  node.kind = kind;
  node.operands = std::move(operands);
  return push(std::move(node));
}

std::optional<Formulas::Number> Formulas::aggregate(ExprId expr) {
  const auto id = static_cast<AggregateId>(program_.exprs[expr].value);
  Word key = 0;
  const auto group = group_of(id, key);
  if (!group) return std::nullopt;
  Group::Total& total = groups_[*group].totals[key];
  if (!total.node) {
    Node node;
    node.kind = Kind::total;
    node.group = *group;
    node.constant = key;
    total.node = push(std::move(node));
  }
  return total.node;
}

bool Formulas::is_local(ExprId id, AggregateId cursor) const {
  if (id == no_id) return true;
  const Expr& e = program_.exprs[id];
  switch (e.kind) {
    case ExprKind::constant:
      return true;
    case ExprKind::cursor:
      return e.value == Word{cursor};
    case ExprKind::load: {
      const Address& address = program_.addresses[e.addr];
      if (!address.indices.empty() || address.absolute != no_id || address.handle == no_id ||
          program_.structs[address.handle_struct].counted) {
        return false;
      }
      const Expr& handle = program_.exprs[address.handle];
      return handle.kind == ExprKind::cursor && handle.value == Word{cursor};
    }
    case ExprKind::aggregate:
    case ExprKind::table:
    case ExprKind::place_id:
      return false;
    default:
      return is_local(e.a, cursor) && is_local(e.b, cursor) && is_local(e.c, cursor);
  }
}

std::string Formulas::signature(ExprId id, AggregateId cursor) const {
  if (id == no_id) return "-";
  const Expr& e = program_.exprs[id];
  std::string text = std::to_string(static_cast<int>(e.kind));
  if (e.kind == ExprKind::cursor) return text;
  text += "(" + std::to_string(e.value);
  if (e.kind == ExprKind::load) text += "@" + std::to_string(program_.addresses[e.addr].base);
  for (const ExprId operand : {e.a, e.b, e.c}) text += "," + signature(operand, cursor);
  return text + ")";
}

bool Formulas::add_elements(const Aggregate& aggregate, Group& group) {
  for (const Span& span : aggregate.spans) {
    if (span.structure == no_id || program_.structs[span.structure].counted) return false;
    const program::Struct& structure = program_.structs[span.structure];
    if (span.kind == Span::Kind::places) {
      for (program::PlaceId place = span.first;
           place < span.first + span.count && place < structure.places.size(); ++place) {
        const program::SlotId base = structure.places[place].base;
        // What is not stored is empty between steps.
        if (!program_.slots[base].stored && program_.slots[base].rest_value != 1) continue;
        group.elements.push_back({base, 2 + Word{place}, false, false, 0, 0});
      }
      continue;
    }
    if (span.kind != Span::Kind::container) return false;
    const Address& address = program_.addresses[span.addr];
    if (!is_static(address)) return false;
    for (std::uint32_t i = 0; i < span.count; ++i) {
      const program::SlotId base = address.base + 1 + i * span.stride;
      group.elements.push_back({base, 2 + Word{program_.place_at[base]}, false, false, 0, 0});
    }
  }
  return true;
}

std::optional<std::uint32_t> Formulas::group_of(AggregateId id, Word& key) {
  const Aggregate& aggregate = program_.aggregates[id];
  const AggregateId cursor = aggregate.cursor_of == no_id ? id : aggregate.cursor_of;
  if (!is_local(aggregate.where, cursor) || !is_local(aggregate.body, cursor)) return std::nullopt;
  Group group;
  group.kind = aggregate.kind;
  group.aggregate = id;
  group.cursor = cursor;
  group.empty = aggregate.empty;
  group.body = aggregate.body;
  const bool keyed = aggregate.kind == AggregateKind::sum || aggregate.kind == AggregateKind::count;
  std::vector<ExprId> pending;
  if (aggregate.where != no_id) pending.push_back(aggregate.where);
  while (!pending.empty()) {
    const ExprId part = pending.back();
    pending.pop_back();
    const Expr& e = program_.exprs[part];
    if (e.kind == ExprKind::logical_and) {
      pending.push_back(e.a);
      pending.push_back(e.b);
    } else if (keyed && group.key == no_id && e.kind == ExprKind::equal &&
               program_.exprs[e.b].kind == ExprKind::constant) {
      group.key = e.a;
      key = program_.exprs[e.b].value;
    } else {
      group.where.push_back(part);
    }
  }
  std::string text = std::to_string(static_cast<int>(group.kind)) + "/" +
                     signature(group.key, cursor) + "/" + signature(group.body, cursor) + "/" +
                     std::to_string(group.empty);
  for (const ExprId part : group.where) text += "/" + signature(part, cursor);
  for (const Span& span : aggregate.spans) {
    text += "/" + std::to_string(static_cast<int>(span.kind)) + ":" +
            std::to_string(span.structure) + ":" + std::to_string(span.first) + ":" +
            std::to_string(span.count) + ":" +
            (span.addr == no_id ? "-" : std::to_string(program_.addresses[span.addr].base)) + ":" +
            std::to_string(span.stride);
  }
  const auto known = group_ids_.find(text);
  if (known != group_ids_.end()) return known->second;
  if (!add_elements(aggregate, group)) return std::nullopt;
  const auto number = static_cast<std::uint32_t>(groups_.size());
  for (std::uint32_t i = 0; i < group.elements.size(); ++i) {
    const Element& element = group.elements[i];
    const std::uint32_t words = program_.structs[aggregate.spans.front().structure].words;
    for (std::uint32_t word = 0; word < words; ++word) {
      watchers_[element.base + word].push_back({false, number, i});
    }
  }
  groups_.push_back(std::move(group));
  group_ids_.emplace(std::move(text), number);
  return number;
}

}  // namespace txproof::checker::sampling
