#include "checker/explicit/conclude.h"

#include <algorithm>

namespace txproof::checker {

using program::Property;
using program::PropertyId;
using program::PropertyKind;
using properties::Limit;
using properties::Result;
using properties::Verdict;

namespace {

const char* other_engine(PropertyKind kind) {
  switch (kind) {
    case PropertyKind::leads_to:
      return "leads_to";
    case PropertyKind::infinitely_often:
      return "infinitely_often";
    case PropertyKind::rate:
      return "rate";
    default:
      return nullptr;
  }
}

const char* other_engine(const Property& property) {
  if (const char* kind = other_engine(property.kind)) return kind;
  for (const program::Claim& claim : property.claims) {
    if (const char* kind = other_engine(claim.kind)) return kind;
  }
  return nullptr;
}

std::string covered(const Coverage& coverage, StateId met) {
  if (!coverage.some_level) {
    return met == 0 ? "no state was explored" : "the initial state was not explored in full";
  }
  return "all states up to depth " + std::to_string(coverage.level) + " (" +
         grouped(coverage.states) + (coverage.states == 1 ? " state)" : " states)") +
         " were explored";
}

// The check or the claim, whichever comes first; within one step, the check.
properties::Path path_of(const Finding& finding, const PathBuilder& paths,
                         const StateTable& table) {
  if (!finding.check) return paths.to_state(*finding.claim);
  if (!finding.claim) return paths.to_check(*finding.check);
  const FailedCheck& check = *finding.check;
  const FalseClaim& claim = *finding.claim;
  bool claim_first = claim.depth < check.depth;
  if (claim.depth == check.depth) {
    const StateId parent = table.predecessor(claim.state);
    claim_first = parent != check.parent ? parent < check.parent
                                         : paths.ordinal_of(claim.state) < check.ordinal;
  }
  return claim_first ? paths.to_state(claim) : paths.to_check(check);
}

}  // namespace

std::optional<std::string> vacuity(const Property& property, bool spoken, bool rest_seen,
                                   bool fault_seen) {
  if (property.kind == PropertyKind::builtin || property.kind == PropertyKind::deadlock) {
    return std::nullopt;
  }
  if (property.never_probed) {
    return property.never_probed_name + " is never called in this stack";
  }
  if (spoken) return std::nullopt;
  const auto is = [&](PropertyKind kind) {
    return std::any_of(property.claims.begin(), property.claims.end(),
                       [&](const program::Claim& claim) { return claim.kind == kind; });
  };
  if (is(PropertyKind::at_rest) && !rest_seen) {
    return fault_seen ? "no state at rest was reached: runs end before, in a violation of "
                        "a built-in property"
                      : "no state is ever at rest";
  }
  if (is(PropertyKind::always) || is(PropertyKind::at_rest)) {
    // Without an implication, what it says something of is what it ranges over.
    const bool implies = std::any_of(
        property.claims.begin(), property.claims.end(), [](const program::Claim& claim) {
          return claim.antecedent != program::no_id &&
                 (claim.text.empty() || claim.text.find("=>") != std::string::npos);
        });
    return implies ? "its left side is never true" : "there is never anything that it ranges over";
  }
  if (property.has_checks) return "none of its assertions is ever reached, or tests anything";
  return "it asserts nothing";
}

bool needs_other_engine(const Property& property) { return other_engine(property) != nullptr; }

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) {
    at -= 3;
    text.insert(at, 1, ',');
  }
  return text;
}

std::vector<Result> conclude(const program::Program& program, const Findings& findings,
                             const std::vector<char>& evaluated, const Coverage& coverage,
                             const PathBuilder& paths) {
  std::vector<Result> results;
  for (PropertyId id = 0; id < program.properties.size(); ++id) {
    const Property& property = program.properties[id];
    const Finding& finding = findings[id];
    Result result;
    result.property = id;
    result.value = finding.largest;
    if (finding.largest) result.value_path = paths.to_state(finding.largest_at);
    result.value_is_exact = finding.largest.has_value() && coverage.complete;
    if (finding.violated()) {
      result.verdict = Verdict::violated;
      result.path = path_of(finding, paths, paths.table());
    } else if (const char* kind = other_engine(property)) {
      result.limit = Limit::needs_other_engine;
      result.reason = std::string("explicit search cannot decide ") + kind +
                      "; it needs the analysis of cycles";
    } else if (!coverage.complete) {
      result.limit = coverage.limit;
      result.reason = coverage.limit_text + "; " + covered(coverage, paths.table().size());
    } else {
      result.verdict = Verdict::holds;
      result.vacuous = vacuity(property, finding.spoken || evaluated[id] != 0, findings.rest_seen,
                               findings.fault_seen);
    }
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace txproof::checker
