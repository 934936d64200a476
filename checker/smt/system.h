// A Program with unknown parameters as a transition system: what a proof for all values is about.
//
// Its states stand at points: 0 between two steps, 1 + i in the head of Program::loops[i], within a
// step. An edge leads from a point to a point: a whole step, or a piece of one. A goal is a formula
// at a point that says that a property is broken.
#pragma once

#include <z3++.h>

#include <optional>
#include <string>
#include <vector>

#include "checker/parametric/linear.h"
#include "checker/smt/encode.h"

namespace txproof::checker::smt {

struct Edge {
  std::string name;
  std::uint32_t from = 0, to = 0;
  z3::expr condition;  // over the variables at `from` and those of choices
  SymbolicState after;
};

struct Goal {
  program::PropertyId property = program::no_id;
  std::uint32_t point = 0;
  z3::expr broken;
  std::string name;
};

class System {
 public:
  //   requires: the encoder believes no range that it is not told (trust_ranges off)
  //   errors:   Refusal
  explicit System(const Encoder& encoder);

  [[nodiscard]] const program::Program& program() const { return encoder_.program(); }
  [[nodiscard]] const Encoder& encoder() const { return encoder_; }
  [[nodiscard]] z3::context& context() const { return encoder_.context(); }
  [[nodiscard]] std::size_t points() const { return at_.size(); }
  [[nodiscard]] std::string point_name(std::uint32_t point) const;

  // The variables at a point, and which slots they are: of these alone a fact there may speak.
  [[nodiscard]] const SymbolicState& at(std::uint32_t point) const { return at_[point]; }
  [[nodiscard]] const std::vector<program::SlotId>& slots(std::uint32_t point) const {
    return slots_[point];
  }
  // The variable of a slot (a Bool or an Int).
  [[nodiscard]] z3::expr variable(std::uint32_t point, program::SlotId slot) const;

  // What holds of the unknown parameters for ever: their ranges and the assumptions.
  [[nodiscard]] const z3::expr& background() const { return background_; }
  // Where it begins, at point 0; background() besides.
  [[nodiscard]] const z3::expr& initial() const { return initial_; }
  // Each slot lies in the range that the Program promises; it is proved with the rest.
  [[nodiscard]] z3::expr in_range(std::uint32_t point, const SymbolicState& state) const;
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  // The edges where `constants` (facts variable == value) are known at their beginnings: simpler,
  // and without those that cannot be.
  [[nodiscard]] std::vector<Edge> simplified(const std::vector<parametric::Fact>& constants) const;
  // Likewise a formula at a point.
  [[nodiscard]] z3::expr simplified(const std::vector<parametric::Fact>& constants,
                                    std::uint32_t point, const z3::expr& formula) const;
  [[nodiscard]] const std::vector<Goal>& goals() const { return goals_; }

  // Asks of a property, from now on, that the left side of its first claim be at most `bound`.
  void ask_for_bound(program::PropertyId maximum, const parametric::Linear& bound);

  [[nodiscard]] z3::expr number(const Value& value) const;
  [[nodiscard]] z3::expr sum(const parametric::Linear& linear, const SymbolicState& state) const;
  [[nodiscard]] z3::expr formula(const parametric::Fact& fact, const SymbolicState& state) const;

 private:
  // What the constants at a point put in the place of its variables; absent: it is never reached.
  struct Substitution {
    z3::expr_vector names, values;
  };
  [[nodiscard]] std::optional<Substitution> substitution(
      const std::vector<parametric::Fact>& constants, std::uint32_t point) const;
  void add_points();
  void add_step(const Step& step, std::uint32_t from);
  void add_claims();
  void add_others();
  [[nodiscard]] std::uint32_t point_of(program::BlockId cut) const;

  const Encoder& encoder_;
  std::vector<SymbolicState> at_;
  std::vector<std::vector<program::SlotId>> slots_;
  z3::expr background_;
  z3::expr initial_;
  std::vector<Edge> edges_;
  std::vector<Goal> goals_;
};

// The goal of every proof about objects in focus: it belongs to each property.
constexpr program::PropertyId every_property = program::no_id;

}  // namespace txproof::checker::smt
