#include "checker/smt/watch.h"

#include <algorithm>
#include <cstdio>

namespace txproof::checker::smt {

using properties::Limit;

Watch::Watch(const SearchOptions& options)
    : options_(options), started_(std::chrono::steady_clock::now()), thread_([this] { run(); }) {}

Watch::~Watch() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Watch::add(z3::context& context) {
  const std::lock_guard<std::mutex> lock(mutex_);
  contexts_.push_back(&context);
}

void Watch::remove(z3::context& context) {
  const std::lock_guard<std::mutex> lock(mutex_);
  contexts_.erase(std::find(contexts_.begin(), contexts_.end(), &context));
}

double Watch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - started_).count();
}

void Watch::stop(Limit why) {
  Limit none = Limit::none;
  why_.compare_exchange_strong(none, why);
}

void Watch::look() {
  if (options_.interrupted != nullptr && options_.interrupted->load()) {
    stop(Limit::interrupted);
  } else if (options_.time_limit && seconds() >= *options_.time_limit) {
    stop(Limit::time);
  } else if (options_.memory_limit != 0 && Z3_get_estimated_alloc_size() > options_.memory_limit) {
    stop(Limit::memory);
  }
}

void Watch::poll() {
  look();
  if (why() != Limit::none) throw Stopped();
}

// An interrupt that comes between two calls of Z3 is lost, so it is repeated.
void Watch::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!ends_) {
    wake_.wait_for(lock, std::chrono::milliseconds(20));
    look();
    if (why() == Limit::none) continue;
    for (z3::context* context : contexts_) context->interrupt();
  }
}

WatchedContext::WatchedContext(Watch& watch)
    : watch_(watch),
      bytes_before_(Z3_get_estimated_alloc_size()),
      context_(std::make_unique<z3::context>()) {
  watch_.add(*context_);
}

WatchedContext::~WatchedContext() {
  watch_.remove(*context_);
  constexpr std::uint64_t small = 4U << 20U;
  if (Z3_get_estimated_alloc_size() > bytes_before_ + small) {
    static_cast<void>(context_.release());
  }
}

z3::check_result checked(Watch& watch, z3::solver& solver, const z3::expr_vector& assumptions) {
  watch.poll();
  try {
    const z3::check_result result = solver.check(assumptions);
    if (result == z3::unknown) watch.poll();
    return result;
  } catch (const z3::exception&) {
    watch.poll();
    throw;
  }
}

std::string limit_text(Limit why, const SearchOptions& options) {
  switch (why) {
    case Limit::time: {
      char text[64];
      std::snprintf(text, sizeof text, "the time limit of %g s was reached",
                    options.time_limit.value_or(0));
      return text;
    }
    case Limit::memory:
      return "the memory limit was reached";
    case Limit::interrupted:
      return "the proof was interrupted";
    case Limit::depth:
      return "the depth limit of " + std::to_string(options.max_depth.value_or(0)) + " was reached";
    default:
      return "";
  }
}

}  // namespace txproof::checker::smt
