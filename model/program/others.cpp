// By symmetry a check about one of the others is one about the object in focus, so it is dropped
// here. What remains of the others: sums change by what one of them changes by, reads give any
// value that the sum allows, and their one thread may go on from any of its stop points.
#include "model/program/others.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/program/access.h"
#include "model/program/builder.h"
#include "model/program/liveness.h"

namespace txproof::program {

namespace {

class SumUp {
 public:
  SumUp(Program& program, const OthersSketch& sketch, lang::Diagnostics& diagnostics)
      : program_(program), sketch_(sketch), diagnostics_(diagnostics), b_(program) {
    for (const OthersSketch::Field& field : sketch.fields) fields_[field.other] = &field;
    for (const ThreadId thread : sketch.others.threads) threads_.insert(thread);
  }

  void run();

 private:
  [[nodiscard]] std::vector<SlotId> others_at(AddrId addr) const;
  [[nodiscard]] bool mentions(ExprId expr) const;
  [[nodiscard]] bool mentions_address(AddrId addr) const;
  ExprId replaced(ExprId expr);
  ExprId any_of_others(AddrId addr, SlotId slot, Range range);
  ExprId is_others(AddrId addr, SlotId slot);
  ExprId about_others(ExprId expr);
  void rewrite_block(BlockId id);
  bool rewrite(Stmt stmt);
  bool rewrite_assign(Stmt& stmt, const std::vector<SlotId>& others);
  void suppose(ExprId condition);
  void collapse(ThreadId thread);
  void add_property();
  void refuse(lang::Span where, const std::string& what) {
    diagnostics_.error("TX0437", where, what);
  }

  Program& program_;
  const OthersSketch& sketch_;
  lang::Diagnostics& diagnostics_;
  Builder b_;
  std::map<SlotId, const OthersSketch::Field*> fields_;
  std::set<ThreadId> threads_;
  std::map<ThreadId, SlotId> grown_;  // of the others' threads: one has been added to in this step
  SlotId lost_ = no_id;               // one of the others stands where its place is not kept
  lang::Span here_;
};

std::vector<SlotId> SumUp::others_at(AddrId addr) const {
  std::vector<SlotId> found;
  if (addr == no_id) return found;
  for (const SlotId slot : b_.slots_of(addr)) {
    if (fields_.contains(slot)) found.push_back(slot);
  }
  return found;
}

bool SumUp::mentions_address(AddrId addr) const {
  if (addr == no_id) return false;
  const Address& a = program_.addresses[addr];
  if (mentions(a.handle) || mentions(a.absolute)) return true;
  return std::any_of(a.indices.begin(), a.indices.end(),
                     [&](const Index& index) { return mentions(index.index); });
}

bool SumUp::mentions(ExprId expr) const {
  if (expr == no_id) return false;
  std::set<SlotId> reads;
  add_reads(program_, expr, reads);
  return std::any_of(reads.begin(), reads.end(),
                     [&](SlotId slot) { return fields_.contains(slot); });
}

ExprId SumUp::is_others(AddrId addr, SlotId slot) {
  if (b_.is_static(addr)) return b_.constant(1);
  const Address& a = program_.addresses[addr];
  if (a.absolute == no_id || a.handle != no_id || !a.indices.empty()) {
    refuse(here_, "a field of the others is reached in a way that their sums cannot follow");
    return b_.constant(1);
  }
  return b_.equals(a.absolute, static_cast<Word>(slot - a.base));
}

// The step goes on only if the condition holds.
void SumUp::suppose(ExprId condition) {
  if (b_.constant_value(condition) == 1) return;
  const BlockId next = b_.new_block(program_.blocks[b_.block()].thread);
  Terminator& end = program_.blocks[b_.block()].end;
  end.kind = TerminatorKind::choose;
  end.targets = {next};
  end.guards = {condition};
  end.where = here_;
  b_.set_block(next);
}

// The field of some one of the others, in a slot of its own.
ExprId SumUp::any_of_others(AddrId addr, SlotId slot, Range range) {
  const OthersSketch::Field& field = *fields_.at(slot);
  const ThreadId thread = program_.blocks[b_.block()].thread;
  Stmt pick;
  pick.kind = StmtKind::pick;
  pick.where = here_;
  if (field.cap == no_id) {
    range = program_.slots[field.focus].range;
    pick.value = b_.constant(range.lo);
    pick.value2 = b_.constant(range.hi);
  } else {
    range = {0, unbounded};
    const ExprId sum = b_.load(b_.at(slot));
    const ExprId rest = b_.binary(ExprKind::subtract, b_.load(b_.at(field.caps)), field.cap);
    ExprId least =
        b_.binary(ExprKind::maximum, b_.constant(0), b_.binary(ExprKind::subtract, sum, rest));
    const auto grown = grown_.find(thread);
    if (grown != grown_.end()) {
      least = b_.conditional(b_.load(b_.at(grown->second)), b_.constant(0), least);
    }
    // Where the address is not of the others the value is not looked at.
    const ExprId mine = is_others(addr, slot);
    least = b_.conditional(mine, least, b_.constant(0));
    suppose(b_.binary(ExprKind::less_equal, least, sum));
    pick.value = least;
    pick.value2 = sum;
  }
  Slot scratch;
  scratch.name = "one of the others: " + field.name;
  scratch.range = range;
  scratch.initial = scratch.rest_value = std::clamp(Word{0}, range.lo, range.hi);
  scratch.stored = false;
  scratch.owner = thread;
  const SlotId one = b_.add_slot(scratch);
  pick.target = b_.at(one);
  b_.emit(pick);
  return b_.load(b_.at(one));
}

// `expr` with each read of the others as one that may give anything they allow.
ExprId SumUp::replaced(ExprId expr) {
  if (expr == no_id || !mentions(expr)) return expr;
  const Expr e = program_.exprs[expr];
  switch (e.kind) {
    case ExprKind::load: {
      const std::vector<SlotId> others = others_at(e.addr);
      if (mentions_address(e.addr) || others.size() != 1) {
        refuse(here_, "which object this is depends on a field of the others");
        return expr;
      }
      const ExprId one = any_of_others(e.addr, others[0], e.range);
      const ExprId mine = is_others(e.addr, others[0]);
      return b_.conditional(mine, one, expr);
    }
    case ExprKind::conditional: {
      const ExprId condition = replaced(e.a);
      const ExprId then = replaced(e.b);
      return b_.conditional(condition, then, replaced(e.c));
    }
    case ExprKind::wrap:
      return b_.wrap(replaced(e.a), e.value);
    case ExprKind::table:
      return b_.table(program_.tables[static_cast<std::size_t>(e.value)], replaced(e.a));
    case ExprKind::aggregate:
    case ExprKind::cursor:
    case ExprKind::place_id:
      refuse(here_, "an aggregate looks at a field of the others");
      return expr;
    default: {
      const ExprId left = replaced(e.a);
      if (e.b == no_id) return b_.unary(e.kind, left);
      return b_.binary(e.kind, left, replaced(e.b));
    }
  }
}

// Of the others only sums are kept: they change by what one of them changes by.
bool SumUp::rewrite_assign(Stmt& stmt, const std::vector<SlotId>& others) {
  const OthersSketch::Field& field = *fields_.at(others[0]);
  const bool only_others = b_.is_static(stmt.target);
  if (field.cap == no_id) {
    if (only_others) return false;
    stmt.value = replaced(stmt.value);
    const Range values = b_.range(stmt.value);
    const Range kept = program_.slots[others[0]].range;
    if (values.lo < kept.lo || values.hi > kept.hi) {
      refuse(stmt.where, "`" + field.name + "` of the others could leave its range");
    }
    return true;
  }
  const Expr value = program_.exprs[stmt.value];
  const bool adds = value.kind == ExprKind::add;
  const bool takes = value.kind == ExprKind::subtract;
  const bool from_itself = (adds || takes) && program_.exprs[value.a].kind == ExprKind::load &&
                           program_.exprs[value.a].addr == stmt.target && !mentions(value.b);
  const bool no_less = from_itself && b_.range(value.b).lo >= 0;
  if (others.size() != 1 || !no_less || (adds && !only_others)) {
    refuse(stmt.where, "`" + field.name +
                           "` of the others is kept as a sum: it can be added to and subtracted "
                           "from, and only its own thread may add");
    return true;
  }
  if (takes) suppose(b_.binary(ExprKind::less_equal, value.b, value.a));
  const auto grown = grown_.find(program_.blocks[b_.block()].thread);
  if (adds && grown == grown_.end()) {
    refuse(stmt.where, "only the thread of one of the others may add to its `" + field.name + "`");
    return true;
  }
  if (adds) {
    Stmt set = stmt;
    set.target = b_.at(grown->second);
    set.value = b_.constant(1);
    b_.emit(set);
  }
  return true;
}

// Where something that the expression reads is a field of the others.
ExprId SumUp::about_others(ExprId expr) {
  if (expr == no_id || !mentions(expr)) return b_.constant(0);
  const Expr e = program_.exprs[expr];
  ExprId result = b_.constant(0);
  if (e.kind == ExprKind::load) {
    for (const SlotId slot : others_at(e.addr)) {
      result = b_.logical_or(result, is_others(e.addr, slot));
    }
    return result;
  }
  if (e.kind == ExprKind::aggregate) {
    refuse(here_, "an aggregate looks at a field of the others");
    return result;
  }
  for (const ExprId part : {e.a, e.b, e.c}) {
    result = b_.logical_or(result, about_others(part));
  }
  return result;
}

//   returns false if nothing is left of the statement
bool SumUp::rewrite(Stmt stmt) {
  here_ = stmt.where;
  const std::vector<SlotId> written =
      stmt.target == no_id ? std::vector<SlotId>{} : others_at(stmt.target);
  switch (stmt.kind) {
    case StmtKind::enter:
    case StmtKind::leave:
    case StmtKind::witness:
      if (mentions(stmt.value)) stmt.value = no_id;
      if (stmt.kind == StmtKind::witness && stmt.value == no_id) return false;
      break;
    case StmtKind::check: {
      if (!mentions(stmt.value)) break;
      // About an object that may be the one in focus it remains, for that one.
      const ExprId excused = about_others(stmt.value);
      if (b_.constant_value(excused) == 1) return false;
      stmt.value = b_.logical_or(excused, stmt.value);
      break;
    }
    case StmtKind::assign:
      if (!written.empty()) {
        if (!rewrite_assign(stmt, written)) return false;
      } else {
        stmt.value = replaced(stmt.value);
      }
      break;
    default:
      if (!written.empty()) {
        refuse(stmt.where, "a field of the others is changed in a way that a sum cannot follow");
      }
      stmt.value = replaced(stmt.value);
      stmt.value2 = replaced(stmt.value2);
      stmt.element = replaced(stmt.element);
      break;
  }
  b_.emit(stmt);
  return true;
}

void SumUp::rewrite_block(BlockId id) {
  const std::vector<Stmt> stmts = program_.blocks[id].stmts;
  Terminator end = program_.blocks[id].end;
  program_.blocks[id].stmts.clear();
  b_.set_block(id);
  for (const Stmt& stmt : stmts) rewrite(stmt);
  here_ = end.where;
  const bool concerns_others = threads_.contains(program_.blocks[id].thread);
  if (end.kind == TerminatorKind::lock && concerns_others) {
    // Where one of the others would stop while it holds something, its place is not kept.
    Stmt lost;
    lost.kind = StmtKind::assign;
    lost.target = b_.at(lost_);
    lost.value = b_.logical_or(b_.load(b_.at(lost_)), b_.logical_not(end.condition));
    lost.where = end.where;
    b_.emit(lost);
    end.kind = TerminatorKind::jump;
    end.condition = no_id;
    end.location = no_id;
  }
  end.condition = replaced(end.condition);
  for (ExprId& guard : end.guards) guard = replaced(guard);
  program_.blocks[b_.block()].end = std::move(end);
}

// The thread of the others stands nowhere: a step begins at any of its stop points, and any one of
// the others may be there.
void SumUp::collapse(ThreadId id) {
  Thread& thread = program_.threads[id];
  // Where a lock would be waited for nobody stands: that is a check now.
  std::set<LocationId> stopped_at{thread.locations.front()};
  for (const Block& block : program_.blocks) {
    if (block.thread == id && block.end.location != no_id) stopped_at.insert(block.end.location);
  }
  std::vector<LocationId> stops = thread.locations;
  std::erase_if(stops, [&](LocationId stop) { return !stopped_at.contains(stop); });
  const BlockId begin = b_.new_block(id);
  b_.set_block(begin);
  here_ = thread.where;
  Stmt none;
  none.kind = StmtKind::assign;
  none.target = b_.at(grown_.at(id));
  none.value = b_.constant(0);
  none.where = here_;
  b_.emit(none);
  ExprId exists = b_.constant(1);  // there are others at all
  for (const auto& entry : fields_) {
    const OthersSketch::Field& field = *entry.second;
    if (field.cap == no_id) continue;
    exists = b_.logical_and(exists,
                            b_.binary(ExprKind::less_equal, field.cap, b_.load(b_.at(field.caps))));
  }
  suppose(exists);
  Terminator choice;
  choice.kind = TerminatorKind::choose;
  choice.where = here_;
  const BlockId from = b_.block();
  for (const LocationId stop : stops) {
    const Location location = program_.locations[stop];
    if (location.entry == no_id) continue;
    const BlockId resume = b_.new_block(id);
    b_.set_block(resume);
    here_ = location.where;
    if (location.condition != no_id) suppose(replaced(location.condition));
    b_.jump(location.entry);
    choice.targets.push_back(resume);
    choice.guards.push_back(no_id);
  }
  program_.blocks[from].end = std::move(choice);
  const LocationId only = stops.front();
  Location& place = program_.locations[only];
  place.kind = StopKind::pause;
  place.condition = no_id;
  place.entry = begin;
  for (Block& block : program_.blocks) {
    if (block.thread == id && block.end.location != no_id) block.end.location = only;
  }
  program_.threads[id].locations = {only};
  program_.slots[program_.threads[id].pc].range = {0, 0};
}

void SumUp::add_property() {
  Slot lost;
  lost.name = "one of the others is lost";
  lost.range = {0, 1};
  lost_ = b_.add_slot(lost);
  Property property;
  property.name = property.instance = "others";
  property.text = "what is assumed of the others holds of the one in focus";
  property.kind = PropertyKind::always;
  property.has_checks = true;
  property.where = sketch_.others.where;
  Others others = sketch_.others;
  for (const OthersSketch::Field& field : sketch_.fields) {
    if (field.cap == no_id) continue;
    Claim claim;
    claim.kind = PropertyKind::always;
    claim.condition = b_.binary(ExprKind::less_equal, b_.load(b_.at(field.focus)), field.cap);
    claim.text = program_.slots[field.focus].name + " is at most its cap";
    claim.where = others.where;
    others.sums.push_back(
        {field.name, field.focus, field.other, field.cap, field.caps, claim.condition});
    property.claims.push_back(std::move(claim));
  }
  Claim kept;
  kept.kind = PropertyKind::always;
  kept.condition = b_.logical_not(b_.load(b_.at(lost_)));
  kept.text = "none of the others waits for a lock with something in hand";
  kept.where = others.where;
  property.claims.push_back(std::move(kept));
  // Every other property rests on these.
  for (Property& other : program_.properties) {
    if (other.is_watch) continue;
    for (Claim claim : property.claims) {
      claim.antecedent = b_.constant(0);  // it says nothing of its own
      other.claims.push_back(std::move(claim));
    }
  }
  program_.properties.push_back(std::move(property));
  program_.others.push_back(std::move(others));
}

void SumUp::run() {
  for (const Property& property : program_.properties) {
    for (const Claim& claim : property.claims) {
      std::set<SlotId> reads;
      for (const ExprId expr : {claim.condition, claim.left, claim.right, claim.assuming}) {
        add_reads(program_, expr, reads);
      }
      for (const SlotId slot : reads) {
        const auto field = fields_.find(slot);
        if (field == fields_.end() || field->second->cap != no_id) continue;
        refuse(claim.where, "no sum is kept of `" + field->second->name + "` over the others");
      }
    }
  }
  for (const Location& location : program_.locations) {
    if (threads_.contains(location.thread) || !mentions(location.condition)) continue;
    refuse(location.where, "a thread waits for what one of the others does");
  }
  add_property();
  for (const ThreadId thread : threads_) {
    Slot grown;
    grown.name = "one of the others has grown";
    grown.range = {0, 1};
    grown.stored = false;
    grown.owner = thread;
    grown_[thread] = b_.add_slot(grown);
  }
  const auto blocks = static_cast<BlockId>(program_.blocks.size());
  for (BlockId id = 0; id < blocks; ++id) rewrite_block(id);
  for (const ThreadId thread : threads_) collapse(thread);
  compact(program_, true);
}

}  // namespace

void sum_up_others(Program& program, const OthersSketch& sketch, lang::Diagnostics& diagnostics) {
  SumUp(program, sketch, diagnostics).run();
}

void finish_others(Program& program, lang::Diagnostics& diagnostics) {
  if (program.others.empty()) return;
  // Where a place's tag need not be kept the place is empty, and so are its fields.
  for (const Struct& structure : program.structs) {
    for (const Place& place : structure.places) {
      if (structure.counted || program.slots[place.base].stored) continue;
      const ThreadId owner = program.slots[place.base].owner;
      const bool theirs =
          std::any_of(program.others.begin(), program.others.end(), [&](const Others& others) {
            return owner != no_id && std::find(others.threads.begin(), others.threads.end(),
                                               owner) != others.threads.end();
          });
      if (!theirs) continue;
      for (std::uint32_t i = 1; i < structure.words; ++i) {
        program.slots[place.base + i].stored = false;
      }
    }
  }
  for (const Others& others : program.others) {
    for (const Slot& slot : program.slots) {
      const bool theirs = std::find(others.threads.begin(), others.threads.end(), slot.owner) !=
                          others.threads.end();
      if (!theirs || slot.kind == SlotKind::pc || !slot.stored) continue;
      diagnostics.error("TX0437", others.where,
                        "`" + slot.name +
                            "` lives on where the thread of one of the others stops, which is not "
                            "kept for all of them");
    }
  }
  for (Property& property : program.properties) {
    const bool at_rest =
        property.kind == PropertyKind::deadlock ||
        std::any_of(property.claims.begin(), property.claims.end(), [](const Claim& claim) {
          return claim.kind != PropertyKind::always && claim.kind != PropertyKind::maximum;
        });
    if (!at_rest) continue;
    property.not_served =
        "where each of an unknown number of threads stands is not kept, so what "
        "holds at rest, or in the end, cannot be told";
  }
}

}  // namespace txproof::program
