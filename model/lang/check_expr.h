// Types and meanings of expressions.
//
// Spread over files by idea: check_expr.cpp (names, operators), check_call.cpp (calls and what
// containers can do), check_aggregate.cpp (sums, quantifiers, choice among elements),
// check_convert.cpp (what fits where, what moves, what may be written).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/lang/check_state.h"

namespace txproof::lang {

class ExprChecker {
 public:
  ExprChecker(CheckState& state, Env& env) : s_(state), env_(env) {}

  // Fills in expr and everything below it. `expected` gives a meaning to literals and to the
  // functions of a hook; it is not enforced.
  //   ensures: returns expr.type, the error type where something was reported
  const Type* check(Expr& expr, const Type* expected = nullptr);

  // Checks expr as a value for a place of type `target`: it fits, and what it moves may be moved.
  // `what` names the place in messages: "`qlen`", "argument 2 of `push`".
  void value(Expr& expr, const Type* target, const std::string& what);

  // Checks expr as a condition, as C's: a bool, or anything that can be zero or none.
  void condition(Expr& expr);

  // Checks expr as a number. `what` names it in messages: "a capacity".
  //   ensures: true exactly if it is one
  bool number(Expr& expr, const char* what);

  // Checks expr as a place that this text may write; marks it as assigned.
  //   ensures: returns its type, the error type where something was reported
  const Type* written_place(Expr& expr, const char* verb);

  // Checks expr as a packet that is given away here, as by `destroy`.
  //   ensures: true exactly if it is one
  bool given_away(Expr& expr, const std::string& what);

  // A place that may only look (a guard, an invariant): checks `expr` as a condition there.
  void looking_condition(Expr& expr, const char* where);

  // Records that the enclosing function does something beyond its locals; where that is not
  // possible (a guard, a probe) it is an error.
  void effect(Span span, const std::string& what);

 private:
  const Type* check_kind(Expr& expr, const Type* expected);
  const Type* error() { return s_.types.error(); }
  const Type* report(const char* code, Span span, const std::string& message);

  // names and members
  const Type* check_name(Expr& expr, const Type* expected);
  const Type* check_global(Expr& expr, const Decl& decl, const Type* expected);
  const Type* check_field(Expr& expr);
  const Type* check_property_of_container(Expr& expr, const Type& base);
  const Type* unknown_member(const Expr& expr, const TypeDecl& type, bool is_call);
  const Type* check_index(Expr& expr);

  // operators
  const Type* check_unary(Expr& expr);
  const Type* check_binary(Expr& expr);
  const Type* check_comparison(Expr& expr);
  const Type* check_arithmetic(Expr& expr);
  const Type* check_conditional(Expr& expr, const Type* expected);
  const Type* check_cast(Expr& expr);
  const Type* check_any(Expr& expr);
  bool operand(Expr& expr, const std::string& op);
  bool comparable(const Expr& left, const Expr& right);
  void require_condition(const Expr& expr);

  // packets
  const Type* check_take(Expr& expr);
  const Type* check_copy(Expr& expr);
  const Type* check_literal(Expr& expr, const Type* expected);
  void convert(Expr& expr, const Type& target, const std::string& what);
  void convert_number(Expr& expr, const Type& target, const std::string& what);
  void move(Expr& expr, const Type& target, const std::string& what);
  void mismatch(const Expr& expr, const Type& target, const std::string& what);
  bool writable(const Expr& expr, const char* verb);
  void note_write(const Expr& expr);

  // calls
  const Type* check_call(Expr& expr);
  const Type* call_by_name(Expr& expr);
  const Type* call_by_field(Expr& expr);
  const Type* call_function(Expr& expr, const FunctionDecl& function);
  const Type* call_hook(Expr& expr, const Type& hook);
  const Type* call_builtin(Expr& expr);
  const Type* marked_access(Expr& expr, bool stores);
  const Type* call_container(Expr& expr, const Type& base);
  const Type* container_result(Expr& expr, const Type& base, Builtin operation);
  void check_arguments(Expr& expr);
  void arguments(Expr& expr, const std::vector<std::unique_ptr<VarDecl>>& parameters,
                 const std::string& name);
  void lent(Expr& argument, const VarDecl& parameter, const std::string& what);
  bool argument_count(const Expr& expr, std::size_t wanted, const std::string& name,
                      const Decl* declared);
  void check_rest(Expr& expr);

  // aggregates
  const Type* check_aggregate(Expr& expr);
  const Type* check_take_where(Expr& expr);
  const Type* domain_element(Expr& expr);
  const Type* type_domain(Expr& expr, const TypeDecl& type);
  const Type* field_domain(Expr& expr, const TypeDecl& type);
  const Type* value_domain(Expr& expr);
  const Type* packets_inside(const Expr& domain, const TypeDecl& type);
  void with_binder(Expr& expr, const Type* element, bool is_take);

  CheckState& s_;
  Env& env_;
};

// The variable that a place is: the last name of `a`, `x.a`, `x.a[i]`; null for values.
const VarDecl* place_variable(const Expr& expr);
// The first name of the path; null if it does not begin with a variable.
const VarDecl* root_variable(const Expr& expr);
// Some step of the path goes through a weak handle.
bool through_weak(const Expr& expr);
// May a reference of type `from` stand where `to` is wanted: the same, or its interface.
bool refers_to(const TypeDecl* from, const TypeDecl* to);
// An enumerator written by name counts as a number where one is wanted, as in C.
bool is_enumerator(const Expr& expr);

}  // namespace txproof::lang
