// Random models over the whole language, as text, with state spaces that are small most of the
// time. A seed decides everything.
//
// The text is right by construction (it parses, types and elaborates); what it does may be wrong in
// every way that the language reports at run time. Each statement and each brace has its own line,
// so that a failing model can be made smaller line by line (shrink.h).
#pragma once

#include <cstdint>
#include <string>

namespace txproof::test {

// What a model may use. All of it unless said otherwise.
struct ModelFeatures {
  bool liveness = true;  // leads_to, infinitely_often, rate
  bool time = true;      // tick, clocks, urgent
};

std::string random_model(std::uint64_t seed, const ModelFeatures& features = {});

}  // namespace txproof::test
