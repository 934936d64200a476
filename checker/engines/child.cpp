#include "checker/engines/child.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>

namespace txproof::checker {

namespace {

constexpr double grace = 5;

void write_whole(int descriptor, const std::string& text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n = ::write(descriptor, text.data() + done, text.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    done += static_cast<std::size_t>(n);
  }
}

// The first byte says what follows: an answer, or the message of an exception.
[[noreturn]] void work_and_exit(const std::function<std::string()>& work, int descriptor) {
  std::string said;
  try {
    said = "a" + work();
  } catch (const std::bad_alloc&) {
    said = "m";
  } catch (const std::exception& error) {
    said = std::string("e") + error.what();
  }
  static_cast<void>(std::fflush(nullptr));
  write_whole(descriptor, said);
  ::_exit(0);
}

}  // namespace

ChildEnd in_child(const std::function<std::string()>& work, std::optional<double> limit,
                  const std::atomic<bool>* interrupted) {
  using Clock = std::chrono::steady_clock;
  std::array<int, 2> pipe{};
  static_cast<void>(std::fflush(nullptr));  // or both would write what is buffered
  if (::pipe(pipe.data()) != 0) throw std::runtime_error(std::strerror(errno));
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error(std::string("fork: ") + std::strerror(errno));
  if (child == 0) {
    ::close(pipe[0]);
    work_and_exit(work, pipe[1]);
  }
  ::close(pipe[1]);

  ChildEnd end;
  std::string said;
  std::optional<Clock::time_point> deadline;
  const auto in = [](double seconds) {
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  };
  constexpr double for_ever = 1e8;
  if (limit && *limit < for_ever) deadline = in(*limit + grace);
  bool told = false;
  while (true) {
    pollfd ready{pipe[0], POLLIN, 0};
    if (::poll(&ready, 1, 100) > 0) {
      std::array<char, 1U << 16U> buffer{};
      const ssize_t n = ::read(pipe[0], buffer.data(), buffer.size());
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) break;
      said.append(buffer.data(), static_cast<std::size_t>(n));
      continue;
    }
    if (!told && interrupted != nullptr && interrupted->load()) {
      told = true;
      ::kill(child, SIGINT);
      deadline = in(grace);
    }
    if (deadline && Clock::now() >= *deadline) {
      (told ? end.interrupted : end.overran) = true;
      ::kill(child, SIGKILL);
      break;
    }
  }
  ::close(pipe[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (end.overran || end.interrupted) return end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else if (said.empty()) {
    end.signal = SIGABRT;
  } else if (said[0] == 'm') {
    throw std::bad_alloc();
  } else {
    (said[0] == 'a' ? end.answer.emplace() : end.error) = said.substr(1);
  }
  return end;
}

}  // namespace txproof::checker
