// The package: installed into a folder, moved elsewhere, and used from there by a project that
// knows nothing of this tree.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

namespace fs = std::filesystem;

void succeeds(const std::vector<std::string>& command, const fs::path& folder) {
  const RunResult result = run(command, {.folder = folder});
  INFO(result.out);
  INFO(result.err);
  REQUIRE(result.exit_code == 0);
}

// Every file below that names `words`.
std::vector<std::string> files_with(const fs::path& folder, const std::string& words) {
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (!entry.is_regular_file() || extension == ".a") continue;
    if (read_file(entry.path()).find(words) != std::string::npos) {
      found.push_back(entry.path().string());
    }
  }
  return found;
}

TEST_CASE("the example project builds against the installed package, and its tests pass") {
  const TemporaryFolder folder;
  const fs::path first = folder.path() / "first";
  succeeds({"cmake", "--install", TXPROOF_BUILD_DIR, "--component", "package", "--prefix",
            first.string()},
           folder.path());
  CHECK(files_with(first, source_folder().string()).empty());
  CHECK(files_with(first, first.string()).empty());

  const fs::path prefix = folder.path() / "moved";
  fs::rename(first, prefix);
  const fs::path project = folder.path() / "project";
  fs::copy(source_folder() / "examples/ci-property-tests", project, fs::copy_options::recursive);
  succeeds({"cmake", "-G", "Ninja", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Debug",
            "-DCMAKE_PREFIX_PATH=" + prefix.string()},
           project);
  succeeds({"cmake", "--build", "build"}, project);
  succeeds({"ctest", "--test-dir", "build", "--output-on-failure"}, project);
}

}  // namespace
}  // namespace txproof::test
