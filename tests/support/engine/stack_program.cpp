#include "tests/support/engine/stack_program.h"

#include <deque>
#include <stdexcept>

#include "checker/diff/patched_files.h"
#include "model/lang/frontend.h"
#include "tests/support/files.h"

namespace txproof::test {

std::unique_ptr<program::Program> stack_program(const std::string& file,
                                                const std::vector<std::string>& patches,
                                                const program::ElaborateOptions& options) {
  const std::string root = source_folder().string();
  lang::SourceSet sources;
  lang::Diagnostics diagnostics;
  const auto fail = [&] {
    std::string all;
    for (const lang::Diagnostic& d : diagnostics.all()) all += lang::render(sources, d) + "\n";
    throw std::runtime_error(all);
  };
  lang::DiskFiles disk;
  diff::PatchedFiles files(disk, {root});
  std::deque<diff::Patch> parsed;
  for (const std::string& name : patches) {
    const lang::FileId id = sources.add(name, read_file(source_folder() / name));
    auto patch = diff::parse_patch(sources, id, diagnostics);
    if (diagnostics.has_errors()) fail();
    parsed.push_back(std::move(patch));
    if (!files.apply(parsed.back(), sources, diagnostics)) fail();
  }
  lang::LoadOptions load;
  load.roots = {root};
  const auto model = lang::load(root + "/" + file, load, files, sources, diagnostics);
  if (diagnostics.has_errors()) fail();
  auto program = program::elaborate(*model, *model->stacks.front(), options, diagnostics);
  if (program == nullptr) fail();
  return program;
}

}  // namespace txproof::test
