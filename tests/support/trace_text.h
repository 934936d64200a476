// A trace of a JSON report as lines of text, for tests that look for what it tells.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace txproof::test {

// For each step a line with the thread and its function, then what was called (`call f(x) = 1`),
// what that did, what changed (`x: 0 -> 1`) and where packets went (`a: q[0] -> gone`). `cycle`
// stands before the first step of a cycle. The last line is the kind of the violation and its
// message.
std::string trace_text(const nlohmann::json& trace);

}  // namespace txproof::test
