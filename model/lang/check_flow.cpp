// Where control can go: whether the end of a list of statements can be reached.

#include "model/lang/check_stmt.h"
#include "model/lang/check_types.h"

namespace txproof::lang {

namespace {

bool has_break(const Stmt& stmt);

bool has_break(const std::vector<StmtPtr>& list) {
  for (const auto& stmt : list) {
    if (stmt && has_break(*stmt)) return true;
  }
  return false;
}

// A `break` that leaves the loop around this statement, so not those of loops inside it.
bool has_break(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::break_:
      return true;
    case StmtKind::while_:
    case StmtKind::do_while:
    case StmtKind::for_:
    case StmtKind::loop:
      return false;
    default:
      break;
  }
  for (const auto& branch : stmt.branches) {
    if (has_break(branch.body)) return true;
  }
  return has_break(stmt.body);
}

bool is_always_true(const Stmt& stmt) {
  if (stmt.exprs.empty() || !stmt.exprs[0]) return false;
  const auto value = constant_value(*stmt.exprs[0]);
  return value && *value != 0;
}

bool completes(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::return_:
    case StmtKind::break_:
    case StmtKind::continue_:
    case StmtKind::goto_:
      return false;
    case StmtKind::loop:
      return has_break(stmt.body);
    case StmtKind::while_:
    case StmtKind::do_while:
      return !is_always_true(stmt) || has_break(stmt.body);
    case StmtKind::if_: {
      const bool both = stmt.body.size() > 1 && stmt.body[1];
      return !both || completes(*stmt.body[0]) || completes(*stmt.body[1]);
    }
    case StmtKind::either:
      for (const auto& branch : stmt.branches) {
        if (completes(branch.body)) return true;
      }
      return stmt.branches.empty();
    case StmtKind::block:
    case StmtKind::atomic:
      return completes(stmt.body);
    default:
      return true;
  }
}

}  // namespace

bool completes(const std::vector<StmtPtr>& list) {
  bool reached = true;
  for (const auto& stmt : list) {
    if (!stmt) continue;
    if (stmt->kind == StmtKind::label) {
      reached = true;  // by a goto from before
    } else if (reached) {
      reached = completes(*stmt);
    }
  }
  return reached;
}

}  // namespace txproof::lang
