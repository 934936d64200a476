#include "tests/support/markdown.h"

#include <algorithm>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tests/support/files.h"

namespace txproof::test {

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string join_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::vector<FencedBlock> fenced_blocks(const std::filesystem::path& file) {
  std::vector<FencedBlock> blocks;
  bool inside = false;
  std::string above;
  std::size_t number = 0;
  for (const std::string& line : split_lines(read_file(file))) {
    ++number;
    const bool fence = line.starts_with("```");
    if (inside && fence) {
      inside = false;
    } else if (inside) {
      blocks.back().lines.push_back(line);
    } else if (fence) {
      inside = true;
      blocks.push_back({file, number + 1, line.substr(3), above, {}});
    }
    above = line;
  }
  if (inside) throw std::runtime_error(file.string() + ": a ``` fence is not closed");
  return blocks;
}

std::vector<std::filesystem::path> documents() {
  std::vector<std::filesystem::path> files{source_folder() / "README.md"};
  const std::filesystem::path docs = source_folder() / "docs";
  if (std::filesystem::exists(docs)) {
    for (const auto& entry : std::filesystem::directory_iterator(docs)) {
      if (entry.path().extension() == ".md") files.push_back(entry.path());
    }
  }
  std::sort(files.begin() + 1, files.end());
  return files;
}

std::string without_times(const std::string& text) {
  static const std::regex time(", [0-9]+\\.[0-9]+ s\\b");
  return std::regex_replace(text, time, ", N s");
}

}  // namespace txproof::test
