// Lines of the model that no run reaches: nothing was proved about them.
#include <map>

#include "cli/report.h"

namespace txproof::cli {

namespace {

using Place = std::pair<lang::FileId, std::uint32_t>;

}  // namespace

std::vector<Unreached> unreached_lines(const StackReport& report, const lang::SourceSet& sources) {
  const program::Program& program = *report.loaded.program;
  const std::vector<bool>& covered = report.exploration.covered_blocks;
  std::map<Place, bool> reached;
  const auto mark = [&](lang::Span span, bool hit) {
    if (span.file == 0 || span.file >= sources.size()) return;
    bool& entry = reached[{span.file, sources.position(span.file, span.begin).line}];
    entry = entry || hit;
  };
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    const bool hit = b < covered.size() && covered[b];
    for (const program::Stmt& stmt : program.blocks[b].stmts) {
      // Checks and bookkeeping stand on the lines of the statements that they guard.
      if (!stmt.probe && stmt.kind != program::StmtKind::check) mark(stmt.where, hit);
    }
  }
  std::vector<Unreached> out;
  for (const auto& [place, hit] : reached) {
    if (hit) continue;
    std::string text(sources.line(place.first, place.second));
    text.erase(0, text.find_first_not_of(" \t"));
    out.push_back({sources.file(place.first).path, place.second, std::move(text)});
  }
  return out;
}

}  // namespace txproof::cli
