// The fenced blocks of a Markdown file, so that what the documents show can be run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace txproof::test {

struct FencedBlock {
  std::filesystem::path file;
  std::size_t line = 0;            // of the first line of its text, from 1
  std::string language;            // the word after the opening fence
  std::string above;               // the line before the opening fence
  std::vector<std::string> lines;  // its text
};

// Every block between ``` fences, in order.
//   errors: throws std::runtime_error if the file cannot be read or its last fence is not closed
std::vector<FencedBlock> fenced_blocks(const std::filesystem::path& file);

// README.md and every docs/*.md of the tree, in a fixed order.
std::vector<std::filesystem::path> documents();

std::vector<std::string> split_lines(const std::string& text);
std::string join_lines(const std::vector<std::string>& lines);

// The text with the times of runs (`, 0.3 s`) written as `, N s`: they differ from run to run.
std::string without_times(const std::string& text);

}  // namespace txproof::test
