// The corpus of real bugs: every model of model/corpus comes out as its first lines say.
//   // corpus: C05
//   // bug: what goes wrong, in a few words
//   // before: violated PROPERTY          without an option: the bug is found
//   // trace: PHRASE; PHRASE; …           and the trace tells how, in this order
//   // after: holds                       with NAME.patch, and nothing holds vacuously
//   // larger: CPUS=3 CPUS=4              and still with these parameters, one after the other
//   // partial-1: violated PROPERTY       with NAME.partial-1.patch: half a fix, a rejected one, a
//   mutant
// A `trace` line belongs to the variant above it and to the first property named there; several are
// one list. docs/corpus.md has the table of all variants; TXPROOF_UPDATE_DOCS=1 writes it anew.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/expectation.h"
#include "tests/support/files.h"
#include "tests/support/markdown.h"
#include "tests/support/process.h"
#include "tests/support/trace_text.h"

namespace txproof::test {
namespace {

struct Variant {
  std::string name;                // "before", "after", "partial-1", …
  std::string expected;            // the words after it
  std::vector<std::string> trace;  // phrases
};

struct Entry {
  std::filesystem::path model;
  std::string corpus;  // "C05"
  std::string bug;     // in a few words
  std::vector<Variant> variants;
  std::vector<std::string> larger;  // parameters with which the fix must hold too
};

// Phrases between semicolons.
std::vector<std::string> phrases(const std::string& text) {
  std::vector<std::string> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(';', at), text.size());
    const std::size_t first = text.find_first_not_of(' ', at);
    if (first < end) found.push_back(text.substr(first, end - first));
    at = end + 1;
  }
  return found;
}

Entry read_entry(const std::filesystem::path& model) {
  Entry entry{model, "", "", {}, {}};
  for (const HeaderLine& line : header_lines(read_file(model))) {
    if (line.key == "corpus") {
      entry.corpus = line.value.substr(0, 3);
    } else if (line.key == "bug") {
      entry.bug = line.value;
    } else if (line.key == "before" || line.key == "after" || line.key.starts_with("partial-") ||
               line.key.starts_with("alternative-")) {
      entry.variants.push_back({line.key, line.value, {}});
    } else if (line.key == "larger") {
      entry.larger = split_words(line.value);
    } else if (line.key == "trace" && !entry.variants.empty()) {
      for (std::string& phrase : phrases(line.value)) {
        entry.variants.back().trace.push_back(std::move(phrase));
      }
    }
  }
  return entry;
}

std::vector<Entry> entries() {
  std::vector<Entry> found;
  for (const auto& file : std::filesystem::directory_iterator(source_folder() / "model/corpus")) {
    if (file.path().extension() == ".tx") found.push_back(read_entry(file.path()));
  }
  std::ranges::sort(found, [](const Entry& a, const Entry& b) {
    return a.corpus != b.corpus ? a.corpus < b.corpus : a.model < b.model;
  });
  return found;
}

std::string patch_name(const Entry& entry, const Variant& variant) {
  const std::string stem = entry.model.stem().string();
  return variant.name == "after" ? stem + ".patch" : stem + "." + variant.name + ".patch";
}

std::set<std::string> patches_beside(const Entry& entry) {
  std::set<std::string> found;
  for (const auto& file : std::filesystem::directory_iterator(entry.model.parent_path())) {
    const std::string name = file.path().filename().string();
    if (name.starts_with(entry.model.stem().string() + ".") && name.ends_with(".patch")) {
      found.insert(name);
    }
  }
  return found;
}

RunResult check(const Entry& entry, const Variant& variant, const std::string& set = "") {
  const std::string folder = "model/corpus/";
  std::vector<std::string> command{"check", folder + entry.model.filename().string(), "--format",
                                   "json"};
  if (variant.name != "before") {
    command.insert(command.end(), {"--patch", folder + patch_name(entry, variant)});
  }
  if (!set.empty()) command.insert(command.end(), {"--set", set});
  return run_txproof(command, {.folder = source_folder()});
}

// The first phrase that the trace lacks after those before it; empty: it has them all, in order.
std::string missing_phrase(const std::string& text, const std::vector<std::string>& wanted) {
  std::size_t at = 0;
  for (const std::string& phrase : wanted) {
    const std::size_t found = text.find(phrase, at);
    if (found == std::string::npos) return phrase;
    at = found + phrase.size();
  }
  return {};
}

// What is wrong with the trace of a violated variant; empty if nothing is.
std::string wrong_trace(const Variant& variant, const nlohmann::json& report) {
  const Expectation expected = parse_expectation(variant.expected);
  for (const auto& result : report.at("results")) {
    if (result.at("property") != expected.names.front()) continue;
    if (!result.contains("trace")) return "there is no trace";
    const std::string text = trace_text(result.at("trace"));
    const std::string missing = missing_phrase(text, variant.trace);
    return missing.empty() ? ""
                           : "not in the trace, or not in this order: " + missing + "\n" + text;
  }
  return "there is no such property";
}

std::string vacuous_properties(const nlohmann::json& report) {
  std::string found;
  for (const auto& result : report.at("results")) {
    if (result.contains("vacuous")) found += result.at("property").get<std::string>() + " ";
  }
  return found;
}

// A line of the table in docs/corpus.md.
std::string table_row(const Entry& entry, const Variant& variant, const nlohmann::json& report) {
  std::string properties;
  std::string told;
  std::uint64_t states = 0;
  std::size_t steps = 0;
  for (const auto& result : report.at("results")) {
    states = std::max(states, result.at("states").get<std::uint64_t>());
    if (result.at("verdict") != "violated") continue;
    if (steps == 0) steps = result.at("trace").at("steps").size();
    properties += (properties.empty() ? "" : ", ") + result.at("property").get<std::string>();
  }
  if (properties.empty()) {
    told = "holds | –";
  } else {
    told = properties + " | " + std::to_string(steps);
  }
  const std::string what =
      variant.name == "before"
          ? entry.bug
          : split_lines(read_file(entry.model.parent_path() / patch_name(entry, variant))).front();
  return "| " + entry.corpus + " | " + entry.model.stem().string() + " | " + variant.name + " | " +
         what + " | " + told + " | " + std::to_string(states) + " | " +
         report.at("interleave").get<std::string>() + ", " +
         report.at("memory").get<std::string>() + " |";
}

// The lines of the table in docs/corpus.md: those between its head and the next empty line.
struct Table {
  std::vector<std::string> lines;  // of the document
  std::size_t first = 0;           // after the head
  std::size_t end = 0;
};

Table documented_table() {
  Table table{split_lines(read_file(source_folder() / "docs/corpus.md"))};
  const auto head = std::ranges::find(table.lines, "|---|---|---|---|---|---|---|---|");
  REQUIRE(head != table.lines.end());
  const auto end = std::find(head, table.lines.end(), "");
  table.first = static_cast<std::size_t>(head - table.lines.begin()) + 1;
  table.end = static_cast<std::size_t>(end - table.lines.begin());
  return table;
}

void compare_or_write(const std::vector<std::string>& rows) {
  Table table = documented_table();
  const auto at = [&](std::size_t i) {
    return table.lines.begin() + static_cast<std::ptrdiff_t>(i);
  };
  if (std::getenv("TXPROOF_UPDATE_DOCS") != nullptr) {
    const auto after = table.lines.erase(at(table.first), at(table.end));
    table.lines.insert(after, rows.begin(), rows.end());
    write_file(source_folder() / "docs/corpus.md", join_lines(table.lines));
    return;
  }
  CHECK(join_lines({at(table.first), at(table.end)}) == join_lines(rows));
}

}  // namespace

TEST_CASE("phrases of a trace are looked for in their order") {
  CHECK(phrases(" a b; c ;; d") == std::vector<std::string>{"a b", "c ", "d"});
  CHECK(missing_phrase("one two three", {"one", "three"}).empty());
  CHECK(missing_phrase("one two three", {"three", "one"}) == "one");
}

TEST_CASE("every bug of the corpus is found before its fix, and gone after it") {
  std::vector<std::string> rows;
  for (const Entry& entry : entries()) {
    CAPTURE(entry.model.filename().string());
    CHECK(entry.corpus.starts_with("C"));
    CHECK(entry.bug != "");
    REQUIRE(entry.variants.size() >= 2);
    CHECK(entry.variants[0].name == "before");
    CHECK(entry.variants[0].expected.starts_with("violated"));
    CHECK(entry.variants[0].trace.size() >= 2);
    CHECK(entry.variants[1].name == "after");
    CHECK(entry.variants[1].expected == "holds");
    std::set<std::string> untested = patches_beside(entry);
    for (const Variant& variant : entry.variants) {
      CAPTURE(variant.name);
      untested.erase(patch_name(entry, variant));
      const RunResult run = check(entry, variant);
      CHECK(run.err.find("offset") == std::string::npos);
      const std::string wrong = mismatch(parse_expectation(variant.expected), run);
      CHECK(wrong == "");
      if (!wrong.empty()) continue;
      const nlohmann::json report = nlohmann::json::parse(run.out);
      if (variant.expected == "holds") {
        CHECK(vacuous_properties(report) == "");
      } else {
        CHECK(wrong_trace(variant, report) == "");
      }
      rows.push_back(table_row(entry, variant, report));
    }
    CHECK(untested == std::set<std::string>{});
  }
  compare_or_write(rows);
}

TEST_CASE("the fixes hold for more processors and packets, too") {
  int compared = 0;
  for (const Entry& entry : entries()) {
    for (const std::string& set : entry.larger) {
      CAPTURE(entry.model.filename().string());
      CAPTURE(set);
      CHECK(mismatch(parse_expectation("holds"), check(entry, entry.variants[1], set)) == "");
      ++compared;
    }
  }
  CHECK(compared >= 5);
}

TEST_CASE("the corpus has every entry, C01 to C22") {
  std::set<std::string> wanted;
  for (int i = 1; i <= 22; ++i) wanted.insert((i < 10 ? "C0" : "C") + std::to_string(i));
  std::set<std::string> found;
  for (const Entry& entry : entries()) found.insert(entry.corpus);
  CHECK(found == wanted);
}

}  // namespace txproof::test
