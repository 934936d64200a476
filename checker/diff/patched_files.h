// Files as a series of patches leaves them: an overlay in memory over another provider. Nothing on
// disk is touched.
//
//   PatchedFiles files(disk, roots);
//   files.apply(parse_patch(…), sources, diagnostics);
//   load("model/stacks/bonding.tx", options, files, sources, diagnostics);
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "checker/diff/apply.h"
#include "checker/diff/unified_diff.h"
#include "model/lang/frontend.h"

namespace txproof::diff {

class PatchedFiles : public lang::FileProvider {
 public:
  // Paths in patches are looked up in `roots`, in order.
  PatchedFiles(lang::FileProvider& below, std::vector<std::string> roots)
      : below_(below), roots_(std::move(roots)) {}

  // Applies a patch on top of those before it.
  //   requires: `patch` outlives this object
  //   ensures:  all of it is applied, or diagnostics gained an error (then do not go on)
  bool apply(const Patch& patch, lang::SourceSet& sources, lang::Diagnostics& diagnostics);

  Answer read(const std::string& path) override;

  [[nodiscard]] const std::vector<Offset>& offsets() const { return offsets_; }
  // Of one patch, the files that nobody has read since, as the patch names them. Ask after the
  // model is loaded.
  // What a patch did to a file that is no longer there: "deletes it", "renames it to 'x'"; or
  // nothing.
  [[nodiscard]] std::string fate(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> unread(const Patch& patch) const;

 private:
  struct Entry {
    std::optional<std::string> text;  // absent: deleted
    std::string shown;                // the path as the patch has it
    bool read = false;
    std::string renamed_to;  // where it is absent for that
  };

  [[nodiscard]] std::vector<std::string> candidates(const FilePatch& patch) const;
  Answer current(const std::string& path);
  bool apply_file(const FilePatch& patch, lang::SourceSet& sources, lang::Diagnostics& diagnostics);
  bool check_path(const std::string& path, const FilePatch& patch, lang::Diagnostics& diagnostics);
  std::optional<std::string> place_for_new(const std::string& path);

  lang::FileProvider& below_;
  std::vector<std::string> roots_;
  std::map<std::string, Entry> overlay_;  // by canonical path
  std::map<const FilePatch*, std::string> applied_;
  std::vector<Offset> offsets_;
};

// One spelling for every way to write the path of a file, whether it exists or not.
std::string canonical_path(const std::string& path);

}  // namespace txproof::diff
