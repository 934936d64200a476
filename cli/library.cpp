// Where the shipped models are: beside the source in a build tree, under share/ where installed.
#include <array>
#include <filesystem>
#include <system_error>

#include "cli/workspace.h"

namespace txproof::cli {

namespace fs = std::filesystem;

namespace {

bool is_library(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "model" / "linux", error);
}

// Relative to the current folder where it lies in it, so that reports do not depend on the machine.
std::string shown(const fs::path& folder) {
  std::error_code error;
  const fs::path canonical = fs::weakly_canonical(folder, error);
  if (error) return folder.string();
  const fs::path here = fs::weakly_canonical(fs::current_path(error), error);
  if (error) return canonical.string();
  const fs::path relative = canonical.lexically_relative(here);
  if (relative.empty() || *relative.begin() == "..") return canonical.string();
  return relative.string();
}

}  // namespace

std::string library_root() {
  const fs::path built = TXPROOF_LIBRARY_DIR;
  if (is_library(built)) return shown(built);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  const fs::path bin = program.parent_path();
  for (const fs::path& folder : {bin / ".." / "share" / "txproof", bin / ".."}) {
    if (is_library(folder)) return shown(folder);
  }
  return "";
}

}  // namespace txproof::cli
