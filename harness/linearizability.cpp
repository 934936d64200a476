#include "harness/linearizability.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <set>
#include <thread>

#include "checker/sampling/random.h"

namespace txproof::harness {

using checker::sampling::Random;

std::vector<Operation> HistoryRecorder::history() const {
  std::vector<Operation> all;
  for (const Log& log : logs_) {
    all.insert(all.end(), log.operations.begin(), log.operations.end());
  }
  std::sort(all.begin(), all.end(),
            [](const Operation& a, const Operation& b) { return a.called < b.called; });
  return all;
}

namespace {

class Search {
 public:
  Search(Oracle& oracle, const std::vector<Operation>& history) : oracle_(oracle) {
    std::map<unsigned, std::size_t> numbers;
    for (const Operation& operation : history) {
      const auto [at, inserted] = numbers.try_emplace(operation.thread, threads_.size());
      if (inserted) threads_.emplace_back();
      threads_[at->second].push_back(&operation);
    }
    done_.resize(threads_.size());
  }

  bool run() { return from(oracle_.start()); }
  // The longest order that the model allows.
  [[nodiscard]] const std::vector<const Operation*>& best() const { return best_; }

 private:
  // Since operations of a thread follow each other, what is done is a number for each thread.
  using Place = std::pair<std::vector<std::size_t>, Oracle::StateId>;

  bool from(Oracle::StateId state) {
    if (order_.size() > best_.size()) best_ = order_;
    if (!seen_.emplace(done_, state).second) return false;
    // Who was called before every return that is still to come may be next.
    std::uint64_t first_return = ~std::uint64_t{0};
    bool all_done = true;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (done_[t] == threads_[t].size()) continue;
      all_done = false;
      first_return = std::min(first_return, threads_[t][done_[t]]->returned);
    }
    if (all_done) return true;
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      if (done_[t] == threads_[t].size()) continue;
      const Operation& next = *threads_[t][done_[t]];
      if (next.called > first_return) continue;
      if (takes(t, next, state)) return true;
    }
    return false;
  }

  bool takes(std::size_t thread, const Operation& next, Oracle::StateId state) {
    const std::vector<Oracle::StateId> afterwards =
        oracle_.after(oracle_.closure(state), next.command, next.answer);
    ++done_[thread];
    order_.push_back(&next);
    const bool found = std::any_of(afterwards.begin(), afterwards.end(),
                                   [&](Oracle::StateId after) { return from(after); });
    order_.pop_back();
    --done_[thread];
    return found;
  }

  Oracle& oracle_;
  std::vector<std::vector<const Operation*>> threads_;
  std::vector<std::size_t> done_;
  std::vector<const Operation*> order_, best_;
  std::set<Place> seen_;
};

std::string operation_text(const Oracle& oracle, const Operation& operation,
                           const Describe& describe) {
  return "  " + std::to_string(operation.called) + ".." + std::to_string(operation.returned) +
         "  thread " + std::to_string(operation.thread) + "  " +
         (describe ? describe(operation.command, operation.answer)
                   : oracle.command_text(operation.command) + " -> " +
                         oracle.answer_text(operation.answer)) +
         "\n";
}

// One round: every thread waits for all, then goes.
std::vector<Operation> one_round(const SharedSubject& subject,
                                 const std::vector<std::vector<Values>>& scripts) {
  HistoryRecorder recorder(static_cast<unsigned>(scripts.size()));
  std::atomic<std::size_t> waiting{scripts.size()};
  std::vector<std::exception_ptr> failures(scripts.size());
  const auto play = [&](unsigned thread) {
    --waiting;
    while (waiting.load() != 0) std::this_thread::yield();
    try {
      for (const Values& command : scripts[thread]) {
        recorder.call(thread, command, [&] { return subject(thread, command); });
      }
    } catch (...) {
      failures[thread] = std::current_exception();
    }
  };
  std::vector<std::thread> threads;
  threads.reserve(scripts.size());
  for (unsigned thread = 1; thread < scripts.size(); ++thread) threads.emplace_back(play, thread);
  play(0);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  return recorder.history();
}

}  // namespace

Result linearizable(Oracle& oracle, const std::vector<Operation>& history,
                    const Describe& describe) {
  Result result;
  result.tests = 1;
  result.steps = history.size();
  Search search(oracle, history);
  if (search.run()) return result;
  result.passed = false;
  result.message =
      "no order of these operations has answers that the model allows (called..returned):\n";
  for (const Operation& operation : history) {
    result.message += operation_text(oracle, operation, describe);
  }
  result.message += "the longest order that it allows:\n";
  for (const Operation* operation : search.best()) {
    result.message += operation_text(oracle, *operation, describe);
  }
  return result;
}

Result check_concurrent(const Model& model, const Port& port,
                        const std::function<SharedSubject()>& make,
                        const ConcurrentOptions& options) {
  Oracle oracle(model, port);
  Result total;
  const std::vector<Values> known = oracle.commands(oracle.closure(oracle.start()));
  std::vector<std::vector<Values>> allowed(options.threads);
  for (unsigned thread = 0; thread < options.threads; ++thread) {
    for (const Values& command : known) {
      if (!options.role || options.role(thread, command)) allowed[thread].push_back(command);
    }
    if (allowed[thread].empty()) {
      throw ModelError("thread " + std::to_string(thread) + " has no command to give");
    }
  }
  for (std::uint64_t round = 0; round < options.rounds; ++round) {
    Random random = Random::of_run(options.seed, round);
    std::vector<std::vector<Values>> scripts(options.threads);
    for (unsigned thread = 0; thread < options.threads; ++thread) {
      for (std::size_t i = 0; i < options.calls; ++i) {
        scripts[thread].push_back(allowed[thread][random.below(allowed[thread].size())]);
      }
    }
    ++total.tests;
    Result result;
    try {
      result = linearizable(oracle, one_round(make(), scripts), options.describe);
    } catch (const ModelError&) {
      throw;
    } catch (const std::exception& error) {
      result.passed = false;
      result.message = std::string("it throws: ") + error.what() + "\n";
    }
    total.steps += result.steps;
    if (result.passed) continue;
    total.passed = false;
    total.message = model.title() + ", round " + std::to_string(round) + " of seed " +
                    std::to_string(options.seed) + "\n" + result.message;
    total.reproduce = std::to_string(options.seed);
    return total;
  }
  return total;
}

}  // namespace txproof::harness
