#include "checker/frontier/form.h"

#include <doctest/doctest.h>

#include <functional>

using namespace txproof::checker::frontier;
using txproof::program::Word;

namespace {

// All points of 1..n in each parameter.
std::vector<Point> sweep(std::size_t parameters, Word n,
                         const std::function<bool(const std::vector<Word>&)>& holds) {
  std::vector<Point> points;
  std::vector<Word> values(parameters, 1);
  for (;;) {
    points.push_back({values, holds(values)});
    std::size_t p = 0;
    while (p < parameters && values[p] == n) values[p++] = 1;
    if (p == parameters) return points;
    ++values[p];
  }
}

std::string form(const std::vector<std::string>& names, Word n,
                 const std::function<bool(const std::vector<Word>&)>& holds) {
  const auto found = fit(names, sweep(names.size(), n, holds));
  return found ? found->text : "none";
}

}  // namespace

TEST_CASE("linear forms and products are found, in the model's syntax") {
  CHECK(form({"S", "W", "L", "R"}, 4,
             [](const auto& v) { return v[0] * v[1] <= v[2] + v[3] - 1; }) == "S*W <= L + R - 1");
  CHECK(form({"S", "W", "L"}, 4, [](const auto& v) { return v[0] * v[1] <= v[2]; }) == "S*W <= L");
  CHECK(form({"W", "L"}, 6, [](const auto& v) { return 2 * v[0] <= v[1] + 2; }) == "2*W <= L + 2");
  CHECK(form({"W", "L"}, 5, [](const auto& v) { return v[1] >= 3; }) == "3 <= L");
  CHECK(form({"W", "L"}, 5, [](const auto& v) { return v[0] <= 2; }) == "W <= 2");
}

TEST_CASE("what no form fits has none, nor has what never changes") {
  CHECK(form({"W", "L"}, 6, [](const auto& v) { return (v[0] + v[1]) % 2 == 0; }) == "none");
  CHECK(form({"W"}, 6, [](const auto&) { return true; }) == "none");
  CHECK(form({"W"}, 6, [](const auto&) { return false; }) == "none");
}

TEST_CASE("a constant that the points leave open is said to be open") {
  const auto found = fit({"W"}, {{{1}, true}, {{2}, true}, {{6}, false}, {{9}, false}});
  REQUIRE(found.has_value());
  CHECK(found->text == "W <= 2");
  CHECK(found->slack == 3);
}

TEST_CASE("trends are over all pairs of neighbours") {
  const auto points =
      sweep(4, 3, [](const auto& v) { return v[0] <= v[1] && (v[2] != 2 || v[0] == 1); });
  const std::vector<Trend> found = trends(4, points);
  CHECK(found[0] == Trend::hurts);
  CHECK(found[1] == Trend::helps);
  CHECK(found[2] == Trend::mixed);
  CHECK(found[3] == Trend::none);
}
