// Evaluates the claims of all properties in one state.
#pragma once

#include <vector>

#include "checker/explicit/bytecode.h"
#include "checker/explicit/findings.h"
#include "checker/explicit/machine.h"
#include "model/program/program.h"

namespace txproof::checker {

class Inspector {
 public:
  // without: properties that are not looked at.
  Inspector(const program::Program& program, const Code& code, Machine& machine,
            const std::vector<program::PropertyId>& without = {});

  // Claims that speak of every state. The state is the machine's.
  void every_state(StateId state, std::uint32_t depth, Findings& findings);
  // Claims that speak of states at rest, and deadlock; requires: it is at rest.
  void at_rest(StateId state, std::uint32_t depth, Findings& findings);

 private:
  struct Watched {
    program::PropertyId property;
    std::uint32_t claim;
    program::PropertyKind kind;
    Code::ClaimCode code;
  };
  void condition(const Watched& watched, StateId state, std::uint32_t depth, Findings& findings);
  [[nodiscard]] bool somebody_waits() const;

  const program::Program& program_;
  Machine& machine_;
  std::vector<Watched> every_;
  std::vector<Watched> rest_;
};

}  // namespace txproof::checker
