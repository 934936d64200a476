// The lines that the printer writes, and the comments and blank lines that it carries over.
//
// The tree knows nothing of comments. They are taken from the source in order: before an item is
// printed, all comments that stand before it are. One that has something before it on its line
// trails the line printed last; others get lines of their own. So no comment is ever lost, and
// printing twice changes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/lang/token.h"

namespace txproof::lang {

class PrintLines {
 public:
  PrintLines(std::string_view source, std::vector<Comment> comments)
      : source_(source), comments_(std::move(comments)) {}

  // A line at the present indentation, broken if it is too long.
  void line(const std::string& text, int outdent = 0);
  [[nodiscard]] bool fits(const std::string& text) const;
  void indent() { ++depth_; }
  void dedent() { --depth_; }
  // Behind an opening brace: no blank line follows.
  void opened() { fresh_ = true; }
  // Writes the comments before `offset` and, if the source has one there or `blank` demands it, a
  // blank line.
  void before_item(std::uint32_t offset, bool blank = false);
  // The same before a closing brace, where no blank line is kept.
  void before_close(std::uint32_t offset);
  [[nodiscard]] bool has_comment(std::uint32_t begin, std::uint32_t end) const;
  // The text: trailing comments of neighbouring lines aligned.
  [[nodiscard]] std::string finish() const;

 private:
  struct Line {
    std::string code;
    std::string trailing;
    bool is_comment = false;  // a further comment behind it is part of the line
  };
  void comments_before(std::uint32_t offset, bool& blank);
  void own_line(std::string_view comment);
  [[nodiscard]] bool blank_before(std::uint32_t offset) const;
  [[nodiscard]] bool trails(std::uint32_t offset) const;
  void blank_line();

  std::string_view source_;
  std::vector<Comment> comments_;
  std::size_t next_comment_ = 0;
  std::vector<Line> lines_;
  int depth_ = 0;
  bool fresh_ = true;
};

}  // namespace txproof::lang
