// A counterexample as people and machines read it: step by step, who ran which function, what each
// call returned, where packets went, what changed, and the ledger after it.
//
// A Trace is made by `replay` (replay.h) and by nothing else, so whatever is printed has been run
// by the reference interpreter.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/program/interpreter.h"

namespace txproof::counterexamples {

// A call that was open or made in a step, in the order of the text.
struct TraceCall {
  program::CallId call = program::no_id;
  unsigned depth = 0;    // 0: called by the thread's own text
  bool entered = false;  // in this step; otherwise it was open before
  bool left = false;     // in this step
  std::optional<program::Word> returns;
  lang::Span returned;  // the expression behind `return`, where there is one
  // What the call itself did, without its callees: "udp[0].sk_wmem_alloc 0 -> 1", "a ->
  // eth0.ring[0]".
  std::vector<std::string> effects;
};

// A packet that was somewhere else after the step, or began or ended in it.
struct PacketMove {
  std::string packet;       // "a"
  std::string from;         // a place; empty: it began here
  std::string to;           // empty: it ended here
  std::string by;           // the function that moved, made or ended it
  std::string called_from;  // … and who called that
  lang::Span where;
};

struct SlotChange {
  program::SlotId slot = 0;
  program::Word before = 0, after = 0;
};

struct LedgerEntry {
  std::string name;         // "eth0.ring", "udp[0].sk_wmem_alloc", "sk_buff"
  std::string text;         // "[a, b]", "2", "4 in flight, 3 with sk none"
  bool is_trivial = false;  // nothing there
  bool operator==(const LedgerEntry&) const = default;
};

struct TraceStep {
  program::Move move;
  std::string thread;               // "udp_sender(udp[0], bond0)"; "time"
  std::string function;             // the function that did most of the step
  lang::Span where;                 // where it was called, or where the thread stood
  std::optional<std::size_t> call;  // which of `calls` is `function`
  std::vector<TraceCall> calls;     // in the order of the text; depth tells who called whom
  std::vector<PacketMove> packets;
  std::vector<SlotChange> changes;  // stored slots, program counters left out
  std::vector<std::string> notes;   // assertions of other properties that failed on the way
  program::State state;             // after it
  std::vector<LedgerEntry> ledger;
};

struct Trace {
  program::PropertyId property = program::no_id;
  std::string kind;               // "own.freed_twice", "assert", "always", "deadlock", …
  std::string message;            // one sentence
  lang::Span where;               // what broke
  std::vector<lang::Note> notes;  // where the packet was given away, …
  program::State initial;
  std::vector<LedgerEntry> initial_ledger;
  std::vector<TraceStep> steps;
  // Steps from this index on are a cycle, gone through for ever; steps.size(): the run stays in its
  // last state for ever.
  std::optional<std::size_t> loop;
};

}  // namespace txproof::counterexamples
