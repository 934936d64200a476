#include "checker/diff/unified_diff.h"

#include <cctype>
#include <optional>
#include <string_view>

namespace txproof::diff {

namespace {

using lang::Span;

bool starts(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

struct Line {
  std::string_view text;
  Span span;
};

std::vector<Line> split_lines(lang::FileId file, std::string_view text) {
  std::vector<Line> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find('\n', begin);
    std::size_t next = end == std::string_view::npos ? text.size() : end + 1;
    if (end == std::string_view::npos) end = text.size();
    std::size_t stop = end;
    if (stop > begin && text[stop - 1] == '\r') --stop;
    lines.push_back({text.substr(begin, stop - begin),
                     {file, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(stop)}});
    begin = next;
  }
  return lines;
}

// A file name as `---`, `+++` and `rename from` have it: cut at a tab, unquoted.
std::string file_name(std::string_view text) {
  if (text.empty() || text[0] != '"') {
    std::size_t tab = text.find('\t');
    if (tab != std::string_view::npos) text = text.substr(0, tab);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return std::string(text);
  }
  std::string name;
  for (std::size_t i = 1; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      name += text[i];
      continue;
    }
    char c = text[++i];
    if (c >= '0' && c <= '3' && i + 2 < text.size()) {
      name += static_cast<char>((c - '0') * 64 + (text[i + 1] - '0') * 8 + (text[i + 2] - '0'));
      i += 2;
    } else {
      name += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
  }
  return name;
}

// "12,3" or "12": start and count.
bool read_range(std::string_view& text, std::uint32_t& start, std::uint32_t& count) {
  auto number = [&text](std::uint32_t& value) {
    std::uint64_t n = 0;
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '9') {
      n = n * 10 + static_cast<std::uint64_t>(text[digits] - '0');
      if (n > 0x7fffffffU) return false;
      ++digits;
    }
    text.remove_prefix(digits);
    value = static_cast<std::uint32_t>(n);
    return digits > 0;
  };
  if (!number(start)) return false;
  count = 1;
  if (text.empty() || text[0] != ',') return true;
  text.remove_prefix(1);
  return number(count);
}

std::optional<Hunk> read_hunk_header(const Line& line) {
  std::string_view text = line.text;
  Hunk hunk;
  hunk.header = line.span;
  if (!starts(text, "@@ -")) return std::nullopt;
  text.remove_prefix(4);
  if (!read_range(text, hunk.old_start, hunk.old_count) || !starts(text, " +")) return std::nullopt;
  text.remove_prefix(2);
  if (!read_range(text, hunk.new_start, hunk.new_count) || !starts(text, " @@"))
    return std::nullopt;
  return hunk;
}

class Parser {
 public:
  Parser(const lang::SourceSet& sources, lang::FileId file, lang::Diagnostics& diagnostics)
      : diagnostics_(diagnostics), lines_(split_lines(file, sources.file(file).text)) {
    patch_.file = file;
    patch_.name = sources.file(file).path;
    whole_ = {file, 0, 0};
  }

  Patch run() {
    while (at_ < lines_.size() && !failed_) {
      const std::string_view text = lines_[at_].text;
      if (starts(text, "diff --git ")) {
        git_header();
      } else if (starts(text, "--- ") && at_ + 1 < lines_.size() &&
                 starts(lines_[at_ + 1].text, "+++ ")) {
        FilePatch file;
        file.header = lines_[at_].span;
        names(file);
        hunks(file);
        keep(std::move(file));
      } else if (starts(text, "@@ -")) {
        fail("TX0502", lines_[at_].span,
             "this hunk belongs to no file: expected '--- PATH' and '+++ PATH' before it");
      } else {
        header_line(text);
        ++at_;
      }
    }
    if (!failed_ && patch_.files.empty() && !only_headers_) {
      fail("TX0501", whole_,
           "'" + patch_.name + "' is not a patch: there is no unified diff in it");
    }
    return std::move(patch_);
  }

 private:
  void fail(const char* code, Span span, std::string message,
            std::optional<lang::Note> note = std::nullopt) {
    lang::Diagnostic& diagnostic = diagnostics_.error(code, span, std::move(message));
    if (note) diagnostic.notes.push_back(std::move(*note));
    failed_ = true;
  }

  // Text before, between and behind the diffs. Only `Base:` means something to us.
  void header_line(std::string_view text) {
    if (starts(text, "Base:") && patch_.files.empty()) {
      text.remove_prefix(5);
      while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
      while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
      if (!text.empty()) patch_.bases.emplace_back(text);
    }
    if (text.empty() || seen_header_) return;
    // A mail begins with "From …" or "Name: value"; once one has been seen, prose may follow.
    std::size_t colon = text.find(": ");
    bool is_header = starts(text, "From ");
    if (colon != std::string_view::npos && colon > 0) {
      is_header = true;
      for (char c : text.substr(0, colon)) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') is_header = false;
      }
    }
    if (is_header) {
      seen_header_ = true;
    } else {
      only_headers_ = false;
    }
  }

  void keep(FilePatch file) {
    if (failed_) return;
    if (patch_.files.size() >= max_patch_files) {
      fail("TX0502", file.header,
           "the patch touches more than " + std::to_string(max_patch_files) + " files");
      return;
    }
    patch_.files.push_back(std::move(file));
  }

  void git_header() {
    FilePatch file;
    file.header = lines_[at_].span;
    names_of_git_line(lines_[at_].text.substr(11), file);
    bool has_content = false;
    for (++at_; at_ < lines_.size(); ++at_) {
      const std::string_view text = lines_[at_].text;
      if (starts(text, "new file mode ")) {
        file.creates = true;
      } else if (starts(text, "deleted file mode ")) {
        file.deletes = true;
      } else if (starts(text, "rename from ")) {
        file.old_path = file_name(text.substr(12));
      } else if (starts(text, "rename to ")) {
        file.new_path = file_name(text.substr(10));
        file.renames = true;
      } else if (starts(text, "copy from ") || starts(text, "copy to ")) {
        fail("TX0502", lines_[at_].span, "copies are not understood: write the new file in full");
        return;
      } else if (starts(text, "Binary files ") || starts(text, "GIT binary patch")) {
        fail("TX0502", lines_[at_].span, "this is a binary patch: models are text");
        return;
      } else if (starts(text, "--- ") && at_ + 1 < lines_.size() &&
                 starts(lines_[at_ + 1].text, "+++ ")) {
        has_content = true;
        break;
      } else if (!starts(text, "index ") && !starts(text, "old mode ") &&
                 !starts(text, "new mode ") && !starts(text, "similarity index ") &&
                 !starts(text, "dissimilarity index ")) {
        break;
      }
    }
    if (has_content) {
      names(file);
      hunks(file);
    }
    if (file.creates) file.old_path.clear();
    if (file.deletes) file.new_path.clear();
    keep(std::move(file));
  }

  // "a/x b/x": the names can hold spaces, but without a rename both are the same behind the prefix.
  static void names_of_git_line(std::string_view text, FilePatch& file) {
    if (!text.empty() && text[0] == '"') {
      std::size_t end = text.find("\" ");
      if (end == std::string_view::npos) return;
      file.old_path = file_name(text.substr(0, end + 1));
      file.new_path = file_name(text.substr(end + 2));
      return;
    }
    for (std::size_t space = text.find(' '); space != std::string_view::npos;
         space = text.find(' ', space + 1)) {
      std::string left(text.substr(0, space));
      std::string right(text.substr(space + 1));
      if (without_prefix(left) == without_prefix(right)) {
        file.old_path = left;
        file.new_path = right;
        return;
      }
    }
  }

  void names(FilePatch& file) {
    std::string old_path = file_name(lines_[at_].text.substr(4));
    std::string new_path = file_name(lines_[at_ + 1].text.substr(4));
    file.creates = old_path == "/dev/null";
    file.deletes = new_path == "/dev/null";
    file.old_path = file.creates ? "" : old_path;
    file.new_path = file.deletes ? "" : new_path;
    if (file.creates && file.deletes) {
      fail("TX0502", lines_[at_].span, "both sides of this diff are /dev/null");
    }
    at_ += 2;
  }

  void hunks(FilePatch& file) {
    while (!failed_ && at_ < lines_.size() && starts(lines_[at_].text, "@@")) {
      std::optional<Hunk> hunk = read_hunk_header(lines_[at_]);
      if (!hunk) {
        fail("TX0502", lines_[at_].span, "expected a hunk header like '@@ -12,7 +12,8 @@'");
        return;
      }
      ++at_;
      hunk_lines(*hunk);
      file.hunks.push_back(std::move(*hunk));
    }
    if (!failed_ && file.hunks.empty()) {
      fail("TX0502", file.header, "expected a hunk ('@@ -12,7 +12,8 @@') behind these names");
    }
  }

  void hunk_lines(Hunk& hunk) {
    std::uint32_t old_left = hunk.old_count;
    std::uint32_t new_left = hunk.new_count;
    while (old_left > 0 || new_left > 0) {
      if (at_ >= lines_.size()) {
        fail("TX0503", hunk.header,
             "the patch ends inside this hunk: its header promises " +
                 std::to_string(hunk.old_count) + " old and " + std::to_string(hunk.new_count) +
                 " new lines");
        return;
      }
      const Line& line = lines_[at_];
      char mark = line.text.empty() ? ' ' : line.text[0];
      if (mark == '\\') {
        no_newline(hunk);
        continue;
      }
      bool old_side = mark == ' ' || mark == '-';
      bool new_side = mark == ' ' || mark == '+';
      if ((!old_side && !new_side) || (old_side && old_left == 0) || (new_side && new_left == 0)) {
        fail("TX0503", line.span,
             "this line does not fit the hunk: its header promises " +
                 std::to_string(hunk.old_count) + " old and " + std::to_string(hunk.new_count) +
                 " new lines",
             lang::Note{hunk.header, "the header is here"});
        return;
      }
      if (old_side) --old_left;
      if (new_side) --new_left;
      PatchLine entry;
      entry.kind = mark == ' '   ? LineKind::context
                   : mark == '-' ? LineKind::removed
                                 : LineKind::added;
      entry.text = std::string(line.text.empty() ? line.text : line.text.substr(1));
      entry.span = line.span;
      hunk.lines.push_back(std::move(entry));
      ++at_;
    }
    if (at_ < lines_.size() && starts(lines_[at_].text, "\\")) no_newline(hunk);
    if (at_ < lines_.size() && has_stray_line()) {
      fail("TX0503", lines_[at_].span,
           "this line is behind the end of its hunk, whose header promises " +
               std::to_string(hunk.old_count) + " old and " + std::to_string(hunk.new_count) +
               " new lines",
           lang::Note{hunk.header, "the header is here"});
    }
  }

  // A line that looks like part of the hunk although its counts are used up. "-- " is how git ends
  // a mail, and "--- " begins the next file.
  [[nodiscard]] bool has_stray_line() const {
    const std::string_view text = lines_[at_].text;
    if (text.empty() || text == "--" || text == "-- " || starts(text, "--- ")) return false;
    return text[0] == ' ' || text[0] == '+' || text[0] == '-';
  }

  void no_newline(Hunk& hunk) {
    if (!hunk.lines.empty()) hunk.lines.back().no_newline = true;
    ++at_;
  }

  lang::Diagnostics& diagnostics_;
  std::vector<Line> lines_;
  std::size_t at_ = 0;
  Patch patch_;
  Span whole_;
  bool failed_ = false;
  bool seen_header_ = false;
  bool only_headers_ = true;
};

}  // namespace

std::string without_prefix(const std::string& path) {
  constexpr std::string_view prefixes = "abiwco";
  if (path.size() > 2 && path[1] == '/' && prefixes.find(path[0]) != std::string_view::npos) {
    return path.substr(2);
  }
  return path;
}

Patch parse_patch(const lang::SourceSet& sources, lang::FileId file,
                  lang::Diagnostics& diagnostics) {
  return Parser(sources, file, diagnostics).run();
}

}  // namespace txproof::diff
