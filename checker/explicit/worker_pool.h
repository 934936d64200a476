// A fixed crew of threads that do one thing together, again and again. The caller is one of them.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace txproof::checker {

class WorkerPool {
 public:
  // requires: workers >= 1
  explicit WorkerPool(unsigned workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // Runs job(worker) on every worker, 0 being the caller, and waits for all.
  //   errors: an exception of a job is thrown again here, after all have ended
  void run(const std::function<void(unsigned)>& job);

 private:
  void serve(unsigned worker);
  void guarded(const std::function<void(unsigned)>& job, unsigned worker);

  std::mutex mutex_;
  std::condition_variable begin_, end_;
  const std::function<void(unsigned)>* job_ = nullptr;
  unsigned round_ = 0;
  unsigned busy_ = 0;
  bool closing_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace txproof::checker
