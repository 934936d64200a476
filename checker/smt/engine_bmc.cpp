#include "checker/smt/bounded.h"
#include "checker/smt/engines.h"
#include "checker/smt/guard.h"

namespace txproof::checker::smt {

properties::Exploration bounded_model_check(const program::Program& program,
                                            const SearchOptions& options) {
  return guarded(program, options, "bmc", [&](Task& task) {
    Bounded bounded(task);
    while (!task.is_decided()) {
      bounded.deepen();
      if (options.max_depth && task.depth() > *options.max_depth) {
        task.watch().stop(properties::Limit::depth);
        return;
      }
    }
  });
}

}  // namespace txproof::checker::smt
