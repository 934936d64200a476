#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "cli/output.h"

namespace txproof::cli {

ProgressLine::ProgressLine(std::string what) : what_(std::move(what)) {
  const char* terminal = std::getenv("TERM");
  terminal_ =
      ::isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

void ProgressLine::show(const checker::Progress& progress) {
  if (progress.seconds < next_) return;
  next_ = progress.seconds + (terminal_ ? 0.2 : 10.0);
  const double rate =
      progress.seconds > 0 ? static_cast<double>(progress.states) / progress.seconds : 0;
  const std::string line = fmt::format(
      "{}: {} states, depth {}, frontier {}, {:.0f} states/s, {}, {:.0f} s", what_, progress.states,
      progress.depth, progress.frontier, rate, bytes_text(progress.bytes), progress.seconds);
  write(line);
}

void ProgressLine::note(const std::string& text, double seconds) {
  if (seconds < next_) return;
  next_ = seconds + (terminal_ ? 0.2 : 10.0);
  write(fmt::format("{}: {}, {:.0f} s", what_, text, seconds));
}

void ProgressLine::write(const std::string& line) {
  if (terminal_) {
    write_error("\r\x1b[K" + line);
    visible_ = true;
  } else {
    write_error(line + "\n");
  }
}

void ProgressLine::clear() {
  if (visible_) write_error("\r\x1b[K");
  visible_ = false;
}

std::string bytes_text(std::uint64_t bytes) {
  if (bytes < (1U << 20U)) return fmt::format("{} KiB", bytes >> 10U);
  if (bytes < (1U << 30U)) return fmt::format("{} MiB", bytes >> 20U);
  return fmt::format("{:.1f} GiB", static_cast<double>(bytes) / (1U << 30U));
}

}  // namespace txproof::cli
