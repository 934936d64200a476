#include "checker/export/promela.h"

#include <algorithm>
#include <limits>

#include "checker/export/promela_statement.h"
#include "checker/export/refusal.h"

namespace txproof::checker::exporting {

using namespace program;

namespace {

std::string num(std::uint64_t value) { return std::to_string(value); }

// No end of a comment.
std::string plain(std::string text) {
  for (char& c : text) {
    if (c == '*' || c == '\n') c = ' ';
  }
  return text;
}

void refuse_what_cannot_be_told(const Program& program) {
  if (program.memory != Memory::sc) throw Refusal("its memory model is not sc");
  if (!program.loops.empty() || !program.unordered.empty() || !program.others.empty()) {
    throw Refusal("it has unknown parameters");
  }
  for (const Slot& slot : program.slots) {
    if (slot.range.lo < std::numeric_limits<std::int32_t>::min() ||
        slot.range.hi > std::numeric_limits<std::int32_t>::max()) {
      throw Refusal("'" + slot.name + "' goes beyond 32 bits");
    }
  }
  for (const CellTable& cells : program.cells) {
    const auto inside = [&](SlotId slot) {
      return slot >= cells.first && slot < cells.first + cells.stride * cells.count;
    };
    for (const Struct& structure : program.structs) {
      for (const Place& place : structure.places) {
        if (inside(place.base)) throw Refusal("a counted struct holds a packet");
      }
      for (const SlotId handle : structure.handles) {
        if (inside(handle)) throw Refusal("a counted struct holds a weak handle");
      }
    }
  }
  for (const Bag& bag : program.bags) {
    for (const Struct& structure : program.structs) {
      for (const SlotId handle : structure.handles) {
        if (handle > bag.length && handle <= bag.length + bag.stride * bag.capacity) {
          throw Refusal("a bag holds weak handles, whose order Promela cannot follow");
        }
      }
    }
  }
}

class Exporter {
 public:
  explicit Exporter(const Program& program)
      : program_(program), expressions_(program), statements_(program, expressions_) {}

  Promela run() {
    refuse_what_cannot_be_told(program_);
    out_.text =
        "/* " + plain(program_.stack) +
        ": exported by txproof.\n"
        "   spin -a FILE; cc -O1 -DSAFETY -DNOREDUCE -DVECTORSZ=" +
        num(vector_size()) +
        " -o pan pan.c; ./pan -E -c0 -m100000\n"
        "   \"states, stored\" is the number of states; `fault!=N` names the property that is "
        "violated:\n";
    for (PropertyId id = 0; id < program_.properties.size(); ++id) {
      out_.text += "     " + num(1 + id) + "  " + plain(program_.properties[id].instance) + "\n";
    }
    out_.text += "*/\n";
    declarations();
    out_.text += statements_.definitions();
    out_.text += "\nactive proctype steps() {\n  do\n";
    for (LocationId id = 0; id < program_.locations.size(); ++id) location(id);
    time();
    claims();
    // A state without a step is no fault of this process: pan gets -E.
    out_.text += "  od\n}\n";
    constexpr std::size_t longest = 8U << 20U;
    if (out_.text.size() > longest) throw Refusal("the text would be longer than 8 MB");
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t vector_size() const {
    const std::size_t bytes = program_.slots.size() * 4 + 256;
    return std::max<std::size_t>(1024, (bytes + 255) / 256 * 256);
  }

  void array(const std::string& name, const std::vector<Word>& values) {
    if (values.empty()) return;
    out_.text += "hidden int " + name + "[" + num(values.size()) + "] = { ";
    for (std::size_t i = 0; i < values.size(); ++i) {
      out_.text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
    }
    out_.text += " };\n";
  }

  void declarations() {
    const State initial = initial_state(program_);
    out_.text += "int S[" + num(initial.size()) + "] = { ";
    for (std::size_t i = 0; i < initial.size(); ++i) {
      out_.text += (i == 0 ? "" : ", ") + std::to_string(initial[i]);
    }
    out_.text += " };\n";
    std::vector<Word> places(program_.slots.size(), 0);
    for (std::size_t i = 0; i < program_.place_at.size(); ++i) {
      if (program_.place_at[i] != no_id) places[i] = program_.place_at[i];
    }
    array("P", places);
    for (StructId id = 0; id < program_.structs.size(); ++id) {
      std::vector<Word> bases;
      for (const Place& place : program_.structs[id].places) bases.push_back(place.base);
      array("B" + num(id), bases);
    }
    for (std::size_t i = 0; i < program_.tables.size(); ++i) {
      array("T" + num(i), program_.tables[i]);
    }
    out_.text += "hidden int O[" + num(initial.size()) + "]; hidden int W[" + num(initial.size()) +
                 "];\n"
                 "hidden int fault, a_, b_, n_, i_, l_, c_, p_, e_, s_, v_, w_, o_, q_, r_;\n";
  }

  [[nodiscard]] std::string standing(const Location& location) const {
    return "S[" + num(program_.threads[location.thread].pc) + "] == " + num(location.pc);
  }

  // The thread stands here and can go on.
  [[nodiscard]] std::string enabled(const Location& location) const {
    std::string text = standing(location);
    if (location.condition != no_id) text += " && " + expressions_.truth(location.condition);
    return "(" + text + ")";
  }

  static bool steps(const Location& location) {
    return location.kind != StopKind::end && location.kind != StopKind::tick;
  }

  std::vector<BlockId> blocks_behind(BlockId entry) const {
    std::vector<BlockId> found = {entry};
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const BlockId target : program_.blocks[found[i]].end.targets) {
        if (std::find(found.begin(), found.end(), target) == found.end()) found.push_back(target);
      }
    }
    return found;
  }

  void location(LocationId id) {
    const Location& location = program_.locations[id];
    if (!steps(location)) return;
    const std::string prefix = "L" + num(id) + "_";
    const std::vector<BlockId> blocks = blocks_behind(location.entry);
    bool can_fail = false;
    for (const BlockId block : blocks) {
      for (const Stmt& stmt : program_.blocks[block].stmts) {
        can_fail = can_fail || (stmt.kind == StmtKind::check && stmt.fatal);
      }
    }
    std::string text = "  :: atomic { " + enabled(location) + " -> /* " +
                       plain(program_.threads[location.thread].name) + " */ fault = 0;\n";
    const std::string words = num(program_.slots.size());
    if (can_fail)
      text += "     d_step { i_ = 0; do :: i_ < " + words +
              " -> O[i_] = S[i_]; i_++ :: else -> break od; i_ = 0 };\n";
    text += "     goto " + prefix + num(location.entry) + ";\n";
    for (const BlockId block : blocks) {
      text += "     " + prefix + num(block) + ": skip; ";
      for (const Stmt& stmt : program_.blocks[block].stmts) {
        text += statements_.statement(stmt, prefix + "failed");
      }
      text += terminator(program_.blocks[block].end, prefix) + "\n";
    }
    if (can_fail) {
      text += "     " + prefix + "failed: skip; d_step { i_ = 0; do :: i_ < " + words +
              " -> S[i_] = O[i_]; i_++ :: else -> break od; i_ = 0 }; goto " + prefix + "end;\n";
    }
    text += "     " + prefix + "done: skip; " + statements_.canonical() + "skip;\n     " + prefix +
            "end: skip }\n";
    out_.text += text;
  }

  [[nodiscard]] std::string terminator(const Terminator& end, const std::string& prefix) const {
    const auto label = [&](BlockId block) { return prefix + num(block); };
    std::string stop;
    if (end.location != no_id) {
      for (const SlotId slot : end.forget) {
        stop += "S[" + num(slot) +
                "] = " + PromelaExpressions::number(program_.slots[slot].rest_value).text + "; ";
      }
      const Location& at = program_.locations[end.location];
      stop += "S[" + num(program_.threads[at.thread].pc) + "] = " + num(at.pc) + "; goto " +
              prefix + "done";
    }
    switch (end.kind) {
      case TerminatorKind::jump:
        return "goto " + label(end.targets[0]) + ";";
      case TerminatorKind::branch:
        return "if :: " + expressions_.truth(end.condition) + " -> goto " + label(end.targets[0]) +
               " :: else -> goto " + label(end.targets[1]) + " fi;";
      case TerminatorKind::choose: {
        std::string text = "if ";
        for (std::size_t i = 0; i < end.targets.size(); ++i) {
          text +=
              ":: " + expressions_.truth(end.guards[i]) + " -> goto " + label(end.targets[i]) + " ";
        }
        return text + "fi;";
      }
      case TerminatorKind::lock:
        return "if :: " + expressions_.truth(end.condition) + " -> goto " + label(end.targets[0]) +
               " :: else -> " + stop + " fi;";
      case TerminatorKind::stop:
        return stop + ";";
      case TerminatorKind::halt:
        return "assert(false);";
    }
    return "";
  }

  // Time would change something.
  [[nodiscard]] std::string time_changes() const {
    std::string text = "0";
    for (const Location& location : program_.locations) {
      if (location.kind == StopKind::tick) text += " || " + standing(location);
    }
    for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
      const std::string runs = clock_runs(slot);
      if (!runs.empty()) text += " || " + runs;
    }
    return "(" + text + ")";
  }

  // The clock in this slot would move; empty: it is none.
  [[nodiscard]] std::string clock_runs(SlotId slot) const {
    const Slot& s = program_.slots[slot];
    if (s.ticks == TickEffect::none) return "";
    const char* order = s.ticks == TickEffect::up ? " < " : " > ";
    std::string text = "S[" + num(slot) + "]" + order + PromelaExpressions::number(s.tick_end).text;
    if (s.clock_of != no_id) text += " && S[" + num(s.clock_of) + "] == 1";
    return "(" + text + ")";
  }

  // Some thread can step that is none that a pause keeps; `urgent`: of the urgent ones only.
  [[nodiscard]] std::string somebody_steps(bool urgent) const {
    std::string text = "0";
    for (const Location& location : program_.locations) {
      if (!steps(location) || location.kind == StopKind::pause) continue;
      if (urgent && !program_.threads[location.thread].urgent) continue;
      text += " || " + enabled(location);
    }
    return "(" + text + ")";
  }

  [[nodiscard]] std::string at_rest() const {
    std::string text = "!" + somebody_steps(false);
    if (program_.has_time) text += " && !" + time_changes();
    return "(" + text + ")";
  }

  void time() {
    if (!program_.has_time) return;
    std::string text = "  :: atomic { (!" + somebody_steps(true) + " && " + time_changes() +
                       ") -> /* time */ fault = 0; d_step { ";
    for (const Thread& thread : program_.threads) {
      std::string moved;
      for (const LocationId id : thread.locations) {
        const Location& location = program_.locations[id];
        if (location.kind != StopKind::tick) continue;
        moved += ":: " + standing(location) + " -> S[" + num(thread.pc) +
                 "] = " + num(program_.locations[location.after].pc) + " ";
      }
      if (!moved.empty()) text += "if " + moved + ":: else fi; ";
    }
    for (SlotId slot = 0; slot < program_.slots.size(); ++slot) {
      const std::string runs = clock_runs(slot);
      if (runs.empty()) continue;
      const std::string clock = "S[" + num(slot) + "]";
      const char* by = program_.slots[slot].ticks == TickEffect::up ? " + 1" : " - 1";
      text += "if :: " + runs + " -> " + clock + " = " + clock + by + " :: else fi; ";
    }
    out_.text += text + "skip }; " + statements_.canonical() + "skip }\n";
  }

  // Where a claim is false: a step that changes nothing and says so.
  void violation(PropertyId id, const std::string& where) {
    const std::string fault = num(1 + id);
    out_.text += "  :: atomic { (" + where + ") -> fault = " + fault +
                 "; assert(fault != " + fault + ") }\n";
  }

  void claims() {
    for (PropertyId id = 0; id < program_.properties.size(); ++id) {
      const Property& property = program_.properties[id];
      if (property.is_watch) continue;
      if (property.kind == PropertyKind::deadlock) violation(id, deadlock());
      for (const Claim& claim : property.claims) {
        switch (claim.kind) {
          case PropertyKind::always:
            violation(id, "!" + expressions_.truth(claim.condition));
            break;
          case PropertyKind::at_rest:
            violation(id, at_rest() + " && !" + expressions_.truth(claim.condition));
            break;
          case PropertyKind::maximum:
            violation(id, expressions_.value(claim.left).text + " > " +
                              expressions_.value(claim.right).text);
            break;
          case PropertyKind::leads_to:
          case PropertyKind::infinitely_often:
          case PropertyKind::rate:
            out_.left_out.push_back(property.instance + ": it speaks of runs without end");
            break;
          case PropertyKind::builtin:
          case PropertyKind::deadlock:
          case PropertyKind::assertions:
            break;
        }
      }
    }
  }

  [[nodiscard]] std::string deadlock() const {
    std::string waits = "0";
    for (const Location& location : program_.locations) {
      if (location.kind == StopKind::wait || location.kind == StopKind::wait_choice ||
          location.kind == StopKind::access) {
        waits += " || " + standing(location);
      }
    }
    return at_rest() + " && (" + waits + ")";
  }

  const Program& program_;
  const PromelaExpressions expressions_;
  const PromelaStatements statements_;
  Promela out_;
};

}  // namespace

Promela to_promela(const Program& program) { return Exporter(program).run(); }

}  // namespace txproof::checker::exporting
