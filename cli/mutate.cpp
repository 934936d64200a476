// txproof mutate STACK.tx: plants small faults in the code that the stack runs, one at a time, and
// says which of them no property notices.
#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <thread>

#include "cli/commands.h"
#include "cli/mutation_report.h"
#include "cli/output.h"
#include "cli/progress.h"

namespace txproof::cli {

using properties::ExitStatus;
using properties::Verdict;

namespace {

// Where some run was: its statements, the conditions at which it branched, and the places where it
// stopped.
std::vector<lang::Span> reached_places(const program::Program& program,
                                       const std::vector<bool>& covered) {
  std::vector<lang::Span> out;
  for (std::size_t b = 0; b < program.blocks.size(); ++b) {
    if (b >= covered.size() || !covered[b]) continue;
    for (const program::Stmt& stmt : program.blocks[b].stmts) {
      if (!stmt.probe) out.push_back(stmt.where);
    }
    const program::Terminator& end = program.blocks[b].end;
    out.push_back(end.where);
    if (end.location != program::no_id) out.push_back(program.locations[end.location].where);
  }
  return out;
}

// `size` of `count` numbers, ascending; the same for the same seed everywhere.
std::vector<std::size_t> sample(std::size_t count, std::size_t size, std::uint64_t seed) {
  std::vector<std::size_t> all(count);
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (size >= count) return all;
  std::mt19937_64 random(seed);
  for (std::size_t i = 0; i < size; ++i) {
    std::swap(all[i], all[i + random() % (count - i)]);
  }
  all.resize(size);
  std::sort(all.begin(), all.end());
  return all;
}

class Mutate {
 public:
  Mutate(const Options& options, const std::atomic<bool>& interrupted)
      : options_(options), interrupted_(interrupted), workspace_(options) {}

  ExitStatus run() {
    Variant variant;
    variant.patches = options_.patches;
    std::vector<LoadedStack> stacks = workspace_.load_stacks(options_.stack_file, variant);
    write_diagnostics(workspace_);
    if (stacks.empty()) return ExitStatus::unusable;
    RunSettings settings;
    settings.what = "the stack as it is";
    settings.everything = true;
    report_.base = run_stack(std::move(stacks[0]), options_, settings, interrupted_);
    for (const std::string& error : report_.base.internal_errors) say("internal error: " + error);
    if (!report_.base.internal_errors.empty()) return ExitStatus::internal_error;
    for (const std::size_t i : report_.base.shown) {
      if (report_.base.exploration.results[i].verdict == Verdict::inconclusive) {
        say("the stack as it is could not be decided: " +
            report_.base.exploration.results[i].reason);
        return ExitStatus::inconclusive;
      }
    }
    plant();
    run_mutants();
    return write_result(options_,
                        options_.format == Format::json
                            ? mutate_json(report_, workspace_.sources(), options_)
                            : mutate_text(report_, workspace_.sources(), options_),
                        status());
  }

 private:
  void plant() {
    const LoadedStack& loaded = report_.base.loaded;
    mutation::MutantOptions how;
    how.fine = loaded.program->interleave == program::Interleave::fine;
    const std::vector<mutation::Mutant> all = mutation::mutants_of(
        *loaded.model, workspace_.sources(),
        reached_places(*loaded.program, report_.base.exploration.covered_blocks), how);
    report_.sites = all.size();
    for (const std::size_t i :
         sample(all.size(), options_.sample.value_or(all.size()), options_.seed)) {
      report_.mutants.emplace_back().mutant = all[i];
    }
  }

  // A mutant is small work, so each worker takes whole ones.
  void run_mutants() {
    std::atomic<std::size_t> next = 0;
    const auto work = [this, &next] {
      while (!interrupted_.load(std::memory_order_relaxed)) {
        const std::size_t i = next.fetch_add(1);
        if (i >= report_.mutants.size()) return;
        try {
          run_mutant(report_.mutants[i]);
        } catch (const std::bad_alloc&) {
          report_.mutants[i].fate = Fate::undecided;
        } catch (const std::exception& error) {
          report_.mutants[i].error = error.what();
        }
      }
    };
    std::vector<std::thread> workers;
    workers.reserve(options_.jobs);
    for (unsigned i = 1; i < options_.jobs; ++i) workers.emplace_back(work);
    work();
    for (std::thread& worker : workers) worker.join();
  }

  void run_mutant(MutantResult& result) {
    Options options = options_;
    options.jobs = 1;
    options.coverage = false;
    // Far more than the stack itself needs: a mutant that takes longer is one with a larger state
    // space, and is not waited for.
    const double base = report_.base.exploration.seconds;
    if (!options.time_limit) options.time_limit = std::max(5.0, 20 * base);
    options.memory_limit = options_.memory_limit / options_.jobs;
    Workspace workspace(options);
    Variant variant;
    variant.patches = options.patches;
    const lang::SourceSet& sources = workspace_.sources();
    variant.replaced.emplace(sources.file(result.mutant.span.file).path,
                             mutation::mutated_text(result.mutant, sources));
    std::vector<LoadedStack> stacks = workspace.load_stacks(options.stack_file, variant);
    if (stacks.empty()) {
      result.fate = Fate::refused;
      return;
    }
    RunSettings settings;
    settings.silent = true;
    const StackReport mutated = run_stack(std::move(stacks[0]), options, settings, interrupted_);
    judge(mutated, result);
  }

  void judge(const StackReport& mutated, MutantResult& result) const {
    for (const std::string& error : mutated.internal_errors) result.error = error;
    if (!result.error.empty()) return;
    const StackReport& base = report_.base;
    std::map<std::string, const properties::Result*> now;
    for (const properties::Result& r : mutated.exploration.results) {
      now[mutated.loaded.program->properties[r.property].instance] = &r;
    }
    bool decided = true;
    for (const std::size_t i : base.shown) {
      const properties::Result& before = base.exploration.results[i];
      const program::Property& property = base.loaded.program->properties[before.property];
      const auto after = now.find(property.instance);
      if (after == now.end()) continue;
      const properties::Result& r = *after->second;
      if (r.verdict == Verdict::inconclusive) {
        decided = false;
      } else if (r.verdict != before.verdict ||
                 r.vacuous.has_value() != before.vacuous.has_value()) {
        result.killers.push_back(property.instance);
      }
    }
    result.same_size = mutated.exploration.states == base.exploration.states &&
                       mutated.exploration.transitions == base.exploration.transitions;
    result.fate = !result.killers.empty() ? Fate::killed
                  : decided               ? Fate::survived
                                          : Fate::undecided;
  }

  [[nodiscard]] ExitStatus status() const {
    ExitStatus status = ExitStatus::good;
    const auto killed = report_.count(Fate::killed);
    const auto survived = report_.count(Fate::survived);
    if (survived > 0) status = worse(status, ExitStatus::violation);
    if (report_.count(Fate::undecided) + report_.count(Fate::not_run) > 0) {
      status = worse(status, ExitStatus::inconclusive);
    }
    if (killed + survived == 0) status = worse(status, ExitStatus::nothing_checked);
    for (const MutantResult& result : report_.mutants) {
      if (result.error.empty()) continue;
      say("internal error: " + result.error);
      status = ExitStatus::internal_error;
    }
    return status;
  }

  const Options& options_;
  const std::atomic<bool>& interrupted_;
  Workspace workspace_;
  MutationReport report_;
};

}  // namespace

ExitStatus run_mutate(const Options& options, const std::atomic<bool>& interrupted) {
  return Mutate(options, interrupted).run();
}

}  // namespace txproof::cli
