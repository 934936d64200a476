#include "checker/forall/prove.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <unordered_set>

#include "checker/parametric/affine.h"
#include "checker/parametric/fit.h"
#include "checker/parametric/sample.h"
#include "checker/smt/houdini.h"
#include "checker/smt/obligations.h"
#include "checker/smt/refusal.h"
#include "model/program/interpreter.h"

namespace txproof::checker::forall {

using parametric::Fact;
using parametric::Linear;
using parametric::States;
using program::Interpreter;
using program::PropertyKind;
using program::SlotId;
using program::State;

namespace {

constexpr std::size_t most_per_point = 30'000;

// How much is guessed: facts without guards; under guards of one literal; of two, equations only;
// of two, bounds too.
constexpr std::size_t levels = 4;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct HashWords {
  std::size_t operator()(const std::vector<Word>& words) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (const Word word : words) {
      hash = (hash ^ static_cast<std::uint64_t>(word)) * 0xff51afd7ed558ccdULL;
      hash ^= hash >> 32U;
    }
    return static_cast<std::size_t>(hash);
  }
};

// The states seen at one point, each once; only the slots that facts may mention are kept apart.
class PointStates {
 public:
  explicit PointStates(const std::vector<SlotId>& slots) : slots_(slots) {}
  void add(const State& state) {
    if (states_.size() >= most_per_point) return;
    std::vector<Word> seen;
    seen.reserve(slots_.size());
    for (const SlotId slot : slots_) seen.push_back(state[slot]);
    if (known_.insert(std::move(seen)).second) states_.push_back(state);
  }
  [[nodiscard]] const States& states() const { return states_; }

 private:
  const std::vector<SlotId>& slots_;
  std::unordered_set<std::vector<Word>, HashWords> known_;
  States states_;
};

// Ends a question to Z3 when a limit is met or the user has had enough.
class Watch {
 public:
  Watch(z3::context& context, const std::function<bool()>& stop) {
    if (!stop) return;
    thread_ = std::thread([this, &context, &stop] {
      while (!done_) {
        if (stop()) context.interrupt();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    });
  }
  ~Watch() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  std::atomic<bool> done_ = false;
  std::thread thread_;
};

std::string term_text(const Program& program, const Linear& linear) {
  std::string out;
  for (const auto& [slot, coefficient] : linear.terms) {
    const Word size = coefficient < 0 ? -coefficient : coefficient;
    out += out.empty() ? (coefficient < 0 ? "-" : "") : (coefficient < 0 ? " - " : " + ");
    if (size != 1) out += std::to_string(size) + "*";
    out += program.slots[slot].name;
  }
  const Word constant = linear.constant;
  if (out.empty()) return std::to_string(constant);
  if (constant != 0) out += constant < 0 ? " - " : " + ";
  if (constant != 0) out += std::to_string(constant < 0 ? -constant : constant);
  return out;
}

}  // namespace

struct Prover::Implementation {
  const Program& program;
  Settings settings;
  z3::context context;
  std::optional<smt::Encoder> encoder;
  std::optional<smt::System> system;
  std::vector<PointStates> seen;  // by point
  // Values of the stack's parameters at which every state was seen, and those of all unknowns
  // there.
  std::map<std::vector<Word>, std::vector<Word>> complete;
  std::set<std::vector<Word>> excluded;  // by an assumption
  std::vector<Tried> tried;
  std::size_t explored = 0;                  // states, between steps
  std::vector<std::set<PropertyId>> broken;  // by entry of `tried`

  Implementation(const Program& p, Settings s) : program(p), settings(std::move(s)) {}

  std::optional<smt::Known> known;
  std::vector<smt::Pruned> pruned;  // by level

  void say(const std::string& text) const {
    if (settings.progress) settings.progress(text);
  }
  [[nodiscard]] bool stopped() const { return settings.stop && settings.stop(); }

  void look(const Interpreter& interpreter, const State& state, std::set<PropertyId>& found) const {
    for (PropertyId id = 0; id < program.properties.size(); ++id) {
      const program::Property& property = program.properties[id];
      if (property.kind == PropertyKind::deadlock && interpreter.deadlocked(state)) {
        found.insert(id);
      }
      for (const program::Claim& claim : property.claims) {
        const bool bad =
            (claim.kind == PropertyKind::always &&
             interpreter.evaluate(state, claim.condition) == 0) ||
            (claim.kind == PropertyKind::at_rest && interpreter.at_rest(state) &&
             interpreter.evaluate(state, claim.condition) == 0) ||
            (claim.kind == PropertyKind::maximum &&
             interpreter.evaluate(state, claim.left) > interpreter.evaluate(state, claim.right));
        if (bad) found.insert(id);
      }
    }
  }

  void explore(const std::vector<Word>& values) {
    const std::optional<State> initial = parametric::initial_at(program, values);
    if (!initial) {
      excluded.insert(values);
      return;
    }
    const Interpreter interpreter(program);
    std::set<PropertyId> found;
    const std::function<bool()> stop = [this] { return stopped(); };
    parametric::SampleLimits limits;
    limits.most_states = settings.most_states - explored;
    limits.stop = &stop;
    const bool all = parametric::explore_states(
        program, *initial, limits,
        [&](const parametric::Seen& at) {
          seen[at.point].add(at.state);
          if (at.point == 0) look(interpreter, at.state, found);
          if (at.point == 0) ++explored;
        },
        [&](const program::Fault& fault) {
          found.insert(program.violations[fault.violation].property);
        });
    tried.push_back({values, false, all});
    broken.push_back(std::move(found));
    if (all) complete.emplace(values, parameter_values(*initial));
  }

  // With the unknowns of objects in focus, as facts see them.
  [[nodiscard]] std::vector<Word> parameter_values(const State& state) const {
    std::vector<Word> out;
    for (SlotId slot = 0; slot < program.slots.size(); ++slot) {
      if (program.slots[slot].parameter) out.push_back(state[slot]);
    }
    return out;
  }

  [[nodiscard]] std::set<std::vector<Word>> interior() const {
    std::set<std::vector<Word>> out;
    for (const auto& [values, unknowns] : complete) {
      bool inside = true;
      for (std::size_t i = 0; i < values.size(); ++i) {
        std::vector<Word> above = values;
        ++above[i];
        inside = inside && (complete.contains(above) || excluded.contains(above));
      }
      if (inside) out.insert(unknowns);
    }
    return out;
  }

  // Values beyond the small ones, where a guess that fits by chance does not fit.
  void walk() {
    constexpr int walks = 60;
    constexpr std::size_t steps = 250;
    std::mt19937_64 random(1);
    const auto slots = parametric::parameter_slots(program);
    for (int i = 0; i < walks && !stopped(); ++i) {
      std::vector<Word> values;
      values.reserve(slots.size());
      for (const SlotId slot : slots) {
        values.push_back(program.slots[slot].range.lo + static_cast<Word>(random() % 8));
      }
      const std::optional<State> initial = parametric::initial_at(program, values);
      if (!initial) continue;
      parametric::walk(program, *initial, steps, random(),
                       [&](const parametric::Seen& at) { seen[at.point].add(at.state); });
    }
  }

  [[nodiscard]] std::vector<Fact> candidates(std::size_t level) const {
    parametric::FitOptions options;
    options.most_literals = std::min<std::size_t>(level, 2);
    options.pair_bounds = level == levels - 1;
    options.interior = interior();
    const std::vector<Linear> extra = expressions();
    for (const program::Parameter& parameter : program.parameters) {
      if (parameter.slot == program::no_id && parameter.value > options.largest_coefficient &&
          parameter.value <= 3) {
        options.largest_coefficient = parameter.value;
      }
    }
    std::vector<Fact> out;
    for (std::uint32_t point = 0; point < seen.size(); ++point) {
      options.expressions = extra;
      const auto facts = parametric::fit(point, smt::fact_variables(*system, point),
                                         seen[point].states(), options);
      out.insert(out.end(), facts.begin(), facts.end());
    }
    return out;
  }

  // A maximum's left side as a sum of slots, where it always is one.
  [[nodiscard]] std::vector<Linear> expressions() const {
    std::vector<Linear> out;
    const auto value = static_cast<parametric::VariableId>(program.slots.size());
    const Interpreter interpreter(program);
    for (const program::Property& property : program.properties) {
      for (const program::Claim& claim : property.claims) {
        if (claim.kind != PropertyKind::maximum) continue;
        std::vector<parametric::VariableId> order = {value};
        for (const SlotId slot : system->slots(0)) {
          if (!program.slots[slot].parameter) order.push_back(slot);
        }
        parametric::AffineHull hull(order);
        for (State state : seen[0].states()) {
          const Word now = interpreter.evaluate(state, claim.left);
          state.push_back(now);
          hull.add(state);
        }
        for (Linear linear : hull.equations()) {
          if (linear.terms.back().first != value || linear.terms.back().second != 1) continue;
          linear.terms.pop_back();
          for (auto& term : linear.terms) term.second = -term.second;
          linear.constant = 0;
          if (linear.terms.size() > 1) out.push_back(std::move(linear));
        }
      }
    }
    return out;
  }

  // What never changes, and the edges that are left where it is known; found once.
  void find_constants() {
    if (known) return;
    known.emplace();
    std::vector<Fact> guesses;
    for (std::uint32_t point = 0; point < seen.size(); ++point) {
      const auto some =
          parametric::constants(point, smt::fact_variables(*system, point), seen[point].states());
      guesses.insert(guesses.end(), some.begin(), some.end());
    }
    smt::Pruned kept = smt::prune(*system, system->edges(), {}, std::move(guesses), limits());
    if (kept.finished) known->facts = std::move(kept.facts);
    known->edges = system->simplified(known->facts);
    say(std::to_string(known->facts.size()) + " facts of what never changes; " +
        std::to_string(known->edges.size()) + " of " + std::to_string(system->edges().size()) +
        " edges are left");
  }

  // Inductive facts of a level; found once. What a lower level has is there too.
  const smt::Pruned& facts(std::size_t level) {
    find_constants();
    while (pruned.size() <= level && (pruned.empty() || pruned.back().finished)) {
      std::vector<Fact> guesses = candidates(pruned.size());
      std::set<Fact> base(known->facts.begin(), known->facts.end());
      if (!pruned.empty()) base.insert(pruned.back().facts.begin(), pruned.back().facts.end());
      std::erase_if(guesses, [&](const Fact& fact) { return base.contains(fact); });
      say(std::to_string(guesses.size()) + " more candidates at level " +
          std::to_string(pruned.size()));
      smt::Pruned kept = smt::prune(*system, known->edges, {base.begin(), base.end()},
                                    std::move(guesses), limits());
      say(std::to_string(kept.facts.size()) + " of these are inductive, after " +
          std::to_string(kept.questions) + " questions");
      if (!pruned.empty()) {
        const std::vector<Fact>& before = pruned.back().facts;
        kept.facts.insert(kept.facts.begin(), before.begin(), before.end());
      }
      pruned.push_back(std::move(kept));
    }
    return pruned[std::min(level, pruned.size() - 1)];
  }

  [[nodiscard]] smt::ProofLimits limits() const {
    smt::ProofLimits out;
    out.stop = settings.stop;
    return out;
  }

  // Writes the obligations down and has them checked.
  void certify(Proof& proof, const std::vector<Fact>& facts) {
    smt::Obligations texts = smt::obligations(*system, facts, proof.property);
    proof.facts = facts.size();
    proof.horn = std::move(texts.horn);
    proof.invariant = std::move(texts.invariant);
    proof.certificate.property = program.properties[proof.property].instance;
    proof.certificate.initial = std::move(texts.initial);
    proof.certificate.step = std::move(texts.step);
    proof.certificate.goal = std::move(texts.goal);
    certify::Settings check;
    check.use_cvc5 = settings.use_cvc5;
    if (settings.left) check.seconds = std::max(1.0, std::min(check.seconds, settings.left()));
    proof.report = certify::certify(proof.certificate, check);
    proof.proved = proof.report.good();
    if (proof.proved) return;
    proof.reason = "its proof does not check again";
    proof.recheck_failed = true;
    for (const certify::Outcome& outcome : proof.report.outcomes) {
      // A solver that gives up has not contradicted the proof.
      if (!outcome.problem.empty()) proof.reason += ": " + outcome.file + ": " + outcome.problem;
    }
    if (!proof.report.problem.empty()) proof.reason += ": " + proof.report.problem;
  }
};

namespace {

void extend(const std::vector<Word>& least, Word left, std::vector<Word>& values,
            std::vector<std::vector<Word>>& out) {
  const std::size_t at = values.size();
  if (at + 1 == least.size()) {
    values.push_back(least[at] + left);
    out.push_back(values);
    values.pop_back();
    return;
  }
  for (Word more = 0; more <= left; ++more) {
    values.push_back(least[at] + more);
    extend(least, left - more, values, out);
    values.pop_back();
  }
}

}  // namespace

std::vector<std::vector<Word>> in_order(const std::vector<Word>& least, Word most) {
  std::vector<std::vector<Word>> out;
  if (most < 0) return out;
  if (least.empty()) return {{}};
  std::vector<Word> values;
  for (Word sum = 0; sum <= most; ++sum) extend(least, sum, values, out);
  return out;
}

std::vector<Word> least_values(const Program& program) {
  std::vector<Word> out;
  for (const SlotId slot : parametric::parameter_slots(program)) {
    out.push_back(program.slots[slot].range.lo);
  }
  return out;
}

std::vector<std::vector<Word>> small_values(const Program& program) {
  const std::vector<Word> least = least_values(program);
  return in_order(least, least.size() <= 1   ? 10
                         : least.size() == 2 ? 7
                         : least.size() == 3 ? 6
                                             : 4);
}

Prover::Prover(const Program& program, Settings settings)
    : implementation_(std::make_unique<Implementation>(program, std::move(settings))) {}

Prover::~Prover() = default;

std::string Prover::sample() {
  Implementation& my = *implementation_;
  constexpr std::uint64_t megabyte = 1U << 20U;
  if (my.settings.memory_limit > 0) {
    z3::set_param("memory_max_size", static_cast<int>(my.settings.memory_limit / megabyte + 1));
  }
  try {
    smt::EncodeOptions options;
    options.trust_ranges = false;
    my.encoder.emplace(my.context, my.program, options);
    my.system.emplace(*my.encoder);
  } catch (const smt::Refusal& refusal) {
    return refusal.what();
  } catch (const z3::exception& error) {
    return std::string("Z3: ") + error.msg();
  }
  for (std::uint32_t point = 0; point < my.system->points(); ++point) {
    my.seen.emplace_back(my.system->slots(point));
  }
  my.say("running at small values");
  for (const std::vector<Word>& values : small_values(my.program)) {
    if (my.stopped() || my.explored > my.settings.most_states) break;
    my.explore(values);
  }
  my.walk();
  return "";
}

std::vector<Tried> Prover::tried(PropertyId property) const {
  std::vector<Tried> out = implementation_->tried;
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].broken = implementation_->broken[i].contains(property);
  }
  return out;
}

std::vector<Proof> Prover::prove(const std::vector<PropertyId>& properties) {
  Implementation& my = *implementation_;
  std::vector<Proof> proofs;
  for (const PropertyId property : properties) {
    Proof& proof = proofs.emplace_back();
    proof.property = property;
    proof.reason = "no invariant was found that implies it";
  }
  const auto start = std::chrono::steady_clock::now();
  const Watch watch(my.context, my.settings.stop);
  try {
    for (std::size_t level = 0; level < levels && !my.stopped(); ++level) {
      const smt::Pruned& pruned = my.facts(level);
      bool all = true;
      for (Proof& proof : proofs) {
        if (proof.proved || proof.recheck_failed) continue;
        if (!pruned.finished) {
          proof.reason = pruned.reason;
          all = false;
          continue;
        }
        std::string open;
        auto facts =
            smt::sufficient(*my.system, *my.known, pruned.facts, proof.property, my.limits(), open);
        if (facts) {
          facts->insert(facts->end(), my.known->facts.begin(), my.known->facts.end());
          my.certify(proof, *facts);
        } else {
          proof.reason = "no invariant was found that excludes: " + open;
        }
        proof.seconds = seconds_since(start);
        all = all && (proof.proved || proof.recheck_failed);
      }
      if (all) break;
    }
  } catch (const smt::Refusal& refusal) {
    for (Proof& proof : proofs) {
      if (!proof.proved) proof.reason = refusal.what();
    }
  } catch (const z3::exception& error) {
    for (Proof& proof : proofs) {
      if (!proof.proved) proof.reason = std::string("Z3: ") + error.msg();
    }
  }
  return proofs;
}

Proof Prover::prove_bound(PropertyId maximum, const Linear& bound) {
  implementation_->system->ask_for_bound(maximum, bound);
  return prove({maximum}).at(0);
}

std::vector<Prover::Candidate> Prover::bounds(program::ExprId expression) const {
  const Implementation& my = *implementation_;
  // One more variable: the value of the expression.
  const auto value = static_cast<parametric::VariableId>(my.program.slots.size());
  std::vector<parametric::Variable> variables = smt::fact_variables(*my.system, 0);
  variables.push_back({"the expression", false, false});
  const Interpreter interpreter(my.program);
  States states = my.seen[0].states();
  for (State& state : states) {
    const Word now = interpreter.evaluate(state, expression);
    state.push_back(now);
  }
  parametric::FitOptions options;
  options.interior = my.interior();
  std::vector<Candidate> out;
  for (Linear linear : parametric::bounds({{{value, 1}}, 0}, variables, states, options)) {
    std::erase_if(linear.terms, [&](const auto& term) { return term.first == value; });
    std::string text = term_text(my.program, linear);
    out.push_back({std::move(linear), std::move(text)});
  }
  return out;
}

}  // namespace txproof::checker::forall
