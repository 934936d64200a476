// Statements of a Program as Promela, and what canonicalises a state.
#pragma once

#include <string>

#include "checker/export/promela_expression.h"

namespace txproof::checker::exporting {

class PromelaStatements {
 public:
  PromelaStatements(const program::Program& program, const PromelaExpressions& expressions)
      : program_(program), expressions_(expressions) {}

  // One statement; a fatal check that fails goes to `failed`, a label.
  [[nodiscard]] std::string statement(const program::Stmt& stmt, const std::string& failed) const;
  // Bags sorted, cells numbered by first use: what every step ends with. Empty if there are none.
  [[nodiscard]] std::string canonical() const;
  // The inline definitions that the text of the others calls.
  [[nodiscard]] std::string definitions() const;

 private:
  [[nodiscard]] std::string create(const program::Stmt& stmt) const;
  [[nodiscard]] std::string destroy(const program::Stmt& stmt) const;
  [[nodiscard]] std::string move(program::StructId structure, const Term& source,
                                 const Term& target, unsigned leave) const;
  [[nodiscard]] std::string insert(const program::Stmt& stmt) const;
  [[nodiscard]] std::string remove(const program::Stmt& stmt) const;
  [[nodiscard]] std::string splice(const program::Stmt& stmt) const;
  [[nodiscard]] std::string pick(const program::Stmt& stmt) const;
  [[nodiscard]] std::string pick_element(const program::Stmt& stmt) const;
  [[nodiscard]] std::string sorted(const program::Bag& bag) const;
  [[nodiscard]] std::string renumbered(const program::CellTable& cells) const;
  // For each handle to a place of a linear struct whose base is in [from, from + words): `then`,
  // in which BASE and HANDLE and STRUCT stand for these.
  [[nodiscard]] std::string handles(const std::string& from, const std::string& words,
                                    const std::string& then) const;

  const program::Program& program_;
  const PromelaExpressions& expressions_;
};

}  // namespace txproof::checker::exporting
