#include "counterexamples/render_json.h"

#include <nlohmann/json.hpp>
#include <set>

#include "counterexamples/render_text.h"
#include "model/program/display.h"

namespace txproof::counterexamples {

using nlohmann::ordered_json;
using program::SlotKind;
using program::Word;

namespace {

// Integers beyond what every reader of JSON keeps exact are written as strings.
ordered_json number(Word value) {
  constexpr Word exact = Word{1} << 53;
  if (value > exact || value < -exact) return std::to_string(value);
  return value;
}

ordered_json named(const program::Program& program, program::DisplayId display, Word value) {
  if (!program::has_name(program, display, value)) return number(value);
  const std::string text = program::display_value(program, display, value);
  if (text == "true") return true;
  if (text == "false") return false;
  return text;
}

ordered_json slot_json(const program::Program& program, program::SlotId id, Word value) {
  const program::Slot& slot = program.slots[id];
  if (slot.kind == SlotKind::tag || slot.kind == SlotKind::handle) {
    return slot_value(program, id, value);
  }
  return named(program, slot.display, value);
}

void put_place(ordered_json& out, const lang::SourceSet& sources, lang::Span span) {
  if (span.file == 0 || span.file >= sources.size()) {
    out["file"] = nullptr;
    out["line"] = nullptr;
    return;
  }
  out["file"] = sources.file(span.file).path;
  out["line"] = sources.position(span.file, span.begin).line;
}

// "returns": the value; "returns_name": the constant that it is, where the text names one.
void put_return(ordered_json& out, const TraceStep& step, std::size_t index,
                const program::Program& program, const lang::SourceSet& sources) {
  const TraceCall& entry = step.calls[index];
  if (!entry.returns) return;
  const program::DisplayId display = program.calls[entry.call].result_display;
  out["returns"] = named(program, display, *entry.returns);
  if (program::has_name(program, display, *entry.returns)) return;
  const std::string name = return_text(step, index, program, sources);
  if (name != std::to_string(*entry.returns)) out["returns_name"] = name;
}

ordered_json ledger_json(const std::vector<LedgerEntry>& entries) {
  ordered_json out = ordered_json::object();
  for (const LedgerEntry& entry : entries) out[entry.name] = entry.text;
  return out;
}

ordered_json step_json(const TraceStep& step, const program::Program& program,
                       const lang::SourceSet& sources) {
  ordered_json out;
  out["thread"] = step.thread;
  out["function"] = step.function;
  put_place(out, sources, step.where);
  if (step.call) put_return(out, step, *step.call, program, sources);
  ordered_json changes = ordered_json::object();
  for (const SlotChange& change : step.changes) {
    changes[program::slot_label(program, change.slot)] = {
        slot_json(program, change.slot, change.before),
        slot_json(program, change.slot, change.after)};
  }
  out["changes"] = std::move(changes);
  ordered_json calls = ordered_json::array();
  for (std::size_t i = 0; i < step.calls.size(); ++i) {
    const TraceCall& entry = step.calls[i];
    const program::Call& call = program.calls[entry.call];
    ordered_json item;
    item["function"] = call.function;
    if (!call.receiver.empty()) item["receiver"] = call.receiver;
    if (!call.arguments.empty()) item["arguments"] = call.arguments;
    item["depth"] = entry.depth;
    put_place(item, sources, call.site);
    put_return(item, step, i, program, sources);
    if (!entry.effects.empty()) item["effects"] = entry.effects;
    if (!entry.entered) item["goes_on"] = true;
    calls.push_back(std::move(item));
  }
  out["calls"] = std::move(calls);
  ordered_json packets = ordered_json::array();
  for (const PacketMove& move : step.packets) {
    ordered_json item;
    item["packet"] = move.packet;
    item["from"] = move.from.empty() ? ordered_json(nullptr) : ordered_json(move.from);
    item["to"] = move.to.empty() ? ordered_json(nullptr) : ordered_json(move.to);
    if (!move.by.empty()) item["by"] = move.by;
    if (!move.called_from.empty()) item["called_from"] = move.called_from;
    put_place(item, sources, move.where);
    packets.push_back(std::move(item));
  }
  out["packets"] = std::move(packets);
  out["ledger"] = ledger_json(step.ledger);
  if (!step.notes.empty()) out["notes"] = step.notes;
  out["move"] = {{"thread", step.thread}, {"choices", step.move.choices}};
  return out;
}

}  // namespace

const char* memory_word(program::Memory memory) {
  switch (memory) {
    case program::Memory::sc:
      break;
    case program::Memory::tso:
      return "tso";
    case program::Memory::weak:
      return "weak";
  }
  return "sc";
}

ordered_json trace_to_json(const Trace& trace, const program::Program& program,
                           const lang::SourceSet& sources, const ModelOrigin& origin) {
  ordered_json out;
  out["schema"] = "txproof/trace/1";
  ordered_json model;
  model["file"] = origin.file;
  model["stack"] = origin.stack;
  model["roots"] = origin.roots;
  model["patches"] = origin.patches;
  if (!origin.revision.empty()) model["revision"] = origin.revision;
  out["model"] = std::move(model);
  ordered_json parameters = ordered_json::object();
  for (const program::Parameter& parameter : program.parameters) {
    parameters[parameter.name] = number(parameter.value);
  }
  out["parameters"] = std::move(parameters);
  out["interleave"] = program.interleave == program::Interleave::fine ? "fine" : "coarse";
  out["memory"] = memory_word(program.memory);
  if (program.store_depth != 0) out["store_buffer"] = program.store_depth;
  const program::Property& property = program.properties[trace.property];
  out["property"] = property.name;
  if (property.instance != property.name) out["instance"] = property.instance;
  out["kind"] = trace.kind;
  out["message"] = trace.message;
  put_place(out, sources, trace.where);
  ordered_json notes = ordered_json::array();
  for (const lang::Note& note : trace.notes) {
    ordered_json item;
    item["message"] = note.message;
    put_place(item, sources, note.span);
    notes.push_back(std::move(item));
  }
  out["notes"] = std::move(notes);
  out["initial_ledger"] = ledger_json(trace.initial_ledger);
  ordered_json steps = ordered_json::array();
  for (const TraceStep& step : trace.steps) steps.push_back(step_json(step, program, sources));
  out["steps"] = std::move(steps);
  if (trace.loop) out["loop"] = *trace.loop;
  return out;
}

std::string trace_to_itf(const Trace& trace, const program::Program& program,
                         const lang::SourceSet& sources) {
  ordered_json out;
  ordered_json types = ordered_json::object();
  ordered_json vars = ordered_json::array();
  std::vector<std::pair<program::SlotId, std::string>> shown;
  std::set<std::string> taken;
  for (program::SlotId s = 0; s < program.slots.size(); ++s) {
    if (!program.slots[s].stored) continue;
    std::string name = program::slot_label(program, s);
    while (!taken.insert(name).second) name += "'";
    vars.push_back(name);
    types[name] = "Int";
    shown.emplace_back(s, std::move(name));
  }
  const program::Property& property = program.properties[trace.property];
  out["#meta"] = {{"format", "ITF"},
                  {"format-description", "https://apalache-mc.org/docs/adr/015adr-trace.html"},
                  {"source", program.stack},
                  {"description", property.instance + ": " + trace.message},
                  {"varTypes", types}};
  out["params"] = ordered_json::array();
  out["vars"] = std::move(vars);
  const auto state_json = [&](std::size_t index, const program::State& state,
                              const TraceStep* step) {
    ordered_json item;
    ordered_json meta;
    meta["index"] = index;
    if (step != nullptr) {
      meta["actor"] = step->thread;
      meta["action"] = step->function;
      put_place(meta, sources, step->where);
    }
    item["#meta"] = std::move(meta);
    for (const auto& [slot, name] : shown) {
      item[name] = {{"#bigint", std::to_string(state[slot])}};
    }
    return item;
  };
  ordered_json states = ordered_json::array();
  states.push_back(state_json(0, trace.initial, nullptr));
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    states.push_back(state_json(i + 1, trace.steps[i].state, &trace.steps[i]));
  }
  out["states"] = std::move(states);
  if (trace.loop) out["loop"] = *trace.loop;
  return json_text(out, false);
}

std::string json_text(const ordered_json& value, bool pretty) {
  return value.dump(pretty ? 2 : -1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace txproof::counterexamples
