// Stacks of the tree, with patches, as Programs inside a test.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/program/elaborate.h"

namespace txproof::test {

// The first stack of `file` (from the top of the tree) with the patches applied in order.
//   errors: std::runtime_error with the diagnostics
std::unique_ptr<program::Program> stack_program(const std::string& file,
                                                const std::vector<std::string>& patches,
                                                const program::ElaborateOptions& options);

}  // namespace txproof::test
