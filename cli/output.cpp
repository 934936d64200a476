#include "cli/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace txproof::cli {

namespace {

// Returns 0, or errno.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

}  // namespace

bool use_color(const Options& options) {
  if (options.color == Color::always) return true;
  if (options.color == Color::never || !options.output.empty()) return false;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return ::isatty(STDOUT_FILENO) == 1;
}

std::string write_file(const std::string& path, const std::string& text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return "cannot write '" + path + "': " + std::strerror(errno);
  int error = write_all(descriptor, text);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) return "cannot write '" + path + "': " + std::strerror(error);
  return "";
}

std::string check_output(const Options& options) {
  if (options.output.empty() || options.output == "-") return "";
  const int descriptor = ::open(options.output.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) return "cannot write '" + options.output + "': " + std::strerror(errno);
  ::close(descriptor);
  return "";
}

properties::ExitStatus write_result(const Options& options, const std::string& text,
                                    properties::ExitStatus status) {
  if (options.format == Format::itf && text.empty()) say("there is no trace to write as ITF");
  if (!options.output.empty() && options.output != "-") {
    const std::string error = write_file(options.output, text);
    if (error.empty()) return status;
    say(error);
    return properties::worse(status, properties::ExitStatus::unusable);
  }
  const int error = write_all(STDOUT_FILENO, text);
  if (error == 0) return status;
  // Whoever closed the pipe has read enough.
  if (error != EPIPE) say(std::string("cannot write the result: ") + std::strerror(error));
  return properties::worse(status, properties::ExitStatus::unusable);
}

void write_error(const std::string& text) { write_all(STDERR_FILENO, text); }

void say(const std::string& text) { write_error("txproof: " + text + "\n"); }

}  // namespace txproof::cli
