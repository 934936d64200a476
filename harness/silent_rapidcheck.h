// RapidCheck as an engine: it generates, tests and shrinks, and prints nothing.
#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace txproof::harness {

class SilentListener : public rc::detail::TestListener {
 public:
  void onTestCaseFinished(const rc::detail::CaseDescription& /*description*/) override {}
  void onShrinkTried(const rc::detail::CaseDescription& /*shrink*/, bool /*accepted*/) override {}
  void onTestFinished(const rc::detail::TestMetadata& /*metadata*/,
                      const rc::detail::TestResult& /*result*/) override {}
};

// Runs `testable` on values that it draws itself (*gen), `tests` times at most.
//   returns an empty text if no test failed; otherwise RapidCheck's description of the failure
template <typename Testable>
std::string run_rapidcheck(std::uint64_t seed, int tests, Testable&& testable) {
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = tests;
  SilentListener listener;
  const rc::detail::TestResult result = rc::detail::checkTestable(
      std::forward<Testable>(testable), rc::detail::TestMetadata(), params, listener,
      std::unordered_map<std::string, rc::detail::Reproduce>());
  rc::detail::FailureResult failure;
  if (result.match(failure)) return failure.description.empty() ? "failed" : failure.description;
  rc::detail::GaveUpResult gave_up;
  if (result.match(gave_up)) return "gave up: " + gave_up.description;
  rc::detail::Error error;
  if (result.match(error)) return "error: " + error.description;
  return "";
}

}  // namespace txproof::harness
