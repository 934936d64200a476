// A trace as text for people.
#pragma once

#include <string>

#include "counterexamples/trace.h"
#include "model/lang/source.h"

namespace txproof::counterexamples {

struct TextOptions {
  bool full = false;   // every slot and every ledger entry, not only what moved in this trace
  bool color = false;  // colour is never the only signal
  // The property whose trace, already shown, has the very same steps: only what broke is told.
  std::string same_as;
  // A trace that is no violation says here what it is; then nothing is said to break.
  std::string witness_of;
};

// "model/linux/dev.tx:41"; empty for nowhere.
std::string place_text(const lang::SourceSet& sources, lang::Span span);

// What broke, where, and why; then each step.
std::string render_text(const Trace& trace, const program::Program& program,
                        const lang::SourceSet& sources, const TextOptions& options);

// What a call returned, as the model's text names it: the constant behind `return`, or the name
// that the call had it from; a plain number where there is none.
std::string return_text(const TraceStep& step, std::size_t call, const program::Program& program,
                        const lang::SourceSet& sources);

// The words for a value of a slot: a name where it has one, the packet or place of a handle, …
std::string slot_value(const program::Program& program, program::SlotId id, program::Word value);

}  // namespace txproof::counterexamples
