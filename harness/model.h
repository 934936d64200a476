// A model as a test uses it: a stack of a .tx file (or of a text), patched, with its parameters
// set.
//
//   const Model model = Model::load("model/stacks/bonding.tx", {.set = {{"SOCKETS", 3}}});
//   const Model patched = Model::load("ring.tx", {.patches = {"fix.patch"}});
//   const Model larger = model.with({{"L", 1000}});
//
// A Model is a value that is cheap to copy and never changes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/lang/source.h"
#include "model/program/program.h"

namespace txproof::harness {

// A model that cannot be used. what() is the diagnostics, as the txproof command prints them.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// The folder of the models that come with txproof (model/linux, properties, …), which imports may
// name; the CMake package says where. Empty if there is none. (Of each file that includes this, so
// that the library need not know where it is installed.)
[[maybe_unused]] static inline std::string library_folder() {
#ifdef TXPROOF_LIBRARY
  return TXPROOF_LIBRARY;
#else
  return "";
#endif
}

using Parameters = std::map<std::string, std::int64_t>;

struct ModelOptions {
  Parameters set = {};                       // parameters of the stack; the others: their defaults
  std::vector<std::string> patches = {};     // files, applied in order
  std::vector<std::string> roots = {};       // for imports, after the file's own folder
  std::string stack = {};                    // which, where there are several
  std::vector<std::string> properties = {};  // only these are watched; empty: all
  std::optional<program::Interleave> interleave = {};  // overrides the stack's own
};

class Model {
 public:
  // library: the last root for imports.
  //   errors: ModelError
  static Model load(const std::string& file, const ModelOptions& options = {},
                    const std::string& library = library_folder());
  static Model from_text(const std::string& text, const ModelOptions& options = {},
                         const std::string& library = library_folder());

  // The same stack with these parameters set, on top of those set already.
  //   errors: ModelError
  [[nodiscard]] Model with(const Parameters& set) const;

  [[nodiscard]] const program::Program& program() const { return *program_; }
  [[nodiscard]] const lang::SourceSet& sources() const;
  [[nodiscard]] const Parameters& set() const { return set_; }
  // "bonding (model/stacks/bonding.tx) SOCKETS=3 W=2"
  [[nodiscard]] std::string title() const;

 private:
  struct Texts;
  Model(std::shared_ptr<const Texts> texts, Parameters set);

  std::shared_ptr<const Texts> texts_;
  Parameters set_;
  std::shared_ptr<const program::Program> program_;
};

}  // namespace txproof::harness
