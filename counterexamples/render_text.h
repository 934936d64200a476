// A trace as text for people.
#pragma once

#include <string>

#include "counterexamples/trace.h"
#include "model/lang/source.h"

namespace txproof::counterexamples {

struct TextOptions {
  bool full = false;   // every slot and every ledger entry, not only what moved in this trace
  bool color = false;  // colour is never the only signal
};

// "model/linux/dev.tx:41"; empty for nowhere.
std::string place_text(const lang::SourceSet& sources, lang::Span span);

// What broke, where, and why; then each step.
std::string render_text(const Trace& trace, const program::Program& program,
                        const lang::SourceSet& sources, const TextOptions& options);

// The words for a value of a slot: a name where it has one, the packet or place of a handle, …
std::string slot_value(const program::Program& program, program::SlotId slot, program::Word value);

}  // namespace txproof::counterexamples
