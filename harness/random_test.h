// Property tests of a model: random schedules, random choices and faults, random parameters.
//
//   RandomTestOptions options;
//   options.parameters = {{"SOCKETS", {1, 20}}, {"L", {1, 50}}};
//   const Result result = check_random(Model::load("model/stacks/bonding.tx"), options);
//   CHECK_MESSAGE(result, result.message);
//
// A test draws parameters and makes a random run; every property that the stack checks is watched
// in every state. RapidCheck generates the tests and shrinks a failure: first the parameters, then
// the moves. At the parameters that are left, the search engine looks for the shortest way to the
// same violation, and the reference interpreter goes it again before it is shown.
//
// It is sampling: that a test passed proves nothing about runs that were not made. Properties of
// infinite runs (leads_to, infinitely_often, rate) are not looked at.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "harness/model.h"
#include "harness/result.h"

namespace txproof::harness {

struct RandomTestOptions {
  std::uint64_t seed = 1;
  int tests = 100;
  std::uint64_t steps = 1000;  // of each test, at most
  // Parameters that each test draws anew, from the first value to the second. They shrink towards
  // the first.
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> parameters = {};
  // Draw first which function moves, then which of its threads; false: any thread alike.
  bool by_function = true;
  double shorten_seconds = 5;  // for the search engine
};

// ensures: result.reproduce can be given to `reproduce`, with the same model
//          parameters that make no usable stack (an `assume` says no) are drawn again; where nearly
//          all are such, the test has failed and says so
// errors:  ModelError, if a range is empty
Result check_random(const Model& model, const RandomTestOptions& options = {});

// Goes the way again that a failure of check_random named.
//   ensures: failed, with the trace, if the violation is still there; passed if it is not, or if
//   the
//            way cannot be gone any more (message says so)
//   errors:  ModelError, if the text is none that check_random gave
Result reproduce(const Model& model, const std::string& text);

}  // namespace txproof::harness
