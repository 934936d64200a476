// One model, put to every engine.
#pragma once

#include <cstdint>
#include <string>

namespace txproof::test {

struct Agreement {
  enum class Kind {
    agreed,
    too_large,  // more states than the oracle looks at: nothing was compared
    refused,    // the text has errors
    disagreed,
  } kind = Kind::agreed;
  std::string engine;   // disagreed: which
  std::string problem;  // disagreed, refused: how
  std::uint64_t states = 0;
  unsigned violated = 0, held = 0;  // properties
  bool endless = false, faulted = false, fine = false;
};

constexpr std::size_t usual_limit = 1000;  // states

// Elaborates `text`, finds out what is true of it, and asks every engine; then compares coarse with
// fine steps: what coarse steps violate, fine ones violate too.
Agreement agreement_of(const std::string& text, std::size_t limit = usual_limit);

}  // namespace txproof::test
