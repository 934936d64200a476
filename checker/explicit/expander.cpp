#include "checker/explicit/expander.h"

#include <utility>

namespace txproof::checker {

Expander::Expander(const program::Program& program, const Code& code, const Packing& packing,
                   std::function<bool()> poll)
    : program_(program),
      code_(code),
      packing_(packing),
      poll_(std::move(poll)),
      machine_(program, code),
      inspector_(program, code, machine_),
      findings_(program.properties.size()) {
  machine_.ask_in_long_steps([this] { return poll_(); });
}

void Expander::record_faults(StateId parent, std::uint32_t depth, std::uint64_t ordinal) {
  for (const program::Fault& fault : machine_.faults()) {
    findings_.failed(program_.violations[fault.violation].property,
                     {depth, parent, ordinal, fault.violation});
    findings_.fault_seen = findings_.fault_seen || fault.fatal;
  }
}

bool Expander::inspect(StateId id, std::uint32_t depth, const std::uint64_t* packed) {
  try {
    inspect_claims(id, depth, packed);
    return true;
  } catch (const Machine::GivenUp&) {
    machine_.abandon();
    return false;
  }
}

void Expander::inspect_claims(StateId id, std::uint32_t depth, const std::uint64_t* packed) {
  packing_.unpack(packed, machine_.state());
  inspector_.every_state(id, depth, findings_);
  for (const program::Thread& thread : program_.threads) {
    program::LocationId at = 0;
    const program::Location& here = location(at, thread);
    if (code_.entries[at] == program::no_id || here.kind == program::StopKind::pause) continue;
    const CodeAddress condition = code_.conditions[at];
    if (condition == program::no_id || machine_.evaluate(condition) != 0) return;
  }
  if (program_.has_time) {
    const bool changes = machine_.pass_time();
    machine_.undo();
    if (changes) return;
  }
  inspector_.at_rest(id, depth, findings_);
}

}  // namespace txproof::checker
