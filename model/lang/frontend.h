// From files to the typed tree: reading, imports, parsing, checking.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/source.h"
#include "model/lang/syntax.h"

namespace txproof::lang {

// Where files come from. A FileProvider answers for a path relative to a root, or says why not; it
// is how patches are applied in memory and how a git revision is read.
class FileProvider {
 public:
  virtual ~FileProvider() = default;
  struct Answer {
    std::optional<std::string> text;  // absent: not there, or not readable
    std::string error;                // why, if it is there and not readable
  };
  virtual Answer read(const std::string& path) = 0;  // a path as the loader resolved it
};

// Reads from the file system; refuses directories, devices, and files over `max_bytes`.
class DiskFiles : public FileProvider {
 public:
  explicit DiskFiles(std::size_t max_bytes = 16U << 20U) : max_bytes_(max_bytes) {}
  Answer read(const std::string& path) override;

 private:
  std::size_t max_bytes_;
};

struct LoadOptions {
  // Import roots in order: imports are looked up beside the importing file, then in each root.
  // A path that leaves its root (.., absolute, a link out of it) is refused.
  std::vector<std::string> roots;
  std::size_t max_files = 1000;
  std::size_t max_import_depth = 100;
  std::size_t max_total_bytes = 64U << 20U;
  // Called when every file is parsed and before the check, if no file has errors: to add to the
  // model what no file says (ask.h).
  std::function<void(Model&)> amend;
};

// Reads `path` ("-": standard input) and all that it imports, parses and checks.
//   ensures: the Model is usable exactly if diagnostics has no errors
std::unique_ptr<Model> load(const std::string& path, const LoadOptions& options,
                            FileProvider& files, SourceSet& sources, Diagnostics& diagnostics);

// The same for one text that is given (tests, generated programs); imports are resolved by `files`.
std::unique_ptr<Model> load_text(const std::string& name, const std::string& text,
                                 const LoadOptions& options, FileProvider& files,
                                 SourceSet& sources, Diagnostics& diagnostics);

// Parses one file that is already in `sources`, without imports or checking.
std::unique_ptr<FileSyntax> parse_file(SourceSet& sources, FileId file, Diagnostics& diagnostics);

// Parses one expression that is the whole of a file in `sources` (from the command line, say).
//   ensures: null exactly if diagnostics gained an error
ExprPtr parse_expression(SourceSet& sources, FileId file, Diagnostics& diagnostics);

// Fills in every "set by check" field of the model's files, which are in import order.
void check_model(Model& model, Diagnostics& diagnostics);

// The tree as text in the one style that `txproof fmt` writes. Comments and blank lines between
// items are kept (the lexer's trivia are looked up in the source).
std::string print_file(const SourceSet& sources, const FileSyntax& file);
std::string print_expr(const Expr& expr);

}  // namespace txproof::lang
