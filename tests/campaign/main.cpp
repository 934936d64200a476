// campaign [N] [SEED] [FOLDER]: N random models (default 100000) from SEED on (default: the time),
// each put to every engine. A disagreement is made smaller and written to FOLDER; with - as FOLDER
// the first one ends the run.
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/support/agree/agreement.h"
#include "tests/support/generator/random_model.h"
#include "tests/support/generator/shrink.h"

using txproof::test::Agreement;

namespace {

struct Tally {
  std::uint64_t models = 0, too_large = 0, refused = 0, disagreed = 0, states = 0;
  std::uint64_t violated = 0, held = 0, endless = 0, faulted = 0, fine = 0;
  void add(const Agreement& a) {
    ++models;
    too_large += a.kind == Agreement::Kind::too_large ? 1U : 0U;
    refused += a.kind == Agreement::Kind::refused ? 1U : 0U;
    disagreed += a.kind == Agreement::Kind::disagreed ? 1U : 0U;
    states += a.states;
    violated += a.violated;
    held += a.held;
    endless += a.endless ? 1U : 0U;
    faulted += a.faulted ? 1U : 0U;
    fine += a.fine ? 1U : 0U;
  }
};

// Smaller models on which the same engine still disagrees, or the text is still refused.
std::string smallest(const std::string& text, const Agreement& first) {
  return txproof::test::shrink(text, [&](const std::string& candidate) {
    const Agreement now = txproof::test::agreement_of(candidate);
    return now.kind == first.kind && now.engine == first.engine &&
           first.kind == Agreement::Kind::disagreed;
  });
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int at, std::uint64_t otherwise) {
    return argc > at ? std::strtoull(argv[at], nullptr, 10) : otherwise;
  };
  const std::uint64_t count = number(1, 100000);
  const std::uint64_t first = number(2, static_cast<std::uint64_t>(std::time(nullptr)) * 1000000U);
  const std::string folder = argc > 3 ? argv[3] : ".";
  std::printf("%llu models from seed %llu\n", static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(first));
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  Tally tally;
  const auto work = [&] {
    for (std::uint64_t i = next++; i < count; i = next++) {
      const std::string text = txproof::test::random_model(first + i);
      const Agreement found = txproof::test::agreement_of(text);
      const std::lock_guard<std::mutex> lock(mutex);
      tally.add(found);
      if (found.kind != Agreement::Kind::disagreed && found.kind != Agreement::Kind::refused) {
        continue;
      }
      const std::string name = "seed-" + std::to_string(first + i) + ".tx";
      std::printf("%s: %s: %s\n", name.c_str(), found.engine.c_str(), found.problem.c_str());
      std::fflush(stdout);
      if (folder == "-") std::_Exit(1);
      std::ofstream(folder + "/" + name) << "// " << found.engine << ": " << found.problem << "\n"
                                         << smallest(text, found);
    }
  };
  std::vector<std::thread> workers;
  for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i) {
    workers.emplace_back(work);
  }
  for (std::thread& worker : workers) worker.join();
  const auto show = [](const char* what, std::uint64_t value) {
    std::printf("%-12s %llu\n", what, static_cast<unsigned long long>(value));
  };
  show("models", tally.models);
  show("too large", tally.too_large);
  show("refused", tally.refused);
  show("disagreed", tally.disagreed);
  show("states", tally.states);
  show("violated", tally.violated);
  show("held", tally.held);
  show("endless", tally.endless);
  show("faulted", tally.faulted);
  show("fine", tally.fine);
  return tally.disagreed + tally.refused == 0 ? 0 : 1;
}
