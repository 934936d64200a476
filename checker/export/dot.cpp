#include "checker/export/dot.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace txproof::checker::exporting {

using namespace program;

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

const char* name_of(StopKind kind) {
  switch (kind) {
    case StopKind::start:
      return "start";
    case StopKind::wait:
      return "wait";
    case StopKind::rest:
      return "rest";
    case StopKind::pause:
      return "pause";
    case StopKind::yield:
      return "yield";
    case StopKind::tick:
      return "tick";
    case StopKind::after_tick:
      return "after tick";
    case StopKind::loop_head:
      return "loop";
    case StopKind::choice:
      return "either";
    case StopKind::wait_choice:
      return "wait either";
    case StopKind::access:
      return "access";
    case StopKind::end:
      return "end";
  }
  return "";
}

class Drawing {
 public:
  Drawing(const Program& program, const lang::SourceSet& sources)
      : program_(program), sources_(sources) {}

  std::string run() {
    text_ = "digraph " + quoted(program_.stack) +
            " {\n  node [shape=box, fontname=monospace];\n  edge [fontname=monospace];\n";
    for (ThreadId thread = 0; thread < program_.threads.size(); ++thread) {
      text_ += "  subgraph cluster_" + std::to_string(thread) +
               " {\n    label=" + quoted(program_.threads[thread].name) + ";\n";
      for (const LocationId id : program_.threads[thread].locations) node(id);
      for (const LocationId id : program_.threads[thread].locations) edges(id);
      text_ += "  }\n";
    }
    return text_ + "}\n";
  }

 private:
  void node(LocationId id) {
    const Location& location = program_.locations[id];
    std::string label = name_of(location.kind);
    const std::string line = line_of(location.where);
    if (!line.empty()) label += "\n" + line;
    // A line break of a label is a backslash and n.
    std::string shown = quoted(label);
    for (std::size_t at = shown.find('\n'); at != std::string::npos; at = shown.find('\n')) {
      shown.replace(at, 1, "\\n");
    }
    const bool last = location.kind == StopKind::end;
    text_ += "    l" + std::to_string(id) + " [label=" + shown +
             (last ? ", shape=doublecircle" : "") + "];\n";
  }

  std::string line_of(const lang::Span& span) const {
    if (span.file >= sources_.size()) return "";
    const auto position = sources_.position(span.file, span.begin);
    return sources_.file(span.file).path + ":" + std::to_string(position.line);
  }

  void edges(LocationId id) {
    const Location& location = program_.locations[id];
    if (location.after != no_id) edge(id, location.after, "time");
    if (location.entry == no_id) return;
    // Forward over the blocks of the step: what was called on the way to each.
    std::map<BlockId, std::set<std::string>> called;
    std::vector<BlockId> open = {location.entry};
    called[location.entry];
    std::map<LocationId, std::set<std::string>> ends;
    std::set<std::string> faults;
    while (!open.empty()) {
      const BlockId block = open.back();
      open.pop_back();
      std::set<std::string> here = called[block];
      for (const Stmt& stmt : program_.blocks[block].stmts) {
        if (stmt.kind == StmtKind::enter) here.insert(program_.calls[stmt.call].function);
        if (stmt.kind == StmtKind::check && stmt.fatal) {
          faults.insert(program_.violations[stmt.violation].kind);
        }
      }
      const Terminator& end = program_.blocks[block].end;
      for (const BlockId target : end.targets) {
        const bool is_new = !called.contains(target);
        const std::size_t before = called[target].size();
        called[target].insert(here.begin(), here.end());
        if (is_new || called[target].size() != before) open.push_back(target);
      }
      if (end.location != no_id) ends[end.location].insert(here.begin(), here.end());
    }
    for (const auto& [target, functions] : ends) edge(id, target, joined(functions));
    if (faults.empty()) return;
    const std::string fault = "f" + std::to_string(id);
    text_ += "    " + fault + " [shape=plaintext, label=" + quoted(joined(faults)) + "];\n    l" +
             std::to_string(id) + " -> " + fault + " [style=dotted];\n";
  }

  static std::string joined(const std::set<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
  }

  void edge(LocationId from, LocationId to, const std::string& label) {
    text_ += "    l" + std::to_string(from) + " -> l" + std::to_string(to) +
             " [label=" + quoted(label) + "];\n";
  }

  const Program& program_;
  const lang::SourceSet& sources_;
  std::string text_;
};

}  // namespace

std::string to_dot(const Program& program, const lang::SourceSet& sources) {
  return Drawing(program, sources).run();
}

}  // namespace txproof::checker::exporting
