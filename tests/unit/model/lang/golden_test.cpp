// Each golden/*.tx is parsed, and what is said about it compared with the .expected beside it.
// The first line of each says why it exists.
#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "model/lang/frontend.h"

using namespace txproof::lang;

TEST_CASE("golden diagnostics") {
  const std::filesystem::path folder =
      std::filesystem::path(TXPROOF_SOURCE_DIR) / "tests/unit/model/lang/golden";
  std::set<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".tx") models.insert(entry.path());
  }
  CHECK(models.size() >= 10);
  DiskFiles files;
  for (const auto& path : models) {
    CAPTURE(path.filename().string());
    const auto text = files.read(path.string()).text;
    const auto expected =
        files.read(std::filesystem::path(path).replace_extension(".expected").string()).text;
    REQUIRE(text);
    REQUIRE(expected);
    SourceSet sources;
    Diagnostics diagnostics;
    const FileId id = sources.add(path.filename().string(), *text);
    parse_file(sources, id, diagnostics);
    diagnostics.sort();
    std::string said;
    for (const Diagnostic& diagnostic : diagnostics.all()) {
      said += render(sources, diagnostic);
      CHECK(find_code(diagnostic.code) != nullptr);
    }
    CHECK(said == *expected);
  }
}
