// Facts about states that may be part of an invariant: under a guard, a linear (in)equality.
//
//   at loop 2, eth0.xoff = 1  =>  L + 1 - qdisc0.qlen >= 0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/program/program.h"

namespace txproof::checker::parametric {

using program::Word;
using VariableId = std::uint32_t;

// sum of coefficient * variable, plus a constant
struct Linear {
  std::vector<std::pair<VariableId, Word>> terms;  // by variable, no coefficient 0
  Word constant = 0;
  bool operator==(const Linear&) const = default;
  auto operator<=>(const Linear&) const = default;
};

Word evaluate(const Linear& linear, const std::vector<Word>& values);

// variable == value, or variable != value
struct Literal {
  VariableId variable = 0;
  Word value = 0;
  bool equal = true;
  bool operator==(const Literal&) const = default;
  auto operator<=>(const Literal&) const = default;
};

bool holds(const Literal& literal, const std::vector<Word>& values);

// At a point, where all of the guard hold: linear == 0, or linear >= 0.
struct Fact {
  std::uint32_t point = 0;  // 0: between two steps; else the head of a loop, within a step
  std::vector<Literal> guard;
  Linear linear;
  bool equality = false;
  bool operator==(const Fact&) const = default;
  auto operator<=>(const Fact&) const = default;
};

bool holds(const Fact& fact, const std::vector<Word>& values);

// A variable of the facts.
struct Variable {
  std::string name;
  bool is_parameter = false;
  bool is_discrete = false;  // few values, each of which can stand in a guard
};

// "L + 1 >= qdisc0.qlen"; constants and negative terms on the right where that reads better.
std::string to_text(const Linear& linear, bool equality, const std::vector<Variable>& variables);
std::string to_text(const Fact& fact, const std::vector<Variable>& variables);

}  // namespace txproof::checker::parametric
