#include "model/lang/source.h"

#include <algorithm>
#include <utility>

namespace txproof::lang {

namespace {

// Folds CRLF to LF and drops a UTF-8 byte order mark. A lone CR stays; the lexer takes it as space.
std::string normalise(std::string text) {
  std::size_t from = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  if (from == 0 && text.find('\r') == std::string::npos) return text;
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    result.push_back(text[i]);
  }
  return result;
}

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

}  // namespace

SourceSet::SourceSet() { add("", ""); }

FileId SourceSet::add(std::string path, std::string text) {
  auto file = std::make_unique<SourceFile>();
  file->path = std::move(path);
  file->text = normalise(std::move(text));
  file->line_starts.push_back(0);
  for (std::size_t i = 0; i < file->text.size(); ++i) {
    if (file->text[i] == '\n') file->line_starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  files_.push_back(std::move(file));
  return static_cast<FileId>(files_.size() - 1);
}

LineColumn SourceSet::position(FileId id, std::uint32_t offset) const {
  const SourceFile& source = *files_[id];
  offset = std::min(offset, static_cast<std::uint32_t>(source.text.size()));
  auto next = std::upper_bound(source.line_starts.begin(), source.line_starts.end(), offset);
  const std::uint32_t start = *(next - 1);
  LineColumn result;
  result.line = static_cast<std::uint32_t>(next - source.line_starts.begin());
  for (std::uint32_t i = start; i < offset; ++i) {
    // A stray continuation byte at the start of a line still takes a column of its own.
    if (!is_continuation_byte(source.text[i]) || i == start) ++result.column;
  }
  return result;
}

std::string_view SourceSet::line(FileId id, std::uint32_t line) const {
  const SourceFile& source = *files_[id];
  if (line == 0 || line > source.line_starts.size()) return {};
  const std::size_t begin = source.line_starts[line - 1];
  const std::size_t end =
      line < source.line_starts.size() ? source.line_starts[line] - 1 : source.text.size();
  return std::string_view(source.text).substr(begin, end - begin);
}

}  // namespace txproof::lang
