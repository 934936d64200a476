// What the command line says, checked as far as it can be without reading a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/program/program.h"

namespace txproof::cli {

enum class Command {
  check,
  diff,
  bound,
  frontier,
  simulate,
  mutate,
  export_to,
  trace,
  explain,
  fmt,
  certify
};
enum class Format { text, json, jsonl, junit, itf };
enum class Color { automatic, always, never };

struct Options {
  Command command = Command::check;
  std::string stack_file;             // "-": standard input
  std::vector<std::string> operands;  // diff: patches; explain: codes; fmt: files; trace: the file
  std::string trace_action;           // show, replay

  Format format = Format::text;
  std::string output;  // empty: standard output
  Color color = Color::automatic;
  bool full_traces = false;
  std::string traces_folder;  // empty: no trace is written
  bool coverage = false;

  std::vector<std::pair<std::string, program::Word>> set;
  std::vector<std::string> properties;
  std::string stack;
  std::vector<std::string> roots;
  std::vector<std::string> patches;      // check --patch
  std::vector<std::string> bases;        // diff --base
  std::string git;                       // diff --git A..B
  std::string expression;                // bound
  std::string over;                      // frontier --over, as written
  std::vector<std::string> for_all;      // parameters that stay unknown
  bool prove_form = false;               // frontier --for-all
  std::vector<std::string> assumptions;  // --assume, as written
  std::string certificate_folder;        // empty: no certificate is written
  std::optional<program::Interleave> interleave;
  std::optional<program::Memory> memory;
  std::optional<std::uint32_t> store_depth;  // --store-buffer

  // simulate
  std::vector<std::string> expressions;  // --expr
  std::vector<std::string> rates;        // --rate
  std::uint64_t steps = 10'000;
  std::uint64_t runs = 20;
  bool by_function = false;  // --schedule functions
  std::string plot;          // a file, .svg or .csv; empty: none

  std::string engine = "auto";  // by its name in checker/engines
  std::optional<std::uint32_t> max_depth;
  std::optional<double> time_limit;
  std::uint64_t memory_limit = 0;  // bytes
  unsigned jobs = 1;

  std::optional<std::size_t> sample;  // mutate: how many mutants, chosen by `seed`
  std::uint64_t seed = 1;             // of simulate too

  std::string export_to;  // export --to: promela, smtlib or dot

  bool fmt_in_place = false;
  bool fmt_check = false;
};

// What to do after reading the command line.
struct Parsed {
  bool run = false;     // Options are good
  bool failed = false;  // `text` is an error message; otherwise (help, version) it is the result
  std::string text;
};

// `arguments` without the program's name. Never exits, never prints.
Parsed parse_arguments(const std::vector<std::string>& arguments, Options& options);

// "512M", "4G", "1000000": bytes.
std::optional<std::uint64_t> parse_bytes(const std::string& text);

}  // namespace txproof::cli
