// What the documents show is what the tool prints. A ```console block under a line
// `<!-- tested -->` holds commands, `$ ./txproof …`, each followed by its standard output, exactly;
// `$ echo $?` shows the exit status of the command before it. With TXPROOF_UPDATE_DOCS=1 in the
// environment the blocks are written anew instead.
#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/markdown.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

// The words of a command line; a part between quotes, single or double, is kept as it stands.
std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool started = false;
  char quote = 0;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      started = true;
    } else if (c == ' ') {
      if (started) words.push_back(word);
      word.clear();
      started = false;
    } else {
      word += c;
      started = true;
    }
  }
  if (started) words.push_back(word);
  return words;
}

// The block as it would read if each of its commands were run now.
std::vector<std::string> rerun(const FencedBlock& block) {
  constexpr std::string_view tool = "$ ./txproof";
  std::vector<std::string> lines;
  int status = 0;
  for (const std::string& line : block.lines) {
    if (!line.starts_with("$ ")) continue;
    lines.push_back(line);
    if (line == "$ echo $?") {
      lines.push_back(std::to_string(status));
    } else if (line.starts_with(tool)) {
      const RunResult result =
          run_txproof(shell_words(line.substr(tool.size())),
                      {.folder = source_folder(), .environment = {{"NO_COLOR", "1"}}});
      status = result.exit_code;
      for (const std::string& shown : split_lines(result.out)) lines.push_back(shown);
    } else {
      throw std::runtime_error("not a command that can be tested: " + line);
    }
  }
  return lines;
}

// Replaces the text of a block in its file; the blocks below it must be replaced before it.
void replace(const FencedBlock& block, const std::vector<std::string>& by) {
  std::vector<std::string> lines = split_lines(read_file(block.file));
  const auto first = lines.begin() + static_cast<std::ptrdiff_t>(block.line) - 1;
  const auto after = lines.erase(first, first + static_cast<std::ptrdiff_t>(block.lines.size()));
  lines.insert(after, by.begin(), by.end());
  write_file(block.file, join_lines(lines));
}

}  // namespace

TEST_CASE("the words of a command line") {
  CHECK(shell_words(" check  a.tx --set 'N = 1' \"\"") ==
        std::vector<std::string>{"check", "a.tx", "--set", "N = 1", ""});
}

TEST_CASE("the commands that the documents show print what they show") {
  const bool update = std::getenv("TXPROOF_UPDATE_DOCS") != nullptr;
  int tested = 0;
  for (const auto& document : documents()) {
    auto blocks = fenced_blocks(document);
    for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
      if (block->language != "console" || block->above != "<!-- tested -->") continue;
      ++tested;
      CAPTURE(document.filename().string() + ":" + std::to_string(block->line));
      const auto now = rerun(*block);
      if (update) {
        replace(*block, now);
      } else {
        CHECK(without_times(join_lines(block->lines)) == without_times(join_lines(now)));
      }
    }
  }
  CHECK(tested > 0);
}

}  // namespace txproof::test
