// Every input that fuzzing has kept, and the texts of the tree, through the same targets: what once
// broke stays mended without a fuzzer at hand.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/fuzz/targets.h"
#include "tests/support/files.h"

namespace txproof::test {
namespace {

namespace fs = std::filesystem;

TEST_CASE("fuzz: each kept input keeps the promises of its target") {
  for (const fuzz::Target& target : fuzz::targets) {
    int inputs = 0;
    for (const auto& entry :
         fs::directory_iterator(source_folder() / "tests/fuzz/corpus" / target.name)) {
      CAPTURE(entry.path().string());
      target.run(read_file(entry.path()));
      ++inputs;
    }
    CAPTURE(target.name);
    CHECK(inputs >= 5);
  }
}

TEST_CASE("fuzz: the texts of the tree, whole and cut at many places") {
  int inputs = 0;
  for (const char* folder : {"model", "properties"}) {
    for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".tx" && extension != ".patch") continue;
      const auto run = extension == ".tx" ? fuzz::model : fuzz::patch;
      const std::string text = read_file(entry.path());
      CAPTURE(entry.path().string());
      run(text);
      for (std::size_t cut = 1; cut < 8; ++cut) run(text.substr(0, text.size() * cut / 8));
      ++inputs;
    }
  }
  CHECK(inputs > 50);
}

}  // namespace
}  // namespace txproof::test
