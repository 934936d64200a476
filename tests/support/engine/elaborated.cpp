#include "tests/support/engine/elaborated.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "checker/explicit/search.h"
#include "properties/memory_bounds.h"

namespace txproof::test {

namespace {

class NoFiles : public lang::FileProvider {
 public:
  Answer read(const std::string& /*path*/) override { return {}; }
};

std::unique_ptr<program::Program> build(const std::string& text,
                                        const program::ElaborateOptions& options,
                                        lang::SourceSet& sources, lang::Diagnostics& diagnostics) {
  NoFiles files;
  const auto model = lang::load_text("model.tx", text, {}, files, sources, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  if (model->stacks.size() != 1) throw std::runtime_error("the text has not one stack");
  return program::elaborate(*model, *model->stacks.front(), options, diagnostics);
}

}  // namespace

std::unique_ptr<program::Program> elaborated(const std::string& text,
                                             const program::ElaborateOptions& options) {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  auto program = build(text, options, sources, diagnostics);
  if (program != nullptr) return program;
  std::string all;
  for (const lang::Diagnostic& d : diagnostics.all()) all += lang::render(sources, d) + "\n";
  throw std::runtime_error(all);
}

std::string first_error(const std::string& text, const program::ElaborateOptions& options) {
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  build(text, options, sources, diagnostics);
  diagnostics.sort();
  for (const lang::Diagnostic& d : diagnostics.all()) {
    if (d.severity == lang::Severity::error) return d.code;
  }
  return "";
}

std::string findings(const std::string& text, const program::ElaborateOptions& options) {
  const auto program = elaborated(text, options);
  properties::Exploration found = checker::explore(*program, {});
  properties::respect_bounds(*program, found);
  std::vector<std::string> words;
  for (const properties::Result& result : found.results) {
    if (program->properties[result.property].is_watch) continue;
    std::string word = program->properties[result.property].instance;
    if (result.verdict == properties::Verdict::violated) {
      if (result.path->violation != program::no_id) {
        word += " " + program->violations[result.path->violation].kind;
      }
    } else if (result.verdict == properties::Verdict::inconclusive) {
      word += " inconclusive";
    } else if (result.vacuous) {
      word += " vacuous";
    } else {
      continue;
    }
    words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  std::string joined;
  for (const std::string& word : words) joined += (joined.empty() ? "" : ", ") + word;
  return joined;
}

std::uint64_t states_of(const std::string& text, const program::ElaborateOptions& options) {
  return checker::explore(*elaborated(text, options), {}).states;
}

}  // namespace txproof::test
