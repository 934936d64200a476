#include "counterexamples/render_text.h"

#include <algorithm>
#include <set>

#include "counterexamples/ledger.h"
#include "counterexamples/memory_text.h"
#include "model/program/display.h"

namespace txproof::counterexamples {

using program::no_id;
using program::SlotId;
using program::SlotKind;

std::string place_text(const lang::SourceSet& sources, lang::Span span) {
  if (span.file == 0 || span.file >= sources.size()) return "";
  return sources.file(span.file).path + ":" +
         std::to_string(sources.position(span.file, span.begin).line);
}

std::string slot_value(const program::Program& program, SlotId id, program::Word value) {
  const program::Slot& slot = program.slots[id];
  switch (slot.kind) {
    case SlotKind::tag: {
      const bool counted = slot.handle_of != no_id && program.structs[slot.handle_of].counted;
      if (counted || value > 2) break;
      return value == 0 ? "empty" : value == 1 ? "full" : "stale";
    }
    case SlotKind::handle: {
      if (value == 0) return "none";
      if (value == 1) return "dangling";
      if (slot.handle_of == no_id || program.structs[slot.handle_of].counted) break;
      const auto& places = program.structs[slot.handle_of].places;
      const auto place = static_cast<std::size_t>(value - 2);
      if (place < places.size()) return "-> " + places[place].name;
      break;
    }
    default:
      break;
  }
  return program::display_value(program, slot.display, value);
}

namespace {

// `NET_XMIT_DROP` or `-ENETDOWN`: the name of a constant as kernel code writes it.
bool is_constant_name(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.size() < 2 || text[0] < 'A' || text[0] > 'Z') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::string return_text(const TraceStep& step, std::size_t call, const program::Program& program,
                        const lang::SourceSet& sources) {
  const TraceCall& entry = step.calls[call];
  const program::DisplayId display = program.calls[entry.call].result_display;
  std::string plain = program::display_value(program, display, *entry.returns);
  if (program::has_name(program, display, *entry.returns)) return plain;
  const lang::Span span = entry.returned;
  if (span.file != 0 && span.file < sources.size()) {
    const std::string_view text = sources.file(span.file).text;
    if (span.end <= text.size() && span.begin <= span.end) {
      const std::string_view written = text.substr(span.begin, span.end - span.begin);
      if (is_constant_name(written)) return std::string(written);
    }
  }
  // Handed on from a callee: the last one that returned this value.
  std::string name = plain;
  for (std::size_t i = call + 1; i < step.calls.size() && step.calls[i].depth > entry.depth; ++i) {
    const TraceCall& callee = step.calls[i];
    if (callee.depth != entry.depth + 1 || callee.returns != entry.returns) continue;
    const std::string handed_on = return_text(step, i, program, sources);
    if (is_constant_name(handed_on)) name = handed_on;
  }
  return name;
}

namespace {

constexpr std::size_t max_quoted = 120;

class TextRenderer {
 public:
  TextRenderer(const Trace& trace, const program::Program& program, const lang::SourceSet& sources,
               const TextOptions& options)
      : trace_(trace), program_(program), sources_(sources), options_(options), ledger_(program) {}

  std::string run() {
    find_relevant();
    header();
    if (!options_.same_as.empty()) {
      out_ += "  = the same steps as in the trace of " + options_.same_as + " above\n";
      return std::move(out_);
    }
    out_ += "\n";
    start();
    for (std::size_t i = 0; i < trace_.steps.size(); ++i) {
      if (trace_.loop == i) out_ += "       " + bold("from here on again and again:") + "\n";
      step(i);
    }
    loop();
    return std::move(out_);
  }

 private:
  std::string bold(const std::string& text) const {
    return options_.color ? "\x1b[1m" + text + "\x1b[0m" : text;
  }
  std::string red(const std::string& text) const {
    return options_.color ? "\x1b[1;31m" + text + "\x1b[0m" : text;
  }
  std::string dim(const std::string& text) const {
    return options_.color && !text.empty() ? "\x1b[2m" + text + "\x1b[0m" : text;
  }

  // The quoted line of a place, with its number.
  void quote(lang::Span span, const std::string& indent) {
    if (span.file == 0 || span.file >= sources_.size()) return;
    const lang::LineColumn at = sources_.position(span.file, span.begin);
    std::string line(sources_.line(span.file, at.line));
    std::replace(line.begin(), line.end(), '\t', ' ');
    if (line.size() > max_quoted) line = line.substr(0, max_quoted) + "...";
    out_ += indent + "| " + std::to_string(at.line) + " | " + line + "\n";
  }

  void header() {
    const program::Property& property = program_.properties[trace_.property];
    if (!options_.witness_of.empty()) {
      out_ += "witness of  " + bold(options_.witness_of);
    } else {
      out_ += red("violated") + "  " + bold(property.instance);
    }
    if (!property.text.empty()) out_ += "  " + property.text;
    out_ += "\n";
    out_ += "  " + trace_.kind + ": " + trace_.message + "\n";
    const std::string place = place_text(sources_, trace_.where);
    if (!place.empty()) {
      out_ += "  --> " + place + "\n";
      quote(trace_.where, "   ");
    }
    for (const lang::Note& note : trace_.notes) {
      const std::string where = place_text(sources_, note.span);
      out_ += "  = " + note.message + (where.empty() ? "" : " (" + where + ")") + "\n";
      quote(note.span, "   ");
    }
    out_ += "  = " + std::to_string(trace_.steps.size()) +
            (trace_.steps.size() == 1 ? " step" : " steps") + ", " +
            (program_.interleave == program::Interleave::fine ? "fine" : "coarse");
    if (program_.memory != program::Memory::sc) {
      out_ += program_.memory == program::Memory::tso ? ", memory tso" : ", memory weak";
    }
    for (const program::Parameter& parameter : program_.parameters) {
      out_ += ", " + parameter.name + "=" + std::to_string(parameter.value);
    }
    out_ += "\n";
  }

  // Ledger entries that are the same from beginning to end say nothing about this trace.
  void find_relevant() {
    relevant_.assign(trace_.initial_ledger.size(), options_.full);
    for (std::size_t e = 0; e < relevant_.size(); ++e) {
      for (const TraceStep& step : trace_.steps) {
        if (!(step.ledger[e] == trace_.initial_ledger[e])) relevant_[e] = true;
      }
    }
  }

  void ledger_line(const std::vector<LedgerEntry>& entries) {
    std::string text;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      if (!relevant_[e] || (entries[e].is_trivial && !options_.full)) continue;
      text += (text.empty() ? "" : "; ") + entries[e].name + " " + entries[e].text;
    }
    row("ledger", text.empty() ? "nothing charged, nothing queued" : text);
  }

  void row(const std::string& label, const std::string& text) {
    std::string padded = label;
    padded.resize(std::max<std::size_t>(padded.size(), 8), ' ');
    out_ += "       " + dim(padded) + " " + text + "\n";
  }

  void start() {
    out_ += "    0  at the start\n";
    if (options_.full) all_slots(trace_.initial);
    ledger_line(trace_.initial_ledger);
  }

  void all_slots(const program::State& state) {
    for (SlotId s = 0; s < program_.slots.size(); ++s) {
      const program::Slot& slot = program_.slots[s];
      if (!slot.stored || slot.kind == SlotKind::pc) continue;
      row("", program::slot_label(program_, s) + " = " + slot_value(program_, s, state[s]));
    }
  }

  static std::string with_arguments(const program::Call& call) {
    return call.arguments.empty() ? call.function : call.function + "(" + call.arguments + ")";
  }

  // A call is worth a line if it, or one below it, did something that outlives it, or is still
  // open.
  std::vector<bool> worth_a_line(const TraceStep& step) const {
    std::vector<bool> shown(step.calls.size(), options_.full);
    for (std::size_t i = step.calls.size(); i-- > 0;) {
      if (!step.calls[i].effects.empty() || !step.calls[i].left) shown[i] = true;
      if (!shown[i]) continue;
      unsigned depth = step.calls[i].depth;
      for (std::size_t above = i; above-- > 0 && depth > 0;) {
        if (step.calls[above].depth >= depth) continue;
        shown[above] = true;
        depth = step.calls[above].depth;
      }
    }
    return shown;
  }

  void calls(const TraceStep& step) {
    bool first = true;
    const std::vector<bool> shown = worth_a_line(step);
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
      if (!shown[i]) continue;
      const TraceCall& entry = step.calls[i];
      const program::Call& call = program_.calls[entry.call];
      std::string text(std::size_t{2} * entry.depth, ' ');
      text += call.receiver.empty() ? with_arguments(call)
                                    : call.receiver + ": " + with_arguments(call);
      if (!entry.entered) text += " (goes on)";
      if (entry.returns) {
        text += " = " + return_text(step, i, program_, sources_);
      } else if (!entry.left) {
        text += " ...";
      }
      const std::string place = place_text(sources_, call.site);
      if (!place.empty()) text += "  " + dim(place);
      row(first ? "calls" : "", text);
      first = false;
      std::string effects;
      for (const std::string& effect : entry.effects) {
        effects += (effects.empty() ? "" : "; ") + effect;
      }
      if (!effects.empty()) row("", std::string(std::size_t{2} * entry.depth + 4, ' ') + effects);
    }
  }

  // What the calls of a step returned, in the order in which they did.
  void returns(const TraceStep& step) {
    const std::vector<bool> shown = worth_a_line(step);
    std::vector<std::pair<std::size_t, std::string>> open;  // call, code
    std::string text;
    std::string before;  // a code that is only handed on is told once
    const auto close = [&](unsigned depth) {
      while (!open.empty() && step.calls[open.back().first].depth >= depth) {
        const auto& [call, code] = open.back();
        if (code != before) {
          text += (text.empty() ? "" : ", ") +
                  with_arguments(program_.calls[step.calls[call].call]) + " = " + code;
        }
        before = code;
        open.pop_back();
      }
    };
    for (std::size_t i = 0; i < step.calls.size(); ++i) {
      close(step.calls[i].depth);
      if (!shown[i] || !step.calls[i].returns || i == step.call) continue;
      const program::Call& call = program_.calls[step.calls[i].call];
      if (call.result_display != no_id && call.result_display == boolean_display()) continue;
      open.emplace_back(i, return_text(step, i, program_, sources_));
    }
    close(0);
    if (!text.empty()) row("returns", text);
  }

  // The display of truth values, which say little about a step.
  program::DisplayId boolean_display() const {
    for (program::DisplayId id = 0; id < program_.displays.size(); ++id) {
      const program::Display& display = program_.displays[id];
      if (display.names.size() == 2 && display.names[0] == "false") return id;
    }
    return no_id;
  }

  // It moved up in its queue because one before it left.
  static bool is_shift(const PacketMove& move) {
    const std::size_t bracket = move.from.rfind('[');
    return bracket != std::string::npos && bracket == move.to.rfind('[') &&
           move.from.compare(0, bracket, move.to, 0, bracket) == 0;
  }

  void packets(const TraceStep& step) {
    bool first = true;
    for (const PacketMove& move : step.packets) {
      if (is_shift(move) && !options_.full) continue;
      std::string text = move.packet + ": " + (move.from.empty() ? "new" : move.from) + " -> " +
                         (move.to.empty() ? "gone" : move.to);
      if (move.to.empty() && !move.by.empty()) {
        text += " (" + move.by +
                (move.called_from.empty() ? "" : ", called by " + move.called_from) + ")";
      }
      const std::string place = place_text(sources_, move.where);
      if (!place.empty()) text += "  " + dim(place);
      row(first ? "packets" : "", text);
      first = false;
    }
  }

  void changes(const TraceStep& step) {
    bool first = true;
    for (const SlotChange& change : step.changes) {
      // Places and containers are told by the packets and the ledger.
      if (ledger_.holds_packets_or_elements(change.slot)) continue;
      const program::Slot& slot = program_.slots[change.slot];
      if (slot.owner != no_id && !slot.ghost && !options_.full) continue;
      if (!options_.full && is_memory_slot(program_, change.slot)) continue;
      row(first ? "changes" : "", program::slot_label(program_, change.slot) + ": " +
                                      slot_value(program_, change.slot, change.before) + " -> " +
                                      slot_value(program_, change.slot, change.after) +
                                      (slot.ghost ? "  (ghost)" : ""));
      first = false;
    }
  }

  // How a run without end goes on.
  void loop() {
    if (!trace_.loop) return;
    row("for ever", *trace_.loop == trace_.steps.size()
                        ? "it stays in this state"
                        : "it goes on at step " + std::to_string(*trace_.loop + 1));
  }

  void step(std::size_t index) {
    const TraceStep& step = trace_.steps[index];
    std::string number = std::to_string(index + 1);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    out_ += number + "  " + bold(step.thread);
    if (step.function != "time" && step.function != program_.threads[step.move.thread].function) {
      out_ += "  " + step.function;
      if (step.call && step.calls[*step.call].returns) {
        out_ += " = " + return_text(step, *step.call, program_, sources_);
      }
    }
    const std::string place = place_text(sources_, step.where);
    if (!place.empty()) out_ += "  " + dim(place);
    out_ += "\n";
    // The last step is told call by call; of those before it, what came out of them.
    if (options_.full || index + 1 == trace_.steps.size()) {
      calls(step);
    } else {
      returns(step);
    }
    packets(step);
    changes(step);
    const program::State& before = index == 0 ? trace_.initial : trace_.steps[index - 1].state;
    bool first = true;
    for (const std::string& line : memory_lines(program_, step.move, before, step.state)) {
      row(first ? "memory" : "", line);
      first = false;
    }
    if (options_.full) all_slots(step.state);
    for (const std::string& note : step.notes) row("note", note);
    ledger_line(step.ledger);
    if (index + 1 == trace_.steps.size())
      row(options_.witness_of.empty() ? red("breaks") : "witness", trace_.message);
  }

  const Trace& trace_;
  const program::Program& program_;
  const lang::SourceSet& sources_;
  const TextOptions& options_;
  Ledger ledger_;
  std::vector<bool> relevant_;
  std::string out_;
};

}  // namespace

std::string render_text(const Trace& trace, const program::Program& program,
                        const lang::SourceSet& sources, const TextOptions& options) {
  return TextRenderer(trace, program, sources, options).run();
}

}  // namespace txproof::counterexamples
