// The reference model has exactly the states and transitions that SPIN and rumur count in their
// versions of it, at the small size of bench/README.md.
#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/files.h"
#include "tests/support/process.h"

namespace txproof::test {
namespace {

struct Counts {
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  bool operator==(const Counts&) const = default;
};

const std::vector<std::string> size{"4", "2", "4", "3"};  // N S Q R

// Runs a command that must succeed, and gives its standard output.
std::string output_of(const std::vector<std::string>& command, const RunOptions& options = {}) {
  const RunResult result = run(command, options);
  if (result.exit_code != 0) throw std::runtime_error(command[0] + " failed:\n" + result.err);
  return result.out;
}

// Builds a peer's checker of the reference model, and runs it.
std::string peer_output(const std::string& peer, const std::vector<std::string>& arguments) {
  const TemporaryFolder folder;
  std::vector<std::string> build{source_folder() / "bench/peers/build.sh", peer};
  build.insert(build.end(), size.begin(), size.end());
  build.push_back(folder.path());
  output_of(build);
  std::vector<std::string> command{folder.path() / peer};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return output_of(command, {.folder = folder.path()});
}

std::uint64_t number_in(const std::string& text, const char* pattern) {
  std::smatch match;
  if (!std::regex_search(text, match, std::regex(pattern))) {
    throw std::runtime_error(std::string("no match of ") + pattern + " in:\n" + text);
  }
  return std::stoull(match[1]);
}

Counts spin_counts() {
  const std::string text = peer_output("spin", {"-E", "-w20"});
  // SPIN counts one transition more, into the initial state.
  return {number_in(text, R"((\d+) states, stored)"),
          number_in(text, R"((\d+) transitions \(= stored\+matched\))") - 1};
}

Counts rumur_counts() {
  const std::string text = peer_output("rumur", {"--threads", "1"});
  return {number_in(text, R"((\d+) states, \d+ rules fired in)"),
          number_in(text, R"(\d+ states, (\d+) rules fired in)")};
}

Counts txproof_counts() {
  std::vector<std::string> arguments{"check", source_folder() / "bench/reference.tx", "--format",
                                     "json"};
  const std::vector<std::string> names{"N", "S", "Q", "R"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    arguments.insert(arguments.end(), {"--set", names[i] + "=" + size[i]});
  }
  const RunResult result = run_txproof(arguments);
  if (result.exit_code != 0) throw std::runtime_error("txproof failed:\n" + result.err);
  const auto report = nlohmann::json::parse(result.out);
  const auto& first = report.at("results").at(0);
  return {first.at("states"), first.at("transitions")};
}

}  // namespace

TEST_CASE("SPIN and rumur agree on the counts of the record") {
  const Counts record{147360, 585984};
  CHECK(spin_counts() == record);
  CHECK(rumur_counts() == record);
}

TEST_CASE("txproof counts the states and transitions that SPIN and rumur count") {
  const Counts ours = txproof_counts();
  CHECK(ours == spin_counts());
  CHECK(ours == rumur_counts());
}

}  // namespace txproof::test
