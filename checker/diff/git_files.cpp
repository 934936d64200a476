#include "checker/diff/git_files.h"

#include <string_view>

#include "checker/diff/patched_files.h"
#include "checker/diff/run_program.h"

namespace txproof::diff {

namespace {

constexpr std::size_t max_listing = 256U << 20U;
constexpr std::size_t max_file = 16U << 20U;

std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  if (line.rfind("fatal: ", 0) == 0) line.erase(0, 7);
  return line;
}

}  // namespace

std::optional<RevisionRange> parse_revisions(const std::string& text, std::string& error) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) {
    error = "'" + text + "' names one revision: expected two, A..B";
    return std::nullopt;
  }
  if (text.compare(dots, 3, "...") == 0) {
    error = "'" + text + "' has three dots: expected two revisions, A..B";
    return std::nullopt;
  }
  RevisionRange range{text.substr(0, dots), text.substr(dots + 2)};
  if (range.from.empty()) range.from = "HEAD";
  if (range.to.empty()) range.to = "HEAD";
  for (const std::string* name : {&range.from, &range.to}) {
    if ((*name)[0] == '-') {
      error = "'" + *name + "' is no revision: a revision does not begin with '-'";
      return std::nullopt;
    }
    if (name->find("..") != std::string::npos || name->find(':') != std::string::npos) {
      error = "'" + *name + "' is no revision: expected a branch, a tag or a commit";
      return std::nullopt;
    }
  }
  return range;
}

std::optional<std::string> work_tree_of(const std::string& folder, std::string& error) {
  const ProgramOutput git = run_program(
      {"git", "-C", folder.empty() ? "." : folder, "rev-parse", "--show-toplevel"}, 1U << 16U);
  if (!git.started) {
    error = "git could not be started: is it installed?";
    return std::nullopt;
  }
  std::string top = git.out;
  while (!top.empty() && top.back() == '\n') top.pop_back();
  if (git.status != 0 || top.empty()) {
    error = "'" + (folder.empty() ? std::string(".") : folder) +
            "' is in no git work tree (git says: " + first_line(git.error) + ")";
    return std::nullopt;
  }
  return top;
}

bool GitFiles::open(const std::string& revision, std::string& error) {
  if (revision.empty() || revision[0] == '-') {
    error = "'" + revision + "' is no revision: a revision does not begin with '-'";
    return false;
  }
  const ProgramOutput found = run_program({"git", "-C", work_tree_, "rev-parse", "--verify",
                                           "--quiet", "--end-of-options", revision + "^{commit}"},
                                          1U << 16U);
  commit_ = found.out.substr(0, found.out.find('\n'));
  // Older gits echo the separator itself.
  if (commit_ == "--end-of-options") {
    const std::string rest = found.out.substr(found.out.find('\n') + 1);
    commit_ = rest.substr(0, rest.find('\n'));
  }
  if (found.status != 0 || commit_.empty()) {
    error = "there is no revision '" + revision + "' in the git work tree " + work_tree_;
    return false;
  }
  const ProgramOutput tree = run_program(
      {"git", "-C", work_tree_, "ls-tree", "-r", "-z", "--full-tree", commit_}, max_listing);
  if (tree.status != 0 || tree.cut) {
    error = "the files of revision '" + revision + "' cannot be listed" +
            (tree.cut ? ": there are too many" : " (git says: " + first_line(tree.error) + ")");
    return false;
  }
  // MODE SP TYPE SP HASH TAB PATH NUL
  std::string_view text = tree.out;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end == std::string_view::npos) break;
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(end + 1);
    const std::size_t tab = row.find('\t');
    const std::size_t space = row.find(' ');
    const std::size_t second = row.find(' ', space + 1);
    if (tab == std::string_view::npos || second == std::string_view::npos || second > tab) continue;
    blobs_[std::string(row.substr(tab + 1))] = {
        std::string(row.substr(0, space)), std::string(row.substr(second + 1, tab - second - 1))};
  }
  return true;
}

lang::FileProvider::Answer GitFiles::read(const std::string& path) {
  const std::string top = canonical_path(work_tree_);
  const std::string full = canonical_path(path);
  if (full.rfind(top + "/", 0) != 0) return below_.read(path);
  auto blob = blobs_.find(full.substr(top.size() + 1));
  if (blob == blobs_.end()) return {};
  if (blob->second.mode == "120000") return {std::nullopt, "is a symbolic link in that revision"};
  if (blob->second.mode == "160000") return {std::nullopt, "is a submodule in that revision"};
  ProgramOutput git =
      run_program({"git", "-C", work_tree_, "cat-file", "blob", blob->second.hash}, max_file);
  if (git.cut) return {std::nullopt, "is larger than 16 MiB"};
  if (git.status != 0) return {std::nullopt, "git cannot read it: " + first_line(git.error)};
  return {std::move(git.out), ""};
}

}  // namespace txproof::diff
