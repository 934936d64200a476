// The small models of tests/scenario/language/, each before and after its fix, as its first lines
// say:
//   // before: violated PROPERTY
//   // after: holds                      with NAME.patch
//   // partial-1: violated PROPERTY       with NAME.partial-1.patch: half of a fix is no fix
//   // flags: --interleave fine           (optional)
// Adding a test is adding a file. The real bugs are in model/corpus, and in corpus_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/expectation.h"
#include "tests/support/files.h"
#include "tests/support/markdown.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

std::vector<std::filesystem::path> models(const std::string& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() / folder)) {
    if (entry.path().extension() == ".tx") found.push_back(entry.path());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> flags(const std::vector<HeaderLine>& header) {
  std::vector<std::string> words;
  for (const HeaderLine& line : header) {
    if (line.key == "flags") words = split_words(line.value);
  }
  return words;
}

// The patch of a variant, whether it exists or not: NAME.patch of `after`, else NAME.VARIANT.patch.
std::filesystem::path patch_of(const std::filesystem::path& model, const std::string& variant) {
  std::filesystem::path patch = model;
  patch.replace_extension(variant == "after" ? ".patch" : "." + variant + ".patch");
  return patch;
}

bool names_a_variant(const std::filesystem::path& model, const std::string& key) {
  return key == "before" || key == "after" || key.starts_with("partial-") ||
         std::filesystem::exists(patch_of(model, key));
}

// The command that checks one variant of a model.
std::vector<std::string> check_command(const std::filesystem::path& model,
                                       const std::string& variant,
                                       const std::vector<std::string>& model_flags) {
  std::vector<std::string> command{"check", model.string(), "--format", "json"};
  command.insert(command.end(), model_flags.begin(), model_flags.end());
  if (variant != "before") {
    command.insert(command.end(), {"--patch", patch_of(model, variant).string()});
  }
  return command;
}

// The name of every patch that belongs to a model.
std::set<std::string> patches_beside(const std::filesystem::path& model) {
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(model.parent_path())) {
    const bool of_model = entry.path().filename().string().starts_with(model.stem().string() + ".");
    if (of_model && entry.path().extension() == ".patch") found.insert(entry.path().filename());
  }
  return found;
}

// A report without what may differ between two runs.
nlohmann::json lasting_part(const std::string& text) {
  nlohmann::json report = nlohmann::json::parse(text);
  for (auto& result : report.at("results")) result.erase("seconds");
  return report;
}

}  // namespace

TEST_CASE("models before and after their fixes come out as they say") {
  const auto all = models("tests/scenario/language");
  REQUIRE(all.size() >= 4);
  for (const auto& model : all) {
    CAPTURE(model.filename().string());
    const auto header = header_lines(read_file(model));
    std::set<std::string> untested = patches_beside(model);
    int variants = 0;
    for (const HeaderLine& line : header) {
      if (!names_a_variant(model, line.key)) continue;
      ++variants;
      untested.erase(patch_of(model, line.key).filename());
      CAPTURE(line.key);
      const RunResult result = run_txproof(check_command(model, line.key, flags(header)));
      CHECK(mismatch(parse_expectation(line.value), result) == "");
    }
    CHECK(variants >= 2);
    CHECK(untested == std::set<std::string>{});
  }
}

TEST_CASE("the number of threads changes no verdict and no trace") {
  auto all = models("tests/scenario/language");
  for (const auto& model : models("model/corpus")) all.push_back(model);
  for (const auto& model : all) {
    CAPTURE(model.filename().string());
    auto command = check_command(model, "before", flags(header_lines(read_file(model))));
    command.insert(command.end(), {"--jobs", "1"});
    const RunResult one = run_txproof(command);
    command.back() = "4";
    const RunResult four = run_txproof(command);
    REQUIRE(one.exit_code == four.exit_code);
    CHECK(lasting_part(one.out) == lasting_part(four.out));
  }
}

}  // namespace txproof::test
