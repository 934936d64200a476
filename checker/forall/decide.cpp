#include "checker/forall/decide.h"

#include <algorithm>
#include <chrono>

#include "checker/parametric/sample.h"

namespace txproof::checker::forall {

using program::PropertyKind;
using properties::Limit;
using properties::Verdict;

namespace {

// How far beyond the least values the concrete search goes where no proof was found.
constexpr Word furthest = 6;

Word excess(const std::vector<Word>& values, const std::vector<Word>& least) {
  Word sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] - least[i];
  return sum;
}

std::string forgotten(const Program& program) {
  std::string out;
  for (const program::Unordered& container : program.unordered) {
    if (container.kinds.size() < 2) continue;  // all packets alike: no order to forget
    out += (out.empty() ? "" : ", ") + container.name;
  }
  return out;
}

}  // namespace

std::string not_served(const program::Property& property) {
  if (!property.not_served.empty()) return property.not_served;
  for (const program::Claim& claim : property.claims) {
    switch (claim.kind) {
      case PropertyKind::leads_to:
      case PropertyKind::infinitely_often:
        return "it is about runs without end, and proofs for all values are of invariants";
      case PropertyKind::rate:
        return "it is a rate, and proofs for all values are of invariants";
      default:
        break;
    }
  }
  return "";
}

std::string values_text(const Program& program, const std::vector<Word>& values) {
  std::string out;
  std::size_t at = 0;
  for (const program::Parameter& parameter : program.parameters) {
    if (parameter.slot == program::no_id) continue;
    out += (out.empty() ? "" : " ") + parameter.name + "=" + std::to_string(values[at++]);
  }
  return out;
}

Decider::Decider(const Program& program, Settings settings, Refuter& refuter)
    : program_(program), settings_(settings), refuter_(refuter), prover_(program, settings) {}

std::string Decider::sample() {
  if (sampled_) return "";
  sampled_ = true;
  return prover_.sample();
}

std::string Decider::limit_reason(Limit& limit) const {
  const bool out_of_time = settings_.left && settings_.left() <= 0;
  limit = out_of_time ? Limit::time : Limit::interrupted;
  return out_of_time ? "the time limit ended the proof" : "the proof was interrupted";
}

bool Decider::refuted_at(const std::vector<Word>& values, Decision& decision) {
  const std::string& name = program_.properties[decision.property].instance;
  const Instance* instance = refuter_.at(values, {name});
  if (instance == nullptr) return false;
  const properties::Result* result = result_of(*instance, name);
  if (result == nullptr || result->verdict != Verdict::violated) return false;
  decision.verdict = Verdict::violated;
  decision.instance = instance;
  decision.result = result;
  decision.reason.clear();
  decision.limit = Limit::none;
  return true;
}

// Where the Program with forgotten order breaks a property, the concrete one may. Where it does not
// and every state was seen, the concrete one cannot.
void Decider::refute_where_broken(std::vector<Decision>& decisions) {
  for (Decision& decision : decisions) {
    if (!decision.reason.empty()) continue;
    const std::vector<Tried> tried = prover_.tried(decision.property);
    Word most = -1;  // how far the last values are at which it is broken
    const std::vector<Word> least = least_values(program_);
    for (const Tried& t : tried) {
      if (t.broken) most = std::max(most, excess(t.values, least));
    }
    for (const std::vector<Word>& values : in_order(least, most)) {
      const auto known = std::find_if(tried.begin(), tried.end(),
                                      [&](const Tried& t) { return t.values == values; });
      const bool broken = known != tried.end() && known->broken;
      if (known != tried.end() && known->complete && !broken) continue;
      if (settings_.stop && settings_.stop()) {
        decision.reason = limit_reason(decision.limit);
        break;
      }
      if (refuted_at(values, decision)) break;
      if (!broken || !decision.reason.empty()) continue;
      const std::string containers = forgotten(program_);
      decision.limit = Limit::approximation;
      decision.reason = "at " + values_text(program_, values) + " it is broken only where " +
                        (containers.empty() ? "what is unknown may be anything"
                                            : "the order of " + containers + " is forgotten") +
                        "; with it, it holds there";
    }
  }
}

void Decider::refute_further(std::vector<Decision>& decisions) {
  const auto open = [](const Decision& decision) {
    return decision.verdict == Verdict::inconclusive && decision.limit == Limit::none &&
           !decision.recheck_failed && decision.property != program::no_id;
  };
  for (const std::vector<Word>& values : in_order(least_values(program_), furthest)) {
    for (Decision& decision : decisions) {
      if (!open(decision)) continue;
      if (settings_.stop && settings_.stop()) return;
      const std::vector<Tried> tried = prover_.tried(decision.property);
      const bool known = std::any_of(tried.begin(), tried.end(), [&](const Tried& t) {
        return t.values == values && t.complete && !t.broken;
      });
      if (!known) refuted_at(values, decision);
    }
  }
}

void Decider::look_for_vacuity(Decision& decision) {
  const std::string& name = program_.properties[decision.property].instance;
  const auto values = small_values(program_);
  for (auto at = values.rbegin(); at != values.rend(); ++at) {
    if (settings_.stop && settings_.stop()) return;
    const Instance* instance = refuter_.at(*at, {name});
    if (instance == nullptr) continue;
    const properties::Result* result = result_of(*instance, name);
    if (result != nullptr) decision.vacuous = result->vacuous;
    return;
  }
}

std::vector<Decision> Decider::decide(const std::vector<PropertyId>& properties) {
  std::vector<Decision> decisions;
  const auto start = std::chrono::steady_clock::now();
  for (const PropertyId property : properties) {
    Decision& decision = decisions.emplace_back();
    decision.property = property;
    decision.reason = not_served(program_.properties[property]);
    if (!decision.reason.empty()) decision.limit = Limit::needs_other_engine;
  }
  const std::string refused = sample();
  for (Decision& decision : decisions) {
    if (!refused.empty() && decision.reason.empty()) {
      decision.reason = refused;
      decision.limit = Limit::needs_other_engine;
    }
  }
  refute_where_broken(decisions);
  std::vector<PropertyId> left;
  for (const Decision& decision : decisions) {
    const bool open = decision.verdict == Verdict::inconclusive && decision.reason.empty();
    if (open) left.push_back(decision.property);
  }
  for (Proof& proof : prover_.prove(left)) {
    for (Decision& decision : decisions) {
      if (decision.property != proof.property) continue;
      decision.seconds = proof.seconds;
      decision.recheck_failed = proof.recheck_failed;
      decision.reason = proof.proved ? "" : proof.reason;
      if (!proof.proved) continue;
      decision.verdict = Verdict::holds;
      decision.proof = std::move(proof);
      break;
    }
  }
  refute_further(decisions);
  for (Decision& decision : decisions) {
    if (decision.verdict == Verdict::holds) look_for_vacuity(decision);
    if (decision.verdict != Verdict::inconclusive || decision.limit != Limit::none) continue;
    if (settings_.stop && settings_.stop()) {
      decision.reason = limit_reason(decision.limit);
    } else {
      decision.limit = Limit::approximation;
    }
  }
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  for (Decision& decision : decisions) {
    if (decision.seconds == 0) decision.seconds = all.count();
  }
  return decisions;
}

}  // namespace txproof::checker::forall
