// Every patch of model/patches, on top of those that it is based on, applies to the tree without an
// offset and leaves a stack that can be checked. Its header says to which stack it belongs:
// `Upstream:`, `Stack:` and, if it sits on others, `Base:`.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/markdown.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

// The value of a header line of the patch, which stands above its first hunk.
std::optional<std::string> header(const std::string& patch, const std::string& key) {
  for (const std::string& line : split_lines(read_file(source_folder() / patch))) {
    if (line.starts_with("diff ") || line.starts_with("--- ")) break;
    if (line.starts_with(key + ": ")) return line.substr(key.size() + 2);
  }
  return std::nullopt;
}

// The patch behind all that it is based on, the lowest first.
std::vector<std::string> chain(const std::string& patch) {
  std::vector<std::string> patches{patch};
  for (auto base = header(patch, "Base"); base; base = header(patches.front(), "Base")) {
    patches.insert(patches.begin(), "model/patches/" + *base);
    REQUIRE(patches.size() < 16);
  }
  return patches;
}

std::vector<std::string> all_patches() {
  std::vector<std::string> patches;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / "model/patches")) {
    patches.push_back("model/patches/" + entry.path().filename().string());
  }
  std::sort(patches.begin(), patches.end());
  return patches;
}

}  // namespace

TEST_CASE("every patch applies to the tree") {
  const auto patches = all_patches();
  CHECK(patches.size() >= 3);
  for (const std::string& patch : patches) {
    CAPTURE(patch);
    REQUIRE(patch.ends_with(".patch"));
    CHECK(header(patch, "Upstream"));
    const auto stack = header(patch, "Stack");
    REQUIRE(stack);
    std::vector<std::string> command{"check", "model/stacks/" + *stack + ".tx", "--max-depth", "1"};
    for (const std::string& each : chain(patch)) command.insert(command.end(), {"--patch", each});
    const RunResult run = run_txproof(command, {.folder = source_folder()});
    CAPTURE(run.err);
    CHECK((run.exit_code == 0 || run.exit_code == 1 || run.exit_code == 3));
    CHECK(run.err.find("offset") == std::string::npos);
  }
}

}  // namespace txproof::test
