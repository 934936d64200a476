// Random models, exported to Promela: Spin, which shares no code with this project, finds as many
// states and the same violations.
#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "checker/export/promela.h"
#include "checker/export/refusal.h"
#include "tests/support/agree/oracle.h"
#include "tests/support/engine/elaborated.h"
#include "tests/support/files.h"
#include "tests/support/generator/random_model.h"
#include "tests/support/process.h"
#include "tests/support/sanitized.h"

using namespace txproof::test;
using namespace txproof::program;

namespace {

struct SpinAnswer {
  std::string problem;
  std::uint64_t states = 0;
  std::set<PropertyId> violated;
};

SpinAnswer ask_spin(const std::string& promela) {
  const TemporaryFolder folder;
  RunOptions there;
  there.folder = folder.path();
  write_file(folder.path() / "m.pml", promela);
  SpinAnswer answer;
  const RunResult spin = run({"spin", "-a", "m.pml"}, there);
  if (spin.exit_code != 0 || spin.out.find("Error") != std::string::npos) {
    answer.problem = "spin: " + spin.out + spin.err;
    return answer;
  }
  const RunResult cc =
      run({"cc", "-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DVECTORSZ=4096", "-o", "pan", "pan.c"},
          there);
  if (cc.exit_code != 0) {
    answer.problem = "cc: " + cc.err;
    return answer;
  }
  const RunResult pan = run({"./pan", "-E", "-c0", "-m1000000", "-w18"}, there);
  for (const char* trouble :
       {"max search depth too small", "VECTORSZ", "out of range", "aborting"}) {
    if ((pan.out + pan.err).find(trouble) != std::string::npos) answer.problem = pan.out + pan.err;
  }
  const std::size_t stored = pan.out.find(" states, stored");
  if (stored == std::string::npos) {
    answer.problem = "pan: " + pan.out + pan.err;
    return answer;
  }
  answer.states = std::stoull(pan.out.substr(pan.out.rfind('\n', stored)));
  const std::string failed = "assertion violated (fault!=";
  for (std::size_t at = pan.out.find(failed); at != std::string::npos;
       at = pan.out.find(failed, at + 1)) {
    answer.violated.insert(
        static_cast<PropertyId>(std::stoul(pan.out.substr(at + failed.size())) - 1));
  }
  return answer;
}

// What Spin says otherwise about this model; `told` counts the models that it was told.
std::string spin_disagrees(const std::string& text, std::atomic<unsigned>& told) {
  const auto program = elaborated(text);
  const Truth truth = truth_of(*program, 1000);
  if (!truth.complete) return "";
  std::string promela;
  try {
    promela = txproof::checker::exporting::to_promela(*program).text;
  } catch (const txproof::checker::exporting::Refusal&) {
    return "";
  }
  const SpinAnswer answer = ask_spin(promela);
  ++told;
  if (!answer.problem.empty()) return answer.problem;
  if (answer.states != truth.states) {
    return std::to_string(answer.states) + " states, and it should be " +
           std::to_string(truth.states);
  }
  for (PropertyId id = 0; id < program->properties.size(); ++id) {
    if (truth.findings[id].violated != (answer.violated.count(id) != 0)) {
      return program->properties[id].instance + ": another verdict";
    }
  }
  return "";
}

}  // namespace

TEST_CASE("spin agrees on 60 random models") {
  ModelFeatures features;
  features.liveness = false;
  constexpr unsigned wanted = is_sanitized ? 6 : 60;
  std::atomic<unsigned> told{0};
  std::atomic<std::uint64_t> next{1};
  std::mutex mutex;
  std::vector<std::string> problems;
  const auto work = [&] {
    while (told < wanted) {
      const std::uint64_t seed = next++;
      const std::string problem = spin_disagrees(random_model(seed, features), told);
      if (problem.empty()) continue;
      const std::lock_guard<std::mutex> lock(mutex);
      problems.push_back("seed " + std::to_string(seed) + ": " + problem);
    }
  };
  std::thread other(work);
  work();
  other.join();
  for (const std::string& problem : problems) FAIL_CHECK(problem);
  CHECK(next < 120);  // few are too large, or refused
}
