#include "checker/sampling/shorten.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "checker/explicit/search.h"
#include "checker/sampling/simulate.h"

namespace txproof::checker::sampling {

using program::Move;
using properties::Path;

namespace {

class LeaveOut {
 public:
  LeaveOut(const Plan& plan, program::PropertyId property, const ShortenOptions& options)
      : walk_(plan), property_(property), options_(options), started_(Clock::now()) {}

  Path run(Path path) {
    std::size_t chunk = (path.moves.size() + 1) / 2;
    while (chunk >= 1 && !late()) {
      bool shorter = false;
      for (std::size_t at = 0; at < path.moves.size() && !late();) {
        auto attempt = without(path, at, std::min(path.moves.size(), at + chunk));
        if (attempt) {
          path = std::move(*attempt);
          shorter = true;
        } else {
          at += chunk;
        }
      }
      if (chunk == 1 && !shorter) break;
      chunk = std::max<std::size_t>(1, chunk / 2);
    }
    return path;
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool late() const {
    const double passed = std::chrono::duration<double>(Clock::now() - started_).count();
    return passed >= options_.leave_out_seconds ||
           (options_.interrupted != nullptr && options_.interrupted->load());
  }

  // What can be made of the path without the moves first..last-1, if that ends in the violation.
  std::optional<Path> without(const Path& path, std::size_t first, std::size_t last) {
    walk_.reset();
    Path made;
    for (std::size_t i = 0; i < path.moves.size() && !walk_.broken(property_); ++i) {
      if (i >= first && i < last) continue;
      if (!walk_.enabled(path.moves[i].thread)) continue;
      if (walk_.move(path.moves[i]) == Walk::Outcome::impossible) continue;
      made.moves.push_back(walk_.made());
    }
    if (!walk_.broken(property_) || made.moves.size() >= path.moves.size()) return std::nullopt;
    tell(walk_.findings()[property_], made);
    return made;
  }

  Walk walk_;
  program::PropertyId property_;
  const ShortenOptions& options_;
  Clock::time_point started_;
};

}  // namespace

Shortened shorten(const Plan& plan, program::PropertyId property, Path path,
                  const ShortenOptions& options) {
  Shortened out;
  out.path = LeaveOut(plan, property, options).run(std::move(path));
  if (options.search_seconds <= 0 || out.path.moves.empty()) {
    out.shortest = out.path.moves.empty();
    return out;
  }
  SearchOptions search;
  search.max_depth = static_cast<std::uint32_t>(out.path.moves.size());
  search.time_limit = options.search_seconds;
  search.memory_limit = options.memory_limit;
  search.decide = {property};
  search.interrupted = options.interrupted;
  const properties::Exploration found = explore(plan.program, search);
  for (const properties::Result& result : found.results) {
    if (result.property != property || !result.path) continue;
    if (result.path->moves.size() <= out.path.moves.size()) {
      out.path = *result.path;
      out.shortest = true;
    }
  }
  return out;
}

}  // namespace txproof::checker::sampling
