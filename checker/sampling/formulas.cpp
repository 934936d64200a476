#include "checker/sampling/formulas.h"

#include <algorithm>
#include <utility>

#include "checker/explicit/fold.h"

namespace txproof::checker::sampling {

using program::AggregateKind;
using program::Expr;
using program::ExprId;
using program::ExprKind;
using program::no_id;
using program::SlotId;
using program::Word;

Word Formulas::local_value(ExprId id, const Element& element, const Word* state) const {
  const Expr& e = program_.exprs[id];
  switch (e.kind) {
    case ExprKind::constant:
      return e.value;
    case ExprKind::cursor:
      return element.cursor;
    case ExprKind::load:
      return state[element.base + program_.addresses[e.addr].base];
    case ExprKind::logical_and:
      return local_value(e.a, element, state) != 0 && local_value(e.b, element, state) != 0 ? 1 : 0;
    case ExprKind::logical_or:
      return local_value(e.a, element, state) != 0 || local_value(e.b, element, state) != 0 ? 1 : 0;
    case ExprKind::conditional:
      return local_value(e.a, element, state) != 0 ? local_value(e.b, element, state)
                                                   : local_value(e.c, element, state);
    case ExprKind::negate:
    case ExprKind::bit_not:
    case ExprKind::logical_not:
      return fold(e.kind, local_value(e.a, element, state), 0);
    case ExprKind::wrap:
      return fold(e.kind, local_value(e.a, element, state), e.value);
    default:
      return fold(e.kind, local_value(e.a, element, state), local_value(e.b, element, state));
  }
}

void Formulas::count(Group::Total& total, AggregateKind kind, Word term, int times) {
  switch (kind) {
    case AggregateKind::sum:
      total.sum += term * times;
      return;
    case AggregateKind::count:
      total.sum += times;
      return;
    case AggregateKind::forall:  // those for which it is false
      total.sum += term == 0 ? times : 0;
      return;
    case AggregateKind::exists:  // those for which it is true
      total.sum += term != 0 ? times : 0;
      return;
    case AggregateKind::minimum:
    case AggregateKind::maximum: {
      std::uint32_t& seen = total.seen[term];
      seen += static_cast<std::uint32_t>(times);
      if (seen == 0) total.seen.erase(term);
      return;
    }
  }
}

Word Formulas::total_value(const Group& group, const Group::Total& total) const {
  switch (group.kind) {
    case AggregateKind::sum:
    case AggregateKind::count:
      return total.sum;
    case AggregateKind::forall:
      return total.sum == 0 ? 1 : 0;
    case AggregateKind::exists:
      return total.sum != 0 ? 1 : 0;
    case AggregateKind::minimum:
      return total.seen.empty() ? group.empty : total.seen.begin()->first;
    case AggregateKind::maximum:
      return total.seen.empty() ? group.empty : total.seen.rbegin()->first;
  }
  return 0;
}

// Takes an element out of the totals as it was and puts it in as it is.
void Formulas::refresh(Group& group, Element& element, const Word* state) {
  bool counts = state[element.base] == 1;
  for (const ExprId part : group.where) {
    counts = counts && local_value(part, element, state) != 0;
  }
  const Word key = counts && group.key != no_id ? local_value(group.key, element, state) : 0;
  const Word term = counts && group.body != no_id ? local_value(group.body, element, state) : 1;
  if (counts == element.counts && key == element.key && term == element.term) return;
  const auto change = [&](Word at, Word value, int times) {
    Group::Total& total = group.totals[at];
    count(total, group.kind, value, times);
    if (total.node) queue(*total.node);
  };
  if (element.counts) change(element.key, element.term, -1);
  if (counts) change(key, term, 1);
  element.counts = counts;
  element.key = key;
  element.term = term;
}

Word Formulas::computed(const Node& node) const {
  const auto operand = [&](std::size_t i) { return nodes_[node.operands[i]].value; };
  switch (node.kind) {
    case Kind::constant:
    case Kind::slot:
      return node.value;
    case Kind::table: {
      const auto& table = program_.tables[static_cast<std::size_t>(node.constant)];
      const auto row = static_cast<std::uint64_t>(operand(0));
      return row < table.size() ? table[row] : 0;
    }
    case Kind::operation:
      switch (node.operation) {
        case ExprKind::conditional:
          return operand(0) != 0 ? operand(1) : operand(2);
        case ExprKind::negate:
        case ExprKind::bit_not:
        case ExprKind::logical_not:
          return fold(node.operation, operand(0), 0);
        case ExprKind::wrap:
          return fold(node.operation, operand(0), node.constant);
        default:
          return fold(node.operation, operand(0), operand(1));
      }
    case Kind::all:
      return node.tally == 0 ? 1 : 0;
    case Kind::any:
      return node.tally != 0 ? 1 : 0;
    case Kind::sum:
      return node.tally;
    case Kind::least:
      return node.seen.begin()->first;
    case Kind::most:
      return node.seen.rbegin()->first;
    case Kind::total: {
      const Group& group = groups_[node.group];
      return total_value(group, group.totals.at(node.constant));
    }
  }
  return 0;
}

void Formulas::queue(Number id) {
  if (std::exchange(nodes_[id].queued, true)) return;
  queued_nodes_.push(id);
}

void Formulas::queue(Group& group, std::uint32_t group_id, std::uint32_t element) {
  if (std::exchange(group.elements[element].queued, true)) return;
  queued_elements_.emplace_back(group_id, element);
}

void Formulas::tell_parents(Number child, Word before, Word now) {
  for (const Number parent : nodes_[child].parents) {
    Node& node = nodes_[parent];
    switch (node.kind) {
      case Kind::all:
        node.tally += (now == 0 ? 1 : 0) - (before == 0 ? 1 : 0);
        break;
      case Kind::any:
        node.tally += (now != 0 ? 1 : 0) - (before != 0 ? 1 : 0);
        break;
      case Kind::sum:
        node.tally += now - before;
        break;
      case Kind::least:
      case Kind::most:
        ++node.seen[now];
        if (--node.seen[before] == 0) node.seen.erase(before);
        break;
      default:
        break;
    }
    queue(parent);
  }
}

void Formulas::reset(const Word* state) {
  for (const SlotId slot : written_) is_written_[slot] = 0;
  written_.clear();
  for (Group& group : groups_) {
    for (auto& [key, total] : group.totals) {
      total.sum = 0;
      total.seen.clear();
    }
    for (Element& element : group.elements) {
      element.counts = false;
      element.key = element.term = 0;
      refresh(group, element, state);
    }
  }
  while (!queued_nodes_.empty()) queued_nodes_.pop();
  for (Node& node : nodes_) {
    node.queued = false;
    node.tally = 0;
    node.seen.clear();
    if (node.kind == Kind::slot) node.value = state[static_cast<std::size_t>(node.constant)];
    for (const Number operand : node.operands) {
      const Word value = nodes_[operand].value;
      if (node.kind == Kind::all) node.tally += value == 0 ? 1 : 0;
      if (node.kind == Kind::any) node.tally += value != 0 ? 1 : 0;
      if (node.kind == Kind::sum) node.tally += value;
      if (node.kind == Kind::least || node.kind == Kind::most) ++node.seen[value];
    }
    node.value = computed(node);
  }
}

void Formulas::written(SlotId slot) {
  if (watchers_[slot].empty() || std::exchange(is_written_[slot], 1) != 0) return;
  written_.push_back(slot);
}

void Formulas::settle(const Word* state) {
  for (const SlotId slot : written_) {
    is_written_[slot] = 0;
    for (const Watcher& watcher : watchers_[slot]) {
      if (watcher.is_node) {
        const Word before = std::exchange(nodes_[watcher.id].value, state[slot]);
        if (before != state[slot]) tell_parents(watcher.id, before, state[slot]);
        continue;
      }
      Group& group = groups_[watcher.id];
      queue(group, watcher.id, watcher.element);
    }
  }
  written_.clear();
  for (const auto& [group, element] : queued_elements_) {
    Element& at = groups_[group].elements[element];
    at.queued = false;
    refresh(groups_[group], at, state);
  }
  queued_elements_.clear();
  while (!queued_nodes_.empty()) {
    const Number id = queued_nodes_.top();
    queued_nodes_.pop();
    Node& node = nodes_[id];
    node.queued = false;
    const Word before = node.value;
    const Word now = computed(node);
    if (before == now) continue;
    node.value = now;
    tell_parents(id, before, now);
  }
}

}  // namespace txproof::checker::sampling
