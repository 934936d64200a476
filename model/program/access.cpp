#include "model/program/access.h"

#include <algorithm>
#include <map>

namespace txproof::program {

namespace {

// Locations times slots up to which it is written down what each step touches. Beyond it, it would
// be gigabytes, and no search comes through there to be helped by it.
constexpr std::size_t most_accesses = std::size_t{1} << 27U;

// Where slots are gathered: all, or only those that one thread owns. A region is part of one
// variable, so its first slot tells whose it is: what a step does to a queue of a thousand packets
// costs nothing where only locals matter.
struct Into {
  const Program& program;
  ThreadId only = no_id;
  std::set<SlotId>* slots = nullptr;   // either this
  std::vector<char>* marks = nullptr;  // or this, a mark for each slot, where there are many
  void insert(SlotId slot) { region(slot, 1); }
  void region(SlotId first, std::uint32_t words) {
    if (only != no_id && program.slots[first].owner != only) return;
    if (marks != nullptr) {
      std::fill_n(marks->begin() + first, words, char{1});
      return;
    }
    for (std::uint32_t i = 0; i < words; ++i) slots->insert(first + i);
  }
};

void add_expression(const Program& program, ExprId expr, Into& reads);

void add_address_reads(const Program& program, AddrId addr, Into& reads) {
  const Address& a = program.addresses[addr];
  for (const Index& index : a.indices) add_expression(program, index.index, reads);
  if (a.handle != no_id) add_expression(program, a.handle, reads);
  if (a.absolute != no_id) add_expression(program, a.absolute, reads);
}

void add_region(const Program& program, AddrId addr, std::uint32_t words, Into& into) {
  for (const SlotId slot : possible_slots(program, addr)) into.region(slot, words);
}

std::uint32_t container_words(const Container& c) { return 1 + c.capacity * c.stride; }

void add_span_reads(const Program& program, const Span& span, Into& reads) {
  switch (span.kind) {
    case Span::Kind::places: {
      const Struct& s = program.structs[span.structure];
      for (PlaceId place = span.first; place < span.first + span.count && place < s.places.size();
           ++place) {
        reads.insert(s.places[place].base);
      }
      break;
    }
    case Span::Kind::cells:
      for (const CellTable& cells : program.cells) {
        if (cells.structure != span.structure) continue;
        for (std::uint32_t i = 0; i < cells.count; ++i)
          reads.insert(cells.first + i * cells.stride);
      }
      break;
    case Span::Kind::container:
      add_address_reads(program, span.addr, reads);
      add_region(program, span.addr, 1 + span.count * span.stride, reads);
      break;
    case Span::Kind::array:
      add_address_reads(program, span.addr, reads);
      add_region(program, span.addr, (span.count - 1) * span.stride + 1, reads);
      break;
    case Span::Kind::range:
      break;
  }
}

// A moved or destroyed packet touches the handles that name one of its kind, and cells.
void add_handle_effects(const Program& program, StructId structure, Into& reads, Into& writes) {
  const auto touch = [&](StructId id) {
    for (const SlotId slot : program.structs[id].handles) {
      reads.insert(slot);
      writes.insert(slot);
    }
  };
  touch(structure);
  for (const NestedPlace& nested : program.structs[structure].nested) touch(nested.structure);
  for (const CellTable& cells : program.cells) {
    if (cells.structure != structure) continue;
    reads.region(cells.first, cells.count * cells.stride);
    writes.region(cells.first, cells.count * cells.stride);
  }
}

}  // namespace

std::vector<SlotId> possible_slots(const Program& program, AddrId addr) {
  const Address& a = program.addresses[addr];
  std::vector<SlotId> slots{a.base};
  const auto widen = [&](const std::vector<SlotId>& terms) {
    std::vector<SlotId> wider;
    wider.reserve(slots.size() * terms.size());
    for (const SlotId term : terms) {
      for (const SlotId slot : slots) wider.push_back(slot + term);
    }
    slots = std::move(wider);
  };
  if (a.absolute != no_id) widen(a.absolute_slots);
  if (a.handle != no_id) {
    const Struct& structure = program.structs[a.handle_struct];
    std::vector<SlotId> bases;
    if (structure.counted) {
      for (const CellTable& cells : program.cells) {
        if (cells.structure != a.handle_struct) continue;
        for (std::uint32_t i = 0; i < cells.count; ++i) {
          bases.push_back(cells.first + i * cells.stride);
        }
      }
    } else {
      for (const Place& place : structure.places) bases.push_back(place.base);
    }
    widen(bases);
  }
  for (const Index& index : a.indices) {
    std::vector<SlotId> terms(index.count);
    for (std::uint32_t i = 0; i < index.count; ++i) terms[i] = i * index.stride;
    widen(terms);
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

namespace {

void add_expression(const Program& program, ExprId expr, Into& reads) {
  if (expr == no_id) return;
  const Expr& e = program.exprs[expr];
  switch (e.kind) {
    case ExprKind::constant:
    case ExprKind::cursor:
      return;
    case ExprKind::load:
    case ExprKind::place_id:
      add_address_reads(program, e.addr, reads);
      for (const SlotId slot : possible_slots(program, e.addr)) reads.insert(slot);
      return;
    case ExprKind::aggregate: {
      const Aggregate& a = program.aggregates[static_cast<AggregateId>(e.value)];
      for (const Span& span : a.spans) add_span_reads(program, span, reads);
      add_expression(program, a.where, reads);
      add_expression(program, a.body, reads);
      return;
    }
    default:
      add_expression(program, e.a, reads);
      add_expression(program, e.b, reads);
      add_expression(program, e.c, reads);
      return;
  }
}

}  // namespace

void add_reads(const Program& program, ExprId expr, std::set<SlotId>& reads, ThreadId only) {
  Into into{program, only, &reads};
  add_expression(program, expr, into);
}

namespace {

void gather(const Program& program, const Stmt& stmt, Into& reads, Into& writes, Into* surely,
            bool with_handles) {
  const auto handle_effects = [&](StructId structure) {
    if (with_handles) add_handle_effects(program, structure, reads, writes);
  };
  for (const ExprId expr : {stmt.value, stmt.value2, stmt.element}) {
    add_expression(program, expr, reads);
  }
  const bool linear = stmt.structure != no_id && !program.structs[stmt.structure].counted;
  const std::uint32_t words = linear ? program.structs[stmt.structure].words : 1;
  const auto write_target = [&](std::uint32_t size) {
    if (stmt.target == no_id) return;
    add_address_reads(program, stmt.target, reads);
    const std::vector<SlotId> slots = possible_slots(program, stmt.target);
    for (const SlotId slot : slots) writes.region(slot, size);
    if (slots.size() == 1 && surely != nullptr) surely->region(slots.front(), size);
  };
  const auto use_source = [&](std::uint32_t size, bool written) {
    if (stmt.source == no_id) return;
    add_address_reads(program, stmt.source, reads);
    add_region(program, stmt.source, size, reads);
    if (written) add_region(program, stmt.source, size, writes);
  };
  const auto use_container = [&](std::uint32_t id) {
    const Container& c = program.containers[id];
    add_address_reads(program, c.addr, reads);
    add_region(program, c.addr, container_words(c), reads);
    add_region(program, c.addr, container_words(c), writes);
    if (c.structure != no_id) handle_effects(c.structure);
  };
  switch (stmt.kind) {
    case StmtKind::assign:
    case StmtKind::pick:
    case StmtKind::clear_tag:
      write_target(1);
      break;
    case StmtKind::create:
      write_target(1);
      if (!linear) handle_effects(stmt.structure);
      break;
    case StmtKind::move:
      use_source(words, true);
      write_target(words);
      handle_effects(stmt.structure);
      break;
    case StmtKind::duplicate:
      use_source(words, false);
      write_target(words);
      break;
    case StmtKind::share:
      use_source(1, false);
      write_target(1);
      break;
    case StmtKind::destroy:
      use_source(words, true);
      handle_effects(stmt.structure);
      if (!linear) {
        for (const Place& place : program.structs[stmt.structure].places) {
          reads.insert(place.base);
        }
      }
      break;
    case StmtKind::insert: {
      const StructId structure = program.containers[stmt.container].structure;
      const bool whole = structure != no_id && !program.structs[structure].counted;
      use_container(stmt.container);
      use_source(whole ? program.structs[structure].words : 1, true);
      break;
    }
    case StmtKind::remove: {
      const StructId structure = program.containers[stmt.container].structure;
      const bool whole = structure != no_id && !program.structs[structure].counted;
      use_container(stmt.container);
      write_target(whole ? program.structs[structure].words : 1);
      break;
    }
    case StmtKind::splice:
      use_container(stmt.container);
      use_container(stmt.container2);
      break;
    case StmtKind::clear:
      use_container(stmt.container);
      break;
    case StmtKind::pick_element: {
      const Container& c = program.containers[stmt.container];
      add_address_reads(program, c.addr, reads);
      add_region(program, c.addr, container_words(c), reads);
      write_target(1);
      break;
    }
    case StmtKind::check:
    case StmtKind::witness:
    case StmtKind::count:
    case StmtKind::enter:
    case StmtKind::leave:
      break;
  }
}

}  // namespace

void add_access(const Program& program, const Stmt& stmt, Access& access, std::set<SlotId>* sharp,
                bool with_handles, ThreadId only) {
  Into reads{program, only, &access.reads};
  Into writes{program, only, &access.writes};
  Into surely{program, only, sharp};
  gather(program, stmt, reads, writes, sharp != nullptr ? &surely : nullptr, with_handles);
}

namespace {

// Calls visit(block) for every block that the step from `location` can run.
template <typename Visit>
void for_each_block(const Program& program, const Location& location, Visit visit) {
  if (location.entry == no_id) return;
  std::vector<BlockId> pending{location.entry};
  std::set<BlockId> seen{location.entry};
  while (!pending.empty()) {
    const BlockId block = pending.back();
    pending.pop_back();
    visit(block);
    for (const BlockId next : program.blocks[block].end.targets) {
      if (seen.insert(next).second) pending.push_back(next);
    }
  }
}

void add_terminator(const Program& program, const Terminator& end, Access& access) {
  add_reads(program, end.condition, access.reads);
  for (const ExprId guard : end.guards) add_reads(program, guard, access.reads);
}

}  // namespace

namespace {

// What is marked, which is then cleared.
std::vector<SlotId> taken(std::vector<char>& marks) {
  std::vector<SlotId> slots;
  for (SlotId slot = 0; slot < marks.size(); ++slot) {
    if (marks[slot] != 0) slots.push_back(slot);
  }
  std::fill(marks.begin(), marks.end(), char{0});
  return slots;
}

}  // namespace

void compute_step_accesses(Program& program) {
  if (program.locations.size() * program.slots.size() > most_accesses) return;
  std::vector<char> read(program.slots.size());
  std::vector<char> written(program.slots.size());
  Into reads{program, no_id, nullptr, &read};
  Into writes{program, no_id, nullptr, &written};
  for (Location& location : program.locations) {
    add_expression(program, location.condition, reads);
    for_each_block(program, location, [&](BlockId id) {
      const Block& block = program.blocks[id];
      for (const Stmt& stmt : block.stmts) gather(program, stmt, reads, writes, nullptr, true);
      add_expression(program, block.end.condition, reads);
      for (const ExprId guard : block.end.guards) add_expression(program, guard, reads);
      if (block.end.kind == TerminatorKind::stop || block.end.kind == TerminatorKind::lock) {
        for (const SlotId slot : block.end.forget) writes.insert(slot);
      }
    });
    writes.insert(program.threads[location.thread].pc);
    location.reads = taken(read);
    location.writes = taken(written);
  }
}

std::set<SlotId> shared_slots(const Program& program) {
  std::map<SlotId, std::set<ThreadId>> reached;
  std::set<SlotId> written;
  Access seen;  // by properties, which look on between steps and in other threads' calls
  for (const Property& property : program.properties) {
    for (const Claim& claim : property.claims) {
      if (claim.kind == PropertyKind::at_rest) continue;
      for (const ExprId expr : {claim.condition, claim.left, claim.right, claim.assuming}) {
        add_reads(program, expr, seen.reads);
      }
    }
  }
  for (const Location& location : program.locations) {
    Access access;
    add_reads(program, location.condition, access.reads);
    for_each_block(program, location, [&](BlockId id) {
      for (const Stmt& stmt : program.blocks[id].stmts) {
        add_access(program, stmt, stmt.probe ? seen : access);
      }
      add_terminator(program, program.blocks[id].end, access);
    });
    for (const SlotId slot : access.reads) reached[slot].insert(location.thread);
    for (const SlotId slot : access.writes) reached[slot].insert(location.thread);
    written.insert(access.writes.begin(), access.writes.end());
  }
  // An observer is one more thread for what is no thread's own: a property must see it between
  // any two writes.
  for (const SlotId slot : seen.reads) {
    if (program.slots[slot].owner == no_id) reached[slot].insert(no_id);
  }
  std::set<SlotId> shared;
  for (const auto& [slot, threads] : reached) {
    const Slot& s = program.slots[slot];
    // A packet's move renames the handles to it, whoever holds them; that is no access.
    const bool private_handle = s.kind == SlotKind::handle && s.owner != no_id;
    if (threads.size() > 1 && written.contains(slot) && !s.ghost && !private_handle) {
      shared.insert(slot);
    }
  }
  return shared;
}

}  // namespace txproof::program
