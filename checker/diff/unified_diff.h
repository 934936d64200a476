// A unified diff as text, taken apart.
//
// Accepted: what git (format-patch with its mail headers, diff, show) and diff -u write, with a/ b/
// prefixes or none, CRLF line ends, timestamps behind a tab, quoted names, new, deleted and renamed
// files, "\ No newline at end of file". Refused, with a diagnostic at the line: binary patches,
// hunks whose line counts are wrong, hunks that belong to no file, a text with no diff in it.
//
//   lang::FileId id = sources.add("x.patch", text);
//   Patch patch = parse_patch(sources, id, diagnostics);
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/source.h"

namespace txproof::diff {

enum class LineKind : std::uint8_t { context, removed, added };

struct PatchLine {
  LineKind kind = LineKind::context;
  std::string text;         // without the mark in front
  lang::Span span;          // the line in the patch
  bool no_newline = false;  // "\ No newline at end of file" follows
};

struct Hunk {
  std::uint32_t old_start = 0, old_count = 0;
  std::uint32_t new_start = 0, new_count = 0;
  lang::Span header;
  std::vector<PatchLine> lines;
};

struct FilePatch {
  std::string old_path;  // as written; empty for /dev/null
  std::string new_path;
  bool creates = false;
  bool deletes = false;
  bool renames = false;  // git says so; names that merely differ (x.c.orig) are no renaming
  lang::Span header;
  std::vector<Hunk> hunks;
};

struct Patch {
  lang::FileId file = 0;
  std::string name;                // as given on the command line
  std::vector<FilePatch> files;    // in order
  std::vector<std::string> bases;  // `Base:` lines of its header: the patches that it sits on
};

constexpr std::size_t max_patch_bytes = 16U << 20U;
constexpr std::size_t max_patch_files = 1000;

// Takes the text of `file` apart. A text of blanks or of mail headers alone is a patch that changes
// nothing.
//   ensures: the Patch is usable exactly if diagnostics gained no error
Patch parse_patch(const lang::SourceSet& sources, lang::FileId file,
                  lang::Diagnostics& diagnostics);

// The path without its a/ or b/ (or i/ w/ c/ o/, as diff.mnemonicPrefix writes).
std::string without_prefix(const std::string& path);

}  // namespace txproof::diff
