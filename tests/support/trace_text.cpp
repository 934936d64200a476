#include "tests/support/trace_text.h"

namespace txproof::test {
namespace {

// A word for a value: strings as they are, others as JSON writes them.
std::string word(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void add_calls(const nlohmann::json& step, std::string& text) {
  for (const auto& call : step.at("calls")) {
    text += "  call " + call.at("function").get<std::string>() + "(" +
            call.value("arguments", std::string()) + ")";
    if (call.contains("returns")) {
      text += " = " +
              word(call.contains("returns_name") ? call.at("returns_name") : call.at("returns"));
    }
    text += "\n";
    if (!call.contains("effects")) continue;
    for (const auto& effect : call.at("effects")) text += "  " + word(effect) + "\n";
  }
}

void add_step(const nlohmann::json& step, std::string& text) {
  text +=
      step.at("thread").get<std::string>() + " " + step.at("function").get<std::string>() + "\n";
  add_calls(step, text);
  for (const auto& [name, values] : step.at("changes").items()) {
    text += "  " + name + ": " + word(values[0]) + " -> " + word(values[1]) + "\n";
  }
  for (const auto& move : step.at("packets")) {
    text += "  " + word(move.at("packet")) + ": " +
            (move.at("from").is_null() ? "new" : word(move.at("from"))) + " -> " +
            (move.at("to").is_null() ? "gone" : word(move.at("to"))) + "\n";
  }
}

}  // namespace

std::string trace_text(const nlohmann::json& trace) {
  std::string text;
  std::size_t number = 0;
  for (const auto& step : trace.at("steps")) {
    if (trace.contains("loop") && trace.at("loop") == number) text += "cycle\n";
    add_step(step, text);
    ++number;
  }
  return text + trace.at("kind").get<std::string>() + ": " +
         trace.at("message").get<std::string>() + "\n";
}

}  // namespace txproof::test
