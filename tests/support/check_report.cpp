#include "tests/support/check_report.h"

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

std::vector<std::string> command_of(const CheckRequest& request) {
  std::vector<std::string> command{"check", request.stack, "--format", "json"};
  const auto add = [&](const char* option, const std::string& value) {
    command.insert(command.end(), {option, value});
  };
  for (const auto& patch : request.patches) add("--patch", patch);
  for (const auto& [name, value] : request.set) add("--set", name + "=" + std::to_string(value));
  for (const auto& property : request.properties) add("--property", property);
  return command;
}

std::string text_of(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

CheckReport check_stack(const CheckRequest& request) {
  const RunResult run = run_txproof(command_of(request), {.folder = source_folder()});
  if (run.exit_code != 0 && run.exit_code != 1) {
    throw std::runtime_error(words_of(request) + "\n" + run.err + run.out);
  }
  CheckReport report;
  const auto json = nlohmann::json::parse(run.out);
  for (const auto& result : json.at("results")) {
    const auto verdict = result.at("verdict").get<std::string>();
    if (verdict == "inconclusive") throw std::runtime_error(words_of(request) + "\n" + run.out);
    CheckedProperty found;
    found.holds = verdict == "holds";
    found.vacuous = result.contains("vacuous");
    if (result.contains("value")) found.value = text_of(result.at("value"));
    if (result.contains("trace")) found.steps = result.at("trace").at("steps").size();
    const auto name = result.at("property").get<std::string>();
    report[name] = found;
    if (result.contains("instance")) report[result.at("instance").get<std::string>()] = found;
  }
  return report;
}

std::string words_of(const CheckRequest& request) {
  std::string words = request.stack;
  for (const auto& patch : request.patches) words += " + " + patch;
  for (const auto& [name, value] : request.set) words += " " + name + "=" + std::to_string(value);
  return words;
}

std::string violated(const CheckReport& report) {
  std::set<std::string> names;
  for (const auto& [name, found] : report) {
    if (!found.holds) names.insert(name.substr(0, name.find('(')));
  }
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace txproof::test
