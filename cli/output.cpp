#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
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

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Writes over what is there: for what is no plain file, or lies in a folder that cannot be written.
int overwrite(const std::string& path, std::string_view text) {
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  int error = write_all(descriptor, text);
  if (::close(descriptor) != 0 && error == 0) error = errno;
  return error;
}

// Puts a file in place as a whole, so that whoever reads it sees all of the old or all of the new
// one, whatever becomes of this process or of the disk. Until it is complete the new one has no
// name, where the file system can do that, so nothing is left of it either.
//   returns 0, or errno
int replace_file(const std::string& written, std::string_view text) {
  std::string path = written;
  struct stat now {};
  const bool exists = ::stat(path.c_str(), &now) == 0;
  if (exists && !S_ISREG(now.st_mode)) return overwrite(path, text);
  if (exists) {
    char* real = ::realpath(path.c_str(), nullptr);  // a link stays a link
    if (real != nullptr) path = real;
    std::free(real);
  }
  const std::string folder = folder_of(path);
  const std::string named = folder + "/.txproof-" + std::to_string(::getpid());
  int descriptor = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  const bool nameless = descriptor >= 0;
  if (!nameless) {
    descriptor = ::open(named.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  }
  if (descriptor < 0) return overwrite(path, text);
  int error = write_all(descriptor, text);
  if (error == 0 && exists) static_cast<void>(::fchmod(descriptor, now.st_mode & 07777U));
  if (error == 0 && nameless) {
    const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
    ::unlink(named.c_str());
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, named.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      ::close(descriptor);
      return overwrite(path, text);  // /proc is not there
    }
  }
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(named.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) ::unlink(named.c_str());
  return error;
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
  const int error = replace_file(path, text);
  return error == 0 ? "" : "cannot write '" + path + "': " + std::strerror(error);
}

std::string check_output(const Options& options) {
  if (options.output.empty() || options.output == "-") return "";
  struct stat now {};
  int error = 0;
  if (::stat(options.output.c_str(), &now) == 0) {
    // Opening a pipe would wait for its reader.
    if (S_ISDIR(now.st_mode)) error = EISDIR;
    if (error == 0 && ::access(options.output.c_str(), W_OK) != 0) error = errno;
  } else if (::access(folder_of(options.output).c_str(), W_OK | X_OK) != 0) {
    error = errno;
  }
  return error == 0 ? "" : "cannot write '" + options.output + "': " + std::strerror(error);
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
