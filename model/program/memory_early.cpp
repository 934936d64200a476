// weak: a store may overtake the loads directly before it that it does not depend on. (Dependencies
// are the language's own: of data, of addresses, and of control, since a run of loads and the store
// behind it stand in one list of statements.) That is what load buffering is made of. Loads and
// stores further apart, or with other statements between them, keep their order here, though the
// kernel's model would let them change places.
#include <algorithm>
#include <set>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Decls = std::set<const lang::Decl*>;

void collect(const lang::Expr& expr, Decls& into) {
  if (expr.decl != nullptr) into.insert(expr.decl);
  for (const auto& arg : expr.args) {
    if (arg != nullptr) collect(*arg, into);
  }
}

bool is_plain(const lang::Expr& expr) {
  switch (expr.kind) {
    case lang::ExprKind::integer:
    case lang::ExprKind::boolean:
    case lang::ExprKind::none:
    case lang::ExprKind::name:
    case lang::ExprKind::field:
    case lang::ExprKind::index:
    case lang::ExprKind::unary:
    case lang::ExprKind::binary:
    case lang::ExprKind::this_:
      break;
    case lang::ExprKind::call:
      if (expr.builtin != lang::Builtin::read_once) return false;
      break;
    default:
      return false;
  }
  return std::all_of(expr.args.begin(), expr.args.end(),
                     [](const auto& arg) { return arg == nullptr || is_plain(*arg); });
}

// What a load or a store reads, and the last name of the place that it writes.
struct Simple {
  Decls reads;
  const lang::Decl* writes = nullptr;
};

bool assigns(const lang::Stmt& stmt, Simple& out) {
  if (stmt.kind == lang::StmtKind::local && stmt.vars.size() == 1 &&
      stmt.vars[0]->init != nullptr) {
    if (!is_plain(*stmt.vars[0]->init)) return false;
    out.writes = stmt.vars[0].get();
    collect(*stmt.vars[0]->init, out.reads);
    return true;
  }
  const lang::Expr* place = nullptr;
  const lang::Expr* value = nullptr;
  if (stmt.kind == lang::StmtKind::assign && (stmt.name == "=" || stmt.name.empty())) {
    place = stmt.exprs[0].get();
    value = stmt.exprs[1].get();
  } else if (stmt.kind == lang::StmtKind::call &&
             stmt.exprs[0]->builtin == lang::Builtin::write_once) {
    place = stmt.exprs[0]->args[1].get();
    value = stmt.exprs[0]->args[2].get();
  }
  if (place == nullptr || !is_plain(*place) || !is_plain(*value)) return false;
  const lang::Expr* last = place;
  while (last->kind == lang::ExprKind::index) last = last->args[0].get();
  out.writes = last->decl;
  collect(*value, out.reads);
  collect(*place, out.reads);
  return out.writes != nullptr;
}

// `fence read;`, or a call of a function that is just that.
bool is_read_fence(const lang::Stmt& stmt) {
  if (stmt.kind == lang::StmtKind::fence) return stmt.name == "read";
  if (stmt.kind != lang::StmtKind::call || stmt.exprs[0]->decl == nullptr) return false;
  const lang::Decl& decl = *stmt.exprs[0]->decl;
  if (decl.decl_kind != lang::DeclKind::function) return false;
  const auto& body = static_cast<const lang::FunctionDecl&>(decl).body;
  return body.size() == 1 && is_read_fence(*body[0]);
}

}  // namespace

std::size_t Elaboration::overtaken(const std::vector<lang::StmtPtr>& stmts, std::size_t at) const {
  if (!known_.woven || known_.memory != Memory::weak || !in_thread_text() || atomic_depth_ > 0) {
    return 0;
  }
  Decls variables;
  for (const SlotId slot : weak_.variables) {
    const auto owner = slot_owner_.find(slot);
    if (owner != slot_owner_.end()) variables.insert(owner->second.first);
  }
  const auto touches = [&](const Decls& decls) {
    return std::any_of(decls.begin(), decls.end(),
                       [&](const lang::Decl* decl) { return variables.contains(decl); });
  };
  std::vector<Simple> loads;
  for (std::size_t i = at; i < stmts.size(); ++i) {
    Simple simple;
    if (is_read_fence(*stmts[i])) {
      if (loads.empty()) return 0;
      loads.emplace_back();
      continue;
    }
    if (!assigns(*stmts[i], simple)) return 0;
    if (!variables.contains(simple.writes)) {
      if (!touches(simple.reads)) return 0;  // no load
      loads.push_back(std::move(simple));
      continue;
    }
    const bool free = std::all_of(loads.begin(), loads.end(), [&](const Simple& load) {
      return !load.reads.contains(simple.writes) && load.writes != simple.writes &&
             (load.writes == nullptr || !simple.reads.contains(load.writes));
    });
    return free ? loads.size() : 0;
  }
  return 0;
}

void Elaboration::early_store(const std::vector<lang::StmtPtr>& stmts, std::size_t at,
                              std::size_t loads) {
  const Range places{0, static_cast<Word>(loads)};
  const lang::Stmt& store = *stmts[at + loads];
  const SlotId place = scratch("when stored", places);
  Stmt pick = base(StmtKind::pick, store.span);
  pick.target = b_.at(place);
  pick.value = b_.constant(0);
  pick.value2 = b_.constant(places.hi);
  b_.emit(pick);
  for (std::size_t i = 0; i <= loads; ++i) {
    const BlockId now = b_.new_block(thread_);
    const BlockId join = b_.new_block(thread_);
    b_.branch(b_.equals(b_.load(b_.at(place), places), static_cast<Word>(i)), now, join);
    b_.set_block(now);
    statement(store);
    b_.jump(join);
    b_.set_block(join);
    if (i < loads) statement(*stmts[at + i]);
  }
}

}  // namespace txproof::program
