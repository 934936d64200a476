// Conformance of real code: it is driven command by command beside the model, and what it answers
// must be something that the model allows.
//
//   const Result result = conforms(model, port, [] {
//     auto ring = std::make_shared<Ring>(3);          // a fresh one for each test
//     return [ring](const Values& command) -> Values {
//       return command[0] == 1 ? Values{ring->push(command[1])} : Values{ring->pop()};
//     };
//   });
//
// Commands are drawn by RapidCheck out of those that the model defines in every state that it may
// be in; a sequence that fails is shrunk by leaving commands out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "harness/model.h"
#include "harness/port.h"
#include "harness/result.h"

namespace txproof::harness {

// Gives a command to the code under test and returns its answer.
using Subject = std::function<Values(const Values& command)>;
using MakeSubject = std::function<Subject()>;

struct ConformanceOptions {
  std::uint64_t seed = 1;
  int tests = 200;
  std::size_t commands = 50;  // of each test, at most
  Describe describe = {};
  // A sequence that a failure gave as Result::reproduce: only that one is run.
  std::string reproduce = {};
};

// errors: ModelError; what the subject throws is a failure of the test
Result conforms(const Model& model, const Port& port, const MakeSubject& make,
                const ConformanceOptions& options = {});

}  // namespace txproof::harness
