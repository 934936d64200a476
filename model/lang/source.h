// Source text: files, places in them, and where files may come from.
//
// Every file that is read gets a FileId in a SourceSet, which owns the text for as long as
// anything may want to quote it. A Span names a stretch of one file by byte offsets; lines and
// columns are computed when somebody asks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace txproof::lang {

using FileId = std::uint32_t;

// Half-open range [begin, end) of bytes in one file. An empty Span of file 0 is "nowhere".
struct Span {
  FileId file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  bool operator==(const Span&) const = default;
};

struct LineColumn {
  std::uint32_t line = 1;    // from 1
  std::uint32_t column = 1;  // from 1, in characters (UTF-8 code points), a tab counts as one
};

// One file as read: `text` has a UTF-8 BOM removed and CRLF folded to LF.
struct SourceFile {
  std::string path;  // as shown to people: relative where it was found relative
  std::string text;
  std::vector<std::uint32_t> line_starts;  // byte offset of each line
};

// Owns the text of every file of one run. File 0 is reserved for "nowhere".
class SourceSet {
 public:
  SourceSet();
  // ensures: the file is kept for the life of the set; ids count up from 1
  FileId add(std::string path, std::string text);
  [[nodiscard]] const SourceFile& file(FileId id) const { return *files_[id]; }
  [[nodiscard]] std::size_t size() const { return files_.size(); }
  [[nodiscard]] LineColumn position(FileId id, std::uint32_t offset) const;
  // The text of one line without its newline; line counts from 1.
  [[nodiscard]] std::string_view line(FileId id, std::uint32_t line) const;

 private:
  std::vector<std::unique_ptr<SourceFile>> files_;
};

}  // namespace txproof::lang
