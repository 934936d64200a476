// Values of expressions, kept up to date while slots change.
//
// A claim about every socket, or a sum over every packet, costs as much as there are sockets and
// packets; a step changes a few words. So expressions are taken apart into nodes that remember
// their value, and a change goes up only as far as it changes something:
//
//   a && b && …, a + b + …, max(a, b, …)   one node, which counts what its operands are
//   sum(s in T where s.f == k) E(s)        one group for all k: a total for each value of f
//
// So `forall k in sock: k.charged == sum(s in sk_buff where s.sk == k) s.size` costs a few dozen
// operations a step, whether there are 2 sockets or 2000. (It is incremental view maintenance, as
// databases do it: Gupta, Mumick: Maintenance of materialized views, IEEE Data Eng. Bull. 18,
// 1995.)
//
// What has another form is refused, and is evaluated as ever.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::sampling {

class Formulas {
 public:
  using Number = std::uint32_t;

  explicit Formulas(const program::Program& program);

  // Takes an expression on.
  //   returns nothing if it has a form that is not followed
  std::optional<Number> add(program::ExprId expr);

  // Computes everything anew.
  void reset(const program::Word* state);
  // These two, in this order: what has been written since (any number of times, changed or not),
  // and the state now. Only states between steps.
  void written(program::SlotId slot);
  void settle(const program::Word* state);

  [[nodiscard]] program::Word value(Number formula) const { return nodes_[formula].value; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  enum class Kind : std::uint8_t {
    constant,
    slot,
    operation,
    table,
    all,
    any,
    sum,
    least,
    most,
    total
  };
  struct Node {
    Kind kind = Kind::constant;
    program::ExprKind operation = program::ExprKind::constant;
    program::Word value = 0;
    program::Word constant = 0;    // wrap: the modulus; table: which; total: the key
    std::vector<Number> operands;  // operation, table
    std::vector<Number> parents;
    std::int64_t tally = 0;  // all: operands that are 0; any: that are not; sum: the sum
    std::map<program::Word, std::uint32_t> seen;  // least, most: values of operands
    std::uint32_t group = 0;                      // total
    bool queued = false;
  };
  // An element of what an aggregate ranges over: a place. (In a container too: behind its length,
  // places are empty.)
  struct Element {
    program::SlotId base = 0;
    program::Word cursor = 0;
    bool counts = false;  // in the totals, with:
    bool queued = false;
    program::Word key = 0, term = 0;
  };
  // Aggregates that differ only in the value that a field is compared with.
  struct Group {
    program::AggregateKind kind = program::AggregateKind::sum;
    program::AggregateId aggregate = 0;  // one of them
    program::AggregateId cursor = 0;     // whose cursor the expressions name
    program::Word empty = 0;
    program::ExprId key = program::no_id;  // no_id: one total
    std::vector<program::ExprId> where;    // all of these hold
    program::ExprId body = program::no_id;
    std::vector<Element> elements;
    struct Total {
      std::int64_t sum = 0;
      std::map<program::Word, std::uint32_t> seen;  // minimum, maximum: terms
      std::optional<Number> node;
    };
    std::map<program::Word, Total> totals;
  };
  struct Watcher {
    bool is_node = true;
    std::uint32_t id = 0;       // node; group
    std::uint32_t element = 0;  // of the group
  };

  [[nodiscard]] std::optional<Number> node_of(program::ExprId expr);
  std::optional<Number> chain(program::ExprId expr, Kind kind);
  bool operands_of(program::ExprId expr, program::ExprKind kind, std::vector<Number>& out);
  std::optional<Number> aggregate(program::ExprId expr);
  std::optional<std::uint32_t> group_of(program::AggregateId id, program::Word& key);
  bool add_elements(const program::Aggregate& aggregate, Group& group);
  // Only the element, constants and static slots that never change are read.
  [[nodiscard]] bool is_local(program::ExprId expr, program::AggregateId cursor) const;
  [[nodiscard]] std::string signature(program::ExprId expr, program::AggregateId cursor) const;
  [[nodiscard]] program::Word local_value(program::ExprId expr, const Element& element,
                                          const program::Word* state) const;
  Number push(Node node);

  void queue(Number node);
  void queue(Group& group, std::uint32_t group_id, std::uint32_t element);
  void refresh(Group& group, Element& element, const program::Word* state);
  static void count(Group::Total& total, program::AggregateKind kind, program::Word term,
                    int times);
  [[nodiscard]] program::Word total_value(const Group& group, const Group::Total& total) const;
  [[nodiscard]] program::Word computed(const Node& node) const;
  void tell_parents(Number child, program::Word before, program::Word now);

  const program::Program& program_;
  std::vector<Node> nodes_;  // operands before what they are part of
  std::vector<Group> groups_;
  std::vector<std::vector<Watcher>> watchers_;  // by slot
  std::map<program::ExprId, std::optional<Number>> known_;
  std::map<std::string, std::uint32_t> group_ids_;
  std::map<program::SlotId, Number> slot_nodes_;
  std::vector<program::SlotId> written_;
  std::vector<char> is_written_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> queued_elements_;
  std::priority_queue<Number, std::vector<Number>, std::greater<>> queued_nodes_;
};

}  // namespace txproof::checker::sampling
