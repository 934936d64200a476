// One run's texts: where they come from, and how a stack becomes a Program.
//
//   Workspace workspace(options);
//   auto stacks = workspace.load_stacks(path, {.patches = options.patches});
//
// Diagnostics are kept in the workspace and written by whoever reports them.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/diff/compare.h"
#include "checker/diff/patched_files.h"
#include "cli/options.h"
#include "counterexamples/render_json.h"
#include "model/lang/frontend.h"
#include "model/program/elaborate.h"

namespace txproof::cli {

// A stack that can be run, and all that it refers to.
struct LoadedStack {
  std::shared_ptr<lang::Model> model;
  const lang::StackDecl* stack = nullptr;
  std::unique_ptr<program::Program> program;
  std::vector<diff::Unusable> unusable;  // properties whose text does not fit this model
  counterexamples::ModelOrigin origin;
  bool watch = false;                  // Variant::watch
  std::string question;                // the property that Variant::expression became
  std::vector<std::string> questions;  // those that Variant::questions became, in order
};

// Something to be watched beside what the stack checks (lang::Question).
struct AskedFor {
  std::string text;
  bool is_rate = false;
};

// Which variant of the files.
struct Variant {
  std::vector<std::string> patches;
  std::string revision;              // of git; empty: the work tree as it is
  bool tolerate_properties = false;  // an error inside a property leaves the others usable
  bool watch = false;                // follow how much is in flight, for a comparison
  bool all_stacks = false;           // every stack of the file, whatever --stack says
  bool allow_no_stack = false;       // a file without one is no error
  std::string expression;            // what `bound` asks about, instead of the stack's properties
  // A file (as SourceFile::path has it) that is read as this text, on top of the patches.
  std::optional<std::pair<std::string, std::string>> replaced;
  std::vector<AskedFor> questions;  // what `simulate` samples, beside them
};

class Workspace {
 public:
  explicit Workspace(const Options& options);

  // Reads, patches, parses, checks and elaborates.
  //   ensures: the stacks asked for, or none and at least one error in diagnostics()
  std::vector<LoadedStack> load_stacks(const std::string& file, const Variant& variant);

  // "-" is standard input, which is read once however often it is asked for.
  lang::FileProvider::Answer read(const std::string& path);

  [[nodiscard]] lang::SourceSet& sources() { return sources_; }
  [[nodiscard]] lang::Diagnostics& diagnostics() { return diagnostics_; }
  // Sentences for standard error: hunks that applied at an offset, files patched in vain.
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::vector<std::string> roots_for(const std::string& file) const;
  bool apply_patches(const Variant& variant, diff::PatchedFiles& files);
  const diff::Patch* patch(const std::string& path);
  void judge_unread(const std::string& file, const Variant& variant,
                    const diff::PatchedFiles& files);
  std::vector<const lang::StackDecl*> choose_stacks(const std::string& file,
                                                    const lang::Model& model,
                                                    const Variant& variant);
  std::optional<program::ElaborateOptions> elaborate_options(const LoadedStack& loaded);
  bool elaborate(LoadedStack& loaded);

  const Options& options_;
  lang::SourceSet sources_;
  lang::Diagnostics diagnostics_;
  lang::DiskFiles disk_;
  std::optional<std::string> standard_input_;
  std::deque<std::pair<std::string, diff::Patch>> patches_;  // by path; addresses are kept
  std::vector<std::string> notes_;
};

// The folder with the shipped model/ and properties/, as it is best shown; empty if there is none.
std::string library_root();

}  // namespace txproof::cli
