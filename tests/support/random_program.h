// Random small Programs, by RapidCheck, for engines to be compared on.
#pragma once

#include <rapidcheck.h>

#include <iterator>
#include <string>
#include <vector>

#include "tests/support/program_builder.h"

namespace txproof::test {

// A random program over a few slots, an array, a fifo, a bag, and packets in places with handles
// to them. Every write wraps into its range, so that nothing has to be checked but what is.
class RandomProgram {
 public:
  Program make() {
    layout();
    const unsigned threads = 1 + any(3U);
    for (unsigned i = 0; i < threads; ++i) thread(i);
    properties();
    return b_.program;
  }

 private:
  // Of the full range also while the library still tries small sizes, where little would happen.
  template <typename T>
  T any(T below) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(0, below));
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
    counted();
    scratch_ = b_.scratch("scratch", 0, 9);
    if (any(3) == 0) {
      const SlotId clock = b_.slot("clock", 0, 2, any<Word>(3));
      b_.program.slots[clock].ticks = any(2) == 0 ? TickEffect::up : TickEffect::down;
      const bool up = b_.program.slots[clock].ticks == TickEffect::up;
      b_.program.slots[clock].tick_end = up ? 2 : 0;
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
    Span references;
    references.structure = 1;
    references.count = 2;
    Span cells = references;
    cells.kind = Span::Kind::cells;
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
      const AggregateId s = span(references, kind);
      b_.program.aggregates[s].body = b_.load_at(cell_field(cursor(s)));
      const AggregateId l = span(cells, kind);
      b_.program.aggregates[l].body = b_.load_at(cell_field(cursor(l)));
      // A nest: an array summed for each of a range.
      b_.program.aggregates[r].body =
          b_.add(cursor(r), b_.op(ExprKind::aggregate, no_id, no_id, no_id, a));
      for (const AggregateId id : {p, a, c, r, s, l}) {
        b_.program.aggregates[id].empty = 7;
        aggregates_.push_back(b_.op(ExprKind::aggregate, no_id, no_id, no_id, id));
      }
    }
  }
  // A counted struct: two places, a handle, and two cells of a live flag and a field.
  void counted() {
    Struct shared;
    shared.name = "shared";
    shared.counted = true;
    for (PlaceId i = 0; i < 2; ++i) {
      const SlotId tag = b_.slot("shared" + std::to_string(i), 0, 3);
      b_.program.place_at[tag] = i;
      shared.places.push_back({tag, "shared", false});
    }
    shared_handle_ = b_.slot("shared handle", 0, 3);
    shared.handles.push_back(shared_handle_);
    CellTable cells;
    cells.structure = 1;
    cells.stride = 2;
    cells.count = 2;
    for (int i = 0; i < 2; ++i) {
      const SlotId live = b_.slot("live", 0, 1);
      b_.slot("cell field", 0, 2);
      if (i == 0) cells.first = live;
    }
    b_.program.structs.push_back(shared);
    b_.program.cells.push_back(cells);
  }
  AddrId cell_field(ExprId reference) {
    Address a;
    a.base = 1;
    a.handle = reference;
    a.handle_struct = 1;
    return b_.address(a);
  }
  BlockId counted_statement(BlockId block) {
    const auto& places = b_.program.structs[1].places;
    const bool first = any(2) == 0;
    const SlotId here = places[first ? 0 : 1].base;
    const SlotId there = places[first ? 1 : 0].base;
    const ExprId held = b_.less(b_.constant(1), b_.load(here));
    switch (any(6)) {
      case 0:
        return guarded(block, empty(here), [&](BlockId in) {
          const AddrId target = b_.at(here);
          Stmt& s = b_.stmt(in, StmtKind::create);
          s.structure = 1;
          s.target = target;
          b_.assign_at(in, cell_field(b_.load(here)), wrapped(expr(1), 3));
        });
      case 1:
        return guarded(block, b_.both(held, empty(there)), [&](BlockId in) {
          const AddrId target = b_.at(there);
          const AddrId source = b_.at(here);
          Stmt& s = b_.stmt(in, any(2) == 0 ? StmtKind::share : StmtKind::move);
          s.structure = 1;
          s.target = target;
          s.source = source;
          s.leave = 0;
        });
      case 2:
      case 3:
        return guarded(block, held, [&](BlockId in) {
          const AddrId source = b_.at(here);
          Stmt& s = b_.stmt(in, StmtKind::destroy);
          s.structure = 1;
          s.source = source;
          s.leave = 0;
        });
      case 4: {
        const ExprId handle = b_.op(ExprKind::place_id, no_id);
        b_.program.exprs[handle].addr = b_.at(here);
        b_.program.exprs[handle].structure = 1;
        b_.assign(block, shared_handle_, handle);
        return block;
      }
      default:
        return guarded(block, b_.less(b_.constant(1), b_.load(shared_handle_)), [&](BlockId in) {
          b_.assign_at(in, cell_field(b_.load(shared_handle_)), wrapped(expr(1), 3));
        });
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
    switch (any(17)) {
      case 13:
      case 14:
      case 15:
        return counted_statement(block);
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
    const unsigned count = 1 + any(3U);
    for (unsigned i = 0; i < count; ++i) {
      static constexpr StopKind kinds[] = {StopKind::wait, StopKind::rest, StopKind::pause,
                                           StopKind::yield, StopKind::yield};
      const StopKind kind = kinds[any(std::size(kinds))];
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
      const auto statements = 1 + any(4);
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
  SlotId array_ = 0, fifo_ = 0, bag_ = 0, ring_ = 0, handle_ = 0;
  SlotId scratch_ = 0, shared_handle_ = 0;
  std::uint32_t fifo_container_ = 0, bag_container_ = 0, ring_container_ = 0;
};

}  // namespace txproof::test
