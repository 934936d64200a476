#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <string_view>

namespace txproof::test {
namespace {

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

// The two ends of a pipe, closed when no longer needed, and never inherited by accident.
class Pipe {
 public:
  Pipe() {
    if (::pipe2(ends_.data(), O_CLOEXEC) != 0) fail("pipe");
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  std::array<int, 2> ends_{-1, -1};
};

// What happens in the child between fork and exec. Exit code 127 if it fails; the pipe `started`
// then carries errno.
[[noreturn]] void become(const std::vector<char*>& arguments, const RunOptions& options, int in,
                         int out, int err, int started) {
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : options.environment) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  if (options.folder.empty() || ::chdir(options.folder.c_str()) == 0) {
    ::execvp(arguments[0], arguments.data());
  }
  const int error = errno;
  if (::write(started, &error, sizeof error) < 0) ::_exit(126);
  ::_exit(127);
}

// Moves bytes until the child has closed both of its outputs. Input that it does not want to read
// is dropped.
void exchange(std::string_view input, Pipe& in, Pipe& out, Pipe& err, RunResult& result) {
  bool out_open = true;
  bool err_open = true;
  if (input.empty()) in.close_write();
  std::array<char, 65536> buffer;
  const auto drain = [&buffer](int from, std::string& into) {
    const ssize_t count = ::read(from, buffer.data(), buffer.size());
    if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
    return count > 0 || (count < 0 && errno == EINTR);
  };
  while (out_open || err_open) {
    std::array<pollfd, 3> waits{{{out_open ? out.read_end() : -1, POLLIN, 0},
                                 {err_open ? err.read_end() : -1, POLLIN, 0},
                                 {in.write_end(), POLLOUT, 0}}};
    if (::poll(waits.data(), waits.size(), -1) < 0) {
      if (errno == EINTR) continue;
      fail("poll");
    }
    if (waits[0].revents != 0) out_open = drain(out.read_end(), result.out);
    if (waits[1].revents != 0) err_open = drain(err.read_end(), result.err);
    if (waits[2].revents != 0) {
      const ssize_t count = ::write(in.write_end(), input.data(), input.size());
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      const bool retry = count < 0 && (errno == EINTR || errno == EAGAIN);
      if (input.empty() || (count < 0 && !retry)) in.close_write();
    }
  }
}

}  // namespace

RunResult run(const std::vector<std::string>& command, const RunOptions& options) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);

  Pipe in;
  Pipe out;
  Pipe err;
  Pipe started;
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    become(arguments, options, in.read_end(), out.write_end(), err.write_end(),
           started.write_end());
  }
  in.close_read();
  out.close_write();
  err.close_write();
  started.close_write();

  // A child that dies with input unread must not take this process with it, and a slow reader must
  // not block it.
  const auto previous = std::signal(SIGPIPE, SIG_IGN);
  ::fcntl(in.write_end(), F_SETFL, O_NONBLOCK);
  RunResult result;
  exchange(options.input, in, out, err, result);
  std::signal(SIGPIPE, previous);

  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  int error = 0;
  if (::read(started.read_end(), &error, sizeof error) == sizeof error) {
    errno = error;
    fail("cannot run " + command.at(0));
  }
  result.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

RunResult run_txproof(const std::vector<std::string>& arguments, const RunOptions& options) {
  std::vector<std::string> command{TXPROOF_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, options);
}

}  // namespace txproof::test
