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

namespace txproof::program {

namespace {

constexpr std::size_t most_kinds = 64;
constexpr std::size_t most_environments = 300'000;
constexpr Word widest_followed = 4096; // a slot with more values is not followed
constexpr Word widest_expanded = 32;   // a field that may have any value

using Words = std::vector<Word>;

// Where a slot is kept.
struct Home {
  enum class Kind : std::uint8_t { ignored, environment, group, global } kind = Kind::ignored;
  std::uint32_t index = 0;   // in the environment; the group; the set
  std::uint32_t offset = 0;  // group: of the word, 0 the tag
};

class Analysis {
 public:
  explicit Analysis(const Program& program) : program_(program) { find_homes(); }

  PacketKinds run() {
    result_.of.resize(program_.unordered.size());
    if (!result_.refusal.empty()) return std::move(result_);
    do {
      grown_ = false;
      for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) explore(thread);
    } while (grown_ && result_.refusal.empty());
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
  void add_group(SlotId first, std::uint32_t words, std::uint32_t group);
  [[nodiscard]] std::uint32_t words_of(StructId structure) const {
    return program_.structs[structure].words;
  }

  // ---- running
  void explore(ThreadId thread);
  void reach(BlockId block, Words environment);
  void arrive(LocationId location, const Words& environment);
  void leave_block(const Terminator& end, const Words& environment);
  // All environments that the statement may lead to.
  std::vector<Words> run(const Stmt& stmt, Words environment);
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

  const Program& program_;
  PacketKinds result_;
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
    if (!structure.handles.empty()) {
      result_.refusal = "weak handles to `" + structure.name + "` are kept";
    } else if (structure.counted) {
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
  for (const SlotId slot : followed_slots()) {
    const Slot& s = program_.slots[slot];
    if (homes_[slot].kind != Home::Kind::ignored) continue;
    const bool plain = s.kind == SlotKind::scalar || s.kind == SlotKind::tag;
    if (!plain || s.parameter || s.range.hi - s.range.lo > widest_followed) continue;
    if (s.ticks != TickEffect::none) continue;
    if (s.owner != no_id) {
      Words& first = first_[s.owner];
      homes_[slot] = {Home::Kind::environment, static_cast<std::uint32_t>(first.size()), 0};
      first.push_back(s.initial);
    } else {
      homes_[slot] = {Home::Kind::global, static_cast<std::uint32_t>(globals_.size()), 0};
      globals_.push_back({s.initial});
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
  for (const Words& packet : packets) {
    if (unordered) {
      add_kind(*unordered, packet, container.structure);
    } else {
      for (const std::uint32_t group : groups_of(container)) add_to_group(group, packet);
    }
  }
  empty(stmt.source, container.structure, stmt.leave, environment);
  return {std::move(environment)};
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
  std::set<Words> packets;
  if (unordered) {
    packets = result_.of[*unordered];
  } else {
    for (const std::uint32_t group : groups_of(container)) {
      packets.insert(groups_[group].begin(), groups_[group].end());
    }
  }
  for (const Words& packet : packets) {
    Words one = environment;
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
        if (stmt.kind == StmtKind::move) empty(stmt.source, stmt.structure, stmt.leave, one);
        put(stmt.target, stmt.structure, packet, one);
        after.push_back(std::move(one));
      }
      return after;
    }
    case StmtKind::destroy:
      if (followed) empty(stmt.source, stmt.structure, stmt.leave, environment);
      break;
    case StmtKind::insert:
      return run_insert(stmt, std::move(environment));
    case StmtKind::remove:
      return run_remove(stmt, std::move(environment));
    case StmtKind::splice: {
      const Container& from = program_.containers[stmt.container];
      if (!structs_.contains(from.structure)) break;
      for (const std::uint32_t source : groups_of(from)) {
        const std::set<Words> packets = groups_[source];
        for (const std::uint32_t group : groups_of(program_.containers[stmt.container2])) {
          for (const Words& packet : packets) add_to_group(group, packet);
        }
      }
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

void Analysis::leave_block(const Terminator& end, const Words& environment) {
  switch (end.kind) {
    case TerminatorKind::jump:
      reach(end.targets[0], environment);
      break;
    case TerminatorKind::branch: {
      const Word condition = value(end.condition, environment);
      if (condition != 0) reach(end.targets[0], environment);
      if (condition == 0 || condition == any_value) reach(end.targets[1], environment);
      break;
    }
    case TerminatorKind::choose:
      for (std::size_t i = 0; i < end.targets.size(); ++i) {
        const bool possible = end.guards[i] == no_id || value(end.guards[i], environment) != 0;
        if (possible) reach(end.targets[i], environment);
      }
      break;
    case TerminatorKind::lock: {
      const Word condition = value(end.condition, environment);
      if (condition != 0) reach(end.targets[0], environment);
      if (condition == 0 || condition == any_value)
        reach(program_.locations[end.location].entry, environment);
      break;
    }
    case TerminatorKind::stop:
      arrive(end.location, environment);
      break;
    case TerminatorKind::halt:
      break;
  }
}

void Analysis::explore(ThreadId thread) {
  seen_.clear();
  visits_ = 0;
  const Words first = first_.contains(thread) ? first_.at(thread) : Words{};
  arrive(program_.threads[thread].locations.front(), first);
  while (!pending_.empty() && result_.refusal.empty()) {
    const Visit visit = std::move(pending_.front());
    pending_.pop_front();
    const Block& block = program_.blocks[visit.block];
    std::vector<Words> environments{visit.environment};
    for (const Stmt& stmt : block.stmts) {
      std::vector<Words> next;
      for (Words& environment : environments) {
        for (Words& after : run(stmt, std::move(environment))) next.push_back(std::move(after));
      }
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      environments = std::move(next);
      if (environments.empty()) break;
    }
    for (const Words& environment : environments) leave_block(block.end, environment);
  }
  pending_.clear();
}

}  // namespace

PacketKinds packet_kinds(const Program& program) { return Analysis(program).run(); }

}  // namespace txproof::program
