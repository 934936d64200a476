#include "cli/json_parts.h"

namespace txproof::cli {

using nlohmann::ordered_json;

ordered_json number(std::int64_t value) {
  constexpr std::int64_t exact = std::int64_t{1} << 53;
  if (value > exact || value < -exact) return std::to_string(value);
  return value;
}

ordered_json model_head(const LoadedStack& loaded, const std::string& schema) {
  ordered_json out;
  out["tool"] = "txproof";
  out["version"] = TXPROOF_VERSION;
  out["schema"] = schema;
  out["stack"] = loaded.stack->name;
  out["file"] = loaded.origin.file;
  if (!loaded.origin.revision.empty()) out["revision"] = loaded.origin.revision;
  out["patches"] = loaded.origin.patches;
  ordered_json parameters = ordered_json::object();
  for (const program::Parameter& parameter : loaded.program->parameters) {
    parameters[parameter.name] = number(parameter.value);
  }
  out["parameters"] = std::move(parameters);
  out["interleave"] = loaded.program->interleave == program::Interleave::fine ? "fine" : "coarse";
  out["memory"] = counterexamples::memory_word(loaded.program->memory);
  if (loaded.program->store_depth != 0) out["store_buffer"] = loaded.program->store_depth;
  return out;
}

}  // namespace txproof::cli
