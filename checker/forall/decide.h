// A verdict for all values of the unknown parameters: proved, refuted at concrete values, or
// neither, with the reason.
#pragma once

#include <string>
#include <vector>

#include "checker/forall/prove.h"
#include "checker/forall/refute.h"

namespace txproof::checker::forall {

struct Decision {
  PropertyId property = program::no_id;  // of the Program with unknown parameters
  properties::Verdict verdict = properties::Verdict::inconclusive;
  properties::Limit limit = properties::Limit::none;  // inconclusive: why
  std::string reason;                                 // … in a sentence
  std::optional<std::string> vacuous;                 // holds: nothing was tested at small values
  std::optional<Proof> proof;                         // holds
  const Instance* instance = nullptr;                 // violated: the smallest values, and the path
  const properties::Result* result = nullptr;         // … its result there
  bool recheck_failed = false;
  double seconds = 0;
};

class Decider {
 public:
  Decider(const Program& program, Settings settings, Refuter& refuter);

  // Decides the properties, in their order.
  std::vector<Decision> decide(const std::vector<PropertyId>& properties);

  // The prover, once decide() or sample() ran.
  [[nodiscard]] Prover& prover() { return prover_; }
  std::string sample();

 private:
  void refute_where_broken(std::vector<Decision>& decisions);
  void refute_further(std::vector<Decision>& decisions);
  void look_for_vacuity(Decision& decision);
  bool refuted_at(const std::vector<Word>& values, Decision& decision);
  [[nodiscard]] std::string limit_reason(properties::Limit& limit) const;

  const Program& program_;
  Settings settings_;
  Refuter& refuter_;
  Prover prover_;
  bool sampled_ = false;
};

// Why no proof for all values can be asked for; empty if it can.
std::string not_served(const program::Property& property);

// "W=1 L=2 R=1"
std::string values_text(const Program& program, const std::vector<Word>& values);

}  // namespace txproof::checker::forall
