#include "checker/explicit/inspector.h"

#include <algorithm>

namespace txproof::checker {

using program::no_id;
using program::PropertyId;
using program::PropertyKind;
using program::StopKind;
using program::Word;

Inspector::Inspector(const program::Program& program, const Code& code, Machine& machine,
                     const std::vector<PropertyId>& without)
    : program_(program), machine_(machine) {
  for (PropertyId id = 0; id < program.properties.size(); ++id) {
    if (std::find(without.begin(), without.end(), id) != without.end()) continue;
    const program::Property& property = program.properties[id];
    bool deadlock_claimed = false;
    for (std::uint32_t claim = 0; claim < property.claims.size(); ++claim) {
      const Watched watched{id, claim, property.claims[claim].kind, code.claims[id][claim]};
      switch (watched.kind) {
        case PropertyKind::always:
          if (watched.code.condition != no_id) every_.push_back(watched);
          break;
        case PropertyKind::maximum:
          every_.push_back(watched);
          break;
        case PropertyKind::at_rest:
          if (watched.code.condition != no_id) rest_.push_back(watched);
          break;
        case PropertyKind::deadlock:
          rest_.push_back(watched);
          deadlock_claimed = true;
          break;
        case PropertyKind::builtin:
        case PropertyKind::assertions:
        case PropertyKind::leads_to:
        case PropertyKind::infinitely_often:
        case PropertyKind::rate:
          break;
      }
    }
    if (property.kind == PropertyKind::deadlock && !deadlock_claimed) {
      rest_.push_back({id, 0, PropertyKind::deadlock, {}});
    }
  }
}

void Inspector::condition(const Watched& watched, StateId state, std::uint32_t depth,
                          Findings& findings) {
  Finding& finding = findings[watched.property];
  if (!finding.spoken) {
    finding.spoken =
        watched.code.antecedent == no_id || machine_.evaluate(watched.code.antecedent) != 0;
  }
  if (!finding.claim && machine_.evaluate(watched.code.condition) == 0) {
    finding.claim = {depth, state, watched.claim};
  }
}

void Inspector::every_state(StateId state, std::uint32_t depth, Findings& findings) {
  for (const Watched& watched : every_) {
    if (watched.kind == PropertyKind::always) {
      condition(watched, state, depth, findings);
      continue;
    }
    Finding& finding = findings[watched.property];
    finding.spoken = true;
    const Word left = machine_.evaluate(watched.code.left);
    if (!finding.largest || *finding.largest < left) {
      finding.largest = left;
      finding.largest_at = {depth, state, watched.claim};
    }
    if (!finding.claim && left > machine_.evaluate(watched.code.right)) {
      finding.claim = {depth, state, watched.claim};
    }
  }
}

bool Inspector::somebody_waits() const {
  const Word* const state = machine_.state();
  return std::any_of(
      program_.threads.begin(), program_.threads.end(), [&](const program::Thread& thread) {
        const auto pc = static_cast<std::size_t>(state[thread.pc]);
        const StopKind kind = program_.locations[thread.locations[pc]].kind;
        return kind == StopKind::wait || kind == StopKind::wait_choice || kind == StopKind::access;
      });
}

void Inspector::at_rest(StateId state, std::uint32_t depth, Findings& findings) {
  findings.rest_seen = true;
  for (const Watched& watched : rest_) {
    if (watched.kind == PropertyKind::at_rest) {
      condition(watched, state, depth, findings);
      continue;
    }
    Finding& finding = findings[watched.property];
    finding.spoken = true;
    if (!finding.claim && somebody_waits()) finding.claim = {depth, state, watched.claim};
  }
}

}  // namespace txproof::checker
