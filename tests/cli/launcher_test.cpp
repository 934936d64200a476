// The script ./txproof, on a small tree of its own: it builds what is missing or out of date and is
// otherwise as good as the binary.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

namespace fs = std::filesystem;

// Prints its version, folder, arguments and input, and ends with status 3.
std::string program_of_version(const std::string& version) {
  return R"(#include <filesystem>
#include <iostream>
int main(int argc, char** argv) {
  std::cout << "version )" +
         version + R"(\n" << std::filesystem::current_path().string() << '\n';
  for (int i = 1; i < argc; ++i) std::cout << '[' << argv[i] << "]\n";
  std::cout << std::cin.rdbuf() << std::flush;
  return 3;
}
)";
}

void make_executable(const fs::path& file, const std::string& text) {
  write_file(file, text);
  fs::permissions(file, fs::perms::owner_all);
}

// A tree with the real scripts and a tool of one file, below a folder with a space in its name.
fs::path make_tree(const TemporaryFolder& folder) {
  fs::path tree = folder.path() / "a tree";
  fs::create_directories(tree);
  for (const char* name : {"txproof", "tools", "CMakePresets.json"}) {
    fs::copy(source_folder() / name, tree / name, fs::copy_options::recursive);
  }
  write_file(tree / "packages/build.txt", "cmake\n");
  write_file(tree / "CMakeLists.txt",
             "cmake_minimum_required(VERSION 3.22)\nproject(launched LANGUAGES CXX)\n"
             "set(CMAKE_CXX_STANDARD 20)\nadd_executable(txproof cli/main.cpp)\n");
  write_file(tree / "cli/main.cpp", program_of_version("1"));
  return tree;
}

// Runs the script or what it built, free of what the caller's environment says of the build folder.
RunResult launch(const std::vector<std::string>& command, RunOptions options = {}) {
  options.environment.insert(options.environment.begin(), {"TXPROOF_BUILD_DIR", ""});
  return run(command, options);
}

// The least wall time of several starts, in milliseconds: what the machine's other work adds is not
// the script's.
double least_milliseconds(const std::vector<std::string>& command) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 20; ++i) {
    const auto started = std::chrono::steady_clock::now();
    launch(command);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - started;
    least = std::min(least, taken.count());
  }
  return least;
}

}  // namespace

TEST_CASE("the launcher builds once, and keeps folder, arguments, input and status") {
  const TemporaryFolder folder;
  const fs::path tree = make_tree(folder);
  const fs::path elsewhere = folder.path() / "elsewhere";
  fs::create_directories(elsewhere);
  const std::string expected = "version 1\n" + elsewhere.string() + "\n[check]\n[a b]\n[]\nmodel\n";
  const RunOptions options{.input = "model\n", .folder = elsewhere};

  const RunResult first = launch({tree / "txproof", "check", "a b", ""}, options);
  CAPTURE(first.err);
  CHECK(first.exit_code == 3);
  CHECK(first.out == expected);
  CHECK(first.err.find("building") != std::string::npos);

  const RunResult second = launch({tree / "txproof", "check", "a b", ""}, options);
  CHECK(second.exit_code == 3);
  CHECK(second.out == expected);
  CHECK(second.err == "");

  fs::create_symlink(tree / "txproof", folder.path() / "link");
  CHECK(launch({folder.path() / "link", "check", "a b", ""}, options).out == expected);

  const double launched = least_milliseconds({tree / "txproof"});
  const double direct = least_milliseconds({tree / "build/release/txproof"});
  CHECK(launched - direct < 50.0);
}

TEST_CASE("the launcher builds again when a source is newer or the tree was moved") {
  const TemporaryFolder folder;
  const fs::path tree = make_tree(folder);
  CHECK(launch({tree / "txproof"}).out.starts_with("version 1\n"));

  write_file(tree / "cli/main.cpp", program_of_version("2"));
  CHECK(launch({tree / "txproof"}).out.starts_with("version 2\n"));

  const fs::path moved = folder.path() / "moved";
  fs::rename(tree, moved);
  const RunResult after = launch({moved / "txproof"});
  CHECK(after.exit_code == 3);
  CHECK(after.out.starts_with("version 2\n"));
}

TEST_CASE("the launcher never runs a tool that is out of date") {
  const TemporaryFolder folder;
  const fs::path tree = make_tree(folder);
  CHECK(launch({tree / "txproof"}).exit_code == 3);
  write_file(tree / "cli/main.cpp", "no C++\n");
  const RunResult result = launch({tree / "txproof"});
  CHECK(result.exit_code == 70);
  CHECK(result.out == "");
  CHECK(result.err.find("building failed") != std::string::npos);
}

TEST_CASE("the launcher says what it lacks, with status 2") {
  const TemporaryFolder folder;
  const fs::path tree = make_tree(folder);

  const RunResult unwritable =
      launch({tree / "txproof"}, {.environment = {{"TXPROOF_BUILD_DIR", "/proc/build"}}});
  CHECK(unwritable.exit_code == 2);
  CHECK(unwritable.err.find("cannot write to /proc/build") != std::string::npos);

  // A user who is not root, with a sudo that would ask for a password.
  write_file(tree / "packages/build.txt", "cmake\nno-such-package\n");
  make_executable(folder.path() / "bin/id", "#!/bin/sh\necho 1000\n");
  make_executable(folder.path() / "bin/sudo", "#!/bin/sh\nexit 1\n");
  const std::string path = (folder.path() / "bin").string() + ":" + std::getenv("PATH");
  const RunResult missing = launch({tree / "txproof"}, {.environment = {{"PATH", path}}});
  CHECK(missing.exit_code == 2);
  CHECK(missing.out == "");
  CHECK(missing.err.find("apt-get install no-such-package") != std::string::npos);
}

}  // namespace txproof::test
