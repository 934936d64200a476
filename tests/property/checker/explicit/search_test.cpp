// Random small Programs: the search finds exactly what a plain breadth-first walk over the
// reference interpreter finds, with any number of workers.
#include "checker/explicit/search.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <map>

#include "tests/support/program_builder.h"

using namespace txproof::test;
using txproof::checker::explore;
using txproof::checker::SearchOptions;
using txproof::program::Interpreter;
using txproof::program::Move;
using txproof::program::Successor;
using txproof::properties::Exploration;
using txproof::properties::Verdict;

namespace {

// What the plain walk knows of one property.
struct Expected {
  bool violated = false;
  std::vector<Move> moves;
  ViolationId violation = no_id;
};

struct Walk {
  std::uint64_t states = 0, transitions = 0;
  std::uint32_t depth = 0;
  std::vector<Expected> expected;
  bool fault = false;
};

Walk walk(const Program& p) {
  const Interpreter interpreter(p);
  struct Node {
    State state;
    std::size_t parent;
    Move move;
    std::uint32_t depth;
  };
  std::vector<Node> nodes;
  std::map<State, std::size_t> seen;
  Walk result;
  result.expected.resize(p.properties.size());
  const auto path = [&](std::size_t node) {
    std::vector<Move> moves;
    for (; node != 0; node = nodes[node].parent) moves.push_back(nodes[node].move);
    std::reverse(moves.begin(), moves.end());
    return moves;
  };
  const auto blame = [&](PropertyId id, std::vector<Move> moves, ViolationId violation) {
    Expected& e = result.expected[id];
    // States and moves are met in order, so among equally long ones the first stays.
    if (e.violated && e.moves.size() <= moves.size()) return;
    e = {true, std::move(moves), violation};
  };
  const auto inspect = [&](std::size_t node) {
    const State& state = nodes[node].state;
    for (PropertyId id = 0; id < p.properties.size(); ++id) {
      if (p.properties[id].kind == PropertyKind::deadlock && interpreter.deadlocked(state)) {
        blame(id, path(node), no_id);
      }
      for (const Claim& claim : p.properties[id].claims) {
        bool wrong = false;
        if (claim.kind == PropertyKind::always) {
          wrong = interpreter.evaluate(state, claim.condition) == 0;
        } else if (claim.kind == PropertyKind::maximum) {
          wrong = interpreter.evaluate(state, claim.left) > interpreter.evaluate(state, claim.right);
        } else if (claim.kind == PropertyKind::at_rest) {
          wrong = interpreter.at_rest(state) && interpreter.evaluate(state, claim.condition) == 0;
        }
        if (wrong) blame(id, path(node), no_id);
      }
    }
  };
  nodes.push_back({initial_state(p), 0, {}, 0});
  seen.emplace(nodes[0].state, 0);
  inspect(0);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    const State here = nodes[node].state;
    for (const Successor& next : interpreter.successors(here)) {
      ++result.transitions;
      for (const auto& fault : next.faults) {
        std::vector<Move> moves = path(node);
        moves.push_back(next.move);
        blame(p.violations[fault.violation].property, std::move(moves), fault.violation);
      }
      if (next.ended()) {
        result.fault = true;
        continue;
      }
      if (!seen.emplace(next.state, nodes.size()).second) continue;
      nodes.push_back({next.state, node, next.move, nodes[node].depth + 1});
      inspect(nodes.size() - 1);
    }
    result.depth = nodes.back().depth;
  }
  result.states = nodes.size();
  return result;
}

// A random program over a few slots, an array, a fifo, a bag, and packets in places with handles
// to them. Every write wraps into its range, so that nothing has to be checked but what is.
class Generator {
 public:
  Program make() {
    layout();
    const unsigned threads = *rc::gen::inRange(1U, 4U);
    for (unsigned i = 0; i < threads; ++i) thread(i);
    properties();
    return b_.program;
  }

 private:
  template <typename T>
  T any(T below) {
    return *rc::gen::inRange<T>(0, below);
  }
  SlotId scalar() { return scalars_[any(scalars_.size())]; }

  void layout() {
    for (unsigned i = 0; i < 3; ++i) {
      scalars_.push_back(b_.slot("s" + std::to_string(i), -1, 2, 0));
    }
    array_ = b_.slot("a[0]", 0, 3);
    b_.slot("a[1]", 0, 3);
    b_.slot("a[2]", 0, 3);
    fifo_ = b_.fifo("fifo", 2, 0, 2);
    bag_ = b_.fifo("bag", 3, 0, 2);
    fifo_container_ = b_.container(fifo_, 2);
    bag_container_ = b_.container(bag_, 3, 1, no_id, true);
    b_.program.bags.push_back({bag_, 1, 3});
    Struct packet;
    packet.name = "packet";
    packet.words = 2;
    for (PlaceId i = 0; i < 2; ++i) {
      const SlotId base = b_.slot("place" + std::to_string(i), 0, 2);
      b_.program.place_at[base] = i;
      b_.slot("place" + std::to_string(i) + ".field", 0, 1);
      packet.places.push_back({base, "place", false});
    }
    ring_ = b_.slot("ring.len", 0, 2);
    for (PlaceId i = 2; i < 4; ++i) {
      const SlotId base = b_.slot("ring" + std::to_string(i), 0, 1);
      b_.program.place_at[base] = i;
      b_.slot("ring.field", 0, 1);
      packet.places.push_back({base, "ring", false});
    }
    handle_ = b_.slot("handle", 0, 5);
    packet.handles.push_back(handle_);
    b_.program.structs.push_back(packet);
    ring_container_ = b_.container(ring_, 2, 2, 0);
    scratch_ = b_.scratch("scratch", 0, 9);
    if (any(3) == 0) {
      const SlotId clock = b_.slot("clock", 0, 2, any<Word>(3));
      b_.program.slots[clock].ticks = any(2) == 0 ? TickEffect::up : TickEffect::down;
      b_.program.has_time = true;
      scalars_.push_back(clock);
    }
    const auto span = [&](Span s, AggregateKind kind) {
      Aggregate a;
      a.kind = kind;
      a.spans = {s};
      b_.program.aggregates.push_back(a);
      return static_cast<AggregateId>(b_.program.aggregates.size() - 1);
    };
    Span packets;
    packets.structure = 0;
    packets.count = 4;
    Span array;
    array.kind = Span::Kind::array;
    array.addr = b_.at(array_);
    array.count = 3;
    Span container;
    container.kind = Span::Kind::container;
    container.addr = b_.at(bag_);
    container.count = 3;
    Span range;
    range.kind = Span::Kind::range;
    range.count = 3;
    range.range_first = -1;
    for (int round = 0; round < 3; ++round) {
      const auto kind = static_cast<AggregateKind>(any(6));
      const AggregateId p = span(packets, kind);
      b_.program.aggregates[p].body = field_of(cursor(p));
      const AggregateId a = span(array, kind);
      b_.program.aggregates[a].body = slot_at(cursor(a));
      b_.program.aggregates[a].where = b_.less(b_.constant(any<Word>(3)), slot_at(cursor(a)));
      const AggregateId c = span(container, kind);
      b_.program.aggregates[c].body = slot_at(cursor(c));
      const AggregateId r = span(range, kind);
      // A nest: an array summed for each of a range.
      b_.program.aggregates[r].body =
          b_.add(cursor(r), b_.op(ExprKind::aggregate, no_id, no_id, no_id, a));
      for (const AggregateId id : {p, a, c, r}) {
        b_.program.aggregates[id].empty = 7;
        aggregates_.push_back(b_.op(ExprKind::aggregate, no_id, no_id, no_id, id));
      }
    }
  }
  ExprId cursor(AggregateId id) {
    const ExprId e = b_.op(ExprKind::cursor, no_id, no_id, no_id, id);
    b_.program.exprs[e].structure = 0;
    return e;
  }
  ExprId field_of(ExprId handle) {
    Address a;
    a.base = 1;
    a.handle = handle;
    a.handle_struct = 0;
    return b_.load_at(b_.address(a));
  }
  ExprId slot_at(ExprId absolute) {
    Address a;
    a.absolute = absolute;
    return b_.load_at(b_.address(a));
  }
  ExprId wrapped(ExprId value, Word modulus) {
    return b_.op(ExprKind::wrap, value, no_id, no_id, modulus);
  }
  AddrId array_element(ExprId index) {
    Address a;
    a.base = array_;
    a.indices.push_back({wrapped(index, 3), 1, 3});
    return b_.address(a);
  }
  ExprId place_handle(SlotId place) {
    const ExprId e = b_.op(ExprKind::place_id, no_id);
    b_.program.exprs[e].addr = b_.at(place);
    b_.program.exprs[e].structure = 0;
    return e;
  }

  ExprId expr(int depth) {
    if (depth == 0) {
      switch (any(4)) {
        case 0:
          return b_.constant(any<Word>(5) - 1);
        case 1:
          return aggregates_[any(aggregates_.size())];
        default:
          return b_.load(scalar());
      }
    }
    static constexpr ExprKind binary[] = {
        ExprKind::add,        ExprKind::subtract,    ExprKind::multiply,    ExprKind::less,
        ExprKind::less_equal, ExprKind::equal,       ExprKind::not_equal,   ExprKind::logical_and,
        ExprKind::logical_or, ExprKind::minimum,     ExprKind::maximum,     ExprKind::bit_and,
        ExprKind::bit_or,     ExprKind::bit_xor,     ExprKind::divide,      ExprKind::modulo,
        ExprKind::shift_left, ExprKind::shift_right, ExprKind::logical_and, ExprKind::logical_or};
    switch (any(8)) {
      case 0:
        return b_.negation(expr(depth - 1));
      case 1:
        return b_.op(ExprKind::conditional, expr(depth - 1), expr(depth - 1), expr(depth - 1));
      case 2:
        return b_.load_at(array_element(expr(depth - 1)));
      case 3:
        return wrapped(expr(depth - 1), 2 + any<Word>(3));
      case 4:
        return b_.op(any(2) == 0 ? ExprKind::negate : ExprKind::bit_not, expr(depth - 1));
      case 5:
        return any(2) == 0 ? place_handle(any(2) == 0 ? place(0) : place(1)) : b_.load(handle_);
      default:
        return b_.op(binary[any(std::size(binary))], expr(depth - 1), expr(depth - 1));
    }
  }
  SlotId place(PlaceId id) const { return b_.program.structs[0].places[id].base; }

  // Runs `then` only where `condition` holds; returns the block in which to go on.
  template <typename Then>
  BlockId guarded(BlockId block, ExprId condition, Then then) {
    const ThreadId thread = b_.program.blocks[block].thread;
    const BlockId yes = b_.block(thread);
    const BlockId end = b_.block(thread);
    b_.branch(block, condition, yes, end);
    then(yes);
    b_.jump(yes, end);
    return end;
  }
  ExprId empty(SlotId place) { return b_.slot_is(place, 0); }
  ExprId full(SlotId place) { return b_.slot_is(place, 1); }

  BlockId statement(BlockId block) {
    const SlotId here = place(static_cast<PlaceId>(any(2)));
    const SlotId there = here == place(0) ? place(1) : place(0);
    const auto element = [&](BlockId in, StmtKind kind) -> Stmt& {
      Stmt& s = b_.stmt(in, kind);
      s.structure = 0;
      return s;
    };
    switch (any(14)) {
      case 0:
        return guarded(block, b_.slot_below(fifo_, 2),
                       [&](BlockId in) { b_.push(in, fifo_container_, wrapped(expr(1), 3)); });
      case 1:
        return guarded(block, b_.negation(b_.slot_is(fifo_, 0)), [&](BlockId in) {
          b_.pop(in, fifo_container_, scratch_);
          b_.assign(in, array_, b_.load(scratch_));
        });
      case 2:
        return guarded(block, b_.slot_below(bag_, 3),
                       [&](BlockId in) { b_.push(in, bag_container_, wrapped(expr(1), 3)); });
      case 3:
        return guarded(block, b_.negation(b_.slot_is(bag_, 0)), [&](BlockId in) {
          // Any element at all, or any that is not the largest.
          Aggregate a;
          Span s;
          s.kind = Span::Kind::container;
          s.addr = b_.at(bag_);
          s.count = 3;
          a.spans = {s};
          b_.program.aggregates.push_back(a);
          const auto id = static_cast<AggregateId>(b_.program.aggregates.size() - 1);
          const ExprId any_element =
              b_.op(ExprKind::less_equal, slot_at(cursor(id)), b_.constant(2));
          const AddrId target = b_.at(scratch_);
          Stmt& pick = b_.stmt(in, StmtKind::pick_element);
          pick.container = bag_container_;
          pick.aggregate = id;
          pick.value2 = any_element;
          pick.target = target;
          const ExprId position = b_.load(scratch_);
          Stmt& remove = b_.stmt(in, StmtKind::remove);
          remove.container = bag_container_;
          remove.value = position;
        });
      case 4:
        return guarded(block, empty(here), [&](BlockId in) {
          const AddrId target = b_.at(here);
          element(in, StmtKind::create).target = target;
          b_.assign(in, here + 1, wrapped(expr(1), 2));
        });
      case 5:
        return guarded(block, full(here), [&](BlockId in) {
          const AddrId source = b_.at(here);
          Stmt& s = element(in, StmtKind::destroy);
          s.source = source;
          s.leave = any(2) == 0 ? 2 : 0;
        });
      case 6:
        return guarded(block, b_.both(full(here), empty(there)), [&](BlockId in) {
          const AddrId source = b_.at(here);
          const AddrId target = b_.at(there);
          Stmt& s = element(in, any(2) == 0 ? StmtKind::move : StmtKind::duplicate);
          s.source = source;
          s.target = target;
        });
      case 7:
        return guarded(block, b_.both(full(here), b_.slot_below(ring_, 2)), [&](BlockId in) {
          const AddrId source = b_.at(here);
          const ExprId head = b_.constant(0);
          Stmt& s = b_.stmt(in, StmtKind::insert);
          s.container = ring_container_;
          s.source = source;
          if (any(2) == 0) s.value = head;
        });
      case 8:
        return guarded(block, b_.both(empty(here), b_.negation(b_.slot_is(ring_, 0))),
                       [&](BlockId in) {
                         const AddrId target = b_.at(here);
                         const ExprId head = b_.constant(0);
                         Stmt& s = b_.stmt(in, StmtKind::remove);
                         s.container = ring_container_;
                         s.value = head;
                         s.target = target;
                       });
      case 9:
        b_.assign(block, handle_, place_handle(any(2) == 0 ? here : there));
        return block;
      case 10:
        return guarded(block, b_.less(b_.constant(1), b_.load(handle_)), [&](BlockId in) {
          Address a;
          a.base = 1;
          a.handle = b_.load(handle_);
          a.handle_struct = 0;
          b_.assign_at(in, b_.address(a), wrapped(expr(1), 2));
        });
      case 11:
        b_.assign_at(block, array_element(expr(1)), wrapped(expr(2), 4));
        return block;
      case 12: {
        const AddrId target = b_.at(here);
        return guarded(block, b_.slot_is(here, 2),
                       [&](BlockId in) { element(in, StmtKind::clear_tag).target = target; });
      }
      default: {
        const SlotId target = scalar();
        const Range range = b_.program.slots[target].range;
        b_.assign(block, target,
                  b_.add(wrapped(expr(2), range.hi - range.lo + 1), b_.constant(range.lo)));
        return block;
      }
    }
  }

  void thread(unsigned number) {
    const ThreadId t = b_.thread("t" + std::to_string(number));
    b_.program.threads[t].urgent = any(4) == 0;
    std::vector<LocationId> locations;
    const unsigned count = *rc::gen::inRange(1U, 4U);
    for (unsigned i = 0; i < count; ++i) {
      static constexpr StopKind kinds[] = {StopKind::wait, StopKind::rest, StopKind::pause,
                                           StopKind::yield};
      const StopKind kind = kinds[any(4)];
      const bool conditional = kind == StopKind::wait || kind == StopKind::rest;
      locations.push_back(b_.location(t, kind, conditional ? expr(2) : no_id));
    }
    const LocationId first = locations[0];
    if (b_.program.has_time && any(2) == 0) {
      const LocationId tick = b_.location(t, StopKind::tick);
      b_.program.locations[tick].after = first;
      locations.push_back(tick);
    }
    for (unsigned i = 0; i < count; ++i) {
      BlockId block = b_.entry(locations[i]);
      const auto statements = any(4);
      for (int s = 0; s < statements; ++s) block = statement(block);
      if (any(3) == 0) {
        b_.pick(block, scratch_, 0, any<Word>(3));
        b_.assign(block, array_ + 1, wrapped(b_.load(scratch_), 4));
      }
      if (any(3) == 0) checks_.push_back({block, expr(2), any(3) == 0});
      if (any(3) == 0) {
        const BlockId left = b_.block(t);
        const BlockId right = b_.block(t);
        b_.choose(block, {left, right}, {no_id, any(2) == 0 ? expr(1) : no_id});
        end(statement(left), locations);
        end(statement(right), locations);
      } else {
        end(block, locations);
      }
    }
  }
  void end(BlockId block, const std::vector<LocationId>& locations) {
    b_.stop(block, locations[any(locations.size())], {scratch_});
    if (any(5) == 0) {
      // A lock: on where its condition holds.
      const BlockId beyond = b_.block(b_.program.blocks[block].thread);
      Terminator& lock = b_.program.blocks[block].end;
      lock.kind = TerminatorKind::lock;
      lock.targets = {beyond};
      const ExprId condition = expr(1);
      b_.program.blocks[block].end.condition = condition;
      b_.stop(beyond, locations[any(locations.size())], {scratch_});
    }
  }

  void properties() {
    const PropertyId asserted = b_.property("assert", PropertyKind::assertions);
    const PropertyId range = b_.property("range", PropertyKind::builtin);
    for (const Check& check : checks_) {
      const ViolationId v = b_.violation(check.fatal ? range : asserted, "assert");
      b_.check(check.block, check.value, v, check.fatal);
    }
    b_.property("deadlock", PropertyKind::deadlock);
    const PropertyId both = b_.always("always", expr(2));
    const ViolationId v = b_.violation(both, "assert");
    if (!checks_.empty()) b_.check(checks_[0].block, expr(2), v, false);
    b_.at_rest("at rest", expr(2));
    b_.maximum("maximum", expr(2), b_.constant(2));
  }

  struct Check {
    BlockId block;
    ExprId value;
    bool fatal;
  };
  ProgramBuilder b_;
  std::vector<SlotId> scalars_;
  std::vector<ExprId> aggregates_;
  std::vector<Check> checks_;
  SlotId array_ = 0, fifo_ = 0, bag_ = 0, ring_ = 0, handle_ = 0, scratch_ = 0;
  std::uint32_t fifo_container_ = 0, bag_container_ = 0, ring_container_ = 0;
};

}  // namespace

TEST_CASE("search and interpreter agree") {
  CHECK(rc::check("random programs", [] {
    const Program program = Generator().make();
    const Walk expected = walk(program);
    for (const unsigned jobs : {1U, 3U}) {
      SearchOptions options;
      options.jobs = jobs;
      options.stop_when_decided = false;
      const Exploration found = explore(program, options);
      RC_ASSERT(found.complete);
      RC_ASSERT(found.states == expected.states);
      RC_ASSERT(found.transitions == expected.transitions);
      RC_ASSERT(found.depth == expected.depth);
      RC_ASSERT(found.stopped_by_fault == expected.fault);
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        const auto& result = found.results[id];
        RC_ASSERT((result.verdict == Verdict::violated) == expected.expected[id].violated);
        if (!expected.expected[id].violated) continue;
        RC_ASSERT(result.path->moves == expected.expected[id].moves);
        RC_ASSERT(result.path->violation == expected.expected[id].violation);
      }
      // Ending early changes what is known, never what is reported as violated.
      options.stop_when_decided = true;
      const Exploration early = explore(program, options);
      for (PropertyId id = 0; id < program.properties.size(); ++id) {
        if (early.results[id].verdict != Verdict::violated) continue;
        RC_ASSERT(early.results[id].path->moves == expected.expected[id].moves);
      }
    }
  }));
}
