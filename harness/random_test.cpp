#include "harness/random_test.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <vector>

#include "checker/sampling/shorten.h"
#include "checker/sampling/simulate.h"
#include "checker/sampling/walk.h"
#include "counterexamples/render_text.h"
#include "counterexamples/replay.h"
#include "harness/reproduce_text.h"
#include "harness/silent_rapidcheck.h"

namespace txproof::harness {

namespace sampling = checker::sampling;
using program::Move;
using program::PropertyId;

namespace {

// Models with their plans that are kept; more parameters than that begin anew.
constexpr std::size_t most_models = 64;

// A test: parameters and either a seed for a random run, or moves that are made as far as they can
// be.
struct Case {
  Parameters set;
  std::uint64_t seed = 0;
  std::optional<std::vector<Move>> moves;
};

std::ostream& operator<<(std::ostream& out, const Case& test) {
  return out << to_text({test.set, "", test.moves.value_or(std::vector<Move>())});
}

struct Ready {
  explicit Ready(Model made) : model(std::move(made)), plan(model.program()), walk(plan) {}
  Model model;
  sampling::Plan plan;
  sampling::Walk walk;
};

class RandomTest {
 public:
  RandomTest(const Model& model, const RandomTestOptions& options)
      : model_(model), options_(options) {}

  Result run() {
    const rc::Gen<Case> cases = [this](const rc::Random& random, int /*size*/) {
      return rc::shrinkable::shrinkRecur(draw(random),
                                         [this](const Case& test) { return smaller(test); });
    };
    const std::string failure = run_rapidcheck(options_.seed, options_.tests, [&] {
      const Case test = *cases;
      std::optional<FailingRun> broken;
      try {
        broken = make(test);
      } catch (const ModelError& error) {
        RC_DISCARD(error.what());
      }
      ++result_.tests;
      if (!broken) return;
      last_ = std::move(broken);
      RC_FAIL(last_->property);
    });
    if (failure.empty()) return result_;
    result_.passed = false;
    if (last_) {
      report();
    } else {
      result_.message = failure;
    }
    return result_;
  }

 private:
  Ready& ready(const Parameters& set) {
    auto& entry = models_[set];
    if (entry == nullptr) {
      if (models_.size() > most_models) {
        models_.clear();
        return ready(set);
      }
      models_[set] = std::make_unique<Ready>(set.empty() ? model_ : model_.with(set));
    }
    return *models_[set];
  }

  Case draw(const rc::Random& seed) const {
    rc::Random random = seed;
    Case test;
    sampling::Random numbers(random.next());
    for (const auto& [name, range] : options_.parameters) {
      const auto count = static_cast<std::uint64_t>(range.second - range.first) + 1;
      test.set[name] = range.first + static_cast<std::int64_t>(numbers.below(count));
    }
    test.seed = numbers.next();
    return test;
  }

  // Makes the moves of a test until a property breaks.
  std::optional<FailingRun> make(const Case& test) {
    Ready& here = ready(test.set);
    sampling::Walk& walk = here.walk;
    walk.reset();
    FailingRun run;
    run.set = test.set;
    sampling::Random random(test.seed);
    sampling::RandomChooser chooser(random);
    const auto schedule =
        options_.by_function ? sampling::Schedule::functions : sampling::Schedule::threads;
    std::size_t next = 0;
    auto broken = broken_in(here);
    while (!broken && walk.steps() < options_.steps) {
      if (test.moves) {
        if (next == test.moves->size()) break;
        const Move& move = (*test.moves)[next++];
        if (!walk.enabled(move.thread)) continue;
        if (walk.move(move) == sampling::Walk::Outcome::impossible) continue;
      } else {
        const auto thread = walk.draw(random, schedule);
        if (!thread) break;
        if (walk.move(*thread, chooser) == sampling::Walk::Outcome::impossible) break;
      }
      run.moves.push_back(walk.made());
      broken = broken_in(here);
    }
    result_.steps += walk.steps();
    if (!broken) return std::nullopt;
    run.property = here.model.program().properties[*broken].instance;
    return run;
  }

  static std::optional<PropertyId> broken_in(const Ready& here) {
    const auto& properties = here.model.program().properties;
    for (PropertyId id = 0; id < properties.size(); ++id) {
      if (!properties[id].is_watch && here.walk.broken(id)) return id;
    }
    return std::nullopt;
  }

  // Parameters towards their first values, each with the same random numbers; once none of these
  // fails, the moves of the run, with chunks left out.
  rc::Seq<Case> smaller(const Case& test) {
    if (test.moves) return fewer_moves(test, *test.moves);
    rc::Seq<Case> out;
    for (const auto& [name, range] : options_.parameters) {
      const std::string changed = name;
      out = rc::seq::concat(std::move(out),
                            rc::seq::map(rc::shrink::towards(test.set.at(name), range.first),
                                         [test, changed](std::int64_t value) {
                                           Case less = test;
                                           less.set[changed] = value;
                                           return less;
                                         }));
    }
    return rc::seq::concat(std::move(out), rc::seq::map(rc::seq::just(test), [this](Case same) {
                             const auto run = make(same);
                             same.moves = run ? run->moves : std::vector<Move>();
                             return same;
                           }));
  }

  static rc::Seq<Case> fewer_moves(const Case& test, const std::vector<Move>& moves) {
    return rc::seq::map(rc::shrink::removeChunks(moves), [test](std::vector<Move> fewer) {
      Case less = test;
      less.moves = std::move(fewer);
      return less;
    });
  }

  void report() {
    Ready& here = ready(last_->set);
    const program::Program& program = here.model.program();
    PropertyId id = 0;
    while (program.properties[id].instance != last_->property) ++id;
    properties::Path path;
    here.walk.reset();
    for (const Move& move : last_->moves) {
      if (here.walk.move(move) != sampling::Walk::Outcome::impossible) {
        path.moves.push_back(here.walk.made());
      }
    }
    sampling::tell(here.walk.findings()[id], path);
    sampling::ShortenOptions limits;
    limits.leave_out_seconds = std::min(1.0, options_.shorten_seconds);
    limits.search_seconds = options_.shorten_seconds;
    const sampling::Shortened found = shorten(here.plan, id, path, limits);
    last_->moves = found.path.moves;
    result_.reproduce = to_text(*last_);
    const counterexamples::Replay replay = counterexamples::replay(program, id, found.path);
    if (!replay.trace) {
      result_.message = "internal error: the interpreter does not confirm a violation of '" +
                        last_->property + "': " + replay.mismatch;
      return;
    }
    result_.message =
        here.model.title() + ", test " + std::to_string(result_.tests) + "\n" +
        counterexamples::render_text(*replay.trace, program, here.model.sources(), {}) +
        (found.shortest ? "  = no shorter way breaks it\n" : "") +
        "  = reproduce: " + result_.reproduce + "\n";
  }

  const Model& model_;
  const RandomTestOptions& options_;
  Result result_;
  std::map<Parameters, std::unique_ptr<Ready>> models_;
  std::optional<FailingRun> last_;  // the last that failed: the smallest, since others are refused
};

}  // namespace

Result check_random(const Model& model, const RandomTestOptions& options) {
  for (const auto& [name, range] : options.parameters) {
    if (range.first > range.second) {
      throw ModelError("the range of the parameter '" + name + "' is empty");
    }
  }
  return RandomTest(model, options).run();
}

Result reproduce(const Model& model, const std::string& text) {
  const auto run = failing_run_of(text);
  if (!run) throw ModelError("this is no run that check_random named: " + text);
  const Model here = model.with(run->set);
  const program::Program& program = here.program();
  const auto found = std::find_if(
      program.properties.begin(), program.properties.end(),
      [&](const program::Property& property) { return property.instance == run->property; });
  Result result;
  result.tests = 1;
  result.reproduce = text;
  if (found == program.properties.end()) {
    result.message = "the model checks no property '" + run->property + "'";
    return result;
  }
  const auto id = static_cast<PropertyId>(found - program.properties.begin());
  const sampling::Plan plan(program);
  sampling::Walk walk(plan);
  properties::Path path;
  for (const Move& move : run->moves) {
    if (!walk.enabled(move.thread) || walk.move(move) == sampling::Walk::Outcome::impossible ||
        walk.made() != move) {
      result.message = "the way cannot be gone any more: move " +
                       std::to_string(path.moves.size() + 1) + " is not possible";
      return result;
    }
    path.moves.push_back(move);
  }
  result.steps = path.moves.size();
  if (!walk.broken(id)) {
    result.message = "'" + run->property + "' is not broken any more";
    return result;
  }
  sampling::tell(walk.findings()[id], path);
  const counterexamples::Replay replay = counterexamples::replay(program, id, path);
  result.passed = false;
  result.message = replay.trace
                       ? counterexamples::render_text(*replay.trace, program, here.sources(), {})
                       : "internal error: the interpreter does not confirm it: " + replay.mismatch;
  return result;
}

}  // namespace txproof::harness
