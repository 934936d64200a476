#include "cli/for_all.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "cli/output.h"
#include "cli/report.h"
#include "cli/run.h"

namespace txproof::cli {

namespace fs = std::filesystem;

using program::Word;

ForAll::ForAll(const LoadedStack& loaded, const Options& options,
               const std::atomic<bool>& interrupted)
    : loaded_(loaded), options_(options), interrupted_(interrupted) {}

double ForAll::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double ForAll::left() const {
  return options_.time_limit ? *options_.time_limit - seconds()
                             : std::numeric_limits<double>::infinity();
}

checker::forall::Settings ForAll::settings() {
  checker::forall::Settings out;
  out.stop = [this] { return interrupted_ || left() <= 0; };
  if (options_.time_limit) out.left = [this] { return left(); };
  out.memory_limit = options_.memory_limit;
  return out;
}

std::unique_ptr<program::Program> ForAll::at(const std::vector<Word>& values) {
  program::ElaborateOptions elaborate;
  elaborate.interleave = options_.interleave;
  elaborate.memory = options_.memory;
  elaborate.only_properties = options_.properties;
  if (!loaded_.question.empty()) elaborate.only_properties = {loaded_.question};
  for (const auto& [name, value] : options_.set) elaborate.set[name] = value;
  std::size_t next = 0;
  for (const program::Parameter& parameter : program().parameters) {
    if (parameter.slot != program::no_id) elaborate.set[parameter.name] = values[next++];
  }
  lang::Diagnostics found;
  auto made = program::elaborate(*loaded_.model, *loaded_.stack, elaborate, found);
  if (made == nullptr && found.all()[0].code != "TX0429" && trouble_.empty()) {
    trouble_ = found.all()[0].message;
  }
  return made;
}

checker::forall::Refuter ForAll::refuter() {
  return {[this](const std::vector<Word>& values) { return at(values); },
          [this](const program::Program& program, const std::vector<program::PropertyId>& decide) {
            Options options = options_;
            if (options.time_limit) options.time_limit = std::max(0.0, left());
            RunSettings settings;
            settings.what = loaded_.stack->name + " " + parameters_text(program);
            settings.decide = decide;
            return explore(program, options, settings, interrupted_);
          }};
}

std::string prepare_certificate_folder(const Options& options) {
  const std::string& folder = options.certificate_folder;
  if (folder.empty()) return "";
  std::error_code error;
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder)) {
    return "cannot make the folder '" + folder + "': " + error.message();
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return "the folder '" + folder + "' cannot be written";
  }
  return "";
}

std::string write_proof(const Options& options, const checker::forall::Proof& proof,
                        std::vector<std::string>& written) {
  if (options.certificate_folder.empty()) return "";
  const fs::path folder = options.certificate_folder;
  std::string error = checker::certify::write_certificate(folder.string(), proof.certificate);
  const std::string stem = checker::certify::file_stem(proof.certificate.property);
  for (const char* part : {"initial", "step", "property"}) {
    written.push_back((folder / (stem + "." + part + ".smt2")).string());
  }
  written.push_back((folder / (stem + ".horn.smt2")).string());
  if (error.empty()) error = write_file(written.back(), proof.horn);
  written.push_back((folder / (stem + ".invariant.txt")).string());
  if (error.empty()) error = write_file(written.back(), proof.invariant);
  return error;
}

std::string known_parameters_text(const program::Program& program) {
  std::string out;
  for (const program::Parameter& parameter : program.parameters) {
    if (parameter.slot != program::no_id) continue;
    out += (out.empty() ? "" : " ") + parameter.name + "=" + std::to_string(parameter.value);
  }
  return out;
}

}  // namespace txproof::cli
