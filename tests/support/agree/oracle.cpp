#include "tests/support/agree/oracle.h"

#include <algorithm>
#include <map>

namespace txproof::test {

using namespace program;

namespace {

class Walk {
 public:
  Walk(const Program& program, std::size_t limit)
      : p_(program), interpreter_(program), limit_(limit) {
    truth_.findings.resize(p_.properties.size());
    truth_.blocks.resize(p_.blocks.size());
  }

  Truth run() {
    meet(initial_state(p_), 0, {}, 0);
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      const State here = truth_.reached[node];
      truth_.depth = nodes_[node].depth;
      for (const Successor& next : interpreter_.successors(here)) {
        ++truth_.transitions;
        look_inside(here, next.move);
        for (const Fault& fault : next.faults) {
          std::vector<Move> moves = path(node);
          moves.push_back(next.move);
          blame(p_.violations[fault.violation].property, std::move(moves), fault.violation);
        }
        if (next.ended()) {
          truth_.fault = true;
          continue;
        }
        const auto known = seen_.find(next.state);
        const std::size_t target = known != seen_.end()
                                       ? known->second
                                       : meet(next.state, node, next.move, nodes_[node].depth + 1);
        truth_.arcs[node].push_back({target, next.move.thread});
      }
      if (nodes_.size() > limit_) return std::move(truth_);
    }
    truth_.states = nodes_.size();
    truth_.complete = true;
    return std::move(truth_);
  }

 private:
  struct Node {
    std::size_t parent = 0;
    Move move;
    std::uint32_t depth = 0;
  };

  // Which blocks a step runs, and which assertions say something.
  class Witnesses : public Observer {
   public:
    Witnesses(const Interpreter& interpreter, Truth& truth)
        : interpreter_(interpreter), truth_(truth) {}
    void statement(const Stmt& stmt, const State& state) override {
      if (stmt.kind == StmtKind::witness && interpreter_.evaluate(state, stmt.value) != 0) {
        truth_.findings[stmt.property].spoken = true;
      }
    }
    void block(BlockId block) override { truth_.blocks[block] = true; }

   private:
    const Interpreter& interpreter_;
    Truth& truth_;
  };

  void look_inside(const State& state, const Move& move) {
    if (move.thread == time_step) return;
    Witnesses witnesses(interpreter_, truth_);
    Successor again;
    interpreter_.run(state, move, again, &witnesses);
  }

  std::size_t meet(const State& state, std::size_t parent, const Move& move, std::uint32_t depth) {
    const std::size_t node = nodes_.size();
    nodes_.push_back({parent, move, depth});
    seen_.emplace(state, node);
    truth_.reached.push_back(state);
    truth_.arcs.emplace_back();
    inspect(node);
    return node;
  }

  std::vector<Move> path(std::size_t node) const {
    std::vector<Move> moves;
    for (; node != 0; node = nodes_[node].parent) moves.push_back(nodes_[node].move);
    std::reverse(moves.begin(), moves.end());
    return moves;
  }

  // States and moves are met in order, so among equally long paths the first stays.
  void blame(PropertyId id, std::vector<Move> moves, ViolationId violation) {
    Truth::Finding& f = truth_.findings[id];
    if (f.violated && f.moves.size() <= moves.size()) return;
    f.violated = true;
    f.moves = std::move(moves);
    f.violation = violation;
  }

  void inspect(std::size_t node) {
    const State& state = truth_.reached[node];
    const bool rest = interpreter_.at_rest(state);
    for (PropertyId id = 0; id < p_.properties.size(); ++id) {
      Truth::Finding& f = truth_.findings[id];
      if (p_.properties[id].kind == PropertyKind::deadlock && interpreter_.deadlocked(state)) {
        blame(id, path(node), no_id);
      }
      for (const Claim& claim : p_.properties[id].claims) {
        const bool told =
            claim.antecedent == no_id || interpreter_.evaluate(state, claim.antecedent) != 0;
        bool wrong = false;
        if (claim.kind == PropertyKind::maximum) {
          const Word left = interpreter_.evaluate(state, claim.left);
          wrong = left > interpreter_.evaluate(state, claim.right);
          f.largest = std::max(f.largest.value_or(left), left);
          f.spoken = true;
        } else if (claim.kind == PropertyKind::always ||
                   (claim.kind == PropertyKind::at_rest && rest)) {
          wrong = interpreter_.evaluate(state, claim.condition) == 0;
          f.spoken = f.spoken || told;
        }
        if (wrong) blame(id, path(node), no_id);
      }
    }
  }

  const Program& p_;
  const Interpreter interpreter_;
  const std::size_t limit_;
  Truth truth_;
  std::vector<Node> nodes_;
  std::map<State, std::size_t> seen_;
};

using Set = std::vector<bool>;

class Endless {
 public:
  Endless(const Program& program, const Truth& truth, const Claim& claim)
      : p_(program), truth_(truth), claim_(claim), interpreter_(program) {
    before_.resize(truth.reached.size());
    for (std::size_t s = 0; s < truth.reached.size(); ++s) {
      for (const Truth::Arc& arc : truth.arcs[s]) before_[arc.target].push_back(s);
    }
  }

  bool violated() const {
    const std::size_t n = truth_.reached.size();
    const bool leads_to = claim_.kind == PropertyKind::leads_to;
    const ExprId wanted = leads_to ? claim_.right : claim_.condition;
    // Where something is owed: from A on, as long as B has not come.
    Set owed(n, false);
    std::vector<std::size_t> open;
    const auto owe = [&](std::size_t s) {
      if (owed[s] || is(s, wanted)) return;
      owed[s] = true;
      open.push_back(s);
    };
    for (std::size_t s = 0; s < n; ++s) {
      if (!leads_to || is(s, claim_.condition)) owe(s);
    }
    while (!open.empty()) {
      const std::size_t s = open.back();
      open.pop_back();
      for (const Truth::Arc& arc : truth_.arcs[s]) owe(arc.target);
    }
    for (std::size_t s = 0; s < n; ++s) {
      if (owed[s] && assumed(s) && interpreter_.at_rest(truth_.reached[s])) return true;
    }
    return fair_run_within(owed);
  }

 private:
  bool is(std::size_t s, ExprId e) const {
    return interpreter_.evaluate(truth_.reached[s], e) != 0;
  }
  bool assumed(std::size_t s) const { return claim_.assuming == no_id || is(s, claim_.assuming); }

  // States of `in` from which, or to which, `pivot` is connected by at least one step.
  Set reach(const Set& in, std::size_t pivot, bool forward) const {
    Set met(in.size(), false);
    std::vector<std::size_t> open = {pivot};
    while (!open.empty()) {
      const std::size_t s = open.back();
      open.pop_back();
      const auto visit = [&](std::size_t next) {
        if (!in[next] || met[next]) return;
        met[next] = true;
        open.push_back(next);
      };
      if (forward) {
        for (const Truth::Arc& arc : truth_.arcs[s]) visit(arc.target);
      } else {
        for (const std::size_t source : before_[s]) visit(source);
      }
    }
    return met;
  }

  bool fair_run_within(Set in) const {
    for (std::size_t pivot = 0; pivot < in.size(); ++pivot) {
      if (!in[pivot]) continue;
      Set component = reach(in, pivot, true);
      const Set back = reach(in, pivot, false);
      for (std::size_t s = 0; s < in.size(); ++s) component[s] = component[s] && back[s];
      if (component[pivot] && fair(component)) return true;
      for (std::size_t s = 0; s < in.size(); ++s) {
        if (component[s]) in[s] = false;
      }
      in[pivot] = false;
    }
    return false;
  }

  // Some fair run stays within this strong component.
  bool fair(Set component) const {
    bool met = false;
    for (std::size_t s = 0; s < component.size(); ++s) met = met || (component[s] && assumed(s));
    if (!met) return false;
    std::vector<ThreadId> actors = {time_step};
    for (ThreadId t = 0; t < p_.threads.size(); ++t) actors.push_back(t);
    bool removed = false;
    Set rest = component;
    for (const ThreadId actor : actors) {
      if (steps_within(component, actor)) continue;
      bool always = true;
      for (std::size_t s = 0; s < component.size(); ++s) {
        if (!component[s]) continue;
        const bool can = can_step(s, actor);
        always = always && can;
        if (can && strongly(s, actor)) {
          rest[s] = false;
          removed = true;
        }
      }
      if (always) return false;
    }
    return !removed || fair_run_within(rest);
  }

  bool steps_within(const Set& in, ThreadId actor) const {
    for (std::size_t s = 0; s < in.size(); ++s) {
      if (!in[s]) continue;
      for (const Truth::Arc& arc : truth_.arcs[s]) {
        if (arc.thread == actor && in[arc.target]) return true;
      }
    }
    return false;
  }

  const Location& place(std::size_t s, ThreadId t) const {
    const Thread& thread = p_.threads[t];
    const Word pc = truth_.reached[s][thread.pc];
    return p_.locations[thread.locations[static_cast<std::size_t>(pc)]];
  }
  bool can_step(std::size_t s, ThreadId actor) const {
    if (actor == time_step) return interpreter_.time_enabled(truth_.reached[s]);
    return place(s, actor).kind != StopKind::pause &&
           interpreter_.enabled(truth_.reached[s], actor);
  }
  bool strongly(std::size_t s, ThreadId actor) const {
    return actor != time_step && (p_.threads[actor].strong || place(s, actor).fair);
  }

  const Program& p_;
  const Truth& truth_;
  const Claim& claim_;
  const Interpreter interpreter_;
  std::vector<std::vector<std::size_t>> before_;
};

}  // namespace

Truth truth_of(const Program& program, std::size_t limit) { return Walk(program, limit).run(); }

bool run_without_end(const Program& program, const Truth& truth, const Claim& claim) {
  return Endless(program, truth, claim).violated();
}

}  // namespace txproof::test
