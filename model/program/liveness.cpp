// Two data-flow analyses over each thread's blocks, to a fixed point. Backward: is a slot live?
// Forward: can it differ from its rest value? A slot is stored if some stop has both; where it can
// differ and is dead, the stop resets it. A packet is live with all its words as long as its place
// can be full, whether or not the thread ever looks at it again (it may leak, or stay for ever):
// claims see it between steps, its clocks run, and a counted one is kept from ending.
#include "model/program/liveness.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "model/program/access.h"

namespace txproof::program {

namespace {

using Bits = std::vector<bool>;

void merge(Bits& into, const Bits& from, bool& changed) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    if (from[i] && !into[i]) {
      into[i] = true;
      changed = true;
    }
  }
}

// The effect of a statement on this thread's locals, by local index.
struct Effect {
  std::vector<std::uint32_t> reads, kills, dirties, cleans;
  std::vector<std::uint32_t> fills, empties;  // tags of places
};

// What may be true of each local before a block: it differs from its rest value; a packet is there.
struct Facts {
  Bits dirty, full;
};

void merge(Facts& into, const Facts& from, bool& changed) {
  merge(into.dirty, from.dirty, changed);
  merge(into.full, from.full, changed);
}

// What is a thread's own, in order.
struct Owned {
  std::vector<SlotId> locals;  // its pc left out
  std::vector<BlockId> blocks;
  std::vector<std::pair<StructId, SlotId>> places;
  std::vector<std::pair<const Container*, SlotId>> containers;  // of packets, and their lengths
};

class ThreadAnalysis {
 public:
  ThreadAnalysis(Program& program, ThreadId thread, Owned own)
      : program_(program),
        thread_(thread),
        locals_(std::move(own.locals)),
        blocks_(std::move(own.blocks)) {
    for (std::uint32_t i = 0; i < locals_.size(); ++i) index_[locals_[i]] = i;
    for (const auto& [id, base] : own.places) {
      const Struct& structure = program.structs[id];
      std::vector<std::uint32_t>& words = words_of_[index_.at(base)];
      for (std::uint32_t i = 0; i < (structure.counted ? 1 : structure.words); ++i) {
        add({base + i}, words);
      }
    }
    // An element is there as long as the length says so.
    for (const auto& [container, length] : own.containers) {
      for (std::uint32_t i = 0; i < container->capacity; ++i) {
        const auto tag = index_.find(length + 1 + i * container->stride);
        if (tag != index_.end()) add({length}, words_of_[tag->second]);
      }
    }
  }

  void run() {
    find_live();
    forward();
    settle();
  }

  void find_live() {
    for (const BlockId id : blocks_) {
      for (const Stmt& stmt : program_.blocks[id].stmts) effects_[id].push_back(effect_of(stmt));
      live_[id] = Bits(locals_.size());
      facts_[id] = {Bits(locals_.size()), Bits(locals_.size())};
    }
    backward();
  }

  void add_live(const std::function<bool(const Stmt&)>& marked, LiveLocals& result) const {
    for (const BlockId id : blocks_) {
      result.at[id] = slots_of(live_.at(id));
      Bits live = live_out(program_.blocks[id].end);
      const auto& effects = effects_.at(id);
      for (std::size_t i = effects.size(); i > 0; --i) {
        if (marked(program_.blocks[id].stmts[i - 1])) result.behind[{id, i - 1}] = slots_of(live);
        for (const std::uint32_t local : effects[i - 1].kills) live[local] = false;
        for (const std::uint32_t local : effects[i - 1].reads) live[local] = true;
      }
    }
  }

 private:
  [[nodiscard]] std::set<SlotId> slots_of(const Bits& bits) const {
    std::set<SlotId> slots;
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (bits[i]) slots.insert(locals_[i]);
    }
    return slots;
  }

  void add(const std::set<SlotId>& slots, std::vector<std::uint32_t>& into) const {
    for (const SlotId slot : slots) {
      const auto found = index_.find(slot);
      if (found != index_.end()) into.push_back(found->second);
    }
  }

  Effect effect_of(const Stmt& stmt) const {
    Effect effect;
    Access access;
    std::set<SlotId> sharp;
    add_access(program_, stmt, access, &sharp, false, thread_);
    add(access.reads, effect.reads);
    for (const SlotId slot : sharp) {
      if (!access.reads.contains(slot)) add({slot}, effect.kills);
    }
    fill_and_empty(stmt, effect);
    const bool resets =
        stmt.kind == StmtKind::clear_tag || (stmt.kind == StmtKind::assign && is_rest_value(stmt));
    if (resets && sharp.size() == 1) {
      add(sharp, effect.cleans);
      return effect;
    }
    add(access.writes, effect.dirties);
    if (stmt.kind == StmtKind::create && !program_.structs[stmt.structure].counted) {
      // Others may write any field of it through a handle.
      for (const SlotId slot : possible_slots(program_, stmt.target)) {
        std::set<SlotId> words;
        for (std::uint32_t i = 0; i < program_.structs[stmt.structure].words; ++i) {
          words.insert(slot + i);
        }
        add(words, effect.dirties);
      }
    }
    clean_source(stmt, effect);
    return effect;
  }

  [[nodiscard]] bool is_rest_value(const Stmt& stmt) const {
    const Expr& value = program_.exprs[stmt.value];
    const std::vector<SlotId> slots = possible_slots(program_, stmt.target);
    return value.kind == ExprKind::constant && slots.size() == 1 &&
           program_.slots[slots.front()].rest_value == value.value;
  }

  void fill_and_empty(const Stmt& stmt, Effect& effect) const {
    const bool into_target = stmt.kind == StmtKind::create || stmt.kind == StmtKind::move ||
                             stmt.kind == StmtKind::duplicate || stmt.kind == StmtKind::share ||
                             stmt.kind == StmtKind::remove;
    const auto tag = [&](SlotId slot, std::vector<std::uint32_t>& into) {
      const auto local = index_.find(slot);
      if (local != index_.end() && words_of_.contains(local->second)) into.push_back(local->second);
    };
    const auto tags = [&](AddrId addr, std::vector<std::uint32_t>& into) {
      for (const SlotId slot : possible_slots(program_, addr)) tag(slot, into);
    };
    // Of a container no more is known than that any of its elements may be there.
    if (stmt.kind == StmtKind::insert || stmt.kind == StmtKind::splice) {
      const Container& container =
          program_.containers[stmt.kind == StmtKind::insert ? stmt.container : stmt.container2];
      for (const SlotId length : possible_slots(program_, container.addr)) {
        for (std::uint32_t i = 0; i < container.capacity; ++i) {
          tag(length + 1 + i * container.stride, effect.fills);
        }
      }
    }
    if (into_target && stmt.target != no_id) tags(stmt.target, effect.fills);
    const bool from_source = stmt.kind == StmtKind::move || stmt.kind == StmtKind::destroy ||
                             stmt.kind == StmtKind::insert;
    if (from_source && stmt.source != no_id && possible_slots(program_, stmt.source).size() == 1) {
      tags(stmt.source, effect.empties);
    }
  }

  // A packet that left a place leaves zeroes, and its tag.
  void clean_source(const Stmt& stmt, Effect& effect) const {
    if (stmt.source == no_id || stmt.kind == StmtKind::duplicate || stmt.kind == StmtKind::share) {
      return;
    }
    const StructId structure = stmt.kind == StmtKind::insert
                                   ? program_.containers[stmt.container].structure
                                   : stmt.structure;
    const std::vector<SlotId> slots = possible_slots(program_, stmt.source);
    if (structure == no_id || slots.size() != 1) return;
    const std::uint32_t words =
        program_.structs[structure].counted ? 1 : program_.structs[structure].words;
    std::set<SlotId> cleaned;
    for (std::uint32_t i = stmt.leave == 0 ? 0 : 1; i < words; ++i) {
      cleaned.insert(slots.front() + i);
    }
    add(cleaned, effect.cleans);
  }

  [[nodiscard]] Bits live_at(LocationId id) const {
    Bits live(locals_.size());
    const Location& location = program_.locations[id];
    std::set<SlotId> reads;
    add_reads(program_, location.condition, reads, thread_);
    std::vector<std::uint32_t> indices;
    add(reads, indices);
    for (const std::uint32_t i : indices) live[i] = true;
    bool changed = false;
    if (location.entry != no_id) merge(live, live_.at(location.entry), changed);
    if (location.after != no_id) merge(live, live_at(location.after), changed);
    return live;
  }

  [[nodiscard]] Bits live_out(const Terminator& end) const {
    Bits live(locals_.size());
    bool changed = false;
    for (const BlockId target : end.targets) merge(live, live_.at(target), changed);
    if (end.location != no_id) merge(live, live_at(end.location), changed);
    std::set<SlotId> reads;
    add_reads(program_, end.condition, reads, thread_);
    for (const ExprId guard : end.guards) add_reads(program_, guard, reads, thread_);
    std::vector<std::uint32_t> indices;
    add(reads, indices);
    for (const std::uint32_t i : indices) live[i] = true;
    return live;
  }

  void backward() {
    for (bool changed = true; changed;) {
      changed = false;
      for (auto it = blocks_.rbegin(); it != blocks_.rend(); ++it) {
        Bits live = live_out(program_.blocks[*it].end);
        const auto& effects = effects_[*it];
        for (auto effect = effects.rbegin(); effect != effects.rend(); ++effect) {
          for (const std::uint32_t i : effect->kills) live[i] = false;
          for (const std::uint32_t i : effect->reads) live[i] = true;
        }
        merge(live_[*it], live, changed);
      }
    }
  }

  [[nodiscard]] Facts facts_after(BlockId id) {
    Facts facts = facts_[id];
    for (const Effect& effect : effects_[id]) {
      for (const std::uint32_t i : effect.dirties) facts.dirty[i] = true;
      for (const std::uint32_t i : effect.cleans) facts.dirty[i] = false;
      for (const std::uint32_t i : effect.empties) facts.full[i] = false;
      for (const std::uint32_t i : effect.fills) facts.full[i] = true;
    }
    return facts;
  }

  // What has to be kept: what is live, and every word of what can be full.
  [[nodiscard]] Bits kept(Bits live, const Bits& full) const {
    for (const auto& [tag, words] : words_of_) {
      if (!full[tag]) continue;
      for (const std::uint32_t i : words) live[i] = true;
    }
    return live;
  }

  void enter(LocationId id, const Facts& facts, bool& changed) {
    const Location& location = program_.locations[id];
    Facts here = facts;
    const Bits stays = kept(live_at(id), facts.full);
    for (std::size_t i = 0; i < stays.size(); ++i) here.dirty[i] = here.dirty[i] && stays[i];
    if (location.entry != no_id) merge(facts_[location.entry], here, changed);
    if (location.after != no_id) enter(location.after, here, changed);
  }

  void forward() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const BlockId id : blocks_) {
        const Facts facts = facts_after(id);
        const Terminator& end = program_.blocks[id].end;
        for (const BlockId target : end.targets) merge(facts_[target], facts, changed);
        if (end.location != no_id) enter(end.location, facts, changed);
      }
    }
  }

  void settle() {
    Bits stored(locals_.size());
    for (const BlockId id : blocks_) {
      Terminator& end = program_.blocks[id].end;
      if (end.location == no_id) continue;
      const Facts facts = facts_after(id);
      const Bits stays = kept(live_at(end.location), facts.full);
      for (std::size_t i = 0; i < locals_.size(); ++i) {
        if (!facts.dirty[i]) continue;
        if (stays[i]) {
          stored[i] = true;
        } else {
          end.forget.push_back(locals_[i]);
        }
      }
    }
    for (std::size_t i = 0; i < locals_.size(); ++i) program_.slots[locals_[i]].stored = stored[i];
    for (const BlockId id : blocks_) {
      if (program_.blocks[id].loop == no_id) continue;
      Loop& loop = program_.loops[program_.blocks[id].loop];
      loop.head = id;
      const Bits stays = kept(live_[id], facts_[id].full);
      for (std::size_t i = 0; i < locals_.size(); ++i) {
        if (!stored[i] && facts_[id].dirty[i] && stays[i]) loop.live.push_back(locals_[i]);
      }
    }
  }

  Program& program_;
  ThreadId thread_;
  std::vector<SlotId> locals_;
  std::map<SlotId, std::uint32_t> index_;
  std::vector<BlockId> blocks_;
  std::map<BlockId, std::vector<Effect>> effects_;
  std::map<BlockId, Bits> live_;
  std::map<BlockId, Facts> facts_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> words_of_;  // by tag: words of its packet
};

// Whose is what, for all threads at once.
std::vector<Owned> owned_by_threads(const Program& program) {
  std::vector<Owned> own(program.threads.size());
  const auto owner_of = [&](SlotId slot) -> Owned* {
    const ThreadId owner = program.slots[slot].owner;
    return owner < own.size() && program.slots[slot].kind != SlotKind::pc ? &own[owner] : nullptr;
  };
  for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
    if (Owned* const of = owner_of(slot)) of->locals.push_back(slot);
  }
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    const ThreadId thread = program.blocks[id].thread;
    if (thread < own.size()) own[thread].blocks.push_back(id);
  }
  for (StructId id = 0; id < program.structs.size(); ++id) {
    for (const Place& place : program.structs[id].places) {
      if (Owned* const of = owner_of(place.base)) of->places.emplace_back(id, place.base);
    }
  }
  for (const Container& container : program.containers) {
    if (container.structure == no_id) continue;
    for (const SlotId length : possible_slots(program, container.addr)) {
      if (Owned* const of = owner_of(length)) of->containers.emplace_back(&container, length);
    }
  }
  return own;
}

}  // namespace

void settle_locals(Program& program) {
  std::vector<Owned> own = owned_by_threads(program);
  for (ThreadId thread = 0; thread < program.threads.size(); ++thread) {
    ThreadAnalysis(program, thread, std::move(own[thread])).run();
  }
}

LiveLocals live_locals(Program& program, const std::function<bool(const Stmt&)>& marked) {
  LiveLocals result;
  result.at.resize(program.blocks.size());
  std::vector<Owned> own = owned_by_threads(program);
  for (ThreadId thread = 0; thread < program.threads.size(); ++thread) {
    ThreadAnalysis analysis(program, thread, std::move(own[thread]));
    analysis.find_live();
    analysis.add_live(marked, result);
  }
  return result;
}

namespace {

// The block that a jump to `block` really leads to.
BlockId skip_empty(const Program& program, BlockId block) {
  for (std::size_t hops = 0; hops < program.blocks.size(); ++hops) {
    const Block& b = program.blocks[block];
    if (!b.stmts.empty() || b.end.kind != TerminatorKind::jump) return block;
    block = b.end.targets[0];
  }
  return block;
}

}  // namespace

void compact(Program& program, bool keep_locations) {
  for (Block& block : program.blocks) {
    for (BlockId& target : block.end.targets) target = skip_empty(program, target);
  }
  std::vector<bool> location_used(program.locations.size());
  std::vector<bool> block_used(program.blocks.size());
  std::vector<std::uint32_t> uses(program.blocks.size());  // edges into a block
  std::vector<BlockId> pending;
  const auto reach_block = [&](BlockId id) {
    ++uses[id];
    if (block_used[id]) return;
    block_used[id] = true;
    pending.push_back(id);
  };
  const std::function<void(LocationId)> reach = [&](LocationId id) {
    if (location_used[id]) return;
    location_used[id] = true;
    Location& location = program.locations[id];
    if (location.entry != no_id) {
      reach_block(location.entry);
      ++uses[location.entry];  // never joined to another block
    }
    if (location.after != no_id) reach(location.after);
  };
  for (const Thread& thread : program.threads) {
    reach(thread.locations.front());
    if (!keep_locations) continue;
    for (const LocationId location : thread.locations) reach(location);
  }
  while (!pending.empty()) {
    const BlockId id = pending.back();
    pending.pop_back();
    const Terminator& end = program.blocks[id].end;
    for (const BlockId target : end.targets) reach_block(target);
    if (end.location != no_id) reach(end.location);
  }
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    if (!block_used[id]) continue;
    for (;;) {
      Block& block = program.blocks[id];
      if (block.end.kind != TerminatorKind::jump) break;
      const BlockId next = block.end.targets[0];
      if (next == id || uses[next] != 1) break;
      Block moved = std::move(program.blocks[next]);
      if (program.blocks[id].loop == no_id) program.blocks[id].loop = moved.loop;
      block_used[next] = false;
      program.blocks[id].stmts.insert(program.blocks[id].stmts.end(), moved.stmts.begin(),
                                      moved.stmts.end());
      program.blocks[id].end = std::move(moved.end);
    }
  }
  std::vector<BlockId> new_block(program.blocks.size(), no_id);
  std::vector<Block> blocks;
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    if (!block_used[id]) continue;
    new_block[id] = static_cast<BlockId>(blocks.size());
    blocks.push_back(std::move(program.blocks[id]));
  }
  std::vector<LocationId> new_location(program.locations.size(), no_id);
  std::vector<Location> locations;
  for (LocationId id = 0; id < program.locations.size(); ++id) {
    if (!location_used[id]) continue;
    new_location[id] = static_cast<LocationId>(locations.size());
    locations.push_back(std::move(program.locations[id]));
  }
  for (Location& location : locations) {
    if (location.entry != no_id) location.entry = new_block[location.entry];
    if (location.after != no_id) location.after = new_location[location.after];
  }
  for (Block& block : blocks) {
    for (BlockId& target : block.end.targets) target = new_block[target];
    if (block.end.location != no_id) block.end.location = new_location[block.end.location];
  }
  for (Thread& thread : program.threads) {
    std::vector<LocationId> kept;
    for (const LocationId id : thread.locations) {
      if (!location_used[id]) continue;
      locations[new_location[id]].pc = static_cast<std::uint32_t>(kept.size());
      kept.push_back(new_location[id]);
    }
    thread.locations = std::move(kept);
    program.slots[thread.pc].range = {0, static_cast<Word>(thread.locations.size()) - 1};
  }
  program.blocks = std::move(blocks);
  program.locations = std::move(locations);
  std::vector<Loop> loops;  // those that are left
  for (BlockId id = 0; id < program.blocks.size(); ++id) {
    std::uint32_t& loop = program.blocks[id].loop;
    if (loop == no_id) continue;
    loops.push_back(program.loops[loop]);
    loops.back().head = id;
    loop = static_cast<std::uint32_t>(loops.size() - 1);
  }
  program.loops = std::move(loops);
}

}  // namespace txproof::program
