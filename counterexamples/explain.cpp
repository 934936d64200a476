#include "counterexamples/explain.h"

#include "model/program/evaluate.h"

namespace txproof::counterexamples {

using program::ExprId;
using program::no_id;
using program::SlotId;
using program::Stmt;
using program::StmtKind;

namespace {

// Every slot that the expression loads, as it stands in `state`.
void loaded_slots(const program::Program& program, const program::State& state, ExprId id,
                  std::vector<SlotId>& slots) {
  if (id == no_id) return;
  const program::Expr& expr = program.exprs[id];
  if (expr.kind == program::ExprKind::aggregate || expr.kind == program::ExprKind::cursor) return;
  loaded_slots(program, state, expr.a, slots);
  loaded_slots(program, state, expr.b, slots);
  loaded_slots(program, state, expr.c, slots);
  if (expr.addr == no_id) return;
  const program::Address& address = program.addresses[expr.addr];
  loaded_slots(program, state, address.handle, slots);
  for (const program::Index& index : address.indices) {
    loaded_slots(program, state, index.index, slots);
  }
  // A dangling handle or an index out of range leads nowhere.
  if (address.handle != no_id && program::evaluate_expr(program, state, address.handle) < 2) {
    return;
  }
  if (address.absolute != no_id) return;
  for (const program::Index& index : address.indices) {
    const program::Word value = program::evaluate_expr(program, state, index.index);
    if (value < 0 || value >= static_cast<program::Word>(index.count)) return;
  }
  slots.push_back(program::resolve_address(program, state, expr.addr));
}

bool ends_packets(const program::Program& program, program::CallId call) {
  for (const program::Block& block : program.blocks) {
    for (const Stmt& stmt : block.stmts) {
      if (stmt.kind == StmtKind::destroy && stmt.call == call) return true;
    }
  }
  return false;
}

// The statement behind the check destroys the packet, or hands it to a function that does.
bool use_frees(const program::Program& program, program::BlockId block, const Stmt& check) {
  const std::vector<Stmt>& stmts = program.blocks[block].stmts;
  for (const Stmt* stmt = &check + 1; stmt < stmts.data() + stmts.size(); ++stmt) {
    if (stmt->kind == StmtKind::destroy) return true;
    if (stmt->kind == StmtKind::enter) return ends_packets(program, stmt->call);
  }
  return false;
}

}  // namespace

void History::before(const Stmt& stmt, const program::State& state) {
  leaving_.reset();
  if (stmt.kind != StmtKind::move && stmt.kind != StmtKind::insert &&
      stmt.kind != StmtKind::destroy) {
    return;
  }
  if (stmt.source == no_id) return;
  program::StructId structure = stmt.structure;
  if (stmt.kind == StmtKind::insert) structure = program_.containers[stmt.container].structure;
  leaving_slot_ = program::resolve_address(program_, state, stmt.source);
  const auto packet = packets_.at(structure, leaving_slot_);
  if (packet) leaving_ = Departure{*packet, {stmt.where, stmt.call, step_}};
}

void History::after(const Stmt& stmt, const program::State& /*state*/) {
  const Event event{stmt.where, stmt.call, step_};
  for (; known_ < packets_.count(); ++known_) born_[known_] = event;
  if (!leaving_) return;
  left_[leaving_slot_] = *leaving_;
  if (stmt.kind == StmtKind::destroy && !packets_.alive(leaving_->packet)) {
    ended_[leaving_->packet] = event;
  }
}

std::string History::told(const Event& event) const {
  std::string text;
  if (event.call != no_id) text += ", in " + program_.calls[event.call].function;
  return text + (event.step == 0 ? "" : ", in step " + std::to_string(event.step));
}

void History::explain_left(const Departure& departure, bool frees, Trace& trace) const {
  const std::string name = packets_.name(departure.packet);
  const auto ended = ended_.find(departure.packet);
  trace.notes.push_back(
      {departure.event.where, "packet " + name + " was given away here" + told(departure.event)});
  if (ended == ended_.end()) return;
  if (!(ended->second.where == departure.event.where)) {
    trace.notes.push_back({ended->second.where, "and freed here" + told(ended->second)});
  } else {
    trace.notes.back().message = "packet " + name + " was freed here" + told(ended->second);
  }
  if (frees) {
    trace.kind = "own.freed_twice";
    trace.message = "packet " + name + " is freed a second time";
  } else {
    trace.message = "packet " + name + " is used after it was freed";
  }
}

void History::explain(const Stmt& check, program::BlockId block, const program::State& state,
                      Trace& trace) const {
  std::vector<SlotId> slots;
  loaded_slots(program_, state, check.value, slots);
  for (const SlotId slot : slots) {
    const program::SlotKind kind = program_.slots[slot].kind;
    if (kind == program::SlotKind::handle && state[slot] == 1 && trace.kind == "weak.dangling") {
      // The handle has forgotten whom it named; the last packet that ended is the likely one.
      const std::pair<const PacketId, Event>* last = nullptr;
      for (const auto& entry : ended_) {
        if (last == nullptr || entry.second.step >= last->second.step) last = &entry;
      }
      if (last != nullptr) {
        trace.notes.push_back({last->second.where, "packet " + packets_.name(last->first) +
                                                       " ended here" + told(last->second)});
      }
      return;
    }
    if (kind != program::SlotKind::tag) continue;
    const bool is_use = trace.kind == "own.used_after_move" || trace.kind == "own.empty";
    const auto left = left_.find(slot);
    if (is_use && left != left_.end()) {
      const bool frees = use_frees(program_, block, check);
      explain_left(left->second, frees && trace.kind == "own.used_after_move", trace);
      return;
    }
    if (trace.kind != "own.leak") continue;
    for (program::StructId s = 0; s < program_.structs.size(); ++s) {
      const auto packet = packets_.at(s, slot);
      if (!packet) continue;
      const auto born = born_.find(*packet);
      trace.notes.push_back(
          {born == born_.end() ? lang::Span{} : born->second.where,
           "packet " + packets_.name(*packet) + " is still in it" +
               (born == born_.end() ? "" : "; it was made here" + told(born->second))});
      return;
    }
  }
}

}  // namespace txproof::counterexamples
