#include "checker/diff/sites.h"

#include "model/program/display.h"

namespace txproof::diff {

namespace {

using program::no_id;

std::string trimmed_line(const lang::SourceSet& sources, lang::Span span) {
  if (span.file == 0 || span.file >= sources.size()) return "";
  const std::string_view line =
      sources.line(span.file, sources.position(span.file, span.begin).line);
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  std::string text(line.substr(first, line.find_last_not_of(" \t") - first + 1));
  const std::size_t comment = text.find("//");
  if (comment != std::string::npos) text.erase(comment);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.pop_back();
  return text;
}

}  // namespace

Sites reached_sites(const program::Program& program, const properties::Exploration& exploration,
                    const lang::SourceSet& sources) {
  Sites sites;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    if (b >= exploration.covered_blocks.size() || !exploration.covered_blocks[b]) continue;
    for (const program::Stmt& stmt : program.blocks[b].stmts) {
      if (stmt.call == no_id) continue;
      const program::Call& call = program.calls[stmt.call];
      if (stmt.kind == program::StmtKind::destroy) {
        const bool has_parent = call.parent != no_id;
        sites.drops.insert({call.function, has_parent ? program.calls[call.parent].function : "",
                            trimmed_line(sources, has_parent ? call.site : stmt.where)});
      } else if (stmt.kind == program::StmtKind::leave && stmt.value != no_id &&
                 program.exprs[stmt.value].kind == program::ExprKind::constant) {
        sites.returns.insert({call.function, "",
                              program::display_value(program, call.result_display,
                                                     program.exprs[stmt.value].value)});
      }
    }
  }
  return sites;
}

}  // namespace txproof::diff
