#include "checker/diff/compare.h"

#include <algorithm>
#include <iterator>

namespace txproof::diff {

namespace {

using properties::Result;
using properties::Verdict;

const program::Property& property_of(const Side& side, std::size_t result) {
  return side.program->properties[side.exploration->results[result].property];
}

std::optional<std::size_t> find_result(const Side& side, const std::string& instance) {
  for (std::size_t i = 0; i < side.exploration->results.size(); ++i) {
    if (property_of(side, i).instance == instance) return i;
  }
  return std::nullopt;
}

const Unusable* find_unusable(const Side& side, const std::string& property) {
  for (const Unusable& unusable : side.unusable) {
    if (unusable.property == property) return &unusable;
  }
  return nullptr;
}

// Both sides have a verdict.
void judge(const Side& base, const Side& patched, PropertyChange& change) {
  const Result& before = base.exploration->results[*change.base];
  const Result& after = patched.exploration->results[*change.patched];
  const program::Property& was = property_of(base, *change.base);
  const program::Property& is = property_of(patched, *change.patched);
  if (is.never_probed && !was.never_probed) {
    // It speaks about a function that nothing calls any more: whatever it says now is about
    // nothing.
    change.change = Change::inconclusive;
    change.note = "it can no longer be evaluated: nothing calls '" + is.never_probed_name +
                  "' after the change";
    return;
  }
  if (was.never_probed && !is.never_probed) {
    change.change = Change::added;
    change.note =
        "it could not be evaluated before: nothing called '" + was.never_probed_name + "'";
    change.is_worse = after.verdict == Verdict::violated;
    return;
  }
  if (before.verdict == Verdict::inconclusive || after.verdict == Verdict::inconclusive) {
    change.change = Change::inconclusive;
    const bool both = before.verdict == after.verdict;
    change.note = both ? "both sides are inconclusive: " + after.reason
                  : before.verdict == Verdict::inconclusive
                      ? "the base is inconclusive: " + before.reason
                      : "the patched side is inconclusive: " + after.reason;
    return;
  }
  if (before.verdict == after.verdict) {
    change.change = Change::unchanged;
    if (before.verdict == Verdict::holds && after.vacuous && !before.vacuous) {
      change.note = "it now holds only vacuously: " + *after.vacuous;
    }
    return;
  }
  change.change = after.verdict == Verdict::violated ? Change::regressed : Change::fixed;
  change.is_worse = change.change == Change::regressed;
  if (change.change == Change::fixed && after.vacuous) {
    change.note = "it holds vacuously: " + *after.vacuous;
  }
}

PropertyChange from_base(const Side& base, const Side& patched, std::size_t result) {
  PropertyChange change;
  change.property = property_of(base, result).name;
  change.instance = property_of(base, result).instance;
  change.base = result;
  change.patched = find_result(patched, change.instance);
  if (const Unusable* unusable = find_unusable(patched, change.property)) {
    change.patched.reset();
    change.change = Change::inconclusive;
    change.note = "it can no longer be evaluated: " + unusable->reason;
  } else if (change.patched) {
    judge(base, patched, change);
  } else {
    change.change = Change::removed;
    change.note = "the patched stack does not check it";
  }
  return change;
}

PropertyChange from_patched(const Side& base, const Side& patched, std::size_t result) {
  PropertyChange change;
  change.property = property_of(patched, result).name;
  change.instance = property_of(patched, result).instance;
  change.patched = result;
  const Result& after = patched.exploration->results[result];
  change.change = Change::added;
  change.is_worse = after.verdict == Verdict::violated;
  if (after.verdict == Verdict::inconclusive) {
    change.change = Change::inconclusive;
    change.note = "new, and inconclusive: " + after.reason;
  }
  if (const Unusable* unusable = find_unusable(base, change.property)) {
    change.note = "it could not be evaluated before: " + unusable->reason;
  }
  return change;
}

void difference(const std::set<Site>& from, const std::set<Site>& without, std::vector<Site>& out) {
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(),
                      std::back_inserter(out));
}

}  // namespace

const char* to_string(Change change) {
  switch (change) {
    case Change::fixed:
      return "fixed";
    case Change::regressed:
      return "regressed";
    case Change::unchanged:
      return "unchanged";
    case Change::added:
      return "added";
    case Change::removed:
      return "removed";
    case Change::inconclusive:
      return "inconclusive";
  }
  return "inconclusive";
}

Comparison compare(const Side& base, const Side& patched, const lang::SourceSet& sources) {
  Comparison out;
  for (std::size_t i = 0; i < base.exploration->results.size(); ++i) {
    if (property_of(base, i).is_watch) continue;
    out.changes.push_back(from_base(base, patched, i));
  }
  for (std::size_t i = 0; i < patched.exploration->results.size(); ++i) {
    if (property_of(patched, i).is_watch) continue;
    if (!find_result(base, property_of(patched, i).instance)) {
      out.changes.push_back(from_patched(base, patched, i));
    }
  }
  for (const Unusable& unusable : patched.unusable) {
    const bool known =
        std::any_of(out.changes.begin(), out.changes.end(),
                    [&](const PropertyChange& c) { return c.property == unusable.property; });
    if (known) continue;
    PropertyChange change;
    change.property = change.instance = unusable.property;
    change.change = Change::inconclusive;
    change.note = "it cannot be evaluated after the change: " + unusable.reason;
    out.changes.push_back(std::move(change));
  }

  for (const PropertyChange& change : out.changes) {
    if (!change.base || !change.patched) continue;
    const Result& before = base.exploration->results[*change.base];
    const Result& after = patched.exploration->results[*change.patched];
    if (before.value && after.value && before.value_is_exact && after.value_is_exact &&
        *before.value != *after.value) {
      out.maxima.push_back({change.instance, *before.value, *after.value});
    }
    if (before.value_text && after.value_text && before.value_is_exact && after.value_is_exact &&
        *before.value_text != *after.value_text) {
      out.rates.push_back({change.instance, *before.value_text, *after.value_text});
    }
  }

  for (std::size_t i = 0; i < base.exploration->results.size(); ++i) {
    const program::Property& watched = property_of(base, i);
    const auto same = watched.is_watch ? find_result(patched, watched.instance) : std::nullopt;
    if (!same) continue;
    const Result& before = base.exploration->results[i];
    const Result& after = patched.exploration->results[*same];
    if (before.value && after.value && before.value_is_exact && after.value_is_exact &&
        *before.value != *after.value) {
      out.maxima.push_back({watched.instance, *before.value, *after.value});
    }
  }

  const Sites before = reached_sites(*base.program, *base.exploration, sources);
  const Sites after = reached_sites(*patched.program, *patched.exploration, sources);
  difference(after.drops, before.drops, out.drops_gained);
  difference(before.drops, after.drops, out.drops_lost);
  difference(after.returns, before.returns, out.returns_gained);
  difference(before.returns, after.returns, out.returns_lost);
  auto exact = [](const Side& side) {
    return side.exploration->complete && !side.exploration->stopped_by_fault;
  };
  out.sites_are_exact = exact(base) && exact(patched);
  return out;
}

}  // namespace txproof::diff
