// What --for-all does for each command: the Program with unknown parameters, its concrete
// instances, and the limits.
#pragma once

#include <chrono>
#include <map>

#include "checker/forall/decide.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "cli/workspace.h"

namespace txproof::cli {

class ForAll {
 public:
  ForAll(const LoadedStack& loaded, const Options& options, const std::atomic<bool>& interrupted);

  [[nodiscard]] const program::Program& program() const { return *loaded_.program; }
  checker::forall::Settings settings();
  [[nodiscard]] checker::forall::Refuter refuter();
  // The concrete Program at values of the unknown parameters; null where an assumption excludes it.
  std::unique_ptr<program::Program> at(const std::vector<program::Word>& values);
  // An instance that could not be made, for another reason than an assumption.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] double seconds() const;

 private:
  [[nodiscard]] double left() const;

  const LoadedStack& loaded_;
  const Options& options_;
  const std::atomic<bool>& interrupted_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string trouble_;
};

// Writes the texts of a proof below options.certificate_folder.
//   returns a sentence if that failed; the names of the files in `written`
std::string write_proof(const Options& options, const checker::forall::Proof& proof,
                        std::vector<std::string>& written);
// Makes the folder. Returns a sentence, or nothing.
std::string prepare_certificate_folder(const Options& options);

// "SOCKETS=1 BUSY=0": those that are known.
std::string known_parameters_text(const program::Program& program);

}  // namespace txproof::cli
