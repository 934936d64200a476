// Follows each packet through a run, so that a trace can name it: "a" is the same packet in the
// socket's hands, in the qdisc and in the ring, although nothing in the state says so.
//
// A packet is followed like a weak handle follows it. This class keeps a copy of the Program with
// one more handle for each packet, and lets the very functions of the step semantics (words.h) move
// them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::counterexamples {

using PacketId = std::size_t;

class Packets {
 public:
  // Every packet of `state` gets a name.
  Packets(const program::Program& program, const program::State& state);

  // Call with the state before and after each statement, and at the end of each step.
  void before(const program::State& state);
  void after(const program::Stmt& stmt, const program::State& state);
  void step_ends(const program::State& state);

  [[nodiscard]] std::size_t count() const { return slots_.size(); }
  [[nodiscard]] std::string name(PacketId packet) const;
  // The slot of the tag of (for counted structs: the first) place where it is; absent: it ended.
  [[nodiscard]] std::optional<program::SlotId> place(PacketId packet) const;
  [[nodiscard]] bool alive(PacketId packet) const { return state_[slots_[packet]] >= 2; }
  [[nodiscard]] program::StructId structure(PacketId packet) const { return structs_[packet]; }
  // Who is in the place with this tag slot.
  [[nodiscard]] std::optional<PacketId> at(program::StructId structure, program::SlotId tag) const;

 private:
  void follow(program::StructId structure, program::Word handle);
  void follow_place(program::StructId structure, program::SlotId tag);
  void insert(const program::Stmt& stmt);
  void remove(const program::Stmt& stmt);
  void splice(const program::Stmt& stmt);
  [[nodiscard]] program::SlotId resolve(program::AddrId addr) const;
  void copy_words(const program::State& state);

  program::Program program_;  // with our handles
  std::size_t words_;         // of a real state
  program::State state_;      // … with our handles behind
  std::vector<program::SlotId> slots_;
  std::vector<program::StructId> structs_;
};

// The place with this tag slot, for people: "eth0.ring[1]"; a local with its thread.
std::string place_name(const program::Program& program, program::StructId structure,
                       program::SlotId tag);

}  // namespace txproof::counterexamples
