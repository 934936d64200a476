// Why a Program cannot be told in another tool's language.
#pragma once

#include <stdexcept>
#include <string>

namespace txproof::checker::exporting {

class Refusal : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace txproof::checker::exporting
