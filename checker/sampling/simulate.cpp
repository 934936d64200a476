#include "checker/sampling/simulate.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "checker/explicit/conclude.h"

namespace txproof::checker::sampling {

using program::PropertyId;
using program::Word;
using properties::Limit;

namespace {

constexpr std::uint64_t steps_a_poll = 256;

Word total(const program::Tally& tally, const Walk& walk) {
  if (tally.is_ticks) return walk.ticks();
  Word sum = 0;
  for (std::uint32_t i = 0; i < tally.count; ++i) sum += walk.counts()[tally.first + i];
  return sum;
}

// What a run found beside its summary.
struct Found {
  std::vector<std::optional<std::uint64_t>> broke_at;  // by property: the step
  std::vector<std::optional<Word>> largest;
  std::vector<char> spoken;
  std::vector<Word> counts;
  Word ticks = 0;
};

class Simulator {
 public:
  Simulator(const Plan& plan, const SimulateOptions& options)
      : plan_(plan), options_(options), started_(Clock::now()) {}

  Simulation run() {
    std::vector<std::thread> helpers;
    const auto most = std::min<std::uint64_t>(std::max(1U, options_.jobs), options_.runs);
    done_.resize(options_.runs);
    helpers.reserve(most);
    for (std::uint64_t i = 1; i < most; ++i) helpers.emplace_back([this] { guarded_work(false); });
    guarded_work(true);
    for (std::thread& helper : helpers) helper.join();
    if (failed_) std::rethrow_exception(failed_);
    return collect();
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Done {
    bool complete = false;
    RunSummary summary;
    Found found;
  };

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }

  bool stop() {
    if (options_.interrupted != nullptr && options_.interrupted->load(std::memory_order_relaxed)) {
      why_ = Limit::interrupted;
    } else if (options_.time_limit && seconds() >= *options_.time_limit) {
      Limit none = Limit::none;
      why_.compare_exchange_strong(none, Limit::time);
    }
    return why_ != Limit::none;
  }

  void guarded_work(bool reports) {
    try {
      work(reports);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failed_) failed_ = std::current_exception();
      why_ = Limit::interrupted;
    }
  }

  void work(bool reports) {
    Walk walk(plan_);
    walk.ask_in_long_steps([this] { return stop(); });
    for (std::uint64_t run = next_++; run < options_.runs; run = next_++) {
      if (!one_run(walk, run, reports)) return;
    }
  }

  void sample(Walk& walk, RunSummary& summary, bool point) const {
    for (std::size_t i = 0; i < options_.expressions.size(); ++i) {
      const Word value = walk.left_side(options_.expressions[i]);
      summary.samples[i].add(value);
      if (point) summary.course[i].push_back(value);
    }
  }

  // Returns false if there is no time left.
  bool one_run(Walk& walk, std::uint64_t run, bool reports) {
    Done& done = done_[run];
    RunSummary& summary = done.summary;
    summary.samples.resize(options_.expressions.size());
    summary.course.resize(options_.expressions.size());
    const std::uint64_t stride =
        std::max<std::uint64_t>(1, options_.steps / std::max<std::size_t>(1, options_.points));
    Random random = Random::of_run(options_.seed, run);
    RandomChooser chooser(random);
    walk.reset();
    done.found.broke_at.resize(plan_.program.properties.size());
    note_broken(walk, done.found);
    while (walk.steps() < options_.steps) {
      if (walk.steps() % steps_a_poll == 0) {
        if (stop()) return false;
        steps_ += steps_a_poll;
        if (reports && options_.progress) options_.progress(steps_);
      }
      const auto thread = walk.draw(random, options_.schedule);
      if (!thread) {
        summary.stuck = true;
        break;
      }
      const Walk::Outcome outcome = walk.move(*thread, chooser);
      if (outcome == Walk::Outcome::impossible) {
        if (stop()) return false;  // a step that was given up
        throw std::logic_error("a thread that can step made no step");
      }
      note_broken(walk, done.found);
      if (outcome == Walk::Outcome::ended) {
        summary.fault = true;
        break;
      }
      sample(walk, summary, walk.steps() % stride == 0);
    }
    finish(walk, done);
    return true;
  }

  void note_broken(const Walk& walk, Found& found) const {
    for (PropertyId id = 0; id < found.broke_at.size(); ++id) {
      if (!found.broke_at[id] && walk.broken(id)) found.broke_at[id] = walk.steps();
    }
  }

  void finish(Walk& walk, Done& done) const {
    const auto& properties = plan_.program.properties;
    done.summary.steps = walk.steps();
    done.found.largest.resize(properties.size());
    done.found.spoken.resize(properties.size());
    for (PropertyId id = 0; id < properties.size(); ++id) {
      done.found.largest[id] = walk.findings()[id].largest;
      done.found.spoken[id] =
          static_cast<char>(walk.findings()[id].spoken || walk.evaluated()[id] != 0 ? 1 : 0);
    }
    for (const PropertyId id : options_.rates) {
      const program::Claim& claim = properties[id].claims[0];
      done.summary.rates.emplace_back(total(claim.numerator, walk), total(claim.denominator, walk));
    }
    done.found.counts = walk.counts();
    done.found.ticks = walk.ticks();
    done.complete = true;
  }

  Simulation collect() {
    const std::size_t properties = plan_.program.properties.size();
    Simulation out;
    out.broken.resize(properties);
    out.largest.resize(properties);
    out.spoken.resize(properties);
    for (std::uint64_t run = 0; run < options_.runs && done_[run].complete; ++run) {
      Done& done = done_[run];
      out.steps += done.summary.steps;
      out.ticks += done.found.ticks;
      out.counts.resize(std::max(out.counts.size(), done.found.counts.size()));
      for (std::size_t i = 0; i < done.found.counts.size(); ++i) {
        out.counts[i] += done.found.counts[i];
      }
      for (PropertyId id = 0; id < properties; ++id) {
        out.spoken[id] = static_cast<char>(out.spoken[id] | done.found.spoken[id]);
        if (done.found.largest[id]) {
          out.largest[id] = std::max(out.largest[id], done.found.largest[id]);
        }
        if (!done.found.broke_at[id]) continue;
        if (!out.broken[id]) out.broken[id] = Broken{0, run, *done.found.broke_at[id]};
        ++out.broken[id]->runs;
      }
      out.runs.push_back(std::move(done.summary));
    }
    if (out.runs.size() < options_.runs) out.limit = why_;
    out.seconds = seconds();
    return out;
  }

  const Plan& plan_;
  const SimulateOptions& options_;
  Clock::time_point started_;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> steps_{0};
  std::atomic<Limit> why_{Limit::none};
  std::mutex mutex_;
  std::exception_ptr failed_;
  std::vector<Done> done_;
};

}  // namespace

Simulation simulate(const Plan& plan, const SimulateOptions& options) {
  return Simulator(plan, options).run();
}

void tell(const Finding& finding, properties::Path& path) {
  const bool check_first =
      finding.check && (!finding.claim || finding.check->depth <= finding.claim->depth);
  if (check_first) {
    path.violation = finding.check->violation;
  } else {
    path.violation = program::no_id;
    path.claim = finding.claim->claim;
  }
}

properties::Path path_of(const Plan& plan, const SimulateOptions& options, std::uint64_t run,
                         PropertyId property) {
  Walk walk(plan);
  Random random = Random::of_run(options.seed, run);
  RandomChooser chooser(random);
  properties::Path path;
  while (!walk.broken(property)) {
    const auto thread = walk.draw(random, options.schedule);
    if (!thread || walk.move(*thread, chooser) == Walk::Outcome::impossible) {
      throw std::logic_error("the run does not go again as it went");
    }
    path.moves.push_back(walk.made());
  }
  tell(walk.findings()[property], path);
  return path;
}

}  // namespace txproof::checker::sampling
