// The commands of an SMT-LIB script, taken apart just far enough to see what it asks.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace txproof::checker::certify {

struct Command {
  std::string name;  // "assert"
  std::string text;  // the whole command, comments out, runs of white space as one blank
};

// Splits a script into its commands.
//   returns nothing where brackets or quotes do not match, or something stands outside a command
std::optional<std::vector<Command>> commands_of(std::string_view script);

}  // namespace txproof::checker::certify
