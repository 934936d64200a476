// frontier --for-all: a form that fits the swept points, proved for all values.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "checker/forall/prove.h"
#include "cli/options.h"
#include "properties/exit_status.h"

namespace txproof::cli {

struct FrontierProof {
  bool proved = false;  // the property holds for all values that the form admits
  std::string reason;   // not proved: why
  std::size_t facts = 0;
  bool asked_cvc5 = false;
  double seconds = 0;
  std::vector<std::string> files;  // of the certificate
  properties::ExitStatus status = properties::ExitStatus::good;
};

// Proves `property` for all values of `parameters` for which `form` holds.
FrontierProof prove_form(const Options& options, const std::vector<std::string>& parameters,
                         const std::string& form, const std::atomic<bool>& interrupted);

}  // namespace txproof::cli
