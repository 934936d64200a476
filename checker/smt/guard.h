// What every engine on formulas does around its work: limits and refusals become reasons.
#pragma once

#include <functional>
#include <string>

#include "checker/smt/task.h"

namespace txproof::checker::smt {

// Runs `work` on a Task and concludes.
//   errors: std::logic_error where two parts of the tool disagree (never a verdict)
properties::Exploration guarded(const program::Program& program, const SearchOptions& options,
                                const std::string& engine, const std::function<void(Task&)>& work);

}  // namespace txproof::checker::smt
