// Files as a git revision has them, read through `git` itself without a shell.
//
// A path inside the work tree comes from the revision and from nowhere else; one outside (the model
// library that is shipped) comes from the provider below. Revisions come from strangers' scripts:
// one that begins with '-' is refused before git sees it, and git is told where its options end.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "model/lang/frontend.h"

namespace txproof::diff {

struct RevisionRange {
  std::string from, to;
};

// "A..B"; a side left out is HEAD.
//   ensures: the two names, or a sentence in `error`
std::optional<RevisionRange> parse_revisions(const std::string& text, std::string& error);

// The top folder of the git work tree that `folder` is in; absent, with a sentence, if there is
// none.
std::optional<std::string> work_tree_of(const std::string& folder, std::string& error);

class GitFiles : public lang::FileProvider {
 public:
  GitFiles(lang::FileProvider& below, std::string work_tree)
      : below_(below), work_tree_(std::move(work_tree)) {}

  // Finds the commit and lists its files. Returns false and a sentence in `error` if there is none.
  bool open(const std::string& revision, std::string& error);
  Answer read(const std::string& path) override;
  [[nodiscard]] const std::string& commit() const { return commit_; }

 private:
  struct Blob {
    std::string mode;
    std::string hash;
  };
  lang::FileProvider& below_;
  std::string work_tree_;
  std::string commit_;
  std::map<std::string, Blob> blobs_;  // by path from the top of the work tree
};

}  // namespace txproof::diff
