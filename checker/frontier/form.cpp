#include "checker/frontier/form.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace txproof::checker::frontier {

using program::Word;

namespace {

constexpr std::size_t most_terms = 4;
constexpr int largest_coefficient = 2;

// One parameter, or the product of two.
struct Term {
  std::size_t a = 0;
  std::optional<std::size_t> b;
};

struct Candidate {
  std::vector<std::pair<std::size_t, int>> parts;  // number of the term, coefficient
};

class Fit {
 public:
  Fit(const std::vector<std::string>& names, const std::vector<Point>& points)
      : names_(names), points_(points) {
    for (std::size_t a = 0; a < names.size(); ++a) terms_.push_back({a, std::nullopt});
    for (std::size_t a = 0; a < names.size(); ++a) {
      for (std::size_t b = a + 1; b < names.size(); ++b) terms_.push_back({a, b});
    }
    for (const Term& term : terms_) {
      std::vector<Word>& column = columns_.emplace_back();
      for (const Point& point : points) {
        column.push_back(point.values[term.a] * (term.b ? point.values[*term.b] : 1));
      }
    }
  }

  std::optional<Form> run() {
    const bool some_hold =
        std::any_of(points_.begin(), points_.end(), [](const Point& p) { return p.holds; });
    const bool all_hold =
        std::all_of(points_.begin(), points_.end(), [](const Point& p) { return p.holds; });
    if (!some_hold || all_hold) return std::nullopt;
    // By cost; of equal cost those first whose constant is settled.
    for (int cost = 1; cost <= largest_cost(); ++cost) {
      best_.reset();
      Candidate candidate;
      extend(candidate, 0, cost);
      if (best_) return best_;
    }
    return std::nullopt;
  }

 private:
  [[nodiscard]] static int largest_cost() {
    return static_cast<int>(most_terms) * (largest_coefficient + 1);
  }
  [[nodiscard]] int price(std::size_t term, int coefficient) const {
    return std::abs(coefficient) + (terms_[term].b ? 1 : 0);
  }

  void extend(Candidate& candidate, std::size_t from, int left) {
    if (left == 0) return consider(candidate);
    if (candidate.parts.size() == most_terms) return;
    for (std::size_t term = from; term < terms_.size(); ++term) {
      for (int c = -largest_coefficient; c <= largest_coefficient; ++c) {
        if (c == 0 || price(term, c) > left) continue;
        candidate.parts.emplace_back(term, c);
        extend(candidate, term + 1, left - price(term, c));
        candidate.parts.pop_back();
      }
    }
  }

  void consider(const Candidate& candidate) {
    std::optional<Word> largest;   // where it holds
    std::optional<Word> smallest;  // where it does not
    for (std::size_t i = 0; i < points_.size(); ++i) {
      Word value = 0;
      for (const auto& [term, c] : candidate.parts) value += c * columns_[term][i];
      std::optional<Word>& side = points_[i].holds ? largest : smallest;
      if (!side || (points_[i].holds ? value > *side : value < *side)) side = value;
      if (largest && smallest && *largest >= *smallest) return;
    }
    const Word slack = *smallest - *largest - 1;
    if (best_ && best_->slack <= slack) return;
    best_ = Form{text(candidate, *largest), slack};
  }

  [[nodiscard]] std::string term_text(std::size_t term, int coefficient) const {
    std::string text = coefficient == 1 ? "" : std::to_string(coefficient) + "*";
    text += names_[terms_[term].a];
    if (terms_[term].b) text += "*" + names_[*terms_[term].b];
    return text;
  }

  // Sum of the parts <= constant, with negative parts on the other side.
  [[nodiscard]] std::string text(const Candidate& candidate, Word constant) const {
    std::string left;
    std::string right;
    for (const auto& [term, c] : candidate.parts) {
      std::string& side = c > 0 ? left : right;
      side += (side.empty() ? "" : " + ") + term_text(term, std::abs(c));
    }
    if (left.empty()) return std::to_string(-constant) + " <= " + right;
    if (right.empty()) return left + " <= " + std::to_string(constant);
    if (constant > 0) right += " + " + std::to_string(constant);
    if (constant < 0) right += " - " + std::to_string(-constant);
    return left + " <= " + right;
  }

  const std::vector<std::string>& names_;
  const std::vector<Point>& points_;
  std::vector<Term> terms_;
  std::vector<std::vector<Word>> columns_;  // by term: its value at each point
  std::optional<Form> best_;
};

}  // namespace

std::optional<Form> fit(const std::vector<std::string>& names, const std::vector<Point>& points) {
  return Fit(names, points).run();
}

std::vector<Trend> trends(std::size_t parameters, const std::vector<Point>& points) {
  std::vector<Trend> result;
  for (std::size_t p = 0; p < parameters; ++p) {
    // Points that differ in this parameter only, in its order.
    std::map<std::vector<Word>, std::vector<std::pair<Word, bool>>> lines;
    for (const Point& point : points) {
      std::vector<Word> others = point.values;
      others[p] = 0;
      lines[others].emplace_back(point.values[p], point.holds);
    }
    bool helps = false;
    bool hurts = false;
    for (auto& [others, line] : lines) {
      std::sort(line.begin(), line.end());
      for (std::size_t i = 0; i + 1 < line.size(); ++i) {
        helps = helps || (!line[i].second && line[i + 1].second);
        hurts = hurts || (line[i].second && !line[i + 1].second);
      }
    }
    result.push_back(helps && hurts ? Trend::mixed
                     : helps        ? Trend::helps
                     : hurts        ? Trend::hurts
                                    : Trend::none);
  }
  return result;
}

const char* to_string(Trend trend) {
  switch (trend) {
    case Trend::none:
      return "none";
    case Trend::helps:
      return "helps";
    case Trend::hurts:
      return "hurts";
    case Trend::mixed:
      return "mixed";
  }
  return "";
}

}  // namespace txproof::checker::frontier
