// The search itself: one level after the other, by one worker or by several.
//
// States are numbered in the order (predecessor, move), and a level is a range of numbers. One
// worker adds successors as it meets them, which is that order. Several take turns with the
// table: in a round, slices of the level are expanded in parallel while the table is only read,
// each into a list of what is not in it yet; then the lists are added, slice by slice, by one
// thread. That is again that order, so that numbers, counts, verdicts and traces cannot depend on
// the number of workers, and nothing is locked. Most successors are known and never reach a list:
// what stays serial is a few per cent of the work.
#include "checker/explicit/search.h"

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "checker/explicit/budget.h"
#include "checker/explicit/compile.h"
#include "checker/explicit/conclude.h"
#include "checker/explicit/expander.h"
#include "checker/explicit/sinks.h"
#include "checker/explicit/worker_pool.h"

namespace txproof::checker {

using program::Program;
using program::PropertyId;
using program::PropertyKind;
using properties::Exploration;
using properties::Limit;

namespace {

// States of one slice of a round, and slices for each worker. Slices are taken as workers come
// free, since some cost more than others.
constexpr StateId slice_states = 1024;
constexpr std::size_t slices_a_worker = 8;
// Up to here the log of a step is not worth counting.
constexpr std::uint64_t least_log = std::uint64_t{1} << 20U;

std::string seconds_text(double seconds) {
  std::string text = std::to_string(seconds);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

class Search {
 public:
  Search(const Program& program, const SearchOptions& options)
      : program_(program),
        options_(options),
        budget_(options),
        code_(compile(program, options.coverage)),
        packing_(program),
        table_(packing_.words(), options.memory_limit),
        sink_(table_, packing_.words()),
        findings_(program.properties.size()) {}

  Exploration run();

 private:
  void prepare();
  void explore_levels();
  bool expand_level();
  bool expand_alone(StateId begin, StateId end);
  bool expand_together(StateId begin, StateId end);
  bool round(StateId begin, StateId end);
  // Returns whether every state of it was looked at.
  bool inspect_level();
  bool poll(unsigned worker);
  void report();
  void collect();
  [[nodiscard]] bool every_property_is_violated() const;
  [[nodiscard]] std::string limit_text() const;
  [[nodiscard]] std::uint64_t transitions() const;

  const Program& program_;
  const SearchOptions& options_;
  Budget budget_;
  Code code_;
  Packing packing_;
  StateTable table_;
  DirectSink sink_;
  Findings findings_;
  Coverage coverage_;

  std::vector<std::unique_ptr<Expander>> expanders_;  // one a worker
  std::unique_ptr<WorkerPool> pool_;                  // only where there are several
  std::vector<ListSink> lists_;                       // one a slice of a round
  StateId level_begin_ = 0, level_end_ = 0;           // the level at hand
  std::uint32_t depth_ = 0;                           // its depth
  std::atomic<StateId> expanded_{0};                  // states below this one are, about
  std::uint64_t reported_transitions_ = 0;            // as of the last round
};

std::uint64_t Search::transitions() const {
  std::uint64_t sum = 0;
  for (const auto& expander : expanders_) sum += expander->transitions();
  return sum;
}

bool Search::poll(unsigned worker) {
  if (worker == 0 && budget_.report_is_due()) report();
  if (options_.memory_limit != 0) {
    // A step that goes on and on may need more than the table; each worker has a like share.
    const std::uint64_t used = std::min(table_.bytes(), options_.memory_limit);
    const std::uint64_t share = (options_.memory_limit - used) / expanders_.size();
    const std::uint64_t log = expanders_[worker]->machine().bytes();
    if (log > least_log && log > share) budget_.stop(Limit::memory);
  }
  return budget_.poll();
}

void Search::report() {
  Progress progress;
  progress.states = table_.size();
  // Others are counting meanwhile, so theirs are as of the last round.
  progress.transitions = pool_ ? reported_transitions_ : transitions();
  progress.frontier = table_.size() - expanded_.load(std::memory_order_relaxed);
  progress.bytes = table_.bytes();
  progress.depth = depth_;
  progress.seconds = budget_.seconds();
  options_.progress(progress);
}

void Search::prepare() {
  const unsigned workers = std::max(1U, options_.jobs);
  for (unsigned i = 0; i < workers; ++i) {
    expanders_.push_back(
        std::make_unique<Expander>(program_, code_, packing_, [this, i] { return poll(i); }));
  }
  if (workers > 1) {
    pool_ = std::make_unique<WorkerPool>(workers);
    for (std::size_t i = 0; i < workers * slices_a_worker; ++i) {
      lists_.emplace_back(table_, packing_.words());
    }
  }
  std::vector<std::uint64_t> packed(packing_.words());
  packing_.pack(program::initial_state(program_).data(), packed.data());
  if (table_.add(packed.data(), hash_words(packed.data(), packed.size()), no_state) ==
      StateTable::Added::no_room) {
    budget_.stop(Limit::memory);
  }
}

void Search::collect() {
  for (const auto& expander : expanders_) findings_.merge(expander->findings());
}

bool Search::every_property_is_violated() const {
  bool any = false;
  for (PropertyId id = 0; id < program_.properties.size(); ++id) {
    const program::Property& property = program_.properties[id];
    const auto& decide = options_.decide;
    if (!decide.empty() && std::find(decide.begin(), decide.end(), id) == decide.end()) continue;
    if (property.memory_note != program::MemoryNote::none) continue;
    // A maximum is wanted even where it is too large.
    for (const program::Claim& claim : property.claims) {
      if (decide.empty() && claim.kind == PropertyKind::maximum) return false;
    }
    // What the analysis of cycles decides may have other parts, and it wants every state too.
    if (needs_other_engine(property)) return false;
    if (!findings_[id].violated()) return false;
    any = true;
  }
  return any;
}

void Search::explore_levels() {
  level_begin_ = 0;
  level_end_ = table_.size();
  for (;;) {
    if (poll(0)) return;
    const bool too_deep = options_.max_depth && depth_ >= *options_.max_depth;
    if (too_deep) {
      if (!inspect_level()) return;
      budget_.stop(Limit::depth);
    } else if (!expand_level()) {
      if (!budget_.stopped()) budget_.stop(Limit::memory);
      return;
    }
    coverage_.some_level = true;
    coverage_.level = depth_;
    coverage_.states = level_end_;
    if (too_deep) return;
    if (table_.size() == level_end_) {
      coverage_.complete = true;
      return;
    }
    level_begin_ = level_end_;
    level_end_ = table_.size();
    ++depth_;
    collect();
    if (options_.stop_when_decided && every_property_is_violated()) {
      // A claim that is false in the new level may come before a check that failed on the way.
      inspect_level();
      return;
    }
  }
}

bool Search::inspect_level() {
  for (StateId id = level_begin_; id < level_end_; ++id) {
    if (id % 4096 == 0 && poll(0)) return false;
    if (!expanders_[0]->inspect(id, depth_, table_.packed(id))) return false;
  }
  return true;
}

bool Search::expand_level() {
  // A short level is not worth waking anybody.
  return pool_ && level_end_ - level_begin_ >= slice_states / 4
             ? expand_together(level_begin_, level_end_)
             : expand_alone(level_begin_, level_end_);
}

bool Search::expand_alone(StateId begin, StateId end) {
  Expander& expander = *expanders_[0];
  for (StateId id = begin; id < end; ++id) {
    // Transitions are polled for, but a state need not have any.
    if (id % 4096 == 0 && poll(0)) return false;
    if (!expander.expand(id, depth_, table_.packed(id), sink_)) return false;
    expanded_.store(id, std::memory_order_relaxed);
  }
  sink_.flush();
  return !sink_.full();
}

bool Search::expand_together(StateId begin, StateId end) {
  while (begin < end) {
    const auto most = static_cast<StateId>(lists_.size()) * slice_states;
    const StateId stop = end - begin > most ? begin + most : end;
    if (!round(begin, stop)) return false;
    begin = stop;
    expanded_.store(stop, std::memory_order_relaxed);
    reported_transitions_ = transitions();
  }
  return true;
}

bool Search::round(StateId begin, StateId end) {
  const auto slices = lists_.size();
  const StateId in_slice = static_cast<StateId>((end - begin + slices - 1) / slices);
  std::uint64_t bytes = 0;  // that one list may take
  if (options_.memory_limit != 0) {
    const std::uint64_t used = std::min(table_.bytes(), options_.memory_limit);
    bytes = std::max<std::uint64_t>((options_.memory_limit - used) / slices, 1);
  }
  std::atomic<std::size_t> next{0};
  std::atomic<bool> complete{true};
  pool_->run([&](unsigned worker) {
    for (std::size_t slice = next++; slice < slices; slice = next++) {
      ListSink& list = lists_[slice];
      list.start(bytes);
      const std::uint64_t first = begin + std::uint64_t{in_slice} * slice;
      const std::uint64_t last = std::min<std::uint64_t>(first + in_slice, end);
      for (std::uint64_t id = first; id < last; ++id) {
        const auto state = static_cast<StateId>(id);
        if (!expanders_[worker]->expand(state, depth_, table_.packed(state), list)) {
          complete = false;
          next = slices;
          return;
        }
      }
      list.flush();
    }
  });
  if (!complete) return false;
  std::uint64_t held = 0;
  for (const ListSink& list : lists_) held += list.bytes();
  table_.set_bytes_elsewhere(held);
  for (const ListSink& list : lists_) {
    if (!list.drain_into(table_)) return false;
  }
  return true;
}

std::string Search::limit_text() const {
  switch (budget_.why()) {
    case Limit::depth:
      return "the depth limit of " + std::to_string(*options_.max_depth) + " was reached";
    case Limit::time:
      return "the time limit of " + seconds_text(*options_.time_limit) + " was reached";
    case Limit::memory:
      return "the memory limit was reached";
    case Limit::interrupted:
      return "the search was interrupted";
    case Limit::none:
    case Limit::needs_other_engine:
    case Limit::approximation:
      break;
  }
  return "the search ended as nothing was left to decide";
}

Exploration Search::run() {
  if (!budget_.poll()) {
    try {
      prepare();
      if (!budget_.stopped()) explore_levels();
    } catch (const std::bad_alloc&) {
      budget_.stop(Limit::memory);
    }
  }
  pool_.reset();
  collect();
  coverage_.limit = budget_.why();
  coverage_.limit_text = limit_text();

  Exploration result;
  result.states = table_.size();
  result.transitions = transitions();
  result.depth = depth_;
  result.complete = coverage_.complete;
  result.stopped_by_fault = findings_.fault_seen;
  std::vector<char> evaluated(program_.properties.size(), 0);
  if (options_.coverage) result.covered_blocks.assign(program_.blocks.size(), false);
  for (const auto& expander : expanders_) {
    for (std::size_t i = 0; i < evaluated.size(); ++i) {
      evaluated[i] = static_cast<char>(evaluated[i] | expander->machine().evaluated()[i]);
    }
    for (std::size_t i = 0; i < result.covered_blocks.size(); ++i) {
      if (expander->machine().covered()[i] != 0) result.covered_blocks[i] = true;
    }
  }
  const PathBuilder paths(program_, packing_, table_);
  result.results = conclude(program_, findings_, evaluated, coverage_, paths);
  result.seconds = budget_.seconds();
  return result;
}

}  // namespace

Exploration explore(const Program& program, const SearchOptions& options) {
  return Search(program, options).run();
}

}  // namespace txproof::checker
