#include "model/lang/diagnostic.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace txproof::lang {

Diagnostic& Diagnostics::error(std::string code, Span span, std::string message) {
  ++errors_;
  return list_.emplace_back(
      Diagnostic{Severity::error, std::move(code), span, std::move(message), {}});
}

Diagnostic& Diagnostics::warning(std::string code, Span span, std::string message) {
  return list_.emplace_back(
      Diagnostic{Severity::warning, std::move(code), span, std::move(message), {}});
}

void Diagnostics::sort() {
  auto key = [](const Diagnostic& d) { return std::tie(d.span.file, d.span.begin); };
  std::stable_sort(list_.begin(), list_.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
  // Duplicates need not be neighbours: two messages may share a place.
  std::vector<Diagnostic> kept;
  for (Diagnostic& candidate : list_) {
    bool seen = false;
    for (auto it = kept.rbegin(); it != kept.rend() && key(*it) == key(candidate); ++it) {
      seen = seen || (it->severity == candidate.severity && it->code == candidate.code &&
                      it->span == candidate.span && it->message == candidate.message);
    }
    if (!seen) kept.push_back(std::move(candidate));
  }
  list_ = std::move(kept);
  errors_ =
      static_cast<std::size_t>(std::count_if(list_.begin(), list_.end(), [](const Diagnostic& d) {
        return d.severity == Severity::error;
      }));
}

}  // namespace txproof::lang
