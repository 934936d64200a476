#include "checker/diff/patched_files.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace txproof::diff {

namespace fs = std::filesystem;

namespace {

// Line ends as the loader folds them: a patch in LF must fit a file in CRLF.
std::string fold_line_ends(std::string text) {
  if (text.rfind("\xEF\xBB\xBF", 0) == 0) text.erase(0, 3);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i];
  }
  return out;
}

std::string join_path(const std::string& root, const std::string& path) {
  if (root.empty() || root == ".") return path;
  return root.back() == '/' ? root + path : root + "/" + path;
}

bool inside(const std::string& root, const std::string& path) {
  const std::string base = canonical_path(root.empty() ? "." : root);
  const std::string file = canonical_path(path);
  return base == "/" || file.rfind(base + "/", 0) == 0;
}

}  // namespace

std::string canonical_path(const std::string& path) {
  std::error_code error;
  fs::path out = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) out = fs::path(path).lexically_normal();
  return out.string();
}

// Where the file to be changed may be: without git's prefix first, then as written, then by the
// new name (diff -u x.c.orig x.c), then without the first folder (diff -r old/ new/).
std::vector<std::string> PatchedFiles::candidates(const FilePatch& patch) const {
  const std::string& path = patch.creates ? patch.new_path : patch.old_path;
  std::vector<std::string> names = {without_prefix(path)};
  auto add = [&names](const std::string& name) {
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  };
  add(path);
  if (!patch.creates) {
    if (!patch.renames) add(without_prefix(patch.new_path));
    const std::size_t slash = path.find('/');
    if (slash != std::string::npos) add(path.substr(slash + 1));
  }
  std::vector<std::string> out;
  for (const std::string& name : names) {
    for (const std::string& root : roots_) out.push_back(join_path(root, name));
  }
  return out;
}

lang::FileProvider::Answer PatchedFiles::current(const std::string& path) {
  auto entry = overlay_.find(canonical_path(path));
  if (entry != overlay_.end()) return {entry->second.text, ""};
  Answer answer = below_.read(path);
  if (answer.text) answer.text = fold_line_ends(std::move(*answer.text));
  return answer;
}

lang::FileProvider::Answer PatchedFiles::read(const std::string& path) {
  auto entry = overlay_.find(canonical_path(path));
  if (entry == overlay_.end()) return below_.read(path);
  entry->second.read = true;
  return {entry->second.text, ""};
}

bool PatchedFiles::check_path(const std::string& path, const FilePatch& patch,
                              lang::Diagnostics& diagnostics) {
  bool bad = path.empty() || path[0] == '/';
  for (const fs::path& part : fs::path(path)) bad = bad || part == "..";
  if (bad) {
    diagnostics.error(
        "TX0506", patch.header,
        "'" + path + "' is not a path below a root: it must be relative, without '..'");
  }
  return !bad;
}

std::optional<std::string> PatchedFiles::place_for_new(const std::string& path) {
  // The root that has most of the folders on the way.
  const std::string name = without_prefix(path);
  std::optional<std::string> best;
  std::size_t best_depth = 0;
  for (const std::string& root : roots_) {
    std::size_t depth = 0;
    fs::path folder = root.empty() ? "." : root;
    const fs::path parent = fs::path(name).parent_path();
    for (const fs::path& part : parent) {
      folder /= part;
      std::error_code error;
      if (!fs::is_directory(folder, error)) break;
      ++depth;
    }
    const std::string place = join_path(root, name);
    if ((!best || depth > best_depth) && inside(root, place)) {
      best = place;
      best_depth = depth;
    }
  }
  return best;
}

bool PatchedFiles::apply_file(const FilePatch& patch, lang::SourceSet& sources,
                              lang::Diagnostics& diagnostics) {
  const std::string& named = patch.creates ? patch.new_path : patch.old_path;
  if (!check_path(named, patch, diagnostics)) return false;
  if (!patch.creates && !patch.deletes && !check_path(patch.new_path, patch, diagnostics)) {
    return false;
  }

  std::string place;
  Answer found;
  for (const std::string& candidate : candidates(patch)) {
    Answer answer = current(candidate);
    if (!answer.text && answer.error.empty()) continue;
    if (!answer.text) {
      diagnostics.error("TX0507", patch.header, candidate + ": " + answer.error);
      return false;
    }
    bool allowed = false;
    for (const std::string& root : roots_) allowed = allowed || inside(root, candidate);
    if (!allowed) {
      diagnostics.error("TX0506", patch.header,
                        "'" + candidate + "' is a link that leads out of its root");
      return false;
    }
    place = candidate;
    found = std::move(answer);
    break;
  }

  if (patch.creates) {
    if (found.text) {
      diagnostics.error(
          "TX0505", patch.header,
          "the patch creates '" + without_prefix(named) + "', which exists (" + place + ")");
      return false;
    }
    std::optional<std::string> fresh = place_for_new(named);
    if (!fresh) {
      diagnostics.error("TX0507", patch.header, "no root can hold '" + without_prefix(named) + "'");
      return false;
    }
    place = *fresh;
    found.text = "";
  } else if (!found.text) {
    lang::Diagnostic& error =
        diagnostics.error("TX0507", patch.header,
                          "the patch is for '" + without_prefix(named) + "', which no root has");
    std::string looked;
    for (const std::string& root : roots_) {
      looked += (looked.empty() ? "" : ", ") + (root.empty() ? std::string(".") : root);
    }
    error.notes.push_back({{}, "looked in: " + looked + " (add one with --root DIR)"});
    return false;
  }

  std::string result;
  if (!apply_hunks(patch, place, *found.text, sources, diagnostics, result, offsets_)) return false;

  Entry entry;
  entry.shown = without_prefix(named);
  if (!patch.deletes) entry.text = std::move(result);
  std::string target = canonical_path(place);
  if (patch.renames) {
    // Renamed: the old place becomes empty, the new one lies in the same root.
    const std::string old_name = without_prefix(patch.old_path);
    const std::string root = place.substr(0, place.size() - old_name.size());
    const std::string fresh = root + without_prefix(patch.new_path);
    if (current(fresh).text) {
      diagnostics.error("TX0505", patch.header,
                        "the patch renames a file to '" + fresh + "', which exists");
      return false;
    }
    overlay_[target] = {std::nullopt, entry.shown, false, fresh};
    target = canonical_path(fresh);
  }
  overlay_[target] = std::move(entry);
  applied_[&patch] = target;
  return true;
}

bool PatchedFiles::apply(const Patch& patch, lang::SourceSet& sources,
                         lang::Diagnostics& diagnostics) {
  bool good = true;
  for (const FilePatch& file : patch.files) {
    if (!apply_file(file, sources, diagnostics)) good = false;
  }
  if (!good && !patch.bases.empty()) {
    std::string bases;
    for (const std::string& base : patch.bases) bases += (bases.empty() ? "" : ", ") + base;
    diagnostics.error("TX0508", {patch.file, 0, 0},
                      "'" + patch.name + "' says that it sits on " + bases +
                          ": apply that first (diff: --base, check: --patch before this one)");
  }
  return good;
}

std::string PatchedFiles::fate(const std::string& path) const {
  const auto entry = overlay_.find(canonical_path(path));
  if (entry == overlay_.end() || entry->second.text) return "";
  const std::string& target = entry->second.renamed_to;
  return target.empty() ? "deletes it" : "renames it to '" + target + "'";
}

std::vector<std::string> PatchedFiles::unread(const Patch& patch) const {
  std::vector<std::string> out;
  for (const FilePatch& file : patch.files) {
    auto applied = applied_.find(&file);
    if (applied == applied_.end()) continue;
    auto entry = overlay_.find(applied->second);
    if (entry != overlay_.end() && !entry->second.read) out.push_back(entry->second.shown);
  }
  return out;
}

}  // namespace txproof::diff
