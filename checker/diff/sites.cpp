#include "checker/diff/sites.h"

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

// "NET_XMIT_DROP" or "-1" where the statement is the `return` of such a constant; otherwise empty.
// (The value of a call is assigned to a slot of its own, named after the function.)
std::string returned_code(const program::Program& program, const program::Stmt& stmt,
                          const lang::SourceSet& sources) {
  if (stmt.kind != program::StmtKind::assign || stmt.probe) return "";
  if (program.exprs[stmt.value].kind != program::ExprKind::constant) return "";
  const program::Address& target = program.addresses[stmt.target];
  if (!target.indices.empty() || target.handle != no_id || target.absolute != no_id) return "";
  const program::Slot& slot = program.slots[target.base];
  if (!slot.name.ends_with("()")) return "";
  const lang::Span span = stmt.where;
  if (span.file == 0 || span.file >= sources.size()) return "";
  const std::string_view text = sources.file(span.file).text;
  if (span.begin >= span.end || span.end > text.size()) return "";
  std::string code(text.substr(span.begin, span.end - span.begin));
  const bool is_name = code[0] >= 'A' && code[0] <= 'Z';
  const bool is_error = code[0] == '-';
  return is_name || is_error ? code : "";
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
      } else if (const std::string code = returned_code(program, stmt, sources); !code.empty()) {
        sites.returns.insert({call.function, "", code});
      }
    }
  }
  return sites;
}

}  // namespace txproof::diff
