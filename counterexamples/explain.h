// Why a built-in violation is one: where the packet had been given away or freed before it was used
// again, where the one came from that is now lost.
//
// The history of places is kept while a path is replayed; a stale place remembers who left it and
// where to.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "counterexamples/packets.h"
#include "counterexamples/trace.h"

namespace txproof::counterexamples {

class History {
 public:
  History(const program::Program& program, const Packets& packets)
      : program_(program), packets_(packets) {}

  // Call around each statement, before and after `packets` follows it.
  void before(const program::Stmt& stmt, const program::State& state);
  void after(const program::Stmt& stmt, const program::State& state);
  void step_begins(std::size_t step) { step_ = step; }

  // What the check that failed says, told with the packets' history: sets kind, message, notes.
  void explain(const program::Stmt& check, program::BlockId block, const program::State& state,
               Trace& trace) const;

 private:
  struct Event {
    lang::Span where;
    program::CallId call = program::no_id;
    std::size_t step = 0;
  };
  struct Departure {
    PacketId packet = 0;
    Event event;
  };
  [[nodiscard]] std::string told(const Event& event) const;
  void explain_left(const Departure& departure, bool frees, Trace& trace) const;

  const program::Program& program_;
  const Packets& packets_;
  std::size_t step_ = 0;
  std::optional<Departure> leaving_;  // between before and after
  program::SlotId leaving_slot_ = 0;
  std::size_t known_ = 0;
  std::map<PacketId, Event> born_, ended_;
  std::map<program::SlotId, Departure> left_;  // by tag slot: who was last there
};

}  // namespace txproof::counterexamples
