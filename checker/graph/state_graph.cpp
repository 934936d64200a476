// Built in one pass of its own, not as a by-product of the search: the search may reduce (equal
// sockets, independent steps), and whose step an edge is, which fairness asks, does not survive
// that.
#include "checker/graph/state_graph.h"

#include <algorithm>
#include <map>
#include <new>
#include <utility>

#include "checker/explicit/compile.h"
#include "checker/explicit/machine.h"

namespace txproof::checker::graph {

using program::no_id;
using program::Program;
using program::StopKind;
using program::Word;
using properties::Limit;

namespace {

// A tally over what one step counted.
Word gain_of(const program::Tally& tally, const std::vector<Machine::Counted>& counted,
             bool is_time) {
  if (tally.is_ticks) return is_time ? 1 : 0;
  Word sum = 0;
  for (const Machine::Counted& c : counted) {
    if (c.element >= Word{tally.first} && c.element < Word{tally.first} + Word{tally.count}) {
      sum += c.amount;
    }
  }
  return sum;
}

}  // namespace

class Builder {
 public:
  Builder(StateGraph& out, const Watch& watch, const BuildLimits& limits)
      : out_(out),
        program_(out.program_),
        watch_(watch),
        limits_(limits),
        code_(compile(program_, false, !watch.rates.empty())),
        machine_(program_, code_),
        next_(out.packing_.words()),
        plain_labels_(program_.threads.size(), no_id) {
    machine_.ask_in_long_steps([this] { return must_stop(); });
  }

  void run() {
    const program::State initial = program::initial_state(program_);
    out_.packing_.pack(initial.data(), next_.data());
    out_.levels_.push_back(0);
    if (out_.table_.add(next_.data(), hash_words(next_.data(), next_.size()), no_state) ==
        StateTable::Added::no_room) {
      out_.limit_ = Limit::memory;
      return;
    }
    StateId level_end = 1;
    for (StateId id = 0; id < out_.table_.size(); ++id) {
      if (id == level_end) {
        out_.levels_.push_back(id);
        level_end = out_.table_.size();
      }
      if (limits_.max_depth && out_.depth() >= *limits_.max_depth) out_.limit_ = Limit::depth;
      if (out_.limit_ == Limit::none && id % 1024 == 0) check_limits();
      if (out_.limit_ != Limit::none) return;
      if (!expand(id)) return;
    }
  }

 private:
  void check_limits() {
    const std::uint64_t bytes = out_.bytes();
    out_.table_.set_bytes_elsewhere(bytes - out_.table_.bytes());
    if (!limits_.poll) return;
    Progress progress;
    progress.states = out_.table_.size();
    progress.transitions = out_.transitions_;
    progress.frontier = out_.table_.size() - out_.expanded();
    progress.bytes = bytes;
    progress.depth = out_.depth();
    out_.limit_ = limits_.poll(progress);
  }

  // Whether the edges and what else grows with the graph have room for some more.
  bool room() {
    if (limits_.memory_limit == 0) return true;
    const Digraph& graph = out_.graph_;
    std::uint64_t more = 0;
    if (graph.edges.size() == graph.edges.capacity()) more += graph.edges.capacity() * 2 * 8;
    if (graph.first.size() == graph.first.capacity()) more += graph.first.capacity() * 2 * 8;
    if (out_.situation_of_.size() == out_.situation_of_.capacity()) {
      more += out_.situation_of_.capacity() * 2 * 4;
    }
    if (more == 0) return true;
    return out_.bytes() + more <= limits_.memory_limit;
  }

  const program::Location& location(const program::Thread& thread) {
    return program_
        .locations[thread.locations[static_cast<std::size_t>(machine_.state()[thread.pc])]];
  }

  bool expand(StateId id) {
    try {
      return expand_steps(id);
    } catch (const Machine::GivenUp&) {
      machine_.abandon();
      out_.graph_.edges.resize(out_.graph_.first.back());
      return false;
    }
  }

  // Asked in the middle of a step that takes long.
  bool must_stop() {
    check_limits();
    if (out_.limit_ == Limit::none && limits_.memory_limit != 0 &&
        out_.bytes() + machine_.bytes() > limits_.memory_limit) {
      out_.limit_ = Limit::memory;
    }
    return out_.limit_ != Limit::none;
  }

  bool expand_steps(StateId id) {
    out_.packing_.unpack(out_.table_.packed(id), machine_.state());
    Situation here;
    here.enabled.assign(out_.time() + 1, false);
    here.at_fair.assign(out_.time() + 1, false);
    for (const Fact& fact : watch_.facts) here.facts.push_back(holds(fact));
    bool urgent = false;
    for (Actor actor = 0; actor < out_.time(); ++actor) {
      const program::Thread& thread = program_.threads[actor];
      const program::Location& at = location(thread);
      const auto at_id = static_cast<program::LocationId>(&at - program_.locations.data());
      if (code_.entries[at_id] == no_id) continue;
      Machine::Outcome outcome = machine_.start(code_.entries[at_id]);
      if (outcome == Machine::Outcome::disabled) continue;
      if (at.kind != StopKind::pause) {
        here.enabled[actor] = true;
        here.at_fair[actor] = at.fair;
        urgent = urgent || thread.urgent;
      }
      for (; outcome != Machine::Outcome::exhausted; outcome = machine_.resume()) {
        if (outcome == Machine::Outcome::ended) {
          out_.fault_seen_ = true;
          ++out_.transitions_;
        } else if (!add_edge(id, actor, false)) {
          machine_.abandon();
          return give_up();
        }
      }
    }
    if (program_.has_time && !urgent) {
      if (machine_.pass_time()) {
        here.enabled[out_.time()] = true;
        if (!add_edge(id, out_.time(), true)) {
          machine_.undo();
          return give_up();
        }
      }
      machine_.undo();
    }
    here.at_rest = std::find(here.enabled.begin(), here.enabled.end(), true) == here.enabled.end();
    out_.graph_.first.push_back(out_.graph_.edges.size());
    out_.situation_of_.push_back(number_of(std::move(here)));
    return true;
  }

  // The state at hand stays unexpanded.
  bool give_up() {
    out_.graph_.edges.resize(out_.graph_.first.back());
    out_.limit_ = Limit::memory;
    return false;
  }

  bool holds(const Fact& fact) {
    const Code::ClaimCode& code = code_.claims[fact.property][fact.claim];
    const CodeAddress address = fact.side == Side::condition ? code.condition
                                : fact.side == Side::right   ? code.right
                                                             : code.assuming;
    return machine_.evaluate(address) != 0;
  }

  bool add_edge(StateId from, Actor actor, bool is_time) {
    const std::uint64_t* const packed = out_.table_.packed(from);
    std::copy(packed, packed + next_.size(), next_.begin());
    const Word* const state = machine_.state();
    for (const Machine::Write* w = machine_.writes_begin(); w != machine_.writes_end(); ++w) {
      out_.packing_.update(next_.data(), w->slot, state[w->slot]);
    }
    const std::uint64_t hash = hash_words(next_.data(), next_.size());
    StateId target = out_.table_.id_of(next_.data(), hash);
    if (target == no_state) {
      if (out_.table_.add(next_.data(), hash, from) == StateTable::Added::no_room) return false;
      target = out_.table_.size() - 1;
    }
    if (!room()) return false;
    ++out_.transitions_;
    const Edge edge{target, label_of(actor, is_time)};
    // Choices that come to the same are one edge.
    const std::vector<Edge>& edges = out_.graph_.edges;
    const bool known = edges.size() > out_.graph_.first.back() && edges.back().target == target &&
                       edges.back().label == edge.label;
    if (!known) out_.graph_.edges.push_back(edge);
    return true;
  }

  std::uint32_t label_of(Actor actor, bool is_time) {
    if (is_time) return number_of_label(actor, {}, true);
    if (!machine_.counted().empty()) return number_of_label(actor, machine_.counted(), false);
    std::uint32_t& plain = plain_labels_[actor];
    if (plain == no_id) plain = number_of_label(actor, {}, false);
    return plain;
  }

  std::uint32_t number_of_label(Actor actor, const std::vector<Machine::Counted>& counted,
                                bool is_time) {
    std::vector<Word> key = {Word{actor}};
    for (const program::Claim* rate : watch_.rates) {
      key.push_back(gain_of(rate->numerator, counted, is_time));
      key.push_back(gain_of(rate->denominator, counted, is_time));
    }
    const auto [known, inserted] =
        label_numbers_.try_emplace(key, static_cast<std::uint32_t>(out_.labels_.size()));
    if (inserted) {
      Label label;
      label.actor = actor;
      for (std::size_t i = 1; i < key.size(); i += 2) label.gains.push_back({key[i], key[i + 1]});
      out_.labels_.push_back(std::move(label));
    }
    return known->second;
  }

  std::uint32_t number_of(Situation situation) {
    std::vector<bool> key = situation.enabled;
    key.insert(key.end(), situation.at_fair.begin(), situation.at_fair.end());
    key.insert(key.end(), situation.facts.begin(), situation.facts.end());
    const auto [known, inserted] =
        situation_numbers_.try_emplace(key, static_cast<std::uint32_t>(out_.situations_.size()));
    if (inserted) out_.situations_.push_back(std::move(situation));
    return known->second;
  }

  StateGraph& out_;
  const Program& program_;
  const Watch& watch_;
  const BuildLimits& limits_;
  Code code_;
  Machine machine_;
  std::vector<std::uint64_t> next_;
  std::map<std::vector<Word>, std::uint32_t> label_numbers_;
  std::vector<std::uint32_t> plain_labels_;  // by thread: nothing counted
  std::map<std::vector<bool>, std::uint32_t> situation_numbers_;
};

StateGraph::StateGraph(const Program& program, const Watch& watch, const BuildLimits& limits)
    : program_(program), packing_(program), table_(packing_.words(), limits.memory_limit) {
  try {
    Builder(*this, watch, limits).run();
  } catch (const std::bad_alloc&) {
    limit_ = Limit::memory;
  }
  // After memory ran out between the two.
  const std::size_t whole = std::min(situation_of_.size(), graph_.first.size() - 1);
  graph_.first.resize(whole + 1);
  situation_of_.resize(whole);
  graph_.edges.resize(graph_.first.back());
}

std::uint64_t StateGraph::bytes() const {
  // Situations and labels are few; counted roughly.
  constexpr std::uint64_t rough = 256;
  return table_.bytes() + graph_.bytes() + situation_of_.capacity() * sizeof(std::uint32_t) +
         (situations_.size() + labels_.size()) * rough;
}

std::uint32_t StateGraph::depth_of(StateId state) const {
  const auto above = std::upper_bound(levels_.begin(), levels_.end(), state);
  return static_cast<std::uint32_t>(above - levels_.begin() - 1);
}

program::State StateGraph::unpacked(StateId state) const {
  program::State result(program_.slots.size());
  packing_.unpack(table_.packed(state), result.data());
  return result;
}

}  // namespace txproof::checker::graph
