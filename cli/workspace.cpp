#include "cli/workspace.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "checker/diff/git_files.h"
#include "model/lang/ask.h"

namespace txproof::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t max_input = 64U << 20U;
const std::vector<std::string> builtin_names = {"own.linear", "range", "lock", "deadlock",
                                                "assert"};

std::string folder_of(const std::string& file) {
  if (file == "-") return ".";
  const std::string folder = fs::path(file).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string nearest_hint(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = lang::nearest_name(name, candidates);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

// The top of the work tree around `folder`: patches made there name files from it.
std::string enclosing_work_tree(const std::string& folder) {
  std::error_code error;
  fs::path at = folder;
  fs::path full = fs::weakly_canonical(fs::absolute(folder, error), error);
  if (error) return "";
  while (true) {
    if (fs::exists(full / ".git", error)) return at.lexically_normal().string();
    if (full == full.root_path()) return "";
    full = full.parent_path();
    at /= "..";
  }
}

bool inside(lang::Span inner, lang::Span outer) {
  return inner.file == outer.file && inner.begin >= outer.begin && inner.end <= outer.end;
}

// The properties in which all errors behind the first `known` ones lie; absent if one lies
// elsewhere.
std::optional<std::vector<diff::Unusable>> errors_in_properties(
    const lang::Model& model, const lang::Diagnostics& diagnostics) {
  std::vector<diff::Unusable> out;
  for (const lang::Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity != lang::Severity::error) continue;
    const lang::Decl* owner = nullptr;
    for (const auto& file : model.files) {
      for (const auto& decl : file->decls) {
        if (decl->decl_kind == lang::DeclKind::property &&
            inside(diagnostic.span, decl->full_span)) {
          owner = decl.get();
        }
      }
    }
    if (owner == nullptr) return std::nullopt;
    const bool known = std::any_of(out.begin(), out.end(), [&](const diff::Unusable& unusable) {
      return unusable.property == owner->name;
    });
    if (!known) out.push_back({owner->name, diagnostic.message});
  }
  return out;
}

// Answers for one path itself.
class ReplacedFile : public lang::FileProvider {
 public:
  ReplacedFile(lang::FileProvider& below,
               const std::optional<std::pair<std::string, std::string>>& replaced)
      : below_(below), replaced_(replaced) {}
  Answer read(const std::string& path) override {
    Answer answer = below_.read(path);  // also where it is replaced: a patch of it has been used
    if (replaced_ && path == replaced_->first) return {replaced_->second, ""};
    return answer;
  }

 private:
  lang::FileProvider& below_;
  const std::optional<std::pair<std::string, std::string>>& replaced_;
};

// A rate is about what happens in the long run of time. Where nothing takes time and nobody is
// quick, its worst case is somebody who never moves.
void warn_of_untimed_rate(const program::Program& program, lang::Diagnostics& diagnostics) {
  const bool timed =
      program.has_time || std::any_of(program.threads.begin(), program.threads.end(),
                                      [](const program::Thread& thread) { return thread.urgent; });
  if (timed) return;
  for (const program::Property& property : program.properties) {
    for (const program::Claim& claim : property.claims) {
      if (claim.kind != program::PropertyKind::rate) continue;
      diagnostics.warning("TX0606", claim.where,
                          "stack '" + program.stack +
                              "' has neither urgent threads nor time, so the worst rate is that "
                              "of threads that are as slow, and as quick, as they like");
    }
  }
}

}  // namespace

Workspace::Workspace(const Options& options) : options_(options) {}

lang::FileProvider::Answer Workspace::read(const std::string& path) {
  if (path != "-") return disk_.read(path);
  if (!standard_input_) {
    std::string text;
    std::vector<char> buffer(1U << 16U);
    while (text.size() <= max_input &&
           (std::cin.read(buffer.data(), 1 << 16) || std::cin.gcount() > 0)) {
      text.append(buffer.data(), static_cast<std::size_t>(std::cin.gcount()));
    }
    if (text.size() > max_input) return {std::nullopt, "standard input has more than 64 MiB"};
    standard_input_ = std::move(text);
  }
  return {standard_input_, ""};
}

std::vector<std::string> Workspace::roots_for(const std::string& file) const {
  std::vector<std::string> roots = {folder_of(file)};
  roots.insert(roots.end(), options_.roots.begin(), options_.roots.end());
  const std::string library = library_root();
  if (!library.empty()) roots.push_back(library);
  return roots;
}

const diff::Patch* Workspace::patch(const std::string& path) {
  for (const auto& [known, parsed] : patches_) {
    if (known == path) return &parsed;
  }
  lang::FileProvider::Answer answer = read(path);
  const std::string shown = path == "-" ? "<standard input>" : path;
  if (!answer.text) {
    diagnostics_.error("TX0509", {},
                       "cannot read the patch '" + shown +
                           "': " + (answer.error.empty() ? "there is no such file" : answer.error));
    return nullptr;
  }
  if (answer.text->find('\0') != std::string::npos) {
    diagnostics_.error("TX0501", {}, "'" + shown + "' is not a patch: it is a binary file");
    return nullptr;
  }
  const lang::FileId id = sources_.add(shown, std::move(*answer.text));
  const std::size_t before = diagnostics_.error_count();
  patches_.emplace_back(path, diff::parse_patch(sources_, id, diagnostics_));
  return diagnostics_.error_count() == before ? &patches_.back().second : nullptr;
}

bool Workspace::apply_patches(const Variant& variant, diff::PatchedFiles& files) {
  std::set<std::string> applied;
  for (const std::string& path : variant.patches) {
    if (!applied.insert(path).second) {
      diagnostics_.error("TX0509", {}, "the patch '" + path + "' is given twice");
      return false;
    }
    const diff::Patch* parsed = patch(path);
    if (parsed == nullptr || !files.apply(*parsed, sources_, diagnostics_)) return false;
  }
  for (const diff::Offset& offset : files.offsets()) {
    const std::string note = "hunk " + std::to_string(offset.hunk) + " for " + offset.path +
                             " applied at an offset of " + std::to_string(offset.lines) +
                             (offset.lines == 1 || offset.lines == -1 ? " line" : " lines");
    if (std::find(notes_.begin(), notes_.end(), note) == notes_.end()) notes_.push_back(note);
  }
  return true;
}

// A patch that changes nothing that the stack is made of would compare a model with itself.
void Workspace::judge_unread(const std::string& file, const Variant& variant,
                             const diff::PatchedFiles& files) {
  for (const std::string& path : variant.patches) {
    const diff::Patch* parsed = patch(path);
    if (parsed == nullptr || parsed->files.empty()) continue;
    const std::vector<std::string> unread = files.unread(*parsed);
    if (unread.empty()) continue;
    if (unread.size() == parsed->files.size()) {
      lang::Diagnostic& error =
          diagnostics_.error("TX0510", parsed->files[0].header,
                             "the patch '" + parsed->name + "' is for another model: " + file +
                                 " imports none of the files that it changes");
      error.notes.push_back({{}, "it changes " + listed(unread)});
    } else {
      notes_.push_back("the patch '" + parsed->name + "' also changes " + listed(unread) +
                       ", which " + file + " does not import");
    }
  }
}

std::vector<const lang::StackDecl*> Workspace::choose_stacks(const std::string& file,
                                                             const lang::Model& model,
                                                             const Variant& variant) {
  std::vector<std::string> names;
  for (const lang::StackDecl* stack : model.stacks) names.push_back(stack->name);
  if (names.empty()) {
    if (!variant.allow_no_stack) {
      diagnostics_.error(
          "TX0601", {}, "there is no stack in '" + file + "': it may be a file that stacks import");
    }
    return {};
  }
  if (!options_.stack.empty()) {
    for (const lang::StackDecl* stack : model.stacks) {
      if (stack->name == options_.stack) return {stack};
    }
    if (!variant.all_stacks) {
      diagnostics_.error("TX0602", {},
                         "there is no stack '" + options_.stack + "' in '" + file + "'; there is " +
                             listed(names) + nearest_hint(options_.stack, names));
    }
    return {};
  }
  if (variant.all_stacks || names.size() == 1) return model.stacks;
  diagnostics_.error("TX0602", {},
                     "there are several stacks in '" + file + "': choose one with --stack (" +
                         listed(names) + ")");
  return {};
}

std::optional<program::ElaborateOptions> Workspace::elaborate_options(const LoadedStack& loaded) {
  const lang::StackDecl& stack = *loaded.stack;
  program::ElaborateOptions out;
  out.interleave = options_.interleave;
  out.memory = options_.memory;
  out.store_depth = options_.store_depth;
  bool good = true;
  std::vector<std::string> params;
  for (const auto& param : stack.params) params.push_back(param->name);
  for (const auto& [name, value] : options_.set) {
    if (std::find(params.begin(), params.end(), name) == params.end()) {
      diagnostics_.error("TX0603", {},
                         "stack '" + stack.name + "' has no parameter '" + name + "'" +
                             (params.empty() ? "" : "; it has " + listed(params)) +
                             nearest_hint(name, params));
      good = false;
    }
    if (out.set.contains(name) && out.set[name] != value) {
      diagnostics_.error("TX0603", {}, "--set gives '" + name + "' two values");
      good = false;
    }
    out.set[name] = value;
  }
  std::vector<std::string> known = builtin_names;
  for (const auto& check : stack.checks) known.push_back(check->name);
  for (const std::string& name : options_.properties) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      diagnostics_.error("TX0604", {},
                         "stack '" + stack.name + "' does not check '" + name + "'; there is " +
                             listed(known) + nearest_hint(name, known));
      good = false;
    }
  }
  out.for_all = options_.for_all;
  for (const std::string& name : options_.for_all) {
    if (std::find(params.begin(), params.end(), name) != params.end()) continue;
    diagnostics_.error("TX0603", {},
                       "--for-all: stack '" + stack.name + "' has no parameter '" + name + "'" +
                           (params.empty() ? "" : "; it has " + listed(params)) +
                           nearest_hint(name, params));
    good = false;
  }
  out.only_properties = options_.properties;
  if (!out.only_properties.empty()) {
    out.only_properties.insert(out.only_properties.end(), loaded.questions.begin(),
                               loaded.questions.end());
  }
  if (!loaded.question.empty()) out.only_properties = {loaded.question};
  if (!good) return std::nullopt;
  return out;
}

bool Workspace::elaborate(LoadedStack& loaded) {
  std::optional<program::ElaborateOptions> options = elaborate_options(loaded);
  if (!options) return false;
  options->watch = loaded.watch;
  if (!loaded.unusable.empty()) {
    // Only those that can be evaluated: name them.
    std::vector<std::string> asked = options->only_properties;
    if (asked.empty()) {
      asked = builtin_names;
      for (const auto& check : loaded.stack->checks) asked.push_back(check->name);
    }
    options->only_properties.clear();
    for (const std::string& name : asked) {
      const bool bad =
          std::any_of(loaded.unusable.begin(), loaded.unusable.end(),
                      [&](const diff::Unusable& unusable) { return unusable.property == name; });
      const std::vector<std::string>& only = options->only_properties;
      if (!bad && std::find(only.begin(), only.end(), name) == only.end()) {
        options->only_properties.push_back(name);
      }
    }
    // What is not asked for is no loss.
    std::vector<std::string> wanted;
    for (const auto& check : loaded.stack->checks) wanted.push_back(check->name);
    if (!options_.properties.empty()) wanted = options_.properties;
    std::erase_if(loaded.unusable, [&](const diff::Unusable& unusable) {
      return std::find(wanted.begin(), wanted.end(), unusable.property) == wanted.end();
    });
  }
  const std::size_t before = diagnostics_.error_count();
  loaded.program = program::elaborate(*loaded.model, *loaded.stack, *options, diagnostics_);
  if (diagnostics_.error_count() != before) return false;
  warn_of_untimed_rate(*loaded.program, diagnostics_);
  return true;
}

std::vector<LoadedStack> Workspace::load_stacks(const std::string& file, const Variant& variant) {
  std::vector<LoadedStack> out;
  const std::vector<std::string> roots = roots_for(file);
  std::optional<diff::GitFiles> git;
  std::vector<std::string> patch_roots = roots;
  const std::string tree = enclosing_work_tree(folder_of(file));
  if (!tree.empty()) patch_roots.push_back(tree);
  if (!variant.revision.empty()) {
    std::string error;
    const auto top = diff::work_tree_of(folder_of(file), error);
    bool good = top.has_value();
    if (good) {
      git.emplace(disk_, *top);
      good = git->open(variant.revision, error);
    }
    if (!good) {
      diagnostics_.error("TX0511", {}, "--git: " + error);
      return out;
    }
  }
  lang::FileProvider& below = git ? static_cast<lang::FileProvider&>(*git) : disk_;
  diff::PatchedFiles files(below, patch_roots);
  if (!apply_patches(variant, files)) return out;
  if (file != "-" && !files.fate(file).empty()) {
    diagnostics_.error("TX0507", {},
                       "the stack's own file '" + file + "' is gone: a patch " + files.fate(file));
    return out;
  }

  lang::LoadOptions load_options;
  load_options.roots.assign(roots.begin() + 1, roots.end());
  const std::size_t before = diagnostics_.error_count();
  lang::Diagnostics found;
  std::shared_ptr<lang::Model> model;
  std::optional<lang::FileId> question;
  if (!variant.expression.empty()) question = sources_.add("<expression>", variant.expression);
  std::vector<lang::FileId> assumptions;
  for (const std::string& text : options_.assumptions) {
    assumptions.push_back(sources_.add("<assumption>", text));
  }
  if (question || !assumptions.empty()) {
    load_options.amend = [this, question, assumptions, &found](lang::Model& parsed) {
      for (const lang::FileId id : assumptions) {
        lang::add_assumption(parsed, sources_, id, found);
      }
      if (question) lang::ask_for_maximum(parsed, sources_, *question, found);
    };
  }
  ReplacedFile readable(files, variant.replaced);
  if (!variant.questions.empty()) {
    std::vector<lang::Question> questions;
    for (std::size_t i = 0; i < variant.questions.size(); ++i) {
      const AskedFor& asked = variant.questions[i];
      const std::string name = (asked.is_rate ? "<rate " : "<expression ") + std::to_string(i + 1);
      questions.push_back({sources_.add(name + ">", asked.text), asked.is_rate});
    }
    load_options.amend = [this, questions, &found](lang::Model& parsed) {
      lang::ask(parsed, sources_, questions, found);
    };
  }
  if (file == "-") {
    const lang::FileProvider::Answer answer = read("-");
    if (!answer.text) {
      diagnostics_.error("TX0601", {}, "cannot read the model: " + answer.error);
      return out;
    }
    model =
        lang::load_text("<standard input>", *answer.text, load_options, readable, sources_, found);
  } else {
    model = lang::load(file, load_options, readable, sources_, found);
  }
  std::vector<diff::Unusable> unusable;
  if (found.has_errors() && variant.tolerate_properties) {
    auto in_properties = errors_in_properties(*model, found);
    if (in_properties) unusable = std::move(*in_properties);
  }
  if (!found.has_errors() || unusable.empty()) {
    for (const lang::Diagnostic& diagnostic : found.all()) {
      lang::Diagnostic& copy =
          diagnostic.severity == lang::Severity::error
              ? diagnostics_.error(diagnostic.code, diagnostic.span, diagnostic.message)
              : diagnostics_.warning(diagnostic.code, diagnostic.span, diagnostic.message);
      copy.notes = diagnostic.notes;
    }
  }
  if (diagnostics_.error_count() != before) return out;
  judge_unread(file, variant, files);
  if (diagnostics_.error_count() != before) return out;

  for (const lang::StackDecl* stack : choose_stacks(file, *model, variant)) {
    LoadedStack loaded;
    loaded.model = model;
    loaded.stack = stack;
    loaded.unusable = unusable;
    loaded.watch = variant.watch;
    if (!variant.expression.empty()) loaded.question = lang::question_about(*stack);
    for (std::size_t i = 0; i < variant.questions.size(); ++i) {
      loaded.questions.push_back(lang::question_about(*stack, i));
    }
    loaded.origin.file = file;
    loaded.origin.stack = stack->name;
    loaded.origin.roots = options_.roots;
    loaded.origin.patches = variant.patches;
    loaded.origin.revision = variant.revision;
    if (elaborate(loaded)) out.push_back(std::move(loaded));
  }
  if (diagnostics_.error_count() != before) out.clear();
  return out;
}

}  // namespace txproof::cli
