#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "checker/diff/apply.h"
#include "checker/diff/unified_diff.h"
#include "counterexamples/render_json.h"
#include "model/lang/frontend.h"

namespace txproof::fuzz {

namespace {

void require(bool promise, const char* what) {
  if (promise) return;
  std::fprintf(stderr, "fuzz: broken promise: %s\n", what);
  std::abort();
}

// No file is there: an import in the input is answered, and nothing on the disk is read.
class NoFiles : public lang::FileProvider {
 public:
  Answer read(const std::string& /*path*/) override { return {}; }
};

void render_all(const lang::SourceSet& sources, const lang::Diagnostics& diagnostics) {
  constexpr std::size_t most = 20;
  std::size_t count = 0;
  for (const lang::Diagnostic& diagnostic : diagnostics.all()) {
    if (++count > most) return;
    require(!lang::render(sources, diagnostic).empty(), "a diagnostic says something");
  }
}

}  // namespace

void model(std::string_view bytes) {
  lang::SourceSet sources;
  NoFiles files;
  lang::Diagnostics whole;
  const auto loaded = lang::load_text("input.tx", std::string(bytes), {}, files, sources, whole);
  render_all(sources, whole);

  lang::Diagnostics first;
  const lang::FileId id = sources.add("parsed.tx", std::string(bytes));
  const auto parsed = lang::parse_file(sources, id, first);
  if (first.has_errors()) return;
  const std::string once = lang::print_file(sources, *parsed);
  lang::Diagnostics second;
  const auto printed = lang::parse_file(sources, sources.add("printed.tx", once), second);
  require(!second.has_errors(), "what is printed parses");
  require(lang::print_file(sources, *printed) == once, "printing twice prints the same");
}

void patch(std::string_view bytes) {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  const lang::FileId id = sources.add("input.patch", std::string(bytes));
  const diff::Patch parsed = diff::parse_patch(sources, id, diagnostics);
  if (!diagnostics.has_errors()) {
    const std::string text = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
    for (const diff::FilePatch& file : parsed.files) {
      std::string result;
      std::vector<diff::Offset> offsets;
      lang::Diagnostics refused;
      const bool applied =
          diff::apply_hunks(file, "file.tx", text, sources, refused, result, offsets);
      require(applied != refused.has_errors(), "a patch that does not apply says why");
      render_all(sources, refused);
    }
  }
  render_all(sources, diagnostics);
}

void trace(std::string_view bytes) {
  std::string error;
  const auto traces = counterexamples::traces_from_json(std::string(bytes), error);
  require(!traces.empty() || !error.empty(), "a file without a trace says so");
}

}  // namespace txproof::fuzz
