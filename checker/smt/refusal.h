// What the encoder cannot express: an engine turns it into `inconclusive`, with the reason.
#pragma once

#include <stdexcept>
#include <string>

namespace txproof::checker::smt {

class Refusal : public std::runtime_error {
 public:
  explicit Refusal(const std::string& reason) : std::runtime_error(reason) {}
};

}  // namespace txproof::checker::smt
