#include "cli/machine.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace txproof::cli {

namespace {

std::uint64_t free_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    std::uint64_t kilobytes = 0;
    if (word == "MemAvailable:" && file >> kilobytes) return kilobytes << 10U;
  }
  return 0;
}

// What the control group still allows; the largest number where there is no limit.
std::uint64_t group_memory() {
  std::ifstream limit_file("/sys/fs/cgroup/memory.max");
  std::ifstream used_file("/sys/fs/cgroup/memory.current");
  std::uint64_t limit = 0;
  std::uint64_t used = 0;
  if (!(limit_file >> limit) || !(used_file >> used)) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  return limit > used ? limit - used : 0;
}

}  // namespace

unsigned default_jobs() { return std::max(1U, std::thread::hardware_concurrency()); }

std::uint64_t default_memory_limit() {
  const std::uint64_t free = std::min(free_memory(), group_memory());
  return free / 4 * 3;
}

}  // namespace txproof::cli
