// Thread-modular: each thread's code is run with its own packets and what flows into them by value
// (an environment), and everything that threads share as sets that only grow. What is read from a
// shared variable with more than one value, and every number that may be large, is "any".
#include "model/program/packet_kinds.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include "model/program/abstract_value.h"
#include "model/program/access.h"
#include "model/program/liveness.h"

namespace txproof::program {

namespace {

constexpr std::size_t most_kinds = 64;
constexpr std::size_t most_environments = 300'000;
constexpr Word widest_followed = 4096;  // a slot with more values is not followed
constexpr Word widest_expanded = 32;    // a field that may have any value

using Words = std::vector<Word>;

// Where a slot is kept.
struct Home {
  enum class Kind : std::uint8_t { ignored, environment, group, global } kind = Kind::ignored;
  std::uint32_t index = 0;   // in the environment; the group; the set
  std::uint32_t offset = 0;  // group: of the word, 0 the tag
};

class Analysis {
 public:
  // requires: locals are settled
  explicit Analysis(Program& program)
      : program_(program), live_(live_locals(program, [this](const Stmt& stmt) {
          return stmt.kind == StmtKind::insert &&
                 unordered_of(program_.containers[stmt.container]).has_value();
        })) {
    for (const Block& block : program.blocks) {
      for (const Stmt& stmt : block.stmts) {
        if (stmt.kind != StmtKind::splice) continue;
        for (const std::uint32_t id : {stmt.container, stmt.container2}) {
          for (const SlotId slot : possible_slots(program, program.containers[id].addr)) {
            spliced_.insert(slot);
          }
        }
      }
    }
    find_homes();
    find_dead();
  }

  PacketKinds run() {
    result_.of.resize(program_.unordered.size());
    result_.reached.resize(program_.blocks.size());
    result_.next.resize(program_.blocks.size());
    result_.values.assign(program_.slots.size(), {1, 0});
    if (!result_.refusal.empty()) return std::move(result_);
    do {
      grown_ = false;
      for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) explore(thread);
    } while (grown_ && result_.refusal.empty());
    note_values();
    return std::move(result_);
  }

 private:
  struct Visit {
    BlockId block = no_id;
    Words environment;
  };

  // ---- what is followed, and where it is kept
  void find_homes();
  [[nodiscard]] std::set<SlotId> followed_slots() const;
  [[nodiscard]] std::set<SlotId> not_followed() const;
  void add_group(SlotId first, std::uint32_t words, std::uint32_t group);
  void find_dead();
  void check_handles();
  void note_values();
  [[nodiscard]] std::uint32_t words_of(StructId structure) const {
    return program_.structs[structure].words;
  }

  // ---- running
  void explore(ThreadId thread);
  void reach(BlockId block, Words environment);
  void arrive(LocationId location, const Words& environment);
  void leave_block(BlockId id, const Words& environment);
  // All environments that the statement may lead to.
  std::vector<Words> run(const Stmt& stmt, Words environment);
  [[nodiscard]] bool is_local(const Container& container) const;
  void scatter(const Container& container, Words& environment);
  bool insert_locally(const Stmt& stmt, const Words& packet, Words& environment);
  bool remove_locally(const Stmt& stmt, Words& environment);
  void rename(StructId structure, AddrId from, AddrId to, Word otherwise, Words& environment);
  void rename_place(StructId structure, SlotId from, Word to, Words& environment);
  void shift(const Container& container, SlotId from, SlotId to, Words& environment);
  [[nodiscard]] Word handle_to(SlotId place) const {
    return 2 + static_cast<Word>(program_.place_at[place]);
  }
  [[nodiscard]] std::set<Words> packets_in(const Container& container,
                                           const Words& environment) const;
  void forget_handles(StructId structure, Words& environment);
  std::vector<Words> run_insert(const Stmt& stmt, Words environment);
  std::vector<Words> run_remove(const Stmt& stmt, Words environment);
  [[nodiscard]] ReadSlot reader(const Words& environment) const;
  [[nodiscard]] Word value(ExprId expr, const Words& environment) const {
    return abstract_value(program_, expr, reader(environment));
  }
  [[nodiscard]] std::vector<SlotId> targets(AddrId addr, const Words& environment) const;
  void write(SlotId slot, Word value, Words& environment, bool certainly);
  // A packet's words without the tag: every one that may stand there.
  [[nodiscard]] std::vector<Words> packets_at(AddrId addr, StructId structure,
                                              const Words& environment) const;
  void put(AddrId addr, StructId structure, const Words& packet, Words& environment);
  void empty(AddrId addr, StructId structure, Word tag, Words& environment);
  void add_to_group(std::uint32_t group, Words packet);
  void add_kind(std::size_t container, const Words& packet, StructId structure);
  [[nodiscard]] std::optional<std::size_t> unordered_of(const Container& container) const;
  [[nodiscard]] std::set<std::uint32_t> groups_of(const Container& container) const;

  Program& program_;
  LiveLocals live_;
  PacketKinds result_;
  ThreadId thread_ = no_id;
  std::set<SlotId> spliced_;  // lengths of containers that take part in a splice
  std::map<BlockId, std::vector<std::uint32_t>> dead_;  // of the environment, at a block's head
  std::vector<std::pair<Range, bool>> written_;  // by slot: of an environment; or anything at all
  std::set<StructId> structs_;  // those that the containers hold, and those around them
  std::vector<Home> homes_;
  std::map<ThreadId, Words> first_;  // the environment that a thread begins with
  std::vector<std::set<Words>> groups_;
  std::vector<std::set<Word>> globals_;
  bool grown_ = false;
  std::size_t visits_ = 0;
  std::map<BlockId, std::set<Words>> seen_;
  std::deque<Visit> pending_;
};

std::set<SlotId> Analysis::followed_slots() const {
  std::set<SlotId> followed;
  for (const StructId id : structs_) {
    for (const Place& place : program_.structs[id].places) {
      for (std::uint32_t i = 0; i < words_of(id); ++i) followed.insert(place.base + i);
    }
  }
  for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
    if (program_.slots[slot].owner != no_id) followed.insert(slot);
  }
  const auto add = [&](ExprId expr) { add_reads(program_, expr, followed); };
  for (std::size_t before = 0, first = 1; first != 0 || before != followed.size(); first = 0) {
    before = followed.size();
    for (const Block& block : program_.blocks) {
      for (const Stmt& stmt : block.stmts) {
        if (stmt.kind == StmtKind::insert) add(stmt.element);
        if (stmt.kind != StmtKind::assign && stmt.kind != StmtKind::pick) continue;
        const std::vector<SlotId> slots = possible_slots(program_, stmt.target);
        const bool counts = std::any_of(slots.begin(), slots.end(),
                                        [&](SlotId slot) { return followed.contains(slot); });
        if (!counts) continue;
        add(stmt.value);
        add(stmt.value2);
      }
    }
  }
  return followed;
}

// What statements about whole packets and containers change that are not followed.
std::set<SlotId> Analysis::not_followed() const {
  std::set<SlotId> slots;
  for (StructId id = 0; id < program_.structs.size(); ++id) {
    if (structs_.contains(id)) continue;
    const std::uint32_t words = program_.structs[id].counted ? 1 : words_of(id);
    for (const Place& place : program_.structs[id].places) {
      for (std::uint32_t i = 0; i < words; ++i) slots.insert(place.base + i);
    }
  }
  for (const Container& container : program_.containers) {
    if (is_local(container) && structs_.contains(container.structure)) continue;
    for (const SlotId length : possible_slots(program_, container.addr)) {
      for (std::uint32_t i = 0; i <= container.capacity * container.stride; ++i) {
        slots.insert(length + i);
      }
    }
  }
  for (const CellTable& cells : program_.cells) {
    for (std::uint32_t i = 0; i < cells.count * cells.stride; ++i) slots.insert(cells.first + i);
  }
  return slots;
}

void Analysis::add_group(SlotId first, std::uint32_t words, std::uint32_t group) {
  for (std::uint32_t i = 0; i < words; ++i) {
    homes_[first + i] = {Home::Kind::group, group, i};
  }
}

void Analysis::find_homes() {
  for (const Unordered& container : program_.unordered) {
    if (container.structure != no_id) structs_.insert(container.structure);
  }
  for (bool more = true; more;) {
    more = false;
    for (StructId id = 0; id < program_.structs.size(); ++id) {
      for (const NestedPlace& nested : program_.structs[id].nested) {
        if (structs_.contains(nested.structure)) more |= structs_.insert(id).second;
      }
    }
  }
  for (const StructId id : structs_) {
    const Struct& structure = program_.structs[id];
    for (const SlotId handle : structure.handles) {
      const Slot& slot = program_.slots[handle];
      if (slot.owner != no_id && !slot.stored) continue;
      result_.refusal = "the weak handle `" + slot.name + "` is kept between steps";
    }
    for (const Place& place : structure.places) {
      for (std::uint32_t i = 0; i < structure.words && !structure.counted; ++i) {
        if (program_.slots[place.base + i].ticks == TickEffect::none) continue;
        result_.refusal = "`" + structure.name + "` has a clock";
      }
    }
    if (structure.counted) {
      result_.refusal = "`" + structure.name + "` is counted";
    }
  }
  for (const Unordered& container : program_.unordered) {
    if (container.structure != no_id && !program_.structs[container.structure].nested.empty()) {
      result_.refusal = "`" + program_.structs[container.structure].name +
                        "` has a packet inside, in `" + container.name + "`";
    }
  }
  homes_.resize(program_.slots.size());
  written_.resize(program_.slots.size());
  check_handles();
  if (!result_.refusal.empty()) return;
  // Elements of containers, then other places that threads share; outer ones first.
  std::map<SlotId, std::uint32_t> container_groups;
  const auto element_group = [&](SlotId length) {
    const auto [found, inserted] =
        container_groups.try_emplace(length, static_cast<std::uint32_t>(groups_.size()));
    if (inserted) groups_.emplace_back();
    return found->second;
  };
  for (const Container& container : program_.containers) {
    if (!structs_.contains(container.structure) || container.capacity == 0) continue;
    if (is_local(container)) continue;
    for (const SlotId length : possible_slots(program_, container.addr)) {
      const std::uint32_t group = element_group(length);
      for (std::uint32_t i = 0; i < container.capacity; ++i) {
        add_group(length + 1 + i * container.stride, container.stride, group);
      }
    }
  }
  std::vector<StructId> order(structs_.begin(), structs_.end());
  std::stable_sort(order.begin(), order.end(),
                   [&](StructId a, StructId b) { return words_of(a) > words_of(b); });
  for (const StructId id : order) {
    for (const Place& place : program_.structs[id].places) {
      if (program_.slots[place.base].owner != no_id) continue;
      if (homes_[place.base].kind != Home::Kind::ignored) continue;
      add_group(place.base, words_of(id), static_cast<std::uint32_t>(groups_.size()));
      groups_.emplace_back();
    }
  }
  const std::set<SlotId> others = not_followed();
  for (const SlotId slot : followed_slots()) {
    const Slot& s = program_.slots[slot];
    if (homes_[slot].kind != Home::Kind::ignored || others.contains(slot)) continue;
    const bool handle = s.kind == SlotKind::handle;
    const bool plain = s.kind == SlotKind::scalar || s.kind == SlotKind::tag ||
                       s.kind == SlotKind::length ||
                       (handle && s.owner != no_id && structs_.contains(s.handle_of));
    if (!plain || s.parameter || s.range.hi - s.range.lo > widest_followed) continue;
    if (s.ticks != TickEffect::none) continue;
    if (s.owner != no_id) {
      Words& first = first_[s.owner];
      homes_[slot] = {Home::Kind::environment, static_cast<std::uint32_t>(first.size()), 0};
      first.push_back(s.initial);
      written_[slot] = {{s.initial, s.initial}, false};
    } else {
      homes_[slot] = {Home::Kind::global, static_cast<std::uint32_t>(globals_.size()), 0};
      globals_.push_back({s.initial});
    }
  }
}

// A weak handle ends where its packet goes into a container that is counted: nobody may use it
// then.
void Analysis::check_handles() {
  for (const auto& [where, live] : live_.behind) {
    const Stmt& stmt = program_.blocks[where.first].stmts[where.second];
    const StructId structure = program_.containers[stmt.container].structure;
    if (structure == no_id) continue;
    for (const SlotId handle : program_.structs[structure].handles) {
      if (!live.contains(handle)) continue;
      result_.refusal =
          "the weak handle `" + program_.slots[handle].name +
          "` is used after its packet may have gone into `" +
          program_.unordered[*unordered_of(program_.containers[stmt.container])].name + "`";
    }
  }
}

void Analysis::find_dead() {
  for (SlotId slot = 0; slot < homes_.size(); ++slot) {
    if (homes_[slot].kind != Home::Kind::environment) continue;
    const ThreadId owner = program_.slots[slot].owner;
    for (BlockId id = 0; id < program_.blocks.size(); ++id) {
      if (program_.blocks[id].thread != owner || live_.at[id].contains(slot)) continue;
      dead_[id].push_back(homes_[slot].index);
    }
  }
}

void Analysis::note_values() {
  const auto widen = [&](SlotId slot, Word value) {
    Range& range = result_.values[slot];
    range = range.lo > range.hi ? Range{value, value}
                                : Range{std::min(range.lo, value), std::max(range.hi, value)};
  };
  for (SlotId slot = 0; slot < homes_.size(); ++slot) {
    const Home& home = homes_[slot];
    switch (home.kind) {
      case Home::Kind::environment:
        if (!written_[slot].second) result_.values[slot] = written_[slot].first;
        break;
      case Home::Kind::global:
        if (globals_[home.index].size() == 1) widen(slot, *globals_[home.index].begin());
        break;
      case Home::Kind::group: {
        if (groups_[home.index].empty()) result_.values[slot] = {0, 0};
        if (home.offset == 0 || groups_[home.index].empty()) break;
        bool known = true;
        for (const Words& packet : groups_[home.index]) {
          known = known && packet[home.offset - 1] != any_value;
        }
        if (!known) break;
        widen(slot, 0);
        for (const Words& packet : groups_[home.index]) widen(slot, packet[home.offset - 1]);
        break;
      }
      case Home::Kind::ignored:
        break;
    }
  }
  for (const Container& container : program_.containers) {
    if (!structs_.contains(container.structure) || container.capacity == 0) continue;
    for (const SlotId length : possible_slots(program_, container.addr)) {
      const Home& first = homes_[length + 1];
      const bool never = first.kind == Home::Kind::group && groups_[first.index].empty();
      if (never) result_.values[length] = {0, 0};
    }
  }
}

ReadSlot Analysis::reader(const Words& environment) const {
  return [this, &environment](SlotId slot) {
    const Home& home = homes_[slot];
    switch (home.kind) {
      case Home::Kind::environment:
        return environment[home.index];
      case Home::Kind::global: {
        const auto& values = globals_[home.index];
        return values.size() == 1 ? *values.begin() : any_value;
      }
      case Home::Kind::group: {
        const auto& packets = groups_[home.index];
        if (home.offset == 0 || packets.empty()) return any_value;
        const Word first = (*packets.begin())[home.offset - 1];
        const bool agree = std::all_of(packets.begin(), packets.end(), [&](const Words& packet) {
          return packet[home.offset - 1] == first;
        });
        return agree ? first : any_value;
      }
      case Home::Kind::ignored:
        break;
    }
    return any_value;
  };
}

std::vector<SlotId> Analysis::targets(AddrId addr, const Words& environment) const {
  const SlotId slot = abstract_slot(program_, addr, reader(environment));
  if (slot != no_id) return {slot};
  return possible_slots(program_, addr);
}

void Analysis::add_to_group(std::uint32_t group, Words packet) {
  grown_ |= groups_[group].insert(std::move(packet)).second;
  if (groups_[group].size() > most_kinds * most_kinds && result_.refusal.empty()) {
    result_.refusal = "there are too many kinds of packet";
  }
}

void Analysis::write(SlotId slot, Word value, Words& environment, bool certainly) {
  const Home& home = homes_[slot];
  switch (home.kind) {
    case Home::Kind::environment: {
      Word& there = environment[home.index];
      there = certainly || there == value ? value : any_value;
      auto& [range, anything] = written_[slot];
      if (value == any_value) {
        anything = true;
      } else {
        range = {std::min(range.lo, value), std::max(range.hi, value)};
      }
      break;
    }
    case Home::Kind::global: {
      auto& values = globals_[home.index];
      const std::size_t before = values.size();
      if (value != any_value) {
        values.insert(value);
      } else if (values.size() < 2) {  // two values are as good as any
        values.insert(*values.begin() + 1);
      }
      grown_ |= values.size() != before;
      break;
    }
    case Home::Kind::group: {
      if (home.offset == 0) break;
      const std::set<Words> packets = groups_[home.index];
      for (Words packet : packets) {
        packet[home.offset - 1] = value;
        add_to_group(home.index, std::move(packet));
      }
      break;
    }
    case Home::Kind::ignored:
      break;
  }
}

std::vector<Words> Analysis::packets_at(AddrId addr, StructId structure,
                                        const Words& environment) const {
  std::vector<Words> packets;
  const ReadSlot read = reader(environment);
  for (const SlotId base : targets(addr, environment)) {
    const Home& home = homes_[base];
    if (home.kind == Home::Kind::group) {
      for (const Words& packet : groups_[home.index]) {
        const auto first = packet.begin() + home.offset;
        packets.emplace_back(first, first + words_of(structure) - 1);
      }
      continue;
    }
    Words packet;
    const Word tag = read(base);
    if (tag != any_value && tag != 1) continue;
    for (std::uint32_t i = 1; i < words_of(structure); ++i) packet.push_back(read(base + i));
    packets.push_back(std::move(packet));
  }
  std::sort(packets.begin(), packets.end());
  packets.erase(std::unique(packets.begin(), packets.end()), packets.end());
  return packets;
}

void Analysis::put(AddrId addr, StructId structure, const Words& packet, Words& environment) {
  const std::vector<SlotId> bases = targets(addr, environment);
  for (const SlotId base : bases) {
    const Home& home = homes_[base];
    if (home.kind == Home::Kind::group && home.offset == 0) {
      add_to_group(home.index, packet);
      continue;
    }
    write(base, 1, environment, bases.size() == 1);
    for (std::uint32_t i = 1; i < words_of(structure); ++i) {
      write(base + i, packet[i - 1], environment, bases.size() == 1);
    }
  }
}

void Analysis::empty(AddrId addr, StructId structure, Word tag, Words& environment) {
  const std::vector<SlotId> bases = targets(addr, environment);
  for (const SlotId base : bases) {
    if (homes_[base].kind == Home::Kind::group && homes_[base].offset == 0) continue;
    write(base, tag, environment, bases.size() == 1);
    for (std::uint32_t i = 1; i < words_of(structure); ++i) {
      write(base + i, 0, environment, bases.size() == 1);
    }
  }
}

std::optional<std::size_t> Analysis::unordered_of(const Container& container) const {
  for (const SlotId length : possible_slots(program_, container.addr)) {
    for (std::size_t i = 0; i < program_.unordered.size(); ++i) {
      if (program_.unordered[i].kinds.front().counter == length) return i;
    }
  }
  return std::nullopt;
}

std::set<std::uint32_t> Analysis::groups_of(const Container& container) const {
  std::set<std::uint32_t> groups;
  for (const SlotId length : possible_slots(program_, container.addr)) {
    const Home& home = homes_[length + 1];
    if (home.kind == Home::Kind::group) groups.insert(home.index);
  }
  return groups;
}

// A field that may have any value is one kind for each.
void Analysis::add_kind(std::size_t container, const Words& packet, StructId structure) {
  const auto unknown = std::find(packet.begin(), packet.end(), any_value);
  if (unknown == packet.end()) {
    grown_ |= result_.of[container].insert(packet).second;
    if (result_.of[container].size() > most_kinds && result_.refusal.empty()) {
      result_.refusal = "`" + program_.unordered[container].name + "` would hold more than " +
                        std::to_string(most_kinds) + " kinds";
    }
    return;
  }
  const auto offset = static_cast<std::uint32_t>(unknown - packet.begin()) + 1;
  Range range{0, widest_expanded + 1};
  std::string field = "its numbers";
  if (structure != no_id) {
    const Struct& s = program_.structs[structure];
    for (const Field& f : s.fields) {
      if (f.offset <= offset && offset < f.offset + f.words) field = "`" + f.name + "`";
    }
    if (!s.places.empty()) range = program_.slots[s.places.front().base + offset].range;
  }
  if (range.hi - range.lo >= widest_expanded) {
    if (result_.refusal.empty()) {
      result_.refusal = field + " of what `" + program_.unordered[container].name +
                        "` holds may have too many values";
    }
    return;
  }
  for (Word value = range.lo; value <= range.hi; ++value) {
    Words one = packet;
    one[offset - 1] = value;
    add_kind(container, one, structure);
  }
}

std::vector<Words> Analysis::run_insert(const Stmt& stmt, Words environment) {
  const Container& container = program_.containers[stmt.container];
  const auto unordered = unordered_of(container);
  if (container.structure == no_id) {
    if (unordered) add_kind(*unordered, {value(stmt.element, environment)}, no_id);
    return {std::move(environment)};
  }
  if (!structs_.contains(container.structure)) return {std::move(environment)};
  const std::vector<Words> packets = packets_at(stmt.source, container.structure, environment);
  if (packets.empty()) return {};
  std::vector<Words> after;
  for (const Words& packet : packets) {
    Words one = environment;
    if (unordered) {
      add_kind(*unordered, packet, container.structure);
    } else if (is_local(container)) {
      empty(stmt.source, container.structure, stmt.leave, one);
      if (!insert_locally(stmt, packet, one)) scatter(container, one);
      after.push_back(std::move(one));
      continue;
    } else {
      for (const std::uint32_t group : groups_of(container)) add_to_group(group, packet);
      forget_handles(container.structure, one);
    }
    rename(container.structure, stmt.source, no_id, unordered ? 1 : any_value, one);
    empty(stmt.source, container.structure, stmt.leave, one);
    after.push_back(std::move(one));
  }
  return after;
}

bool Analysis::is_local(const Container& container) const {
  const Address& addr = program_.addresses[container.addr];
  const bool fixed = addr.indices.empty() && addr.handle == no_id && addr.absolute == no_id;
  return fixed && container.capacity > 0 && program_.slots[addr.base].owner != no_id &&
         !spliced_.contains(addr.base);
}

// Nothing is known of a local container any more.
void Analysis::scatter(const Container& container, Words& environment) {
  const SlotId length = program_.addresses[container.addr].base;
  for (std::uint32_t i = 0; i <= container.capacity * container.stride; ++i) {
    write(length + i, any_value, environment, true);
  }
  forget_handles(container.structure, environment);
}

// What a local holds is known element by element.
//   errors: false, and nothing is changed, if it is not known where the packet goes
bool Analysis::insert_locally(const Stmt& stmt, const Words& packet, Words& environment) {
  const Container& container = program_.containers[stmt.container];
  const SlotId length = program_.addresses[container.addr].base;
  const Word count = reader(environment)(length);
  const Word at = stmt.value == no_id ? count : value(stmt.value, environment);
  const auto capacity = static_cast<Word>(container.capacity);
  if (container.sorted || count < 0 || count >= capacity || at < 0 || at > count) return false;
  const auto element = [&](Word i) {
    return length + 1 + static_cast<SlotId>(i) * container.stride;
  };
  for (Word i = count; i > at; --i) shift(container, element(i - 1), element(i), environment);
  const SlotId source = abstract_slot(program_, stmt.source, reader(environment));
  if (source == no_id) {
    forget_handles(container.structure, environment);
  } else {
    rename_place(container.structure, source, handle_to(element(at)), environment);
  }
  write(element(at), 1, environment, true);
  for (std::uint32_t i = 1; i < container.stride; ++i) {
    write(element(at) + i, packet[i - 1], environment, true);
  }
  write(length, count + 1, environment, true);
  return true;
}

void Analysis::shift(const Container& container, SlotId from, SlotId to, Words& environment) {
  const ReadSlot read = reader(environment);
  for (std::uint32_t i = 0; i < container.stride; ++i) {
    write(to + i, read(from + i), environment, true);
  }
  rename_place(container.structure, from, handle_to(to), environment);
}

bool Analysis::remove_locally(const Stmt& stmt, Words& environment) {
  const Container& container = program_.containers[stmt.container];
  const SlotId length = program_.addresses[container.addr].base;
  const Word count = reader(environment)(length);
  const Word at = stmt.value == no_id ? count - 1 : value(stmt.value, environment);
  if (container.sorted || count < 1 || at < 0 || at >= count) return false;
  const auto element = [&](Word i) {
    return length + 1 + static_cast<SlotId>(i) * container.stride;
  };
  const ReadSlot read = reader(environment);
  if (read(element(at)) != 1) return false;
  Words packet;
  for (std::uint32_t i = 1; i < container.stride; ++i) packet.push_back(read(element(at) + i));
  const SlotId target = abstract_slot(program_, stmt.target, read);
  if (target == no_id) {
    forget_handles(container.structure, environment);
  } else {
    rename_place(container.structure, element(at), handle_to(target), environment);
  }
  put(stmt.target, container.structure, packet, environment);
  for (Word i = at; i + 1 < count; ++i) shift(container, element(i + 1), element(i), environment);
  for (std::uint32_t i = 0; i < container.stride; ++i) {
    write(element(count - 1) + i, 0, environment, true);
  }
  write(length, count - 1, environment, true);
  return true;
}

void Analysis::rename_place(StructId structure, SlotId from, Word to, Words& environment) {
  const Word before = handle_to(from);
  for (const SlotId handle : program_.structs[structure].handles) {
    if (program_.slots[handle].owner != thread_ || homes_[handle].kind != Home::Kind::environment) {
      continue;
    }
    if (environment[homes_[handle].index] == before) write(handle, to, environment, true);
  }
}

void Analysis::forget_handles(StructId structure, Words& environment) {
  if (structure == no_id) return;
  for (const SlotId handle : program_.structs[structure].handles) {
    if (program_.slots[handle].owner == thread_) write(handle, any_value, environment, true);
  }
}

// A packet leaves a place, and is `to` be found at another: handles follow. What is inside it moves
// as well.
void Analysis::rename(StructId structure, AddrId from, AddrId to, Word otherwise,
                      Words& environment) {
  for (const NestedPlace& nested : program_.structs[structure].nested) {
    forget_handles(nested.structure, environment);
  }
  const SlotId source = abstract_slot(program_, from, reader(environment));
  const SlotId target = to == no_id ? no_id : abstract_slot(program_, to, reader(environment));
  if (source == no_id) return forget_handles(structure, environment);
  rename_place(structure, source, target == no_id ? otherwise : handle_to(target), environment);
}

// What the container may hold, as far as is known.
std::set<Words> Analysis::packets_in(const Container& container, const Words& environment) const {
  std::set<Words> packets;
  for (const std::uint32_t group : groups_of(container)) {
    packets.insert(groups_[group].begin(), groups_[group].end());
  }
  if (!is_local(container)) return packets;
  const ReadSlot read = reader(environment);
  const SlotId length = program_.addresses[container.addr].base;
  for (std::uint32_t i = 0; i < container.capacity; ++i) {
    const SlotId base = length + 1 + i * container.stride;
    if (read(base) == 0) continue;
    Words packet;
    for (std::uint32_t w = 1; w < container.stride; ++w) packet.push_back(read(base + w));
    packets.insert(std::move(packet));
  }
  return packets;
}

std::vector<Words> Analysis::run_remove(const Stmt& stmt, Words environment) {
  const Container& container = program_.containers[stmt.container];
  const auto unordered = unordered_of(container);
  std::vector<Words> after;
  if (container.structure == no_id) {
    if (stmt.target == no_id) return {std::move(environment)};
    if (!unordered) {
      for (const SlotId slot : targets(stmt.target, environment)) {
        write(slot, any_value, environment, true);
      }
      return {std::move(environment)};
    }
    for (const Words& number : result_.of[*unordered]) {
      Words one = environment;
      for (const SlotId slot : targets(stmt.target, one)) write(slot, number[0], one, true);
      after.push_back(std::move(one));
    }
    return after;
  }
  if (!structs_.contains(container.structure)) return {std::move(environment)};
  if (is_local(container) && remove_locally(stmt, environment)) return {std::move(environment)};
  const std::set<Words> packets =
      unordered ? result_.of[*unordered] : packets_in(container, environment);
  for (const Words& packet : packets) {
    Words one = environment;
    if (is_local(container)) scatter(container, one);
    if (!unordered) forget_handles(container.structure, one);
    put(stmt.target, container.structure, packet, one);
    after.push_back(std::move(one));
  }
  return after;
}

std::vector<Words> Analysis::run(const Stmt& stmt, Words environment) {
  const bool followed = structs_.contains(stmt.structure);
  switch (stmt.kind) {
    case StmtKind::assign:
    case StmtKind::clear_tag: {
      const Word v = stmt.kind == StmtKind::assign ? value(stmt.value, environment) : 0;
      const std::vector<SlotId> slots = targets(stmt.target, environment);
      for (const SlotId slot : slots) write(slot, v, environment, slots.size() == 1);
      break;
    }
    case StmtKind::check:
      if (stmt.fatal && value(stmt.value, environment) == 0) return {};
      break;
    case StmtKind::create:
      if (followed) {
        put(stmt.target, stmt.structure, Words(words_of(stmt.structure) - 1), environment);
      }
      break;
    case StmtKind::move:
    case StmtKind::duplicate: {
      if (!followed) break;
      std::vector<Words> after;
      for (const Words& packet : packets_at(stmt.source, stmt.structure, environment)) {
        Words one = environment;
        if (stmt.kind == StmtKind::move) {
          rename(stmt.structure, stmt.source, stmt.target, any_value, one);
          empty(stmt.source, stmt.structure, stmt.leave, one);
        }
        put(stmt.target, stmt.structure, packet, one);
        after.push_back(std::move(one));
      }
      return after;
    }
    case StmtKind::destroy:
      if (!followed) break;
      rename(stmt.structure, stmt.source, no_id, 1, environment);
      empty(stmt.source, stmt.structure, stmt.leave, environment);
      break;
    case StmtKind::insert:
      return run_insert(stmt, std::move(environment));
    case StmtKind::remove:
      return run_remove(stmt, std::move(environment));
    case StmtKind::splice: {
      const Container& from = program_.containers[stmt.container];
      const Container& to = program_.containers[stmt.container2];
      if (!structs_.contains(from.structure)) break;
      const std::set<Words> packets = packets_in(from, environment);
      for (const std::uint32_t group : groups_of(to)) {
        for (const Words& packet : packets) add_to_group(group, packet);
      }
      forget_handles(from.structure, environment);
      break;
    }
    case StmtKind::pick:
    case StmtKind::pick_element:
    case StmtKind::share: {
      const std::vector<SlotId> slots = targets(stmt.target, environment);
      const bool is_pick = stmt.kind == StmtKind::pick;
      const Word lo = is_pick ? value(stmt.value, environment) : any_value;
      const Word hi = is_pick ? value(stmt.value2, environment) : any_value;
      if (lo == any_value || hi == any_value || hi - lo > widest_expanded || slots.size() != 1) {
        for (const SlotId slot : slots) write(slot, any_value, environment, true);
        break;
      }
      std::vector<Words> after;
      for (Word v = lo; v <= hi; ++v) {
        Words one = environment;
        write(slots.front(), v, one, true);
        after.push_back(std::move(one));
      }
      return after;
    }
    case StmtKind::witness:
    case StmtKind::clear:
    case StmtKind::count:
    case StmtKind::enter:
    case StmtKind::leave:
      break;
  }
  return {std::move(environment)};
}

void Analysis::reach(BlockId block, Words environment) {
  if (block == no_id || !result_.refusal.empty()) return;
  const auto dead = dead_.find(block);
  if (dead != dead_.end()) {
    for (const std::uint32_t index : dead->second) environment[index] = any_value;
  }
  if (!seen_[block].insert(environment).second) return;
  if (++visits_ > most_environments) {
    result_.refusal = "which kinds of packet there are takes too long to tell";
    return;
  }
  pending_.push_back({block, std::move(environment)});
}

void Analysis::arrive(LocationId id, const Words& environment) {
  const Location& location = program_.locations[id];
  if (location.condition != no_id && value(location.condition, environment) == 0) return;
  reach(location.entry, environment);
  if (location.after != no_id) arrive(location.after, environment);
}

void Analysis::leave_block(BlockId id, const Words& environment) {
  const Terminator& end = program_.blocks[id].end;
  const auto go = [&](BlockId target) {
    result_.next[id].insert(target);
    reach(target, environment);
  };
  const auto stop = [&] {
    Words kept = environment;
    for (const SlotId slot : end.forget) {
      write(slot, program_.slots[slot].rest_value, kept, true);
    }
    arrive(end.location, kept);
  };
  switch (end.kind) {
    case TerminatorKind::jump:
      go(end.targets[0]);
      break;
    case TerminatorKind::branch: {
      const Word condition = value(end.condition, environment);
      if (condition != 0) go(end.targets[0]);
      if (condition == 0 || condition == any_value) go(end.targets[1]);
      break;
    }
    case TerminatorKind::choose:
      for (std::size_t i = 0; i < end.targets.size(); ++i) {
        const bool possible = end.guards[i] == no_id || value(end.guards[i], environment) != 0;
        if (possible) go(end.targets[i]);
      }
      break;
    case TerminatorKind::lock: {
      const Word condition = value(end.condition, environment);
      if (condition != 0) go(end.targets[0]);
      if (condition == 0 || condition == any_value) stop();
      break;
    }
    case TerminatorKind::stop:
      stop();
      break;
    case TerminatorKind::halt:
      break;
  }
}

void Analysis::explore(ThreadId thread) {
  seen_.clear();
  visits_ = 0;
  thread_ = thread;
  const Words first = first_.contains(thread) ? first_.at(thread) : Words{};
  arrive(program_.threads[thread].locations.front(), first);
  while (!pending_.empty() && result_.refusal.empty()) {
    const Visit visit = std::move(pending_.front());
    pending_.pop_front();
    const Block& block = program_.blocks[visit.block];
    std::vector<Words> environments{visit.environment};
    result_.reached[visit.block] = true;
    for (std::size_t i = 0; i < block.stmts.size(); ++i) {
      const Stmt& stmt = block.stmts[i];
      std::vector<Words> next;
      for (Words& environment : environments) {
        if (stmt.kind == StmtKind::check) {
          const Word holds = value(stmt.value, environment);
          if (holds == 0 || holds == any_value) result_.fails.insert({visit.block, i});
        }
        for (Words& after : run(stmt, std::move(environment))) next.push_back(std::move(after));
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      environments = std::move(next);
      if (environments.empty()) break;
    }
    for (const Words& environment : environments) leave_block(visit.block, environment);
  }
  pending_.clear();
}

}  // namespace

PacketKinds packet_kinds(const Program& program) {
  Program settled = program;
  settle_locals(settled);
  return Analysis(settled).run();
}

}  // namespace txproof::program
