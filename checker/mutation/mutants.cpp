#include "checker/mutation/mutants.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace txproof::mutation {

namespace {

using lang::Expr;
using lang::ExprKind;
using lang::Stmt;
using lang::StmtKind;

const std::map<std::string, std::string> other_comparison = {
    {"<", "<="}, {"<=", "<"}, {">", ">="}, {">=", ">"}, {"==", "!="}, {"!=", "=="}};

using Decls = std::set<const lang::Decl*>;

void collect(const Expr& expr, Decls& decls) {
  if (expr.decl != nullptr) decls.insert(expr.decl);
  for (const lang::ExprPtr& arg : expr.args) {
    if (arg) collect(*arg, decls);
  }
}

// The variable that an assignment writes: `q.sched` writes `sched`.
const lang::Decl* written(const Stmt& stmt) {
  const Expr* target = stmt.exprs[0].get();
  while (target->kind == ExprKind::index) target = target->args[0].get();
  return target->decl;
}

bool is_simple(const Stmt& stmt) {
  return stmt.kind == StmtKind::assign || stmt.kind == StmtKind::call ||
         stmt.kind == StmtKind::destroy;
}

// Calls `visit` for every statement below, and itself.
template <class Visit>
void each_stmt(const Stmt& stmt, const Visit& visit) {
  visit(stmt);
  for (const lang::StmtPtr& inner : stmt.body) {
    if (inner) each_stmt(*inner, visit);
  }
  for (const lang::Branch& branch : stmt.branches) {
    for (const lang::StmtPtr& inner : branch.body) each_stmt(*inner, visit);
  }
}

// Every function with a body, methods and threads too, and how people call it.
template <class Visit>
void each_function(const lang::Model& model, const Visit& visit) {
  for (const auto& file : model.files) {
    for (const auto& decl : file->decls) {
      if (decl->decl_kind == lang::DeclKind::function) {
        visit(static_cast<const lang::FunctionDecl&>(*decl), decl->name);
      } else if (decl->decl_kind == lang::DeclKind::type) {
        const auto& type = static_cast<const lang::TypeDecl&>(*decl);
        for (const auto& method : type.methods) visit(*method, type.name + "." + method->name);
      }
    }
  }
}

// What some thread waits for, by its conditions.
Decls awaited(const lang::Model& model) {
  Decls decls;
  const auto look = [&decls](const Stmt& stmt) {
    if (stmt.kind == StmtKind::wait || stmt.kind == StmtKind::rest) collect(*stmt.exprs[0], decls);
    for (const lang::Branch& branch : stmt.branches) {
      if (branch.guard) collect(*branch.guard, decls);
    }
  };
  each_function(model, [&look](const lang::FunctionDecl& function, const std::string&) {
    for (const lang::StmtPtr& stmt : function.body) each_stmt(*stmt, look);
  });
  return decls;
}

class Planter {
 public:
  Planter(const lang::SourceSet& sources, const std::vector<lang::Span>& reached,
          const MutantOptions& options, Decls awaited)
      : sources_(sources), options_(options), awaited_(std::move(awaited)) {
    for (const lang::Span& span : reached) reached_.insert({span.file, span.begin});
  }

  void function(const lang::FunctionDecl& function, const std::string& name) {
    name_ = name;
    body(function.body);
  }

  std::vector<Mutant> take() { return std::move(out_); }

 private:
  [[nodiscard]] bool is_reached(lang::Span span) const {
    const auto at = reached_.lower_bound({span.file, span.begin});
    return at != reached_.end() && at->first == span.file && at->second < span.end;
  }
  [[nodiscard]] std::string text(lang::Span span) const {
    return sources_.file(span.file).text.substr(span.begin, span.end - span.begin);
  }
  void plant(Fault fault, lang::Span span, std::string replacement) {
    out_.push_back({fault, span, std::move(replacement), name_});
  }

  void body(const std::vector<lang::StmtPtr>& stmts) {
    for (std::size_t i = 0; i < stmts.size(); ++i) {
      statement(*stmts[i]);
      if (i + 1 < stmts.size()) swap(*stmts[i], *stmts[i + 1]);
    }
  }

  void statement(const Stmt& stmt) {
    if (!is_reached(stmt.span)) return;
    // An assertion is no code of the kernel's, and a count is what a rate is read from.
    if (stmt.kind == StmtKind::assert_ || stmt.kind == StmtKind::count) return;
    drop(stmt);
    if (stmt.kind == StmtKind::if_) {
      plant(Fault::negation, stmt.exprs[0]->span, "!(" + text(stmt.exprs[0]->span) + ")");
    }
    const bool has_bound = stmt.kind == StmtKind::while_ || stmt.kind == StmtKind::do_while;
    for (std::size_t i = 0; i < stmt.exprs.size(); ++i) {
      // The bound of a loop is a claim about it.
      if (stmt.exprs[i] && !(has_bound && i == 1)) expression(*stmt.exprs[i]);
    }
    for (const auto& var : stmt.vars) {
      if (var->init) expression(*var->init);
    }
    for (const lang::Branch& branch : stmt.branches) {
      if (branch.guard) expression(*branch.guard);
      body(branch.body);
    }
    body_of(stmt);
  }

  void body_of(const Stmt& stmt) {
    if (stmt.kind == StmtKind::block || stmt.kind == StmtKind::atomic) {
      body(stmt.body);
      return;
    }
    for (const lang::StmtPtr& inner : stmt.body) {
      if (inner) statement(*inner);
    }
  }

  void drop(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::assign:
        plant(awaited_.contains(written(stmt)) ? Fault::lost_wake : Fault::drop, stmt.span, ";");
        break;
      case StmtKind::call:
      case StmtKind::destroy:
      case StmtKind::if_:
      case StmtKind::return_:
      case StmtKind::break_:
      case StmtKind::continue_:
      case StmtKind::goto_:
      case StmtKind::wait:
        plant(Fault::drop, stmt.span, ";");
        break;
      default:
        break;
    }
  }

  void swap(const Stmt& first, const Stmt& second) {
    if (!is_simple(first) || !is_simple(second)) return;
    if (!is_reached(first.span) || !is_reached(second.span)) return;
    const std::string one = text(first.span);
    const std::string two = text(second.span);
    if (one == two || first.span.end > second.span.begin) return;
    if (!options_.fine && independent(first, second)) return;
    lang::Span between = first.span;
    between.begin = first.span.end;
    between.end = second.span.begin;
    lang::Span whole = first.span;
    whole.end = second.span.end;
    plant(Fault::swap, whole, two + text(between) + one);
  }

  static bool independent(const Stmt& first, const Stmt& second) {
    if (first.kind != StmtKind::assign || second.kind != StmtKind::assign) return false;
    Decls in_first;
    Decls in_second;
    for (const lang::ExprPtr& expr : first.exprs) collect(*expr, in_first);
    for (const lang::ExprPtr& expr : second.exprs) collect(*expr, in_second);
    return !in_second.contains(written(first)) && !in_first.contains(written(second));
  }

  void expression(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::integer:
        plant(Fault::off_by_one, expr.span, std::to_string(expr.value + 1));
        if (expr.value > 0) plant(Fault::off_by_one, expr.span, std::to_string(expr.value - 1));
        break;
      case ExprKind::boolean:
        plant(Fault::constant, expr.span, expr.value != 0 ? "false" : "true");
        break;
      case ExprKind::binary:
        if (const auto other = other_comparison.find(expr.name); other != other_comparison.end()) {
          plant(Fault::comparison, expr.op_span, other->second);
        }
        break;
      default:
        break;
    }
    for (const lang::ExprPtr& arg : expr.args) {
      if (arg) expression(*arg);
    }
  }

  const lang::SourceSet& sources_;
  MutantOptions options_;
  Decls awaited_;
  std::set<std::pair<lang::FileId, std::uint32_t>> reached_;
  std::string name_;
  std::vector<Mutant> out_;
};

// The lines of a text without their ends.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

const char* to_string(Fault fault) {
  switch (fault) {
    case Fault::drop:
      return "dropped statement";
    case Fault::lost_wake:
      return "lost wake";
    case Fault::swap:
      return "swapped order";
    case Fault::off_by_one:
      return "off by one";
    case Fault::comparison:
      return "other comparison";
    case Fault::negation:
      return "negated condition";
    case Fault::constant:
      return "other constant";
  }
  return "";
}

std::vector<Mutant> mutants_of(const lang::Model& model, const lang::SourceSet& sources,
                               const std::vector<lang::Span>& reached,
                               const MutantOptions& options) {
  Planter planter(sources, reached, options, awaited(model));
  each_function(model, [&planter](const lang::FunctionDecl& function, const std::string& name) {
    planter.function(function, name);
  });
  std::vector<Mutant> out = planter.take();
  const auto key = [](const Mutant& m) {
    return std::tie(m.span.file, m.span.begin, m.span.end, m.replacement);
  };
  std::stable_sort(out.begin(), out.end(),
                   [&key](const Mutant& a, const Mutant& b) { return key(a) < key(b); });
  return out;
}

std::string mutated_text(const Mutant& mutant, const lang::SourceSet& sources) {
  std::string text = sources.file(mutant.span.file).text;
  text.replace(mutant.span.begin, mutant.span.end - mutant.span.begin, mutant.replacement);
  return text;
}

std::string mutant_diff(const Mutant& mutant, const lang::SourceSet& sources,
                        const std::string& path) {
  constexpr std::size_t context = 3;
  const lang::SourceFile& file = sources.file(mutant.span.file);
  const std::vector<std::string> before = lines_of(file.text);
  const std::vector<std::string> after = lines_of(mutated_text(mutant, sources));
  std::size_t head = 0;
  while (head < std::min(before.size(), after.size()) && before[head] == after[head]) ++head;
  std::size_t tail = 0;
  while (tail < std::min(before.size(), after.size()) - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  const std::size_t first = head - std::min(head, context);
  const std::size_t more = std::min(tail, context);
  const std::size_t old_end = before.size() - tail;
  const std::size_t new_end = after.size() - tail;
  std::string out = "--- a/" + path + "\n+++ b/" + path + "\n@@ -" + std::to_string(first + 1) +
                    "," + std::to_string(old_end + more - first) + " +" +
                    std::to_string(first + 1) + "," + std::to_string(new_end + more - first) +
                    " @@\n";
  for (std::size_t i = first; i < head; ++i) out += " " + before[i] + "\n";
  for (std::size_t i = head; i < old_end; ++i) out += "-" + before[i] + "\n";
  for (std::size_t i = head; i < new_end; ++i) out += "+" + after[i] + "\n";
  for (std::size_t i = old_end; i < old_end + more; ++i) out += " " + before[i] + "\n";
  return out;
}

}  // namespace txproof::mutation
