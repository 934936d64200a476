// What the tool says about a text that it cannot use.
//
// A diagnostic has a stable code (TX0103), a place, one sentence, and notes at the other places
// involved. They are collected, not thrown: one run reports every error of a file, sorted by
// place, each mistake once.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/lang/source.h"

namespace txproof::lang {

enum class Severity { error, warning };

struct Note {
  Span span;  // may be nowhere
  std::string message;
};

struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;  // "TX0103", a row of the table in codes.cpp
  Span span;
  std::string message;
  std::vector<Note> notes;
};

class Diagnostics {
 public:
  Diagnostic& error(std::string code, Span span, std::string message);
  Diagnostic& warning(std::string code, Span span, std::string message);
  [[nodiscard]] bool has_errors() const { return errors_ > 0; }
  [[nodiscard]] std::size_t error_count() const { return errors_; }
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return list_; }
  // ensures: sorted by file and place, exact duplicates removed
  void sort();

 private:
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
};

// One row of the table of codes, for `txproof explain TX0103`.
struct CodeInfo {
  const char* code;
  const char* title;        // a few words
  const char* explanation;  // what it means, an example that has it, the mend
};
// Returns nullptr for an unknown code.
const CodeInfo* find_code(std::string_view code);
const std::vector<CodeInfo>& all_codes();

// The diagnostic as text: `path:line:column: error: message [TX0103]`, the line with a caret under
// the place (tabs kept under the caret, long lines cut around it), then the notes in the same form.
std::string render(const SourceSet& sources, const Diagnostic& diagnostic);

// The name in `candidates` nearest to `name` by edit distance, if it is near enough to be a likely
// slip of the finger; empty otherwise.
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace txproof::lang
