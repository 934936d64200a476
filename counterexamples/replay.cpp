#include "counterexamples/replay.h"

#include <algorithm>
#include <map>

#include "counterexamples/check_lasso.h"
#include "counterexamples/explain.h"
#include "counterexamples/ledger.h"
#include "counterexamples/packets.h"
#include "counterexamples/recorder.h"
#include "model/program/display.h"

namespace txproof::counterexamples {

using program::CallId;
using program::no_id;
using program::SlotId;
using program::Stmt;
using program::StmtKind;

namespace {

class Replayer {
 public:
  Replayer(const program::Program& program, program::PropertyId property,
           const properties::Path& path)
      : program_(program),
        interpreter_(program),
        path_(path),
        ledger_(program),
        state_(program::initial_state(program)),
        packets_(program, state_),
        history_(program, packets_),
        recorder_(program, ledger_, packets_, history_) {
    trace_.property = property;
    trace_.initial = state_;
    trace_.loop = path.loop;
    run_.initial = state_;
    trace_.initial_ledger = ledger_.entries(state_, packets_);
    recorder_.want(path.violation);
  }

  Replay run() {
    describe();
    for (std::size_t i = 0; i < path_.moves.size(); ++i) {
      if (!step(i)) return {std::nullopt, mismatch_, i + 1};
    }
    if (!violation_is_there()) return {std::nullopt, mismatch_, path_.moves.size()};
    return {std::move(trace_), "", 0};
  }

 private:
  const program::Location* location(program::ThreadId thread) const {
    if (thread >= program_.threads.size()) return nullptr;
    const program::Thread& t = program_.threads[thread];
    return &program_.locations[t.locations[static_cast<std::size_t>(state_[t.pc])]];
  }

  void describe() {
    const program::Property& property = program_.properties[trace_.property];
    trace_.where = property.where;
    if (path_.violation != no_id) {
      const program::Violation& violation = program_.violations[path_.violation];
      trace_.kind = violation.kind;
      trace_.message = violation.message;
      trace_.where = violation.where;
      return;
    }
    if (property.kind == program::PropertyKind::deadlock) {
      trace_.kind = "deadlock";
      trace_.message = "nobody can step, and somebody waits";
      return;
    }
    if (path_.claim >= property.claims.size()) return;
    const program::Claim& claim = property.claims[path_.claim];
    trace_.where = claim.where;
    switch (claim.kind) {
      case program::PropertyKind::at_rest:
        trace_.kind = "at_rest";
        trace_.message = "at rest, and yet not: " + claim.text;
        break;
      case program::PropertyKind::maximum:
        trace_.kind = "maximum";
        trace_.message = claim.text;  // the values follow
        break;
      case program::PropertyKind::leads_to:
      case program::PropertyKind::infinitely_often:
      case program::PropertyKind::rate:
        trace_.kind = claim.kind == program::PropertyKind::rate       ? "rate"
                      : claim.kind == program::PropertyKind::leads_to ? "leads_to"
                                                                      : "infinitely_often";
        trace_.message = claim.text;  // what the cycle shows follows
        break;
      default:
        trace_.kind = "always";
        trace_.message = "false: " + claim.text;
        break;
    }
  }

  bool step(std::size_t index) {
    const program::Move& move = path_.moves[index];
    TraceStep step;
    step.move = move;
    const program::Location* here =
        move.thread == program::time_step ? nullptr : location(move.thread);
    step.thread = here == nullptr ? "time" : program::thread_label(program_, move.thread);
    history_.step_begins(index + 1);
    const auto before = recorder_.all_places();
    recorder_.begin(step, here);
    program::Successor next;
    if (!interpreter_.run(state_, move, next, &recorder_)) {
      mismatch_ = step.thread + " cannot make this move here";
      return false;
    }
    const bool last = index + 1 == path_.moves.size();
    if (next.ended() && !last) {
      mismatch_ = "the run ends here: " + program_.violations[next.faults.back().violation].message;
      return false;
    }
    if (last) last_faults_ = next.faults;
    if (next.ended()) {
      // The state in which it broke; the step has no other end.
      next.state = recorder_.failed_check() != nullptr ? recorder_.failed_state() : state_;
      explain();
    } else {
      if (last && recorder_.failed_check() != nullptr) explain();
      packets_.step_ends(next.state);
    }
    packet_moves(before, step);
    for (SlotId s = 0; s < program_.slots.size(); ++s) {
      const program::Slot& slot = program_.slots[s];
      if (state_[s] == next.state[s] || slot.kind == program::SlotKind::pc || !slot.stored) {
        continue;
      }
      step.changes.push_back({s, state_[s], next.state[s]});
    }
    recorder_.finish(step.changes);
    name_function(here, step);
    state_ = next.state;
    if (path_.loop) run_.steps.push_back(next);
    step.state = state_;
    step.ledger = ledger_.entries(state_, packets_);
    trace_.steps.push_back(std::move(step));
    return true;
  }

  void explain() {
    const Stmt* check = recorder_.failed_check();
    if (check == nullptr) return;
    if (trace_.where == lang::Span{}) trace_.where = check->where;
    history_.explain(*check, recorder_.failed_block(), recorder_.failed_state(), trace_);
  }

  void packet_moves(const std::vector<SlotId>& before, TraceStep& step) {
    const auto now = recorder_.all_places();
    for (PacketId p = 0; p < now.size(); ++p) {
      const SlotId from = p < before.size() ? before[p] : no_id;
      const Stmt* by = recorder_.moved_by(p);
      if (by == nullptr || (p < before.size() && from == now[p])) continue;
      PacketMove move;
      move.packet = packets_.name(p);
      if (from != no_id) move.from = place_name(program_, packets_.structure(p), from);
      if (now[p] != no_id) move.to = place_name(program_, packets_.structure(p), now[p]);
      move.where = by->where;
      if (by->call != no_id) {
        const program::Call& call = program_.calls[by->call];
        move.by = call.function;
        // That a packet ends in kfree_skb says little; who called it says all.
        if (by->kind == StmtKind::destroy && call.parent != no_id) {
          move.called_from = program_.calls[call.parent].function;
          move.where = call.site;
        }
      }
      step.packets.push_back(std::move(move));
    }
  }

  // The function of a step is the one, called by the thread's own text, that called most.
  void name_function(const program::Location* here, TraceStep& step) const {
    step.function = "time";
    if (here == nullptr) return;
    step.function = program_.threads[here->thread].function;
    step.where = here->where;
    std::size_t best = 0;
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
      if (step.calls[i].depth != 0) continue;
      std::size_t size = 1;
      while (i + size < step.calls.size() && step.calls[i + size].depth > 0) ++size;
      if (size <= best) continue;
      best = size;
      const program::Call& call = program_.calls[step.calls[i].call];
      step.function = call.function;
      // Where it goes on, if it was open before.
      step.where = step.calls[i].entered ? call.site : here->where;
      step.call = i;
    }
  }

  bool exceeds(program::Word left, program::Word right, const std::string& text) {
    trace_.message = std::to_string(left) + " > " + std::to_string(right) + ": " + text;
    return left > right;
  }

  bool lasso_is_there(const program::Claim& claim) {
    if (!path_.loop) {
      mismatch_ = "the trace does not say where its cycle begins";
      return false;
    }
    LassoCheck check = check_lasso(program_, claim, run_, *path_.loop);
    mismatch_ = std::move(check.mismatch);
    trace_.message = std::move(check.message);
    return mismatch_.empty();
  }

  bool violation_is_there() {
    if (path_.violation != no_id) {
      const bool there = std::any_of(
          last_faults_.begin(), last_faults_.end(),
          [&](const program::Fault& fault) { return fault.violation == path_.violation; });
      const bool same = program_.violations[path_.violation].property == trace_.property;
      if (!there || !same) mismatch_ = "the last step does not fail: " + trace_.message;
      return there && same;
    }
    if (!last_faults_.empty() && last_faults_.back().fatal) {
      mismatch_ =
          "the run ends before: " + program_.violations[last_faults_.back().violation].message;
      return false;
    }
    const program::Property& property = program_.properties[trace_.property];
    bool broken = false;
    if (property.kind == program::PropertyKind::deadlock) {
      broken = interpreter_.deadlocked(state_);
    } else if (path_.claim < property.claims.size()) {
      const program::Claim& claim = property.claims[path_.claim];
      switch (claim.kind) {
        case program::PropertyKind::always:
          broken = interpreter_.evaluate(state_, claim.condition) == 0;
          break;
        case program::PropertyKind::at_rest:
          broken =
              interpreter_.at_rest(state_) && interpreter_.evaluate(state_, claim.condition) == 0;
          break;
        case program::PropertyKind::maximum:
          broken = exceeds(interpreter_.evaluate(state_, claim.left),
                           interpreter_.evaluate(state_, claim.right), claim.text);
          break;
        case program::PropertyKind::leads_to:
        case program::PropertyKind::infinitely_often:
        case program::PropertyKind::rate:
          return lasso_is_there(claim);
        default:
          break;
      }
    }
    if (!broken) mismatch_ = "the last state does not show it (" + trace_.message + ")";
    return broken;
  }

  const program::Program& program_;
  program::Interpreter interpreter_;
  const properties::Path& path_;
  Ledger ledger_;
  program::State state_;
  Packets packets_;
  History history_;
  Recorder recorder_;
  Trace trace_;
  Run run_;  // kept only for a run without end
  std::vector<program::Fault> last_faults_;
  std::string mismatch_;
};

}  // namespace

Replay replay(const program::Program& program, program::PropertyId property,
              const properties::Path& path) {
  return Replayer(program, property, path).run();
}

}  // namespace txproof::counterexamples
