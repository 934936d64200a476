#include "tests/support/expectation.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "tests/support/markdown.h"

namespace txproof::test {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

int expected_exit_code(const Expectation& expected) {
  if (expected.kind == "violated") return 1;
  if (expected.kind == "error") return 2;
  if (expected.kind == "inconclusive") return 3;
  return 0;
}

// Compares the verdicts with what was expected of them.
std::string wrong_verdicts(const Expectation& expected, const nlohmann::json& report) {
  std::string wrong;
  std::vector<std::string> seen;
  for (const auto& result : report.at("results")) {
    const auto property = result.at("property").get<std::string>();
    const auto verdict = result.at("verdict").get<std::string>();
    seen.push_back(property);
    const bool named = std::ranges::find(expected.names, property) != expected.names.end();
    const std::string wanted = named ? expected.kind : "holds";
    if (verdict != wanted) wrong += property + ": expected " + wanted + ", got " + verdict + "\n";
  }
  for (const std::string& name : expected.names) {
    if (std::ranges::find(seen, name) == seen.end()) wrong += name + ": no such result\n";
  }
  if (seen.empty()) wrong += "there are no results\n";
  return wrong;
}

}  // namespace

std::vector<std::string> split_words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<HeaderLine> header_lines(const std::string& text) {
  std::vector<HeaderLine> header;
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with("//")) break;
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = trimmed(line.substr(2, colon - 2));
    if (!key.empty() && key.find(' ') == std::string::npos) {
      header.push_back({key, trimmed(line.substr(colon + 1))});
    }
  }
  return header;
}

Expectation parse_expectation(const std::string& words) {
  std::vector<std::string> names = split_words(words);
  if (names.empty()) throw std::runtime_error("an expectation is empty");
  Expectation expected{names.front(), {names.begin() + 1, names.end()}};
  const bool named = expected.kind == "violated" || expected.kind == "inconclusive";
  const bool good = (expected.kind == "holds" && expected.names.empty()) ||
                    (expected.kind == "error" && expected.names.size() == 1) ||
                    (named && !expected.names.empty());
  if (!good) throw std::runtime_error("no expectation: " + words);
  return expected;
}

std::string mismatch(const Expectation& expected, const RunResult& run) {
  std::string wrong;
  const int exit_code = expected_exit_code(expected);
  if (run.exit_code != exit_code) {
    wrong += "exit code: expected " + std::to_string(exit_code) + ", got " +
             std::to_string(run.exit_code) + "\n";
  }
  if (expected.kind == "error") {
    if ((run.out + run.err).find(expected.names.front()) == std::string::npos) {
      wrong += "the message does not carry " + expected.names.front() + "\n";
    }
  } else {
    const nlohmann::json report = nlohmann::json::parse(run.out, nullptr, false);
    if (report.is_discarded() || !report.contains("results")) {
      wrong += "standard output is no report\n";
    } else {
      wrong += wrong_verdicts(expected, report);
    }
  }
  if (!wrong.empty()) wrong += "standard error:\n" + run.err;
  return wrong;
}

}  // namespace txproof::test
