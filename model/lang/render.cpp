// A diagnostic as text for a terminal or a log.
//
// The quoted line is made safe first: control bytes and invalid UTF-8 in a stranger's file must
// not reach a terminal. A line longer than the window is cut on both sides of the place, so that a
// file of one 10 MB line still gives a message of a few hundred bytes.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/lang/diagnostic.h"

namespace txproof::lang {

namespace {

constexpr std::size_t kWindow = 120;  // characters of a line that are shown
constexpr std::size_t kLead = 60;     // of them before the place, when the line is cut

// The length of the valid UTF-8 sequence at text[i], or 0.
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(i);
  std::size_t length = 0;
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first < 0xE0) length = 2;
  if (first >= 0xE0 && first < 0xF0) length = 3;
  if (first >= 0xF0 && first < 0xF5) length = 4;
  if (length == 0 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xC0U) != 0x80U) return 0;
  }
  if ((first == 0xE0 && byte(i + 1) < 0xA0) || (first == 0xF0 && byte(i + 1) < 0x90)) return 0;
  if ((first == 0xED && byte(i + 1) > 0x9F) || (first == 0xF4 && byte(i + 1) > 0x8F)) return 0;
  // C1 controls (U+0080..U+009F) can start an escape sequence too.
  if (first == 0xC2 && byte(i + 1) < 0xA0) return 0;
  return length;
}

// The printable form of the character at text[i]; moves i behind it.
std::string printable(std::string_view text, std::size_t& i, bool keep_tab) {
  const auto c = static_cast<unsigned char>(text[i]);
  if (c == '\t' && keep_tab) return ++i, "\t";
  if (c < 0x20 || c == 0x7F) return ++i, "?";
  const std::size_t length = utf8_length(text, i);
  if (length == 0) return ++i, "\xEF\xBF\xBD";
  std::string result(text.substr(i, length));
  i += length;
  return result;
}

std::string safe(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) result += printable(text, i, false);
  return result;
}

// Moves back from `at` by up to `count` characters (continuation bytes belong to theirs).
std::size_t step_back(std::string_view text, std::size_t at, std::size_t count) {
  while (at > 0 && count > 0) {
    --at;
    while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U &&
           count < 4 * kWindow) {
      --at;
    }
    --count;
  }
  return at;
}

// The line of `span` and the caret under it.
std::string quote(const SourceSet& sources, Span span) {
  const LineColumn where = sources.position(span.file, span.begin);
  const std::string_view line = sources.line(span.file, where.line);
  const std::size_t start = sources.file(span.file).line_starts[where.line - 1];
  const std::size_t begin = std::min<std::size_t>(span.begin - start, line.size());
  const std::size_t end =
      std::clamp<std::size_t>(span.end > start ? span.end - start : 0, begin, line.size());

  std::size_t from = 0;
  if (line.size() > kWindow) {
    from = step_back(line, begin, kLead);
    if (from <= 3) from = 0;
  }
  std::string shown = from > 0 ? "…" : "";
  std::string under = from > 0 ? " " : "";
  std::size_t count = 0;
  std::size_t i = from;
  while (i < line.size() && count < kWindow) {
    const std::size_t at = i;
    const std::string character = printable(line, i, true);
    shown += character;
    ++count;
    if (at < begin) under += character == "\t" ? "\t" : " ";
    if (at == begin) under += "^";
    if (at > begin && at < end) under += "~";
  }
  if (i < line.size()) shown += "…";
  if (begin >= i) under += "^";
  const std::string number = std::to_string(where.line);
  const std::string gutter(std::max<std::size_t>(number.size(), 4), ' ');
  return gutter.substr(number.size()) + number + " | " + shown + "\n" + gutter + " | " + under +
         "\n";
}

std::string one(const SourceSet& sources, Span span, const std::string& text) {
  if (span.file == 0 || span.file >= sources.size()) return text + "\n";
  const LineColumn where = sources.position(span.file, span.begin);
  return safe(sources.file(span.file).path) + ":" + std::to_string(where.line) + ":" +
         std::to_string(where.column) + ": " + text + "\n" + quote(sources, span);
}

}  // namespace

std::string render(const SourceSet& sources, const Diagnostic& diagnostic) {
  const std::string kind = diagnostic.severity == Severity::error ? "error: " : "warning: ";
  std::string result =
      one(sources, diagnostic.span, kind + safe(diagnostic.message) + " [" + diagnostic.code + "]");
  for (const Note& note : diagnostic.notes) {
    result += one(sources, note.span, "note: " + safe(note.message));
  }
  return result;
}

}  // namespace txproof::lang
