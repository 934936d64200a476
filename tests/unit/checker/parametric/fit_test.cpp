// Facts that are guessed from states: linear equations, bounds in the parameters, guards.
#include "checker/parametric/fit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/parametric/affine.h"
#include "checker/parametric/rank.h"

namespace txproof::checker::parametric {
namespace {

const std::vector<Variable> names = {{"W", true, false},
                                     {"L", true, false},
                                     {"x", false, false},
                                     {"y", false, false},
                                     {"on", false, true}};

std::vector<std::string> texts(const std::vector<Fact>& facts) {
  std::vector<std::string> out;
  out.reserve(facts.size());
  for (const Fact& fact : facts) out.push_back(to_text(fact, names));
  return out;
}

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// x runs from 0 to W, y to L + 1; on exactly where x is W.
States states(Word from, Word to) {
  States out;
  for (Word w = from; w <= to; ++w) {
    for (Word l = from; l <= to; ++l) {
      for (Word x = 0; x <= w; ++x) {
        for (Word y = 0; y <= l + 1; ++y) out.push_back({w, l, x, y, x == w ? 1 : 0});
      }
    }
  }
  return out;
}

}  // namespace

TEST_CASE("affine hull: the equations of points, exactly") {
  AffineHull hull({0, 1, 2});
  CHECK(hull.empty());
  hull.add({1, 2, 5});
  CHECK(hull.dimension() == 0);
  CHECK(hull.equations().size() == 3);
  hull.add({2, 4, 8});  // 2x = y, 3x + 2 = z
  hull.add({5, 10, 17});
  CHECK(hull.dimension() == 1);
  const std::vector<Linear> equations = hull.equations();
  REQUIRE(equations.size() == 2);
  for (const Linear& equation : equations) {
    CHECK(evaluate(equation, {1, 2, 5}) == 0);
    CHECK(evaluate(equation, {7, 14, 23}) == 0);
    CHECK(evaluate(equation, {7, 15, 23}) + evaluate(equation, {7, 14, 24}) != 0);
  }
}

TEST_CASE("affine hull: fractions become whole coefficients") {
  AffineHull hull({0, 1});
  hull.add({0, 0});
  hull.add({3, 2});
  const std::vector<Linear> equations = hull.equations();
  REQUIRE(equations.size() == 1);
  CHECK(evaluate(equations[0], {6, 4}) == 0);
  CHECK(evaluate(equations[0], {6, 3}) != 0);
  CHECK(equations[0].terms.size() == 2);
}

TEST_CASE("affine hull: numbers that are too large give no equations") {
  AffineHull hull({0, 1, 2});
  hull.add({0, 0, 0});
  hull.add({(Word{1} << 39) + 1, (Word{1} << 39) - 1, 1});
  hull.add({(Word{1} << 39) + 3, 1, (Word{1} << 39) - 7});
  CHECK(hull.overflowed());
  CHECK(hull.equations().empty());
}

TEST_CASE("rank: what follows from other equations") {
  Rank rank;
  CHECK(rank.add({{{0, 1}, {1, -1}}, 0}));         // a = b
  CHECK(rank.add({{{1, 1}, {2, -2}}, -1}));        // b = 2c + 1
  CHECK_FALSE(rank.add({{{0, 2}, {2, -4}}, -2}));  // 2a = 4c + 2
  CHECK(rank.add({{{0, 1}, {2, -2}}, 0}));         // a = 2c: contradicts, and is no consequence
}

TEST_CASE("fit: bounds in the parameters, and the guard under which they are reached") {
  FitOptions options;
  options.most_literals = 1;
  const auto found = texts(fit(0, names, states(1, 3), options));
  CHECK(has(found, "x <= W"));
  CHECK(has(found, "y <= L + 1"));
  CHECK(has(found, "0 <= x"));
  CHECK(has(found, "on = 0 => x <= W - 1"));
  CHECK((has(found, "on = 1 => x = W") || has(found, "on = 1 => W = x")));
  // How far was looked is no bound.
  CHECK_FALSE(has(found, "x <= 3"));
  CHECK_FALSE(has(found, "y <= 4"));
  // Said already without the guard.
  CHECK_FALSE(has(found, "on = 1 => y <= L + 1"));
}

TEST_CASE("fit: every fact holds of every state") {
  FitOptions options;
  options.most_literals = 2;
  const States all = states(1, 3);
  const auto facts = fit(0, names, all, options);
  CHECK(facts.size() > 10);
  for (const Fact& fact : facts) {
    const bool good = std::all_of(
        all.begin(), all.end(), [&](const std::vector<Word>& state) { return holds(fact, state); });
    CHECK_MESSAGE(good, to_text(fact, names));
  }
}

TEST_CASE("fit: values of which not every state is there settle no bound") {
  FitOptions options;
  options.most_literals = 0;
  for (Word w = 1; w <= 2; ++w) {
    for (Word l = 1; l <= 2; ++l) options.interior.insert({w, l});
  }
  States some = states(1, 3);
  some.push_back({9, 9, 2, 0, 0});  // a run that came as far as x = 2 of 9
  auto found = texts(fit(0, names, some, options));
  CHECK(has(found, "x <= W"));
  some.push_back({9, 9, 0, 12, 0});  // … and one that shows that y <= L + 1 was a guess
  found = texts(fit(0, names, some, options));
  CHECK_FALSE(has(found, "y <= L + 1"));
}

TEST_CASE("bounds: the least ones of an expression") {
  const FitOptions options;
  const auto found = bounds({{{2, 1}, {3, 1}}, 0}, names, states(1, 3), options);
  REQUIRE(found.size() == 1);
  CHECK(to_text(found[0], false, names) == "x + y <= W + L + 1");
}

}  // namespace txproof::checker::parametric
