// Questions about a stack that do not stand in its text.
#pragma once

#include <string>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/source.h"
#include "model/lang/syntax.h"

namespace txproof::lang {

// Adds, for each stack of the main file, a property `maximum EXPR <= (more than any value)` that
// the stack checks, with EXPR the whole text of `expression`. It may name what the stack declares.
//   requires: the model is parsed and not checked (LoadOptions::amend)
//   errors:   diagnostics about the expression, in the file `expression`
void ask_for_maximum(Model& model, SourceSet& sources, FileId expression, Diagnostics& diagnostics);

// Adds the whole text of `expression` to what each stack of the main file assumes, as if it stood
// there as `assume E;`.
//   requires, errors: as above
void add_assumption(Model& model, SourceSet& sources, FileId expression, Diagnostics& diagnostics);

// The name of the property that ask_for_maximum adds.
std::string question_about(const StackDecl& stack);

// Something to be watched beside what the stack checks.
struct Question {
  FileId text = 0;       // a file whose whole text is an expression, or for a rate `A / B`
  bool is_rate = false;  // of two counters, or of a counter and `ticks`
};

// Adds a property for each question to each stack of the main file: `maximum EXPR <= (more than any
// value)`, or `rate A / B >= 0`.
//   requires, errors: as ask_for_maximum
void ask(Model& model, SourceSet& sources, const std::vector<Question>& questions,
         Diagnostics& diagnostics);

// The name of the property that question number `index` became.
std::string question_about(const StackDecl& stack, std::size_t index);

}  // namespace txproof::lang
