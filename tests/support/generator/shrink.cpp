#include "tests/support/generator/shrink.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace txproof::test {

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

class Shrinker {
 public:
  Shrinker(std::string text, const std::function<bool(const std::string&)>& fails,
           std::size_t tries)
      : fails_(fails), tries_(tries), lines_(lines_of(text)) {}

  std::string run() {
    for (bool smaller = true; smaller && tries_ > 0;) {
      smaller = false;
      for (std::size_t size = std::max<std::size_t>(lines_.size() / 2, 1); size > 0; size /= 2) {
        while (remove_ranges(size)) smaller = true;
      }
      while (unwrap()) smaller = true;
      while (simplify()) smaller = true;
    }
    return text_of(lines_);
  }

 private:
  bool accept(Lines candidate) {
    if (tries_ == 0) return false;
    --tries_;
    if (!fails_(text_of(candidate))) return false;
    lines_ = std::move(candidate);
    return true;
  }

  // Ranges of `size` lines, and whole blocks that start there.
  bool remove_ranges(std::size_t size) {
    bool smaller = false;
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      const std::size_t end = size == 1 ? block_end(at) : at + size;
      if (end > lines_.size() || !balanced(at, end)) continue;
      Lines candidate = lines_;
      candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(at),
                      candidate.begin() + static_cast<std::ptrdiff_t>(end));
      if (accept(std::move(candidate))) smaller = true;
    }
    return smaller;
  }

  // A block loses its first and last line, or its other branches too.
  bool unwrap() {
    bool smaller = false;
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      const std::size_t end = block_end(at);
      if (end == at + 1) continue;
      std::size_t first_end = at + 1;
      for (int depth = 1; first_end + 1 < end; ++first_end) {
        depth += change(lines_[first_end]);
        if (depth == 1 && lines_[first_end].find('}') != std::string::npos &&
            lines_[first_end].find('{') != std::string::npos) {
          break;
        }
      }
      Lines candidate(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(at));
      candidate.insert(candidate.end(), lines_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                       lines_.begin() + static_cast<std::ptrdiff_t>(first_end));
      candidate.insert(candidate.end(), lines_.begin() + static_cast<std::ptrdiff_t>(end),
                       lines_.end());
      if (accept(std::move(candidate))) smaller = true;
    }
    return smaller;
  }

  // What stands in parentheses becomes a constant.
  bool simplify() {
    bool smaller = false;
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      for (std::size_t from = 0; from < lines_[at].size(); ++from) {
        if (lines_[at][from] != '(') continue;
        const std::size_t to = closing(lines_[at], from);
        if (to == std::string::npos || to <= from + 2) continue;
        for (const char* simple : {"0", "1", "true", "false"}) {
          Lines candidate = lines_;
          candidate[at].replace(from + 1, to - from - 1, simple);
          if (candidate[at].size() < lines_[at].size() && accept(std::move(candidate))) {
            smaller = true;
            break;
          }
        }
      }
    }
    return smaller;
  }

  static std::size_t closing(const std::string& line, std::size_t from) {
    int depth = 0;
    for (std::size_t i = from; i < line.size(); ++i) {
      if (line[i] == '(') ++depth;
      if (line[i] == ')' && --depth == 0) return i;
    }
    return std::string::npos;
  }

  static int change(const std::string& line) {
    return static_cast<int>(std::count(line.begin(), line.end(), '{') -
                            std::count(line.begin(), line.end(), '}'));
  }

  // Behind the block that begins at `at`; at + 1 if none begins there.
  [[nodiscard]] std::size_t block_end(std::size_t at) const {
    int depth = change(lines_[at]);
    std::size_t end = at + 1;
    for (; depth > 0 && end < lines_.size(); ++end) depth += change(lines_[end]);
    return end;
  }

  [[nodiscard]] bool balanced(std::size_t from, std::size_t to) const {
    int depth = 0;
    for (std::size_t i = from; i < to; ++i) {
      const std::string& line = lines_[i];
      if (line.find('}') < line.find('{')) {
        if (depth == 0) return false;  // "} else {" of a block that is not in the range
      }
      depth += change(line);
      if (depth < 0) return false;
    }
    return depth == 0;
  }

  const std::function<bool(const std::string&)>& fails_;
  std::size_t tries_;
  Lines lines_;
};

}  // namespace

std::string shrink(const std::string& text, const std::function<bool(const std::string&)>& fails,
                   std::size_t tries) {
  return Shrinker(text, fails, tries).run();
}

}  // namespace txproof::test
