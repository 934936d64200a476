#include "checker/diff/compare.h"

#include <doctest/doctest.h>

#include <deque>
#include <string>

namespace txproof::diff {
namespace {

using properties::Result;
using properties::Verdict;

// A side with properties and verdicts, and no program behind them.
struct FakeSide {
  program::Program program;
  properties::Exploration exploration;
  std::vector<Unusable> unusable;

  Result& add(const std::string& name, Verdict verdict) {
    program::Property property;
    property.name = property.instance = name;
    Result result;
    result.property = static_cast<program::PropertyId>(program.properties.size());
    result.verdict = verdict;
    program.properties.push_back(property);
    exploration.results.push_back(result);
    exploration.complete = true;
    return exploration.results.back();
  }
  [[nodiscard]] Side side() const { return {&program, &exploration, unusable}; }
};

PropertyChange change(const FakeSide& base, const FakeSide& patched) {
  const lang::SourceSet sources;
  return compare(base.side(), patched.side(), sources).changes.at(0);
}

PropertyChange change(Verdict before, Verdict after) {
  FakeSide base;
  FakeSide patched;
  base.add("p", before);
  patched.add("p", after);
  return change(base, patched);
}

TEST_CASE("every pair of verdicts") {
  const Verdict h = Verdict::holds;
  const Verdict v = Verdict::violated;
  const Verdict i = Verdict::inconclusive;
  CHECK(change(h, h).change == Change::unchanged);
  CHECK(change(v, v).change == Change::unchanged);
  CHECK(change(h, v).change == Change::regressed);
  CHECK(change(h, v).is_worse);
  CHECK(change(v, h).change == Change::fixed);
  CHECK(!change(v, v).is_worse);
  for (const Verdict other : {h, v, i}) {
    CHECK(change(i, other).change == Change::inconclusive);
    CHECK(change(other, i).change == Change::inconclusive);
    CHECK(!change(i, other).is_worse);
  }
}

TEST_CASE("added, removed") {
  FakeSide base;
  FakeSide patched;
  base.add("gone", Verdict::holds);
  patched.add("new", Verdict::violated);
  const lang::SourceSet sources;
  const Comparison result = compare(base.side(), patched.side(), sources);
  REQUIRE(result.changes.size() == 2);
  CHECK(result.changes[0].change == Change::removed);
  CHECK(result.changes[1].change == Change::added);
  CHECK(result.changes[1].is_worse);
}

TEST_CASE("vacuity counts as holds, a lost probe does not") {
  FakeSide base;
  FakeSide patched;
  base.add("p", Verdict::holds);
  patched.add("p", Verdict::holds).vacuous = "nothing was dropped";
  CHECK(change(base, patched).change == Change::unchanged);
  CHECK(change(base, patched).note.find("vacuously") != std::string::npos);
  patched.program.properties[0].never_probed = true;
  patched.program.properties[0].never_probed_name = "kfree_skb";
  CHECK(change(base, patched).change == Change::inconclusive);
  CHECK(change(patched, base).change == Change::added);
}

TEST_CASE("a property that the patched text makes unusable is inconclusive, whatever it was") {
  FakeSide base;
  FakeSide patched;
  base.add("p", Verdict::violated);
  patched.unusable.push_back({"p", "there is no function `f`"});
  CHECK(change(base, patched).change == Change::inconclusive);
  FakeSide empty;
  CHECK(change(empty, patched).change == Change::inconclusive);
}

TEST_CASE("maxima move only where both are exact") {
  FakeSide base;
  FakeSide patched;
  Result& before = base.add("p", Verdict::holds);
  before.value = 3;
  before.value_is_exact = true;
  Result& after = patched.add("p", Verdict::holds);
  after.value = 5;
  const lang::SourceSet sources;
  CHECK(compare(base.side(), patched.side(), sources).maxima.empty());
  after.value_is_exact = true;
  CHECK(compare(base.side(), patched.side(), sources).maxima.size() == 1);
}

}  // namespace
}  // namespace txproof::diff
