#include "checker/certify/script.h"

namespace txproof::checker::certify {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Copies from a quote to the one that ends it. Returns false if there is none.
bool copy_quoted(std::string_view script, std::size_t& at, std::string& text) {
  const char quote = script[at];
  do {
    text += script[at++];
    if (at == script.size()) return false;
  } while (script[at] != quote);
  text += quote;
  return true;
}

std::string name_of(const std::string& text) {
  const std::size_t end = text.find_first_of(" ()", 1);
  return text.substr(1, end - 1);
}

}  // namespace

std::optional<std::vector<Command>> commands_of(std::string_view script) {
  std::vector<Command> commands;
  std::string text;
  int depth = 0;
  for (std::size_t at = 0; at < script.size(); ++at) {
    const char c = script[at];
    if (c == ';') {
      while (at + 1 < script.size() && script[at + 1] != '\n') ++at;
    } else if (is_space(c)) {
      if (depth > 0 && text.back() != ' ' && text.back() != '(') text += ' ';
    } else if (c == '(') {
      text += c;
      ++depth;
    } else if (depth == 0) {
      return std::nullopt;
    } else if (c == ')') {
      if (text.back() == ' ') text.pop_back();
      text += c;
      if (--depth > 0) continue;
      commands.push_back({name_of(text), text});
      text.clear();
    } else if (c == '|' || c == '"') {
      if (!copy_quoted(script, at, text)) return std::nullopt;
    } else {
      text += c;
    }
  }
  if (depth != 0) return std::nullopt;
  return commands;
}

}  // namespace txproof::checker::certify
