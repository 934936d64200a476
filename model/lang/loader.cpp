// Reading a model: a depth-first walk over imports, each file once, cycles reported.
//
// Models come from strangers, so where a file may be is decided here and nowhere else. A path is
// allowed if it lies inside one of the roots (or the folder of the main file, which counts as a
// root), first by its text and then, links resolved, on disk.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>
#include <utility>

#include "model/lang/frontend.h"

namespace txproof::lang {

namespace {

namespace fs = std::filesystem;

// Is `path` inside `root`, both normalised the same way?
bool is_inside(const fs::path& path, const fs::path& root) {
  const auto ends = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return ends.first == root.end() || (ends.first->empty() && std::next(ends.first) == root.end());
}

fs::path full_path(const fs::path& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error);
  return (error ? path : full).lexically_normal();
}

fs::path real_path(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::weakly_canonical(full_path(path), error);
  return error ? full_path(path) : result;
}

std::string folder_of(const std::string& path) {
  const std::string parent = fs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// A chain of imports that leads to the file being read.
struct Link {
  std::string key;  // of the importing file
  std::string path;
  Span import;  // of the next file, in this one
};

class Loader {
 public:
  Loader(const LoadOptions& options, FileProvider& files, SourceSet& sources,
         Diagnostics& diagnostics)
      : options_(options), files_(files), sources_(sources), diagnostics_(diagnostics) {}

  std::unique_ptr<Model> from_path(const std::string& path) {
    if (path == "-") {
      std::string text;
      char buffer[1U << 16U];
      while (std::cin.read(buffer, sizeof buffer) || std::cin.gcount() > 0) {
        text.append(buffer, static_cast<std::size_t>(std::cin.gcount()));
        if (text.size() > options_.max_total_bytes) break;
      }
      return from_text("<standard input>", std::move(text));
    }
    const std::string normal = fs::path(path).lexically_normal().string();
    FileProvider::Answer answer = files_.read(normal);
    if (!answer.text) {
      const std::string why = answer.error.empty() ? "there is no such file" : answer.error;
      diagnostics_.error("TX0007", Span{}, "cannot read '" + path + "': " + why);
      return finish();
    }
    return from_text(normal, std::move(*answer.text));
  }

  std::unique_ptr<Model> from_text(const std::string& path, std::string text) {
    home_ = folder_of(path);
    seen_.insert(real_path(path).string());
    add_file(path, real_path(path).string(), std::move(text), Span{});
    return finish();
  }

 private:
  const LoadOptions& options_;
  FileProvider& files_;
  SourceSet& sources_;
  Diagnostics& diagnostics_;
  std::unique_ptr<Model> model_ = std::make_unique<Model>();
  std::string home_;            // the main file's folder
  std::set<std::string> seen_;  // canonical paths
  std::vector<Link> chain_;
  std::size_t bytes_ = 0;
  std::size_t count_ = 0;
  bool full_ = false;  // a limit was reported

  std::unique_ptr<Model> finish() {
    // What a broken file declares is not known: checking it would report what is no mistake.
    if (!diagnostics_.has_errors() && options_.amend) options_.amend(*model_);
    if (!diagnostics_.has_errors()) check_model(*model_, diagnostics_);
    diagnostics_.sort();
    return std::move(model_);
  }

  void add_file(const std::string& path, const std::string& key, std::string text, Span from) {
    bytes_ += text.size();
    ++count_;
    if (bytes_ > options_.max_total_bytes || count_ > options_.max_files) {
      full_ = true;
      diagnostics_.error("TX0011", from,
                         count_ > options_.max_files
                             ? "more than " + std::to_string(options_.max_files) + " files"
                             : "the files are larger than " +
                                   std::to_string(options_.max_total_bytes) + " bytes together");
      return;
    }
    const FileId id = sources_.add(path, std::move(text));
    std::unique_ptr<FileSyntax> file = parse_file(sources_, id, diagnostics_);
    chain_.push_back(Link{key, path, Span{}});
    for (const Import& import : file->imports) {
      if (full_) break;
      chain_.back().import = import.span;
      add_import(import, path);
    }
    chain_.pop_back();
    model_->files.push_back(std::move(file));
  }

  struct Candidate {
    fs::path path;
    fs::path root;
  };

  // Where the import may be found, in order; those that leave every root are left out.
  std::vector<Candidate> candidates(const Import& import, const std::string& importer) const {
    std::vector<Candidate> result;
    if (fs::path(import.path).is_absolute()) return result;
    std::vector<std::string> roots = {home_};
    roots.insert(roots.end(), options_.roots.begin(), options_.roots.end());
    const auto normal = [](const std::string& folder, const std::string& path) {
      return (fs::path(folder.empty() ? "." : folder) / path).lexically_normal();
    };
    const fs::path beside = normal(folder_of(importer), import.path);
    for (const std::string& root : roots) {
      if (!is_inside(full_path(beside), full_path(root))) continue;
      result.push_back({beside, root});
      break;
    }
    for (const std::string& root : options_.roots) {
      const fs::path there = normal(root, import.path);
      if (is_inside(full_path(there), full_path(root))) result.push_back({there, root});
    }
    return result;
  }

  void add_import(const Import& import, const std::string& importer) {
    if (import.path.empty()) {
      diagnostics_.error("TX0008", import.span, "the import names no file");
      return;
    }
    const std::vector<Candidate> places = candidates(import, importer);
    if (places.empty()) {
      diagnostics_.error("TX0010", import.span,
                         "'" + import.path + "' leaves the folders that imports may come from");
      return;
    }
    std::string tried;
    for (const Candidate& place : places) {
      const std::string path = place.path.string();
      const fs::path real = real_path(place.path);
      if (!is_inside(real, real_path(place.root))) {
        diagnostics_.error(
            "TX0010", import.span,
            "'" + path + "' is a link out of the folders that imports may come from");
        return;
      }
      if (is_open(real.string())) return report_cycle(import, real.string());
      if (seen_.contains(real.string())) return;
      FileProvider::Answer answer = files_.read(path);
      if (answer.text) {
        if (chain_.size() >= options_.max_import_depth) {
          diagnostics_.error("TX0011", import.span,
                             "imports are nested deeper than " +
                                 std::to_string(options_.max_import_depth) + " files");
          return;
        }
        seen_.insert(real.string());
        return add_file(path, real.string(), std::move(*answer.text), import.span);
      }
      if (!answer.error.empty()) {
        diagnostics_.error("TX0007", import.span, "cannot read '" + path + "': " + answer.error);
        return;
      }
      tried += (tried.empty() ? "" : ", ") + path;
    }
    Diagnostic& diagnostic = diagnostics_.error("TX0008", import.span,
                                                "there is no file '" + import.path + "' to import");
    diagnostic.notes.push_back({Span{}, "looked for " + tried});
  }

  bool is_open(const std::string& key) const {
    return std::any_of(chain_.begin(), chain_.end(),
                       [&](const Link& link) { return link.key == key; });
  }

  void report_cycle(const Import& import, const std::string& key) {
    auto first = std::find_if(chain_.begin(), chain_.end(),
                              [&](const Link& link) { return link.key == key; });
    std::string names;
    for (auto link = first; link != chain_.end(); ++link) names += link->path + " -> ";
    Diagnostic& diagnostic =
        diagnostics_.error("TX0009", import.span, "imports go in a circle: " + names + first->path);
    for (auto link = first; std::next(link) != chain_.end(); ++link) {
      diagnostic.notes.push_back(
          {link->import, link->path + " imports " + std::next(link)->path + " here"});
    }
  }
};

}  // namespace

std::unique_ptr<Model> load(const std::string& path, const LoadOptions& options,
                            FileProvider& files, SourceSet& sources, Diagnostics& diagnostics) {
  return Loader(options, files, sources, diagnostics).from_path(path);
}

std::unique_ptr<Model> load_text(const std::string& name, const std::string& text,
                                 const LoadOptions& options, FileProvider& files,
                                 SourceSet& sources, Diagnostics& diagnostics) {
  return Loader(options, files, sources, diagnostics).from_text(name, text);
}

}  // namespace txproof::lang
