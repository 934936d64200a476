// The likeliest name behind a slip of the finger: optimal string alignment distance (Levenshtein
// with exchanges of neighbours), which rates `skb_ophran` as one slip.
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "model/lang/diagnostic.h"

namespace txproof::lang {

namespace {

// Longer names are never compared: the table is quadratic, and nobody misspells so much.
constexpr std::size_t kLongest = 200;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  if (name.size() < 2 || name.size() > kLongest) return {};
  const std::size_t allowed = std::max<std::size_t>(1, name.size() / 3);
  std::string best;
  std::size_t best_distance = allowed + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() < 2 || candidate == name) continue;
    const std::size_t longer = std::max(candidate.size(), name.size());
    const std::size_t shorter = std::min(candidate.size(), name.size());
    if (longer - shorter > allowed) continue;
    // A different case is the smallest slip of all.
    const std::size_t d = lower(candidate) == lower(name) ? 0 : distance(name, candidate);
    // Two letters that share none are no slip (`if` for `do`).
    if (d >= shorter) continue;
    if (d < best_distance || (d == best_distance && candidate < best)) {
      best = candidate;
      best_distance = d;
    }
  }
  return best;
}

}  // namespace txproof::lang
