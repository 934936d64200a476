#include "harness/model.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <utility>

#include "checker/diff/patched_files.h"
#include "checker/diff/unified_diff.h"
#include "model/lang/diagnostic.h"
#include "model/lang/frontend.h"
#include "model/program/elaborate.h"

namespace txproof::harness {

// All that a stack was read from. Elaboration only reads it.
struct Model::Texts {
  ModelOptions options;
  std::string file;
  lang::SourceSet sources;
  std::unique_ptr<lang::Model> model;
  const lang::StackDecl* stack = nullptr;
};

namespace {

[[noreturn]] void refuse(const lang::SourceSet& sources, lang::Diagnostics& diagnostics) {
  diagnostics.sort();
  std::string text;
  for (const lang::Diagnostic& diagnostic : diagnostics.all()) {
    text += lang::render(sources, diagnostic);
    if (!text.empty() && text.back() != '\n') text += '\n';
  }
  throw ModelError(text);
}

std::string folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

const lang::StackDecl* choose(const lang::Model& model, const std::string& name) {
  std::string names;
  for (const lang::StackDecl* stack : model.stacks) {
    if (stack->name == name || (name.empty() && model.stacks.size() == 1)) return stack;
    names += (names.empty() ? "" : ", ") + stack->name;
  }
  if (names.empty()) throw ModelError("there is no stack in the model");
  throw ModelError("there are the stacks " + names + ": name one in ModelOptions::stack");
}

}  // namespace

Model Model::load(const std::string& file, const ModelOptions& options,
                  const std::string& library) {
  auto texts = std::make_shared<Texts>();
  texts->options = options;
  texts->file = file;
  lang::Diagnostics diagnostics;
  lang::DiskFiles disk;
  std::vector<std::string> roots = {folder_of(file)};
  roots.insert(roots.end(), options.roots.begin(), options.roots.end());
  if (!library.empty()) roots.push_back(library);
  diff::PatchedFiles files(disk, roots);
  std::deque<diff::Patch> patches;
  for (const std::string& path : options.patches) {
    lang::FileProvider::Answer answer = disk.read(path);
    if (!answer.text) throw ModelError("cannot read the patch '" + path + "'");
    const lang::FileId id = texts->sources.add(path, *answer.text);
    patches.push_back(diff::parse_patch(texts->sources, id, diagnostics));
    patches.back().name = path;
    if (diagnostics.has_errors() || !files.apply(patches.back(), texts->sources, diagnostics)) {
      refuse(texts->sources, diagnostics);
    }
  }
  lang::LoadOptions load_options;
  load_options.roots.assign(roots.begin() + 1, roots.end());
  texts->model = lang::load(file, load_options, files, texts->sources, diagnostics);
  if (diagnostics.has_errors()) refuse(texts->sources, diagnostics);
  for (const diff::Patch& patch : patches) {
    if (files.unread(patch).size() == patch.files.size() && !patch.files.empty()) {
      throw ModelError("the patch '" + patch.name + "' is for another model: '" + file +
                       "' imports none of the files that it changes");
    }
  }
  texts->stack = choose(*texts->model, options.stack);
  return Model(std::move(texts), options.set);
}

Model Model::from_text(const std::string& text, const ModelOptions& options,
                       const std::string& library) {
  auto texts = std::make_shared<Texts>();
  texts->options = options;
  texts->file = "<text>";
  lang::Diagnostics diagnostics;
  lang::DiskFiles disk;
  lang::LoadOptions load_options;
  load_options.roots = options.roots;
  if (!library.empty()) load_options.roots.push_back(library);
  texts->model = lang::load_text("<text>", text, load_options, disk, texts->sources, diagnostics);
  if (diagnostics.has_errors()) refuse(texts->sources, diagnostics);
  texts->stack = choose(*texts->model, options.stack);
  return Model(std::move(texts), options.set);
}

Model::Model(std::shared_ptr<const Texts> texts, Parameters set)
    : texts_(std::move(texts)), set_(std::move(set)) {
  program::ElaborateOptions options;
  options.interleave = texts_->options.interleave;
  options.only_properties = texts_->options.properties;
  const auto& known = texts_->stack->params;
  for (const auto& [name, value] : set_) {
    const bool is_there =
        std::any_of(known.begin(), known.end(),
                    [&name = name](const auto& param) { return param->name == name; });
    if (!is_there) {
      throw ModelError("stack '" + texts_->stack->name + "' has no parameter '" + name + "'");
    }
    options.set[name] = value;
  }
  lang::Diagnostics diagnostics;
  program_ = program::elaborate(*texts_->model, *texts_->stack, options, diagnostics);
  if (diagnostics.has_errors() || program_ == nullptr) refuse(texts_->sources, diagnostics);
  if (program_->memory != program::Memory::sc) {
    throw ModelError("stack '" + texts_->stack->name +
                     "' asks for a memory model, and the harness runs sequentially consistent "
                     "ones only");
  }
}

Model Model::with(const Parameters& set) const {
  Parameters all = set_;
  for (const auto& [name, value] : set) all[name] = value;
  return Model(texts_, std::move(all));
}

const lang::SourceSet& Model::sources() const { return texts_->sources; }

std::string Model::title() const {
  std::string text = program_->stack + " (" + texts_->file + ")";
  for (const program::Parameter& parameter : program_->parameters) {
    text += " " + parameter.name + "=" + std::to_string(parameter.value);
  }
  return text;
}

}  // namespace txproof::harness
