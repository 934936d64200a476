#include "checker/certify/certify.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "checker/certify/script.h"
#include "checker/diff/run_program.h"
#include "checker/smt/fresh.h"

namespace txproof::checker::certify {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_text = 64U << 20U;
constexpr std::array<const char*, 3> parts = {"initial", "step", "property"};

// A folder of our own, gone when we leave.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "txproof-XXXXXX").string();
    if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::string write_text(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  return out ? "" : "cannot write '" + path.string() + "'";
}

// Returns a sentence, or nothing.
std::string read_text(const fs::path& path, std::string& text) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return "cannot read '" + path.string() + "': " + error.message();
  if (size > largest_text) return "'" + path.string() + "' has more than 64 MiB";
  std::ifstream in(path, std::ios::binary);
  text.assign(std::istreambuf_iterator<char>(in), {});
  return in ? "" : "cannot read '" + path.string() + "'";
}

const char* word(smt::Answer answer) {
  switch (answer) {
    case smt::Answer::unsat:
      return "unsat";
    case smt::Answer::sat:
      return "sat";
    case smt::Answer::unknown:
      break;
  }
  return "unknown";
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string ask_cvc5(const std::string& path, double seconds, std::string& problem) {
  constexpr std::size_t most_output = 1U << 16U;
  const auto milliseconds = std::to_string(static_cast<long>(seconds * 1000));
  const diff::ProgramOutput output =
      diff::run_program({"cvc5", "--lang=smt2", "--tlimit=" + milliseconds, path}, most_output);
  std::string said = first_line(output.out);
  if (output.started && output.status == 0 && (said == "unsat" || said == "sat")) return said;
  problem = !output.started ? "cvc5 could not be started"
            : !said.empty() ? said
            : output.error.empty()
                ? "cvc5 said nothing (status " + std::to_string(output.status) + ")"
                : first_line(output.error);
  return "unknown";
}

// What an obligation may consist of: one question, and nothing that could change what it means.
std::string check_form(const std::vector<Command>& commands) {
  static const std::set<std::string> allowed = {"set-logic",   "set-info",   "declare-const",
                                                "declare-fun", "define-fun", "assert",
                                                "check-sat",   "exit"};
  std::size_t questions = 0;
  bool has_logic = false;
  for (const Command& command : commands) {
    if (!allowed.contains(command.name)) return "it has the command '" + command.name + "'";
    if (command.name == "set-logic") has_logic = true;
    if (command.name == "check-sat") ++questions;
    if (questions > 0 && command.name == "assert") return "it asserts after its question";
  }
  if (!has_logic) return "it declares no logic";
  if (questions != 1) return "it has " + std::to_string(questions) + " check-sat, and not one";
  return "";
}

std::string definition(const std::vector<Command>& commands, const std::string& name) {
  const std::string start = "(define-fun " + name + " ";
  for (const Command& command : commands) {
    if (command.text.starts_with(start)) return command.text;
  }
  return "";
}

std::size_t asserted(const std::vector<Command>& commands, const std::string& start) {
  return static_cast<std::size_t>(std::count_if(
      commands.begin(), commands.end(),
      [&](const Command& command) { return command.text.starts_with("(assert " + start + " "); }));
}

// The three texts are those of one invariant, each asserted as its part says.
std::string check_parts(const std::array<std::string, 3>& texts) {
  std::string invariant;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto commands = commands_of(texts[i]);
    const std::string part = std::string("the text of '") + parts[i] + "': ";
    if (!commands) return part + "its brackets do not match";
    const std::string form = check_form(*commands);
    if (!form.empty()) return part + form;
    const std::string here = definition(*commands, "invariant");
    if (here.empty()) return part + "it defines no invariant";
    if (i == 0) invariant = here;
    if (here != invariant) return part + "its invariant is another than that of 'initial'";
    const std::size_t inside = asserted(*commands, "(invariant");
    const std::size_t outside = asserted(*commands, "(not (invariant");
    const bool right = inside == (i == 0 ? 0U : 1U) && outside == (i == 2 ? 0U : 1U);
    if (!right) return part + "it does not ask what '" + parts[i] + "' has to ask";
  }
  return "";
}

Outcome check_text(const std::string& file, const std::string& path, const std::string& text,
                   const Settings& settings, bool ask_second) {
  Outcome outcome;
  outcome.file = file;
  const auto start = std::chrono::steady_clock::now();
  const smt::FreshAnswer fresh = smt::check_fresh(text, settings.seconds);
  outcome.z3 = word(fresh.answer);
  if (fresh.answer != smt::Answer::unsat) {
    outcome.problem = "Z3 answers " + outcome.z3 +
                      (fresh.reason.empty() ? "" : " (" + first_line(fresh.reason) + ")");
  }
  if (ask_second) {
    std::string problem;
    outcome.cvc5 = ask_cvc5(path, settings.seconds, problem);
    if (outcome.cvc5 != "unsat" && outcome.problem.empty()) {
      outcome.problem =
          "cvc5 answers " + outcome.cvc5 + (problem.empty() ? "" : " (" + problem + ")");
    }
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

// Appends what comes of one certificate, whose texts lie in `folder`.
void certify_stem(const fs::path& folder, const std::string& stem, const Settings& settings,
                  Report& report) {
  std::array<std::string, 3> texts;
  for (std::size_t i = 0; i < parts.size() && report.problem.empty(); ++i) {
    report.problem = read_text(folder / (stem + "." + parts[i] + ".smt2"), texts[i]);
  }
  if (report.problem.empty()) {
    const std::string form = check_parts(texts);
    if (!form.empty()) report.problem = stem + ": " + form;
  }
  for (std::size_t i = 0; i < parts.size() && report.problem.empty(); ++i) {
    if (settings.interrupted != nullptr && *settings.interrupted) {
      report.problem = "interrupted";
      return;
    }
    const std::string file = stem + "." + parts[i] + ".smt2";
    report.outcomes.push_back(
        check_text(file, (folder / file).string(), texts[i], settings, report.asked_cvc5));
  }
}

}  // namespace

bool Report::good() const {
  return problem.empty() && !outcomes.empty() &&
         std::all_of(outcomes.begin(), outcomes.end(),
                     [](const Outcome& outcome) { return outcome.problem.empty(); });
}

bool cvc5_is_installed() {
  const diff::ProgramOutput output = diff::run_program({"cvc5", "--version"}, 1U << 16U);
  return output.started && output.status == 0;
}

std::string file_stem(const std::string& property) {
  std::string out;
  for (const char c : property) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    out += plain ? c : '_';
  }
  return out;
}

std::string write_certificate(const std::string& folder, const Certificate& certificate) {
  const std::array<const std::string*, 3> texts = {&certificate.initial, &certificate.step,
                                                   &certificate.goal};
  const std::string stem = file_stem(certificate.property);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::string error = write_text(fs::path(folder) / (stem + "." + parts[i] + ".smt2"), *texts[i]);
    if (!error.empty()) return error;
  }
  return "";
}

Report certify(const Certificate& certificate, const Settings& settings) {
  Report report;
  const TemporaryFolder folder;
  report.problem = folder.path().empty() ? "there is no folder for temporary files"
                                         : write_certificate(folder.path(), certificate);
  if (!report.problem.empty()) return report;
  report.asked_cvc5 = settings.use_cvc5 && cvc5_is_installed();
  certify_stem(folder.path(), file_stem(certificate.property), settings, report);
  return report;
}

Report certify_folder(const std::string& folder, const Settings& settings) {
  Report report;
  std::set<std::string> stems;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    for (const char* part : parts) {
      const std::string ending = std::string(".") + part + ".smt2";
      if (name.size() > ending.size() && name.ends_with(ending)) {
        stems.insert(name.substr(0, name.size() - ending.size()));
      }
    }
  }
  if (error) {
    report.problem = "cannot read the folder '" + folder + "': " + error.message();
  } else if (stems.empty()) {
    report.problem = "there is no certificate in '" + folder + "'";
  }
  report.is_unusable = !report.problem.empty();
  if (report.is_unusable) return report;
  report.asked_cvc5 = settings.use_cvc5 && cvc5_is_installed();
  for (const std::string& stem : stems) certify_stem(folder, stem, settings, report);
  return report;
}

}  // namespace txproof::checker::certify
