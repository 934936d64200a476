// How far a search is, on standard error: one line that is rewritten on a terminal, a full line now
// and then elsewhere, nothing in the first second.
#pragma once

#include <string>

#include "checker/explicit/search.h"

namespace txproof::cli {

class ProgressLine {
 public:
  explicit ProgressLine(std::string what);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(const checker::Progress& progress);
  // What goes on, in words, `seconds` after the beginning.
  void note(const std::string& text, double seconds);
  // Takes the line away, so that something else can be written.
  void clear();

 private:
  void write(const std::string& line);

  std::string what_;
  bool terminal_ = false;
  bool visible_ = false;
  double next_ = 1.0;  // seconds
};

// "1.2 GiB"
std::string bytes_text(std::uint64_t bytes);

}  // namespace txproof::cli
