// The parser: recursive descent, with precedence climbing for the binary operators.
//
// Written by hand rather than with a generator, because the messages are the point: it knows what
// it was reading, where that began, and what people coming from C are likely to have written. It
// terminates because every list skips at least one token after a mistake; its stack is bounded by
// TokenCursor::kMaxDepth.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/lang/syntax.h"
#include "model/lang/token_cursor.h"

namespace txproof::lang {

class Parser : private TokenCursor {
 public:
  using TokenCursor::TokenCursor;
  std::unique_ptr<FileSyntax> file();
  ExprPtr whole_expression();

 private:
  template <class T>
  using List = std::vector<std::unique_ptr<T>>;

  // parse_expression.cpp
  ExprPtr expression();       // any
  ExprPtr conditional();      // without =>
  ExprPtr binary(int level);  // operators of that level or tighter
  ExprPtr additive() { return binary(11); }
  ExprPtr unary();
  ExprPtr postfix();
  ExprPtr primary();
  ExprPtr aggregate();
  ExprPtr quantifier();
  ExprPtr take();
  ExprPtr value();                   // an expression or { f: e, … }
  ExprPtr binding_value();           // also [ … ] and TYPE { … }
  ExprPtr bindings();                // { f: value, … }
  std::vector<ExprPtr> arguments();  // ( value, … )
  std::unique_ptr<VarDecl> binder();
  ExprPtr domain();
  ExprPtr make(ExprKind kind, std::uint32_t begin) const;
  bool at_operand(std::size_t ahead) const;
  bool at_binder(std::size_t ahead) const;  // ( NAME in

  // parse_type.cpp
  std::unique_ptr<TypeExpr> type();
  std::unique_ptr<TypeExpr> result_type();
  ExprPtr modulus();
  bool at_local() const;                 // does a declaration begin here, rather than a statement
  void range(ExprPtr& lo, ExprPtr& hi);  // [in lo..hi]
  // type declarator {, declarator} ;   appended to `out`
  void variables(List<VarDecl>& out, VarDecl::Role role, std::uint32_t begin);
  void declarator(VarDecl& variable);
  std::unique_ptr<VarDecl> hook_field(std::uint32_t begin);
  List<VarDecl> parameters();
  List<VarDecl> probe_parameters();

  // parse_statement.cpp
  std::vector<StmtPtr> block();
  std::vector<StmtPtr> statements(Span open);
  StmtPtr statement();
  StmtPtr body();  // of if, while, …: never null
  StmtPtr make(StmtKind kind) const;
  StmtPtr if_statement();
  StmtPtr while_statement();
  StmtPtr do_statement();
  StmtPtr for_statement();
  StmtPtr either_statement();
  StmtPtr wait_statement();
  StmtPtr assert_statement();
  StmtPtr count_statement();
  StmtPtr expression_statement();
  StmtPtr keyword_statement();
  StmtPtr simple(StmtKind kind);
  Branch branch();
  void rounds(Stmt& loop);
  void reject_c_habits();

  // parse_declaration.cpp
  void declaration(List<Decl>& out);
  void constants(List<Decl>& out);
  void counters(List<Decl>& out);
  std::unique_ptr<TypeDecl> type_alias();
  std::unique_ptr<TypeDecl> enumeration();
  std::unique_ptr<TypeDecl> structure();
  std::unique_ptr<TypeDecl> object_or_interface();
  void members(TypeDecl& owner);
  void member(TypeDecl& owner, bool functions);
  std::unique_ptr<FunctionDecl> function(bool may_lack_body);
  std::unique_ptr<FunctionDecl> thread();

  // parse_property.cpp
  std::unique_ptr<PropertyDecl> property();
  void property_item(PropertyDecl& property);
  std::unique_ptr<Claim> claim();
  std::unique_ptr<Claim> rate(std::unique_ptr<Claim> result);
  std::unique_ptr<PerCall> per_call();
  std::unique_ptr<Probe> probe();
  void probed_function(std::string& owner, std::string& name, Span& span);
  void ghosts(List<VarDecl>& out);

  // parse_stack.cpp
  std::unique_ptr<StackDecl> stack();
  void stack_item(StackDecl& stack);
  void instance(StackDecl& stack);
  std::unique_ptr<RunItem> run();
  void checks(StackDecl& stack);
  std::string setting(const std::vector<std::string>& allowed, const std::string& what);
};

}  // namespace txproof::lang
