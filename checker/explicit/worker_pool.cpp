#include "checker/explicit/worker_pool.h"

#include <utility>

namespace txproof::checker {

WorkerPool::WorkerPool(unsigned workers) {
  threads_.reserve(workers - 1);
  for (unsigned i = 1; i < workers; ++i) threads_.emplace_back([this, i] { serve(i); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::guarded(const std::function<void(unsigned)>& job, unsigned worker) {
  try {
    job(worker);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void WorkerPool::run(const std::function<void(unsigned)>& job) {
  {
    const std::lock_guard lock(mutex_);
    job_ = &job;
    busy_ = static_cast<unsigned>(threads_.size());
    ++round_;
  }
  begin_.notify_all();
  guarded(job, 0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void WorkerPool::serve(unsigned worker) {
  unsigned done = 0;
  for (;;) {
    const std::function<void(unsigned)>* job = nullptr;
    {
      std::unique_lock lock(mutex_);
      begin_.wait(lock, [&] { return closing_ || round_ != done; });
      if (closing_) return;
      done = round_;
      job = job_;
    }
    guarded(*job, worker);
    {
      const std::lock_guard lock(mutex_);
      --busy_;
    }
    end_.notify_one();
  }
}

}  // namespace txproof::checker
