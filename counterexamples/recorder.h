// Listens to one step of the interpreter and writes down its calls, what each of them did, and
// which statement moved which packet last.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/explain.h"
#include "counterexamples/ledger.h"
#include "counterexamples/packets.h"
#include "counterexamples/trace.h"

namespace txproof::counterexamples {

class Recorder : public program::Observer {
 public:
  Recorder(const program::Program& program, const Ledger& ledger, Packets& packets,
           History& history)
      : program_(program), ledger_(ledger), packets_(packets), history_(history) {}

  // The check whose failure is waited for; other ones that fail are notes.
  void want(program::ViolationId violation) { wanted_ = violation; }

  // `location`: where the thread stands; null for the step of time.
  void begin(TraceStep& step, const program::Location* location);
  // Once the net changes of the step are known: a flag that was set and cleared again is no effect.
  void finish(const std::vector<SlotChange>& changes);

  void block(program::BlockId block) override { block_ = block; }
  void statement(const program::Stmt& stmt, const program::State& state) override;
  void after(const program::Stmt& stmt, const program::State& state) override;
  void returned(program::CallId call, program::Word value) override;
  void failed(const program::Stmt& check, const program::State& state) override;

  [[nodiscard]] const program::Stmt* failed_check() const { return failed_; }
  [[nodiscard]] program::BlockId failed_block() const { return failed_block_; }
  [[nodiscard]] const program::State& failed_state() const { return failed_state_; }
  // The last statement of the step that moved this packet; null if none did.
  [[nodiscard]] const program::Stmt* moved_by(PacketId packet) const;
  // By packet, the slot of the place where it is; no_id where it ended.
  [[nodiscard]] std::vector<program::SlotId> all_places() const;

 private:
  struct Effect {
    std::size_t call = 0;  // index into the step's calls
    std::string text;
    program::SlotId only_if_changed = program::no_id;
  };
  void open(program::CallId call, bool entered);
  void close(program::CallId call);
  [[nodiscard]] bool is_root(program::CallId call) const;
  void assigned(program::SlotId slot, program::Word before, program::Word now);
  void moved(const std::vector<program::SlotId>& now, const program::Stmt& stmt);
  void effect(std::string text, program::SlotId only_if_changed = program::no_id);
  [[nodiscard]] bool is_local(PacketId packet, program::SlotId place) const;

  const program::Program& program_;
  const Ledger& ledger_;
  Packets& packets_;
  History& history_;
  TraceStep* step_ = nullptr;
  program::BlockId block_ = program::no_id;
  program::ViolationId wanted_ = program::no_id;
  const program::Stmt* failed_ = nullptr;
  program::BlockId failed_block_ = program::no_id;
  program::State failed_state_;
  std::vector<std::size_t> open_;
  std::vector<program::SlotId> places_;
  bool moves_ = false;  // the statement can move packets
  program::SlotId target_ = program::no_id;
  program::Word old_value_ = 0;
  std::map<PacketId, const program::Stmt*> moved_by_;
  std::map<PacketId, std::size_t> born_in_;  // of packets that began in this step: the call
  std::vector<Effect> effects_;
};

}  // namespace txproof::counterexamples
