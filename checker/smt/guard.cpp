#include "checker/smt/guard.h"

#include <new>

namespace txproof::checker::smt {

properties::Exploration guarded(const program::Program& program, const SearchOptions& options,
                                const std::string& engine, const std::function<void(Task&)>& work) {
  Task task(program, options);
  try {
    task.watch().poll();
    for (const program::Slot& slot : program.slots) {
      if (slot.parameter) throw Refusal("this engine is for known parameters");
    }
    if (!program.loops.empty() || !program.unordered.empty() || !program.others.empty()) {
      throw Refusal("this engine is for known parameters");
    }
    if (program.memory != program::Memory::sc) {
      throw Refusal("this engine knows no memory model but sc (--engine explicit does)");
    }
    work(task);
  } catch (const Stopped&) {
    // Task::conclude says which limit it was.
  } catch (const Refusal& refusal) {
    task.set_reason(refusal.what());
  } catch (const std::bad_alloc&) {
    task.watch().stop(properties::Limit::memory);
  } catch (const z3::exception& error) {
    // Interrupted in the midst of building a formula, or out of memory by its own count.
    if (task.watch().why() == properties::Limit::none) {
      task.set_reason(std::string("Z3 gave up: ") + error.msg());
    }
  }
  return task.conclude(engine);
}

}  // namespace txproof::checker::smt
