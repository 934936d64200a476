#include "checker/diff/run_program.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

extern char** environ;  // NOLINT: what posix_spawn wants

namespace txproof::diff {

namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) == 0) {
      read_end = ends[0];
      write_end = ends[1];
    }
  }
  ~Pipe() {
    close_write();
    if (read_end >= 0) ::close(read_end);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write() {
    if (write_end >= 0) ::close(write_end);
    write_end = -1;
  }
};

// Reads once into `text`. Returns false at the end of the stream.
bool drain(int descriptor, std::string& text, std::size_t limit, bool& cut) {
  std::array<char, 65536> buffer{};
  const ssize_t n = ::read(descriptor, buffer.data(), buffer.size());
  if (n < 0) return errno == EINTR || errno == EAGAIN;
  if (n == 0) return false;
  const auto size = static_cast<std::size_t>(n);
  const std::size_t room = limit - text.size();
  text.append(buffer.data(), size < room ? size : room);
  if (size > room) cut = true;
  return true;
}

}  // namespace

ProgramOutput run_program(const std::vector<std::string>& arguments, std::size_t limit) {
  ProgramOutput output;
  Pipe out;
  Pipe error;
  if (out.read_end < 0 || error.read_end < 0 || arguments.empty()) return output;

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, error.write_end, 2);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));  // NOLINT: exec does not write there
  }
  argv.push_back(nullptr);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return output;
  output.started = true;
  out.close_write();
  error.close_write();

  bool out_open = true;
  bool error_open = true;
  bool error_cut = false;
  while ((out_open || error_open) && !output.cut) {
    std::array<pollfd, 2> wait = {pollfd{out_open ? out.read_end : -1, POLLIN, 0},
                                  pollfd{error_open ? error.read_end : -1, POLLIN, 0}};
    if (::poll(wait.data(), wait.size(), -1) < 0 && errno != EINTR) break;
    if (wait[0].revents != 0) out_open = drain(out.read_end, output.out, limit, output.cut);
    if (wait[1].revents != 0) {
      error_open = drain(error.read_end, output.error, 64U << 10U, error_cut);
    }
  }
  if (output.cut) ::kill(child, SIGTERM);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  output.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return output;
}

}  // namespace txproof::diff
