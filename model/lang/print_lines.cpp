#include "model/lang/print_lines.h"

#include <algorithm>
#include <array>

namespace txproof::lang {

namespace {

constexpr std::size_t kIndent = 4;
constexpr std::size_t kWidth = 100;
constexpr std::size_t kAlignUpTo = 72;  // code longer than this is not waited for

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

std::string_view trim_right(std::string_view text) {
  const std::size_t last = text.find_last_not_of(" \t\r\f\v");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

// Where a line that is too long is best broken: outside as many brackets as can be, and there as
// far to the right as fits. Returns 0 if nowhere. The blank at that place is dropped.
std::size_t break_at(const std::string& text, std::size_t from) {
  static constexpr auto kBefore = std::to_array<std::string_view>(
      {"&& ", "|| ", "=> ", "? ", ": ", "+ ", "- ", "where ", "when ", "outside ", "assuming ",
       "leads_to ", ">= ", "<= ", "= "});
  std::size_t best = 0;
  int best_depth = 1000;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size() && i < kWidth; ++i) {
    const char c = text[i];
    if (quoted && c == '\\') ++i;
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c != ' ' || i <= from + kIndent) continue;
    bool candidate = text[i - 1] == ',' || text[i - 1] == ':';
    for (const std::string_view op : kBefore) {
      candidate = candidate || std::string_view(text).substr(i + 1, op.size()) == op;
    }
    if (candidate && depth <= best_depth) {
      best = i;
      best_depth = depth;
    }
  }
  return best;
}

}  // namespace

void PrintLines::line(const std::string& text, int outdent) {
  fresh_ = false;
  const auto levels = static_cast<std::size_t>(std::max(depth_ - outdent, 0));
  std::string rest = std::string(levels * kIndent, ' ') + text;
  const std::string next_indent((levels + 2) * kIndent, ' ');
  std::size_t from = levels * kIndent;
  while (width(rest) > kWidth) {
    const std::size_t at = break_at(rest, from);
    if (at == 0) break;
    lines_.push_back({rest.substr(0, at), {}});
    rest = next_indent + rest.substr(at + 1);
    from = next_indent.size();
  }
  lines_.push_back({std::move(rest), {}});
}

bool PrintLines::fits(const std::string& text) const {
  return width(text) + static_cast<std::size_t>(depth_) * kIndent <= kWidth;
}

bool PrintLines::blank_before(std::uint32_t offset) const {
  std::size_t newlines = 0;
  for (std::size_t i = offset; i > 0 && is_space(source_[i - 1]); --i) {
    if (source_[i - 1] == '\n') ++newlines;
  }
  return newlines >= 2;
}

bool PrintLines::trails(std::uint32_t offset) const {
  for (std::size_t i = offset; i > 0 && source_[i - 1] != '\n'; --i) {
    if (!is_space(source_[i - 1])) return true;
  }
  return false;
}

void PrintLines::blank_line() {
  if (!fresh_ && !lines_.empty() && !lines_.back().code.empty()) lines_.push_back({});
}

void PrintLines::own_line(std::string_view comment) {
  fresh_ = false;
  const std::string margin(static_cast<std::size_t>(depth_) * kIndent, ' ');
  for (std::size_t at = 0; at <= comment.size();) {
    const std::size_t end = std::min(comment.find('\n', at), comment.size());
    std::string_view text = trim_right(comment.substr(at, end - at));
    const std::size_t first = text.find_first_not_of(" \t");
    if (at == 0) {
      lines_.push_back({margin + std::string(text), {}, true});
    } else if (first != std::string_view::npos && text[first] == '*') {
      lines_.push_back({margin + " " + std::string(text.substr(first)), {}, true});
    } else {
      lines_.push_back({std::string(text), {}, true});
    }
    at = end + 1;
  }
}

void PrintLines::comments_before(std::uint32_t offset, bool& blank) {
  while (next_comment_ < comments_.size() && comments_[next_comment_].begin < offset) {
    const Comment comment = comments_[next_comment_++];
    const std::string_view text =
        trim_right(source_.substr(comment.begin, comment.end - comment.begin));
    const bool one_line = text.find('\n') == std::string_view::npos;
    if (one_line && trails(comment.begin) && !lines_.empty()) {
      const bool joins = lines_.back().is_comment;
      std::string& trailing = joins ? lines_.back().code : lines_.back().trailing;
      trailing += (trailing.empty() ? "" : " ") + std::string(text);
      continue;
    }
    if (blank || blank_before(comment.begin)) blank_line();
    blank = false;
    own_line(text);
  }
}

void PrintLines::before_item(std::uint32_t offset, bool blank) {
  comments_before(offset, blank);
  if (blank || blank_before(offset)) blank_line();
}

void PrintLines::before_close(std::uint32_t offset) {
  bool blank = false;
  comments_before(offset, blank);
}

bool PrintLines::has_comment(std::uint32_t begin, std::uint32_t end) const {
  return std::any_of(
      comments_.begin() + static_cast<std::ptrdiff_t>(next_comment_), comments_.end(),
      [&](const Comment& comment) { return comment.begin >= begin && comment.begin < end; });
}

std::string PrintLines::finish() const {
  std::string result;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    result += lines_[i].code;
    if (!lines_[i].trailing.empty()) {
      // The column of the run of lines that have a comment.
      const auto in_run = [&](std::size_t k) { return !lines_[k].trailing.empty(); };
      std::size_t first = i;
      std::size_t last = i;
      while (first > 0 && in_run(first - 1)) --first;
      while (last + 1 < lines_.size() && in_run(last + 1)) ++last;
      std::size_t column = 0;
      for (std::size_t k = first; k <= last; ++k) {
        const std::size_t w = width(lines_[k].code);
        if (w <= kAlignUpTo) column = std::max(column, w);
      }
      const std::size_t own = width(lines_[i].code);
      result += std::string(column > own ? column - own : 0, ' ') + "  " + lines_[i].trailing;
    }
    result += "\n";
  }
  return result;
}

}  // namespace txproof::lang
