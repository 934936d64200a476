#include "checker/diff/apply.h"

#include <algorithm>
#include <string_view>

namespace txproof::diff {

namespace {

struct Text {
  std::vector<std::string> lines;
  bool ends_with_newline = true;
};

Text split(const std::string& text) {
  Text out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) {
      out.lines.push_back(text.substr(begin));
      out.ends_with_newline = false;
      break;
    }
    out.lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string join(const Text& text) {
  std::string out;
  for (std::size_t i = 0; i < text.lines.size(); ++i) {
    out += text.lines[i];
    if (i + 1 < text.lines.size() || text.ends_with_newline) out += '\n';
  }
  return out;
}

using Lines = std::vector<const PatchLine*>;

Lines side(const Hunk& hunk, LineKind other) {
  Lines out;
  for (const PatchLine& line : hunk.lines) {
    if (line.kind != other) out.push_back(&line);
  }
  return out;
}

bool fits(const Text& text, const Lines& lines, std::size_t at) {
  if (at + lines.size() > text.lines.size()) return false;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (text.lines[at + i] != lines[i]->text) return false;
  }
  return true;
}

// The nearest position to `wanted`, not before `first`, where all lines stand; the earlier of two.
bool find(const Text& text, const Lines& lines, std::size_t first, std::size_t wanted,
          std::size_t& found) {
  const std::size_t limit = text.lines.size() + 1;
  for (std::size_t distance = 0; distance <= limit; ++distance) {
    if (wanted >= distance + first && fits(text, lines, wanted - distance)) {
      found = wanted - distance;
      return true;
    }
    if (distance > 0 && wanted + distance >= first && fits(text, lines, wanted + distance)) {
      found = wanted + distance;
      return true;
    }
  }
  return false;
}

// The position where most lines agree, nearest to `wanted` among equals. It only serves the
// message, so on very large inputs it looks at the neighbourhood alone.
std::size_t best_partial(const Text& text, const Lines& lines, std::size_t wanted) {
  constexpr std::size_t budget = 20'000'000;
  std::size_t reach = text.lines.size();
  if (!lines.empty()) reach = std::min(reach, budget / lines.size());
  std::size_t best = std::min(wanted, text.lines.size());
  std::size_t best_score = 0;
  for (std::size_t distance = 0; distance <= reach; ++distance) {
    for (int direction = 0; direction < (distance == 0 ? 1 : 2); ++direction) {
      if (direction == 0 && distance > wanted) continue;
      const std::size_t at = direction == 0 ? wanted - distance : wanted + distance;
      if (at >= text.lines.size()) continue;
      std::size_t score = 0;
      for (std::size_t i = 0; i < lines.size() && at + i < text.lines.size(); ++i) {
        if (!lines[i]->text.empty() && text.lines[at + i] == lines[i]->text) ++score;
      }
      if (score > best_score) {
        best = at;
        best_score = score;
      }
    }
  }
  return best;
}

// The line `index` (from 0) of `text` as a place to quote.
lang::Span line_span(lang::SourceSet& sources, const std::string& path, const Text& text,
                     std::size_t index) {
  const lang::FileId file = sources.add(path, join(text));
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < index; ++i) {
    begin += static_cast<std::uint32_t>(text.lines[i].size() + 1);
  }
  const auto size = static_cast<std::uint32_t>(text.lines[index].size());
  return {file, begin, begin + size};
}

void explain_failure(const FilePatch& patch, std::size_t number, const std::string& path,
                     const Text& text, std::size_t wanted, std::size_t first,
                     lang::SourceSet& sources, lang::Diagnostics& diagnostics) {
  const Hunk& hunk = patch.hunks[number];
  const Lines old_side = side(hunk, LineKind::added);
  const Lines new_side = side(hunk, LineKind::removed);
  std::size_t unused = 0;
  const bool applied_already = !new_side.empty() && find(text, new_side, 0, wanted, unused);
  const bool out_of_order = find(text, old_side, 0, wanted, unused);

  const std::size_t at = best_partial(text, old_side, wanted);
  std::size_t miss = 0;
  while (miss < old_side.size() && at + miss < text.lines.size() &&
         text.lines[at + miss] == old_side[miss]->text) {
    ++miss;
  }
  const std::string which = "hunk " + std::to_string(number + 1) + " of " +
                            std::to_string(patch.hunks.size()) + " does not apply to " + path;
  lang::Diagnostic& error =
      diagnostics.error("TX0504", miss < old_side.size() ? old_side[miss]->span : hunk.header,
                        which + (miss < old_side.size() ? ": it expects this line" : ""));
  if (at + miss < text.lines.size()) {
    error.notes.push_back({line_span(sources, path, text, at + miss), "this stands there instead"});
  } else {
    error.notes.push_back(
        {{}, path + " ends at line " + std::to_string(text.lines.size()) + ", before that line"});
  }
  if (applied_already) {
    error.notes.push_back(
        {hunk.header, "its new lines stand there: it seems to be applied already"});
  } else if (out_of_order && first > 0) {
    error.notes.push_back({hunk.header, "its lines stand before those of the hunk above it"});
  }
}

}  // namespace

bool apply_hunks(const FilePatch& patch, const std::string& path, const std::string& old_text,
                 lang::SourceSet& sources, lang::Diagnostics& diagnostics, std::string& result,
                 std::vector<Offset>& offsets) {
  Text text = split(old_text);
  std::int64_t shift = 0;  // new minus old line number, offsets of earlier hunks included
  std::size_t first = 0;   // hunks apply in order: nothing before this line
  for (std::size_t number = 0; number < patch.hunks.size(); ++number) {
    const Hunk& hunk = patch.hunks[number];
    const Lines lines = side(hunk, LineKind::added);
    // With no old line, the header names the line behind which the new ones go.
    std::int64_t wanted = static_cast<std::int64_t>(hunk.old_start) + shift;
    if (!lines.empty()) --wanted;
    const auto place = static_cast<std::size_t>(
        std::clamp<std::int64_t>(wanted, 0, static_cast<std::int64_t>(text.lines.size())));
    std::size_t at = place;
    // Without a line of context there is nothing that an offset could be checked by.
    const bool anchored = !lines.empty();
    if (anchored ? !find(text, lines, first, place, at)
                 : static_cast<std::int64_t>(place) != wanted || place < first) {
      explain_failure(patch, number, path, text, place, first, sources, diagnostics);
      return false;
    }
    if (static_cast<std::int64_t>(at) != wanted) {
      const std::int64_t by = static_cast<std::int64_t>(at) - wanted;
      offsets.push_back({path, number + 1, by});
      shift += by;
    }
    std::vector<std::string> replacement;
    bool reaches_end = at + lines.size() == text.lines.size();
    for (const PatchLine& line : hunk.lines) {
      if (line.kind != LineKind::removed) replacement.push_back(line.text);
      if (line.kind != LineKind::removed && reaches_end) text.ends_with_newline = !line.no_newline;
    }
    const auto begin = text.lines.begin() + static_cast<std::ptrdiff_t>(at);
    text.lines.erase(begin, begin + static_cast<std::ptrdiff_t>(lines.size()));
    text.lines.insert(text.lines.begin() + static_cast<std::ptrdiff_t>(at), replacement.begin(),
                      replacement.end());
    first = at + replacement.size();
    shift +=
        static_cast<std::int64_t>(replacement.size()) - static_cast<std::int64_t>(lines.size());
  }
  if (patch.deletes && !text.lines.empty()) {
    diagnostics
        .error("TX0505", patch.header, "the patch deletes " + path + " but leaves text in it")
        .notes.push_back({line_span(sources, path, text, 0), "this would be left"});
    return false;
  }
  result = join(text);
  return true;
}

}  // namespace txproof::diff
