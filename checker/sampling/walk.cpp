#include "checker/sampling/walk.h"

#include <algorithm>
#include <map>
#include <string>

#include "checker/explicit/compile.h"

namespace txproof::checker::sampling {

using program::no_id;
using program::ThreadId;
using program::time_step;

namespace {

// Draws before everybody is asked.
constexpr int blind_draws = 6;
// From here on claims are kept up to date.
constexpr std::size_t many_slots = 1500;

}  // namespace

Plan::Plan(const program::Program& of, std::vector<program::PropertyId> unwatched_,
           Watching watching)
    : program(of),
      unwatched(std::move(unwatched_)),
      code(compile(of, false, !of.counters.empty(), true)),
      initial(program::initial_state(of)),
      formulas(of) {
  std::map<std::string, std::size_t> known;
  for (ThreadId id = 0; id < of.threads.size(); ++id) {
    const program::Thread& thread = of.threads[id];
    if (thread.urgent) urgent.push_back(id);
    everybody.push_back(id);
    const auto [at, inserted] = known.try_emplace(thread.function, groups.size());
    if (inserted) groups.emplace_back();
    groups[at->second].push_back(id);
  }
  if (of.has_time) {
    everybody.push_back(time_step);
    groups.push_back({time_step});
  }
  const bool updated = watching == Watching::updated ||
                       (watching == Watching::automatic && of.slots.size() >= many_slots);
  const auto formula = [&](program::ExprId expr) {
    return updated && expr != no_id ? formulas.add(expr) : std::nullopt;
  };
  sides.resize(of.properties.size());
  for (const program::PropertyId id : unwatched) {
    const program::Claim& claim = of.properties[id].claims[0];
    if (claim.kind == program::PropertyKind::maximum) sides[id] = formula(claim.left);
  }
  for (program::PropertyId id = 0; id < of.properties.size(); ++id) {
    if (std::find(unwatched.begin(), unwatched.end(), id) != unwatched.end()) continue;
    for (std::uint32_t i = 0; i < of.properties[id].claims.size(); ++i) {
      const program::Claim& claim = of.properties[id].claims[i];
      if (claim.kind == program::PropertyKind::maximum) {
        every_state.push_back({id, i, true, {}, formula(claim.left), formula(claim.right)});
      } else if (claim.kind == program::PropertyKind::always && claim.condition != no_id) {
        every_state.push_back({id, i, false, formula(claim.condition), {}, {}});
      }
    }
  }
}

std::size_t GivenChooser::option(const std::vector<std::uint32_t>& numbers) {
  if (next_ >= choices_.size()) return none;
  const auto found = std::find(numbers.begin(), numbers.end(), choices_[next_]);
  if (found == numbers.end()) return none;
  ++next_;
  return static_cast<std::size_t>(found - numbers.begin());
}

std::size_t GivenChooser::value(std::size_t count) {
  if (next_ >= choices_.size() || choices_[next_] >= count) return none;
  return choices_[next_++];
}

Walk::Walk(const Plan& plan)
    : plan_(plan),
      machine_(plan.program, plan.code),
      inspector_(plan.program, plan.code, machine_, plan.unwatched),
      formulas_(plan.formulas),
      findings_(plan.program.properties.size()) {
  reset();
}

void Walk::reset() {
  machine_.commit();  // a step that ended in a fault is still logged
  std::copy(plan_.initial.begin(), plan_.initial.end(), machine_.state());
  findings_ = Findings(plan_.program.properties.size());
  counts_.clear();
  if (!plan_.program.counters.empty()) {
    const program::Counter& last = plan_.program.counters.back();
    counts_.assign(last.first + last.size, 0);
  }
  ticks_ = 0;
  steps_ = 0;
  ended_ = false;
  formulas_.reset(machine_.state());
  look();
}

program::LocationId Walk::location_of(ThreadId id) {
  const program::Thread& thread = plan_.program.threads[id];
  return thread.locations[static_cast<std::size_t>(machine_.state()[thread.pc])];
}

bool Walk::thread_enabled(ThreadId thread, bool with_pause) {
  const program::LocationId at = location_of(thread);
  if (plan_.code.entries[at] == no_id) return false;
  const bool paused = plan_.program.locations[at].kind == program::StopKind::pause;
  if (paused && !with_pause) return false;
  const CodeAddress condition = plan_.code.conditions[at];
  return condition == no_id || machine_.evaluate(condition) != 0;
}

bool Walk::time_enabled() {
  if (!plan_.program.has_time) return false;
  for (const ThreadId thread : plan_.urgent) {
    if (thread_enabled(thread, false)) return false;
  }
  const bool changes = machine_.pass_time();
  machine_.undo();
  return changes;
}

bool Walk::enabled(ThreadId thread) {
  if (ended_) return false;
  if (thread == time_step) return time_enabled();
  return thread < plan_.program.threads.size() && thread_enabled(thread, true);
}

bool Walk::at_rest() {
  if (plan_.program.threads.empty()) return !time_enabled();
  if (thread_enabled(busy_, false)) return false;
  for (ThreadId thread = 0; thread < plan_.program.threads.size(); ++thread) {
    if (!thread_enabled(thread, false)) continue;
    busy_ = thread;
    return false;
  }
  return !time_enabled();
}

std::optional<ThreadId> Walk::draw_of(const std::vector<ThreadId>& group, Random& random) {
  for (int i = 0; i < blind_draws; ++i) {
    const ThreadId thread = group[random.below(group.size())];
    if (enabled(thread)) return thread;
  }
  able_.clear();
  for (const ThreadId thread : group) {
    if (enabled(thread)) able_.push_back(thread);
  }
  if (able_.empty()) return std::nullopt;
  return able_[random.below(able_.size())];
}

std::optional<ThreadId> Walk::draw(Random& random, Schedule schedule) {
  if (ended_) return std::nullopt;
  if (schedule == Schedule::threads) {
    if (plan_.everybody.empty()) return std::nullopt;
    return draw_of(plan_.everybody, random);
  }
  // The first group of a random order that has anybody: each of those that have is as likely.
  order_.resize(plan_.groups.size());
  for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = i;
  for (std::size_t left = order_.size(); left > 0; --left) {
    const std::size_t at = random.below(left);
    if (const auto thread = draw_of(plan_.groups[order_[at]], random)) return thread;
    order_[at] = order_[left - 1];
  }
  return std::nullopt;
}

void Walk::note_faults() {
  for (const program::Fault& fault : machine_.faults()) {
    findings_.failed(plan_.program.violations[fault.violation].property,
                     {static_cast<std::uint32_t>(steps_), 0, steps_, fault.violation});
    findings_.fault_seen = findings_.fault_seen || fault.fatal;
  }
}

void Walk::look_at(const Plan::Watched& watched) {
  const auto depth = static_cast<std::uint32_t>(steps_);
  Finding& finding = findings_[watched.property];
  const Code::ClaimCode& code = plan_.code.claims[watched.property][watched.claim];
  if (watched.is_maximum) {
    finding.spoken = true;
    const program::Word left = value(watched.left, code.left);
    if (!finding.largest || *finding.largest < left) {
      finding.largest = left;
      finding.largest_at = {depth, depth, watched.claim};
    }
    if (!finding.claim && left > value(watched.right, code.right)) {
      finding.claim = {depth, depth, watched.claim};
    }
    return;
  }
  if (!finding.spoken) {
    finding.spoken = code.antecedent == no_id || machine_.evaluate(code.antecedent) != 0;
  }
  if (!finding.claim && value(watched.condition, code.condition) == 0) {
    finding.claim = {depth, depth, watched.claim};
  }
}

void Walk::look() {
  const auto depth = static_cast<std::uint32_t>(steps_);
  for (const Plan::Watched& watched : plan_.every_state) look_at(watched);
  if (at_rest()) inspector_.at_rest(depth, depth, findings_);
}

void Walk::commit() {
  if (formulas_.size() > 0) {
    const Machine::Write* const end = machine_.writes_end();
    for (const Machine::Write* write = machine_.writes_begin(); write != end; ++write) {
      formulas_.written(write->slot);
    }
    formulas_.settle(machine_.state());
  }
  machine_.commit();
}

Walk::Outcome Walk::pass_time() {
  if (!time_enabled() || !machine_.pass_time()) {
    machine_.undo();
    return Outcome::impossible;
  }
  commit();
  ++steps_;
  ++ticks_;
  look();
  return Outcome::moved;
}

Walk::Outcome Walk::move(ThreadId thread, Chooser& chooser) {
  made_.thread = thread;
  made_.choices.clear();
  if (ended_) return Outcome::impossible;
  if (thread == time_step) return pass_time();
  if (thread >= plan_.program.threads.size()) return Outcome::impossible;
  const CodeAddress entry = plan_.code.entries[location_of(thread)];
  if (entry == no_id) return Outcome::impossible;
  Machine::Outcome outcome = Machine::Outcome::disabled;
  try {
    outcome = machine_.walk(entry, chooser);
  } catch (const Machine::GivenUp&) {
    machine_.abandon();
    return Outcome::impossible;
  }
  if (outcome == Machine::Outcome::disabled || outcome == Machine::Outcome::exhausted) {
    return Outcome::impossible;
  }
  made_.choices = machine_.choices_made();
  ++steps_;
  note_faults();
  for (const Machine::Counted& counted : machine_.counted()) {
    counts_[static_cast<std::size_t>(counted.element)] += counted.amount;
  }
  if (outcome == Machine::Outcome::ended) {
    ended_ = true;
    return Outcome::ended;
  }
  commit();
  look();
  return Outcome::moved;
}

Walk::Outcome Walk::move(const program::Move& move) {
  GivenChooser chooser(move.choices);
  // A move that wants fewer choices than were given is another one; none of the callers is hurt by
  // its having been made, since made() tells what it was.
  return this->move(move.thread, chooser);
}

}  // namespace txproof::checker::sampling
