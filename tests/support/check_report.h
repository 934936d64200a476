// A stack checked by the command, as a test of its verdicts wants it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace txproof::test {

struct CheckRequest {
  std::string stack;                                  // the file
  std::vector<std::string> patches = {};              // in order
  std::vector<std::pair<std::string, int>> set = {};  // parameters
  std::vector<std::string> properties = {};           // only these; empty: all
};

struct CheckedProperty {
  bool holds = false;
  bool vacuous = false;
  std::string value;      // of a maximum, in digits; of a rate, "1/3"; otherwise empty
  std::size_t steps = 0;  // of the trace; 0: there is none
};

// By the property's name, or by `name(arguments)` where it has any: both find it, and the bare name
// means the last of several.
using CheckReport = std::map<std::string, CheckedProperty>;

// Runs `check`.
//   ensures: every verdict is holds or violated
//   errors:  throws std::runtime_error, with what the command said, if it is inconclusive or the
//            input is bad
CheckReport check_stack(const CheckRequest& request);

// The request in words, for CAPTURE.
std::string words_of(const CheckRequest& request);

// The names of all properties of the report that are violated, sorted, as a comma list.
std::string violated(const CheckReport& report);

}  // namespace txproof::test
