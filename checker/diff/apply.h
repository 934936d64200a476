// Applies the hunks of one file patch to a text, with exact context.
//
// A hunk may stand some lines away from where its header says (that is reported), but every context
// and removed line must be there, letter for letter: a model diff that half fits proves nothing.
#pragma once

#include <string>
#include <vector>

#include "checker/diff/unified_diff.h"

namespace txproof::diff {

// A hunk that applied `lines` lines behind (or, negative, before) its place.
struct Offset {
  std::string path;
  std::size_t hunk = 0;  // from 1
  std::int64_t lines = 0;
};

// Applies `patch` to `text`, which people know as `path`.
//   requires: line ends of `text` are LF
//   ensures:  returns true and the new text in `result`, or false and an error that says which
//             hunk, what it expected and what stands there (the place that fits best)
bool apply_hunks(const FilePatch& patch, const std::string& path, const std::string& text,
                 lang::SourceSet& sources, lang::Diagnostics& diagnostics, std::string& result,
                 std::vector<Offset>& offsets);

}  // namespace txproof::diff
