// Whole files as text in the one style of `txproof fmt`: the kernel's, with four spaces.
//
// Where the writer has a choice that says something, it is kept: `x++`, `->`, NULL, 0x10, several
// variables in one declaration, braces around one statement, parentheses.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/lang/print_expression.h"
#include "model/lang/print_lines.h"
#include "model/lang/syntax.h"

namespace txproof::lang {

class Printer {
 public:
  Printer(const SourceSet& sources, const FileSyntax& file);
  std::string print();

 private:
  template <class T>
  using List = std::vector<std::unique_ptr<T>>;

  // Something that stands on lines of its own. The tree sorts items by kind; printing sorts them
  // back by place.
  struct Item {
    Span span;
    bool is_large;  // set apart by blank lines
    std::function<void()> print;
  };
  void items(std::vector<Item> list, std::uint32_t close);
  void braced(const std::string& header, std::vector<Item> list, Span span);

  // print_declaration.cpp
  void add_variables(std::vector<Item>& list, const List<VarDecl>& variables,
                     const std::string& prefix = "");
  std::string variables(const std::vector<const VarDecl*>& group) const;
  std::string declarator(const VarDecl& variable) const;
  std::string parameters(const List<VarDecl>& list) const;
  void declarations(std::vector<Item>& list);
  void type(const TypeDecl& decl);
  void enumeration(const TypeDecl& decl);
  void function(const FunctionDecl& decl);
  std::string function_header(const FunctionDecl& decl) const;
  Item function_item(const FunctionDecl& decl);

  // print_statement.cpp
  void statements(const std::vector<StmtPtr>& list, std::uint32_t close);
  void statement(const Stmt& stmt);
  void block(const std::string& header, const std::vector<StmtPtr>& body, Span span,
             const std::string& tail = "");
  // `header { statement; }`, if the source has it on one line and it fits; empty otherwise.
  std::string one_line(const std::string& header, const std::vector<StmtPtr>& body,
                       Span span) const;
  void definition(const std::string& header, const std::vector<StmtPtr>& body, Span span);
  // Returns true if a block is left open: its `}` comes with what follows.
  bool open_body(const std::string& header, const Stmt& body);
  void with_body(const std::string& header, const Stmt& body);
  void if_else(const Stmt& stmt);
  void either(const Stmt& stmt);
  std::string simple(const Stmt& stmt) const;
  std::string assignment(const Stmt& stmt) const;

  // print_property.cpp
  void property(const PropertyDecl& decl);
  std::string claim(const Claim& claim) const;
  void probe(const Probe& probe);
  void per_call(const PerCall& call);
  void add_ghosts(std::vector<Item>& list, const List<VarDecl>& ghosts);
  void add_probes(std::vector<Item>& list, const List<Probe>& probes);

  // print_stack.cpp
  void stack(const StackDecl& decl);
  void add_checks(std::vector<Item>& list, const StackDecl& decl);
  std::string run(const RunItem& run) const;

  const FileSyntax& file_;
  std::string_view source_;
  ExpressionPrinter expressions_;
  PrintLines lines_;
};

}  // namespace txproof::lang
