#include "harness/reproduce_text.h"

#include <charconv>

namespace txproof::harness {

namespace {

constexpr const char* version = "txproof/1";

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == at) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

template <typename Number>
bool read(const std::string& text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && at == end;
}

bool read_move(const std::string& text, program::Move& move) {
  if (text == "t") {
    move.thread = program::time_step;
    return true;
  }
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() > 2 || !read(parts[0], move.thread)) return false;
  if (parts.size() == 1) return true;
  for (const std::string& choice : split(parts[1], '.')) {
    if (!read(choice, move.choices.emplace_back())) return false;
  }
  return true;
}

}  // namespace

std::string to_text(const FailingRun& run) {
  std::string text = std::string(version) + "|";
  std::string comma;
  for (const auto& [name, value] : run.set) {
    text += comma + name + "=" + std::to_string(value);
    comma = ",";
  }
  text += "|" + run.property + "|";
  std::string space;
  for (const program::Move& move : run.moves) {
    text += space + (move.thread == program::time_step ? "t" : std::to_string(move.thread));
    char mark = ':';
    for (const std::uint32_t choice : move.choices) {
      text += mark + std::to_string(choice);
      mark = '.';
    }
    space = " ";
  }
  return text;
}

std::optional<FailingRun> failing_run_of(const std::string& text) {
  const std::vector<std::string> parts = split(text, '|');
  if (parts.size() < 4 || parts.front() != version) return std::nullopt;
  FailingRun run;
  if (!parts[1].empty()) {
    for (const std::string& assignment : split(parts[1], ',')) {
      const std::vector<std::string> sides = split(assignment, '=');
      if (sides.size() != 2 || !read(sides[1], run.set[sides[0]])) return std::nullopt;
    }
  }
  // A property's arguments may have a bar in them.
  for (std::size_t i = 2; i + 1 < parts.size(); ++i) {
    run.property += (i == 2 ? "" : "|") + parts[i];
  }
  if (parts.back().empty()) return run;
  for (const std::string& move : split(parts.back(), ' ')) {
    if (!read_move(move, run.moves.emplace_back())) return std::nullopt;
  }
  return run;
}

}  // namespace txproof::harness
