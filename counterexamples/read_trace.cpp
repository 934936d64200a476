// Trace files come from strangers as models do: every key is looked at before it is believed.
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "counterexamples/render_json.h"
#include "model/program/display.h"

namespace txproof::counterexamples {

using nlohmann::json;
using program::no_id;

namespace {

constexpr std::size_t max_steps = 10'000'000;

// A name that a trace's `kind` may have. Those with a dot are built in, or a model's own; the code
// that they are about may be gone.
bool is_kind(const program::Program& program, const std::string& kind) {
  constexpr std::array<std::string_view, 8> names = {
      "assert", "always", "at_rest", "maximum", "leads_to", "infinitely_often", "rate", "deadlock"};
  if (std::find(names.begin(), names.end(), kind) != names.end()) return true;
  if (kind.find('.') != std::string::npos) return true;
  return std::any_of(program.violations.begin(), program.violations.end(),
                     [&](const program::Violation& known) { return known.kind == kind; });
}

std::string text_of(const json& object, const char* key) {
  const auto entry = object.find(key);
  return entry != object.end() && entry->is_string() ? entry->get<std::string>() : "";
}

std::vector<std::string> texts_of(const json& object, const char* key) {
  std::vector<std::string> out;
  const auto entry = object.find(key);
  if (entry == object.end() || !entry->is_array()) return out;
  for (const json& item : *entry) {
    if (item.is_string()) out.push_back(item.get<std::string>());
  }
  return out;
}

std::optional<std::int64_t> integer_of(const json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (!value.is_string()) return std::nullopt;
  const std::string text = value.get<std::string>();
  const std::size_t digits = !text.empty() && text[0] == '-' ? 1 : 0;
  if (text.size() == digits || text.size() > 18 + digits ||
      text.find_first_not_of("0123456789", digits) != std::string::npos) {
    return std::nullopt;
  }
  return std::stoll(text);
}

std::optional<StoredMove> read_move(const json& step) {
  const auto entry = step.find("move");
  if (!step.is_object() || entry == step.end() || !entry->is_object()) return std::nullopt;
  StoredMove move;
  move.thread = text_of(*entry, "thread");
  const auto choices = entry->find("choices");
  if (move.thread.empty() || choices == entry->end() || !choices->is_array()) return std::nullopt;
  for (const json& choice : *choices) {
    if (!choice.is_number_unsigned() || choice.get<std::uint64_t>() > 0xffffffffU) {
      return std::nullopt;
    }
    move.choices.push_back(choice.get<std::uint32_t>());
  }
  return move;
}

bool read_trace(const json& value, StoredTrace& trace, std::string& error) {
  const auto model = value.find("model");
  const auto steps = value.find("steps");
  if (!value.is_object() || model == value.end() || !model->is_object() || steps == value.end() ||
      !steps->is_array()) {
    error = "a trace needs the keys 'model' and 'steps'";
    return false;
  }
  trace.origin.file = text_of(*model, "file");
  trace.origin.stack = text_of(*model, "stack");
  trace.origin.roots = texts_of(*model, "roots");
  trace.origin.patches = texts_of(*model, "patches");
  trace.origin.revision = text_of(*model, "revision");
  trace.interleave = text_of(value, "interleave");
  trace.memory = text_of(value, "memory");
  const auto depth = value.find("store_buffer");
  if (depth != value.end() && depth->is_number_unsigned() && *depth <= 8U) {
    trace.store_buffer = depth->get<std::uint32_t>();
  }
  trace.property = text_of(value, "instance");
  if (trace.property.empty()) trace.property = text_of(value, "property");
  trace.kind = text_of(value, "kind");
  trace.message = text_of(value, "message");
  if (trace.origin.file.empty() || trace.property.empty()) {
    error = "the trace does not say which model file and property it is of";
    return false;
  }
  const auto parameters = value.find("parameters");
  if (parameters != value.end() && parameters->is_object()) {
    for (const auto& [name, number] : parameters->items()) {
      const auto integer = integer_of(number);
      if (!integer) {
        error = "parameter '" + name + "' of the trace is no integer";
        return false;
      }
      trace.parameters[name] = *integer;
    }
  }
  const auto loop = value.find("loop");
  if (loop != value.end()) {
    if (!loop->is_number_unsigned() || loop->get<std::uint64_t>() > steps->size()) {
      error = "'loop' of the trace is the number of none of its steps";
      return false;
    }
    trace.loop = loop->get<std::size_t>();
  }
  if (steps->size() > max_steps) {
    error = "the trace has too many steps";
    return false;
  }
  for (const json& step : *steps) {
    auto move = read_move(step);
    if (!move) {
      error = "step " + std::to_string(trace.moves.size() + 1) +
              " of the trace has no usable 'move' ({\"thread\": NAME, \"choices\": [...]})";
      return false;
    }
    trace.moves.push_back(std::move(*move));
  }
  return true;
}

// Traces inside reports: check has results, a folder has stacks, diff has two sides.
void collect(const json& value, int depth, std::vector<const json*>& out) {
  if (!value.is_object() || depth > 4) return;
  if (value.contains("steps")) {
    out.push_back(&value);
    return;
  }
  for (const char* key : {"results", "stacks"}) {
    const auto list = value.find(key);
    if (list == value.end() || !list->is_array()) continue;
    for (const json& item : *list) {
      if (item.is_object() && item.contains("trace")) {
        collect(item["trace"], depth + 1, out);
      } else {
        collect(item, depth + 1, out);
      }
    }
  }
  for (const char* key : {"base", "patched"}) {
    const auto side = value.find(key);
    if (side != value.end()) collect(*side, depth + 1, out);
  }
}

}  // namespace

std::vector<StoredTrace> traces_from_json(const std::string& text, std::string& error) {
  const json value = json::parse(text, nullptr, false);
  std::vector<StoredTrace> traces;
  if (value.is_discarded()) {
    error = "it is not JSON";
    return traces;
  }
  std::vector<const json*> found;
  collect(value, 0, found);
  if (found.empty()) error = "there is no trace in it";
  for (const json* item : found) {
    StoredTrace trace;
    if (!read_trace(*item, trace, error)) return {};
    traces.push_back(std::move(trace));
  }
  return traces;
}

std::optional<ResolvedPath> resolve_path(const StoredTrace& stored, const program::Program& program,
                                         std::string& error) {
  ResolvedPath resolved;
  for (program::PropertyId p = 0; p < program.properties.size(); ++p) {
    if (program.properties[p].instance == stored.property) resolved.property = p;
  }
  if (resolved.property == no_id) {
    error = "the stack does not check '" + stored.property + "'";
    return std::nullopt;
  }
  std::vector<program::Move> moves;
  for (const StoredMove& move : stored.moves) {
    program::Move out;
    out.choices = move.choices;
    out.thread = no_id;
    if (move.thread == "time") out.thread = program::time_step;
    for (program::ThreadId t = 0; t < program.threads.size(); ++t) {
      if (program::thread_label(program, t) == move.thread) out.thread = t;
    }
    if (out.thread == no_id) {
      error = "the stack has no thread '" + move.thread + "'";
      return std::nullopt;
    }
    moves.push_back(std::move(out));
  }
  if (!is_kind(program, stored.kind)) {
    error = "there is no kind of violation '" + stored.kind + "'";
    return std::nullopt;
  }
  // A refined kind (freed twice) is found in the program under the one that the check has.
  const std::string kind = stored.kind == "own.freed_twice" ? "own.used_after_move" : stored.kind;
  for (program::ViolationId v = 0; v < program.violations.size(); ++v) {
    if (program.violations[v].property == resolved.property && program.violations[v].kind == kind) {
      resolved.candidates.push_back({moves, v, 0, std::nullopt});
    }
  }
  const program::Property& property = program.properties[resolved.property];
  for (std::uint32_t c = 0; c < property.claims.size(); ++c) {
    resolved.candidates.push_back({moves, no_id, c, stored.loop});
  }
  if (property.kind == program::PropertyKind::deadlock) {
    resolved.candidates.push_back({moves, no_id, 0, std::nullopt});
  }
  if (resolved.candidates.empty()) {
    error = "'" + stored.property + "' can no longer fail in this way (" + stored.kind + ")";
  }
  return resolved;
}

}  // namespace txproof::counterexamples
