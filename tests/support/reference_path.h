// The reference transmit path of the benchmarks, by hand: sockets that may each be charged
// `charge` packets, a qdisc and a ring of owners, stop and wake. Its counts are known from SPIN,
// rumur, LTSmin and TLC, which agree.
#pragma once

#include "tests/support/program_builder.h"

namespace txproof::test {

inline Program reference_path(unsigned sockets, Word charge, Word limit, Word ring_size) {
  ProgramBuilder b;
  std::vector<SlotId> wmem, hand;
  for (unsigned i = 0; i < sockets; ++i) {
    wmem.push_back(b.slot("wmem" + std::to_string(i), 0, charge));
    hand.push_back(b.slot("hand" + std::to_string(i), 0, 1));
  }
  for (unsigned i = 1; i < sockets; ++i) {
    if (wmem[i] != wmem[0] + 2 * i) std::abort();
  }
  const SlotId q = b.fifo("q", static_cast<std::uint32_t>(limit), 0, sockets);
  const SlotId r = b.fifo("r", static_cast<std::uint32_t>(ring_size), 0, sockets);
  const std::uint32_t qdisc = b.container(q, static_cast<std::uint32_t>(limit));
  const std::uint32_t ring = b.container(r, static_cast<std::uint32_t>(ring_size));
  const SlotId stopped = b.slot("stopped", 0, 1);
  const SlotId in_hand = b.slot("softirq has one", 0, 1);
  const SlotId owner = b.slot("softirq owner", 0, sockets);
  const SlotId wake = b.slot("wake check pending", 0, 1);
  const SlotId done = b.scratch("done", 0, sockets);
  const auto not_zero = [&](SlotId slot) { return b.negation(b.slot_is(slot, 0)); };
  // A guarded either of `guards`; returns a block for each.
  const auto guarded = [&](const std::string& name, std::vector<ExprId> guards, LocationId& head) {
    const ThreadId t = b.thread(name);
    ExprId some = guards[0];
    for (std::size_t i = 1; i < guards.size(); ++i) {
      some = b.op(ExprKind::logical_or, some, guards[i]);
    }
    head = b.location(t, StopKind::choice, some);
    const BlockId entry = b.entry(head);
    std::vector<BlockId> blocks;
    for (std::size_t i = 0; i < guards.size(); ++i) blocks.push_back(b.block(t));
    b.choose(entry, blocks, guards);
    return blocks;
  };

  for (unsigned i = 0; i < sockets; ++i) {
    LocationId head = 0;
    const auto blocks = guarded("sock" + std::to_string(i),
                                {b.both(b.slot_is(hand[i], 0), b.slot_below(wmem[i], charge)),
                                 b.both(not_zero(hand[i]), b.slot_below(q, limit)),
                                 b.both(not_zero(hand[i]), b.slot_is(q, limit))},
                                head);
    b.assign(blocks[0], hand[i], b.constant(1));
    b.increment(blocks[0], wmem[i]);
    b.push(blocks[1], qdisc, b.constant(Word{i} + 1));
    b.assign(blocks[1], hand[i], b.constant(0));
    b.assign(blocks[2], hand[i], b.constant(0));
    b.increment(blocks[2], wmem[i], -1);
    for (const BlockId block : blocks) b.stop(block, head);
  }

  LocationId softirq = 0;
  const auto moves =
      guarded("softirq",
              {b.both(b.slot_is(in_hand, 0), b.both(b.slot_is(stopped, 0), not_zero(q))),
               not_zero(in_hand)},
              softirq);
  b.pop(moves[0], qdisc, owner);
  b.assign(moves[0], in_hand, b.constant(1));
  b.stop(moves[0], softirq);
  b.push(moves[1], ring, b.load(owner));
  b.assign(moves[1], owner, b.constant(0));
  b.assign(moves[1], in_hand, b.constant(0));
  const BlockId full = b.block(b.program.blocks[moves[1]].thread);
  const BlockId room = b.block(b.program.blocks[moves[1]].thread);
  b.branch(moves[1], b.slot_is(r, ring_size), full, room);
  b.assign(full, stopped, b.constant(1));
  b.stop(full, softirq);
  b.stop(room, softirq);

  LocationId complete = 0;
  const auto cleans =
      guarded("complete", {b.both(b.slot_is(wake, 0), not_zero(r)), not_zero(wake)}, complete);
  b.pop(cleans[0], ring, done);
  Address charged;  // wmem[done - 1]
  charged.indices.push_back({b.subtract(b.load(done), b.constant(1)), 2, sockets});
  charged.base = wmem[0];
  const AddrId charged_at = b.address(charged);
  b.assign_at(cleans[0], charged_at, b.subtract(b.load_at(charged_at), b.constant(1)));
  b.assign(cleans[0], wake, b.constant(1));
  b.stop(cleans[0], complete, {done});
  b.assign(cleans[1], wake, b.constant(0));
  const BlockId wakes = b.block(b.program.blocks[cleans[1]].thread);
  const BlockId stays = b.block(b.program.blocks[cleans[1]].thread);
  b.branch(cleans[1], b.both(not_zero(stopped), b.slot_below(r, ring_size)), wakes, stays);
  b.assign(wakes, stopped, b.constant(0));
  b.stop(wakes, complete);
  b.stop(stays, complete);
  b.always("the ring is never overrun",
           b.negation(b.both(not_zero(in_hand), b.slot_is(r, ring_size))));
  return b.program;
}

}  // namespace txproof::test
