// Certificates: the three obligations of a proof by an inductive invariant, as texts that any SMT
// solver can check, and their checking by solvers that had no part in finding the proof.
//
//   PROPERTY.initial.smt2    an initial state outside the invariant           expected: unsat
//   PROPERTY.step.smt2       a step that leads out of the invariant           expected: unsat
//   PROPERTY.property.smt2   a state of the invariant that breaks the property expected: unsat
//
// If all three have no model, no reachable state breaks the property. What is checked here is that,
// and that the three speak of the same invariant; that `initial` and `step` are those of the model
// is for whoever wrote them to say (checker/smt), and nothing that a solver could know.
#pragma once

#include <atomic>
#include <string>
#include <vector>

namespace txproof::checker::certify {

// The texts of a proof.
struct Certificate {
  std::string property;
  std::string initial, step, goal;  // SMT-LIB, self-contained
};

struct Outcome {
  std::string file;  // "no_silent_loss.step.smt2"
  std::string z3;    // unsat, sat or unknown
  std::string cvc5;  // likewise; empty where it was not asked
  double seconds = 0;
  std::string problem;  // empty: checked
};

struct Report {
  std::vector<Outcome> outcomes;
  bool asked_cvc5 = false;
  std::string problem;       // about the whole: a file that is missing, an invariant that differs
  bool is_unusable = false;  // there is no such folder, or no certificate in it
  [[nodiscard]] bool good() const;
};

struct Settings {
  double seconds = 300;                            // for each solver and text
  bool use_cvc5 = true;                            // where it is installed
  const std::atomic<bool>* interrupted = nullptr;  // looked at between the texts
};

// Whether the second solver can be started.
bool cvc5_is_installed();

// Checks the three texts of a proof.
//   ensures: good() only if a fresh Z3 and, where it was asked, cvc5 find each of them unsat
Report certify(const Certificate& certificate, const Settings& settings);

// Every certificate in a folder; files are read, nothing is written there.
//   ensures: good() only if there is at least one and all of them check
Report certify_folder(const std::string& folder, const Settings& settings);

// Writes the texts under their names.
//   returns a sentence if that failed
std::string write_certificate(const std::string& folder, const Certificate& certificate);

// The name of a property as part of a file name.
std::string file_stem(const std::string& property);

}  // namespace txproof::checker::certify
