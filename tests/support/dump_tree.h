// A syntax tree as text, without places and without what only the printer wants: two trees mean
// the same exactly if their dumps are equal.
#pragma once

#include <string>
#include <vector>

#include "model/lang/syntax.h"

namespace txproof::test {

class TreeDump {
 public:
  static std::string of(const lang::FileSyntax& file) {
    TreeDump dump;
    for (const auto& import : file.imports) dump.leaf("import " + import.path);
    for (const auto& decl : file.decls) dump.decl(*decl);
    return dump.out_;
  }
  static std::string of(const lang::Expr& expr) {
    TreeDump dump;
    dump.expr(&expr);
    return dump.out_;
  }

 private:
  using Role = lang::VarDecl::Role;
  std::string out_;

  void leaf(const std::string& text) { out_ += " <" + text + ">"; }
  void open(const std::string& text) { out_ += " (" + text; }
  void close() { out_ += ")"; }

  template <class Kind>
  static std::string number(Kind kind) {
    return std::to_string(static_cast<int>(kind));
  }

  void expr(const lang::Expr* e) {
    if (e == nullptr) return leaf("null");
    open("e" + number(e->kind) + " " + std::to_string(e->value) + " " + e->name + " " +
         e->type_name + " " + number(e->aggregate_op));
    if (e->written_type) type(e->written_type.get());
    if (e->binder) variable(*e->binder);
    for (const auto& name : e->field_names) leaf(name);
    for (const auto& arg : e->args) expr(arg.get());
    close();
  }
  void type(const lang::TypeExpr* t) {
    if (t == nullptr) return leaf("no type");
    open("t" + number(t->kind) + " " + t->name);
    if (t->element) type(t->element.get());
    expr(t->size.get());
    for (const auto& hook : t->hooks) leaf(hook);
    expr(t->lo.get());
    expr(t->hi.get());
    close();
  }
  void variable(const lang::VarDecl& v) {
    open("v" + number(v.role) + " " + v.name + " " + v.owner_struct + " " + number(v.is_array) +
         number(v.by_reference) + number(v.is_instance) + number(v.ticks));
    type(v.written_type.get());
    expr(v.lo.get());
    expr(v.hi.get());
    expr(v.array_size.get());
    expr(v.init.get());
    close();
  }
  template <class List>
  void variables(const List& list) {
    open("vars");
    for (const auto& v : list) variable(*v);
    close();
  }
  void statements(const std::vector<lang::StmtPtr>& list) {
    open("body");
    for (const auto& s : list) statement(*s);
    close();
  }
  void statement(const lang::Stmt& s) {
    open("s" + number(s.kind) + " " + s.name + " " + number(s.is_wait) + number(s.is_fair) +
         number(s.has_guards));
    for (const auto& e : s.exprs) expr(e.get());
    variables(s.vars);
    statements(s.body);
    for (const auto& branch : s.branches) {
      open("branch");
      expr(branch.guard.get());
      statements(branch.body);
      close();
    }
    close();
  }
  void function(const lang::FunctionDecl& f) {
    open("fn " + f.name + " " + number(f.has_body) + number(f.is_thread) + number(f.is_urgent) +
         number(f.is_strong));
    variables(f.parameters);
    type(f.written_result.get());
    expr(f.recursion.get());
    statements(f.body);
    close();
  }
  void probe(const lang::Probe& p) {
    open("on " + number(p.event) + " " + p.owner_name + "." + p.name + " " +
         number(p.has_parameters));
    variables(p.parameters);
    if (p.result) variable(*p.result);
    expr(p.when.get());
    statements(p.body);
    close();
  }
  void property(const lang::PropertyDecl& p) {
    open("property " + p.name + " " + p.text);
    variables(p.parameters);
    variables(p.ghosts);
    for (const auto& c : p.claims) {
      open("claim " + number(c->kind) + number(c->at_least));
      for (const auto* e :
           {&c->left, &c->right, &c->bound_numerator, &c->bound_denominator, &c->assuming}) {
        expr(e->get());
      }
      for (const auto& name : c->outside) leaf(name);
      close();
    }
    for (const auto& call : p.per_calls) {
      open("per " + call->owner_name + "." + call->name + " " + number(call->has_parameters));
      variables(call->parameters);
      variables(call->ghosts);
      for (const auto& item : call->probes) probe(*item);
      close();
    }
    for (const auto& item : p.probes) probe(*item);
    close();
  }
  void stack(const lang::StackDecl& s) {
    open("stack " + s.name + " " + s.interleave + " " + s.memory + " " + number(s.store_buffer));
    variables(s.params);
    variables(s.instances);
    for (const auto& run : s.runs) {
      open("run " + run->name);
      for (const auto& e : run->args) expr(e.get());
      if (run->binder) variable(*run->binder);
      expr(run->lo.get());
      expr(run->hi.get());
      expr(run->when.get());
      close();
    }
    for (const auto& check : s.checks) {
      open("check " + check->name);
      for (const auto& e : check->args) expr(e.get());
      close();
    }
    for (const auto& e : s.assumptions) expr(e.get());
    close();
  }
  void decl(const lang::Decl& d) {
    switch (d.decl_kind) {
      case lang::DeclKind::variable:
        return variable(static_cast<const lang::VarDecl&>(d));
      case lang::DeclKind::function:
        return function(static_cast<const lang::FunctionDecl&>(d));
      case lang::DeclKind::property:
        return property(static_cast<const lang::PropertyDecl&>(d));
      case lang::DeclKind::stack:
        return stack(static_cast<const lang::StackDecl&>(d));
      case lang::DeclKind::enumerator:
        return leaf(d.name);
      case lang::DeclKind::type:
        break;
    }
    const auto& t = static_cast<const lang::TypeDecl&>(d);
    open("type " + number(t.kind) + " " + t.name + " " + t.implements_name);
    for (const auto& e : t.enumerators) {
      leaf(e->name);
      expr(e->written_value.get());
    }
    type(t.alias.get());
    expr(t.alias_lo.get());
    expr(t.alias_hi.get());
    variables(t.fields);
    for (const auto& method : t.methods) function(*method);
    close();
  }
};

}  // namespace txproof::test
