// What the checker says about texts that are wrong, word for word.
//
// Each check_golden/x.tx has an x.expected beside it. With TXPROOF_UPDATE_GOLDEN=1 in the
// environment the expected files are written instead of compared; read the difference before it
// is committed.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "model/lang/frontend.h"
#include "tests/support/files.h"

namespace txproof::lang {
namespace {

namespace fs = std::filesystem;

class NoFiles : public FileProvider {
 public:
  Answer read(const std::string&) override { return {}; }
};

std::vector<fs::path> golden_models() {
  std::vector<fs::path> models;
  const fs::path folder = test::source_folder() / "tests/unit/model/lang/check_golden";
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".tx") models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  return models;
}

std::string messages(const std::string& name, const std::string& text) {
  NoFiles files;
  SourceSet sources;
  Diagnostics diagnostics;
  load_text(name, text, LoadOptions(), files, sources, diagnostics);
  diagnostics.sort();
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.all()) all += render(sources, diagnostic) + "\n";
  return all;
}

TEST_CASE("diagnostics of the checker, word for word") {
  REQUIRE(golden_models().size() >= 5);
  const char* update = std::getenv("TXPROOF_UPDATE_GOLDEN");
  for (const fs::path& model : golden_models()) {
    CAPTURE(model.string());
    fs::path expected = model;
    expected.replace_extension(".expected");
    const std::string found = messages(model.filename().string(), test::read_file(model));
    if (update && std::string(update) == "1") test::write_file(expected, found);
    CHECK(found == test::read_file(expected));
  }
}

TEST_CASE("every code of names and types has a case that shows it, and an explanation") {
  std::string all;
  for (const fs::path& model : golden_models()) {
    all += messages(model.filename().string(), test::read_file(model));
  }
  std::size_t rows = 0;
  for (const CodeInfo& info : all_codes()) {
    const std::string code = info.code;
    if (!code.starts_with("TX02") && !code.starts_with("TX03")) continue;
    ++rows;
    CAPTURE(code);
    CHECK(all.find("[" + code + "]") != std::string::npos);
    CHECK(std::string(info.explanation).find("\n    ") != std::string::npos);  // an example
  }
  CHECK(rows > 40);
  for (std::size_t at = all.find("[TX"); at != std::string::npos; at = all.find("[TX", at + 1)) {
    const std::string code = all.substr(at + 1, 6);
    CAPTURE(code);
    CHECK(find_code(code) != nullptr);
  }
}

}  // namespace
}  // namespace txproof::lang
