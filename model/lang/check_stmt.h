// Statements: what they may contain, where they may stand, and what they do.
#pragma once

#include <string>
#include <vector>

#include "model/lang/check_expr.h"

namespace txproof::lang {

class StmtChecker {
 public:
  StmtChecker(CheckState& state, Env& env) : s_(state), env_(env), expr_(state, env) {}

  // The body of a function, a method or a thread, whose parameters are in scope.
  void function_body(FunctionDecl& function);

  // The body of a probe.
  void probe_body(std::vector<StmtPtr>& body);

 private:
  // A list of statements that encloses the one at hand, and where in it that one stands.
  struct Frame {
    const std::vector<StmtPtr>* list;
    std::size_t at;
  };

  void check_list(std::vector<StmtPtr>& list, bool may_begin_with_wait = false);
  void check(Stmt& stmt, bool may_wait);
  void check_body(Stmt& stmt);  // a block, or a statement in place of one
  void loop_body(Stmt& stmt);
  void check_local(Stmt& stmt);
  // `destory skb;` reads as a second declaration of skb: tells what was meant, and returns true.
  bool is_misspelt_statement(const Stmt& stmt);
  void check_assign(Stmt& stmt);
  void check_compound(Stmt& stmt, const Type& type);
  void check_for(Stmt& stmt);
  void check_either(Stmt& stmt);
  void check_atomic(Stmt& stmt);
  void check_return(Stmt& stmt);
  void check_goto(const Stmt& stmt);
  void check_assert(Stmt& stmt);
  void check_count(Stmt& stmt);
  void check_leave(const Stmt& stmt, const char* word);
  void check_rounds(Stmt& stmt, std::size_t at);
  void stop_point(const Stmt& stmt, const char* word);
  void collect_labels(const std::vector<StmtPtr>& list);
  void check_constant_locals();

  CheckState& s_;
  Env& env_;
  ExprChecker expr_;
  std::vector<Frame> frames_;
  std::map<std::string, Span> labels_;  // of the function
  std::vector<const VarDecl*> constant_locals_;
  int loops_ = 0;
  int atomics_ = 0;
};

// Checks that `expr` is a counter, or an element of an array of counters; sets its annotations.
bool check_counter(CheckState& state, Env& env, Expr& expr);

// Can control run off the end of the list?
bool completes(const std::vector<StmtPtr>& list);

}  // namespace txproof::lang
