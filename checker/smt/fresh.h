// One question in SMT-LIB, put to a Z3 that knows nothing else: a context of its own, no tactics,
// no fixed points. What a proof rests on is asked again here.
#pragma once

#include <string>

namespace txproof::checker::smt {

enum class Answer { unsat, sat, unknown };

struct FreshAnswer {
  Answer answer = Answer::unknown;
  std::string reason;  // unknown: why; a text that cannot be read among them
};

// Asserts all that `text` asserts and checks it once.
//   requires: text has declarations, definitions and assertions; other commands are ignored
//   errors:   none is thrown: what cannot be read is unknown, with Z3's own words
FreshAnswer check_fresh(const std::string& text, double seconds);

}  // namespace txproof::checker::smt
