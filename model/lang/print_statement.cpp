#include <utility>

#include "model/lang/operators.h"
#include "model/lang/printer.h"

namespace txproof::lang {

void Printer::statements(const std::vector<StmtPtr>& list, std::uint32_t close) {
  for (const StmtPtr& stmt : list) {
    lines_.before_item(stmt->span.begin);
    statement(*stmt);
  }
  lines_.before_close(close);
}

// `span` covers the braces.
void Printer::block(const std::string& header, const std::vector<StmtPtr>& body, Span span,
                    const std::string& tail) {
  const std::string open = header.empty() ? "{" : header + " {";
  if (body.empty() && tail.empty() && !lines_.has_comment(span.begin, span.end)) {
    lines_.line(open + "}");
    return;
  }
  lines_.line(open);
  lines_.indent();
  lines_.opened();
  statements(body, span.end);
  lines_.dedent();
  lines_.line("}" + tail);
}

std::string Printer::one_line(const std::string& header, const std::vector<StmtPtr>& body,
                              Span span) const {
  if (body.size() != 1 || lines_.has_comment(span.begin, span.end)) return {};
  if (expressions_.written(span).find('\n') != std::string_view::npos) return {};
  switch (body[0]->kind) {
    case StmtKind::block:
    case StmtKind::if_:
    case StmtKind::while_:
    case StmtKind::do_while:
    case StmtKind::for_:
    case StmtKind::loop:
    case StmtKind::atomic:
    case StmtKind::either:
    case StmtKind::label:
      return {};
    default:
      break;
  }
  std::string result = header + " { " + simple(*body[0]) + "; }";
  return lines_.fits(result) ? result : std::string();
}

void Printer::definition(const std::string& header, const std::vector<StmtPtr>& body, Span span) {
  const std::string line = one_line(header, body, span);
  if (line.empty()) return block(header, body, span);
  lines_.line(line);
}

bool Printer::open_body(const std::string& header, const Stmt& body) {
  const bool braces = body.kind == StmtKind::block;
  lines_.line(braces ? header + " {" : header);
  lines_.indent();
  lines_.opened();
  if (braces) {
    statements(body.body, body.span.end);
  } else {
    lines_.before_item(body.span.begin);
    statement(body);
  }
  lines_.dedent();
  return braces;
}

void Printer::with_body(const std::string& header, const Stmt& body) {
  if (body.kind == StmtKind::block) {
    block(header, body.body, body.span);
  } else {
    open_body(header, body);
  }
}

void Printer::if_else(const Stmt& stmt) {
  const Stmt* current = &stmt;
  std::string prefix;
  for (;;) {
    const std::string header = prefix + "if (" + expressions_.print(*current->exprs[0]) + ")";
    if (current->body.size() < 2) return with_body(header, *current->body[0]);
    prefix = open_body(header, *current->body[0]) ? "} else" : "else";
    const Stmt& other = *current->body[1];
    if (other.kind != StmtKind::if_) return with_body(prefix, other);
    prefix += " ";
    current = &other;
  }
}

void Printer::either(const Stmt& stmt) {
  std::string header = stmt.is_wait ? "wait either {" : "either {";
  for (const Branch& branch : stmt.branches) {
    if (branch.guard) header += " when " + expressions_.print(*branch.guard) + ":";
    lines_.line(header);
    lines_.indent();
    lines_.opened();
    statements(branch.body, branch.span.end);
    lines_.dedent();
    header = "} or {";
  }
  lines_.line("}");
}

void Printer::statement(const Stmt& stmt) {
  const auto print = [&](std::size_t i, int level = 0) {
    return expressions_.print(*stmt.exprs[i], level);
  };
  switch (stmt.kind) {
    case StmtKind::block:
      return block("", stmt.body, stmt.span);
    case StmtKind::if_:
      return if_else(stmt);
    case StmtKind::while_:
      return with_body("while (" + print(0) + ") rounds <= " + print(1, kAdditive), *stmt.body[0]);
    case StmtKind::do_while: {
      const bool braces = open_body("do", *stmt.body[0]);
      return lines_.line(std::string(braces ? "} " : "") + "while (" + print(0) +
                         ") rounds <= " + print(1, kAdditive) + ";");
    }
    case StmtKind::for_:
      return with_body("for (" + stmt.vars[0]->name + " in " + print(0, kAdditive) + ".." +
                           print(1, kAdditive) + ")",
                       *stmt.body[0]);
    case StmtKind::loop:
      return with_body("loop", *stmt.body[0]);
    case StmtKind::atomic:
      return with_body(stmt.name.empty() ? "atomic" : "atomic " + stmt.name, *stmt.body[0]);
    case StmtKind::either:
      return either(stmt);
    case StmtKind::label:
      return lines_.line(stmt.name + ":", 1);
    default:
      return lines_.line(simple(stmt) + ";");
  }
}

std::string Printer::assignment(const Stmt& stmt) const {
  const std::string place = expressions_.print(*stmt.exprs[0]);
  const std::string_view op = expressions_.written(stmt.op_span);
  if (op == "++" || op == "--") return place + std::string(op);
  return place + " " + stmt.name + " " + expressions_.print(*stmt.exprs[1]);
}

// What fits on one line, without the semicolon.
std::string Printer::simple(const Stmt& stmt) const {
  const auto print = [&](std::size_t i) { return expressions_.print(*stmt.exprs[i]); };
  switch (stmt.kind) {
    case StmtKind::local: {
      std::vector<const VarDecl*> group;
      for (const auto& variable : stmt.vars) group.push_back(variable.get());
      return variables(group);
    }
    case StmtKind::assign:
      return assignment(stmt);
    case StmtKind::wait:
      return "wait " + print(0) + (stmt.is_fair ? " fair" : "");
    case StmtKind::rest:
      return "rest " + print(0);
    case StmtKind::fence:
      return "fence " + stmt.name;
    case StmtKind::pause:
      return "pause";
    case StmtKind::yield:
      return "yield";
    case StmtKind::tick:
      return "tick";
    case StmtKind::return_:
      return stmt.exprs.empty() ? "return" : "return " + print(0);
    case StmtKind::break_:
      return "break";
    case StmtKind::continue_:
      return "continue";
    case StmtKind::goto_:
      return "goto " + stmt.name;
    case StmtKind::destroy:
      return "destroy " + print(0);
    case StmtKind::assert_:
      return "assert " + print(0) + (stmt.name.empty() ? "" : ", " + stmt.name);
    case StmtKind::count:
      return "count " + print(0) + " += " + print(1);
    default:
      return print(0);
  }
}

}  // namespace txproof::lang
