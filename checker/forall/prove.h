// Proofs for all values of the unknown parameters.
//
// States of the Program at small values give candidates (checker/parametric), Houdini prunes them
// to an inductive invariant (checker/smt), and what follows from it is written down as three
// obligations and checked again by solvers that know nothing of how it was found
// (checker/certify). Only that last check counts.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "checker/certify/certify.h"
#include "checker/parametric/linear.h"
#include "model/program/program.h"

namespace txproof::checker::forall {

using program::Program;
using program::PropertyId;
using program::Word;

struct Settings {
  std::function<bool()> stop;    // a limit or Ctrl-C: asked often
  std::function<double()> left;  // seconds until the time limit; absent: none
  std::function<void(const std::string&)> progress;
  bool use_cvc5 = true;
  std::uint64_t memory_limit = 0;  // bytes, for Z3; 0: none
  std::size_t most_states = 4000;  // that are sampled at one choice of the parameters
};

// How a property fares at values that were tried, in the Program with forgotten order.
struct Tried {
  std::vector<Word> values;
  bool broken = false;
  bool complete = false;  // every state was seen
};

struct Proof {
  PropertyId property = program::no_id;
  bool proved = false;
  std::string reason;           // not proved: why
  bool recheck_failed = false;  // the obligations do not check: an error of ours
  std::string horn, invariant;  // proved: texts for readers
  certify::Certificate certificate;
  certify::Report report;
  std::size_t facts = 0;  // of the invariant
  double seconds = 0;     // to find and check it
};

class Prover {
 public:
  Prover(const Program& program, Settings settings);
  ~Prover();
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  // Runs the Program at small values of the parameters.
  //   returns a sentence if that cannot be done
  std::string sample();

  // Whether the property was broken at some values that were tried (forgotten order may be why).
  [[nodiscard]] std::vector<Tried> tried(PropertyId property) const;

  // Proves what it can of these.
  std::vector<Proof> prove(const std::vector<PropertyId>& properties);

  // Proves that the left side of a maximum is at most `bound`, whatever its right side says.
  Proof prove_bound(PropertyId maximum, const parametric::Linear& bound);

  // The least values seen that `expression`, a maximum's left side, is bounded by: candidates, the
  // plainest first, as `bound - expression >= 0` over the parameters.
  struct Candidate {
    parametric::Linear bound;  // over parameter slots: the bound itself
    std::string text;          // "W + R"
  };
  [[nodiscard]] std::vector<Candidate> bounds(program::ExprId expression) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// The least values of the unknown parameters, in the order of Program::parameters.
std::vector<Word> least_values(const Program& program);

// All values that exceed `least` by at most `most` altogether: by that sum, then lexicographically.
std::vector<std::vector<Word>> in_order(const std::vector<Word>& least, Word most);

// The small values that are tried, in that order.
std::vector<std::vector<Word>> small_values(const Program& program);

}  // namespace txproof::checker::forall
