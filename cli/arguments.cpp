// The command line, by CLI11, whose exit codes and messages for slips are not ours: a misspelt
// command or option is told with the nearest one.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>

#include "checker/engines/engines.h"
#include "cli/machine.h"
#include "cli/options.h"
#include "model/lang/diagnostic.h"

namespace txproof::cli {

namespace {

const std::vector<std::string> built_commands = {"check",    "diff",   "bound",  "frontier",
                                                 "simulate", "mutate", "export", "trace",
                                                 "explain",  "fmt",    "certify"};
const std::vector<std::string> later_commands = {};
constexpr const char* example =
    "For example:\n"
    "  txproof diff model/stacks/bonding.tx model/patches/skb-orphan-try.patch\n\n"
    "Exit status: 0 all holds (diff: nothing got worse), 1 a violation (diff: a regression), 2 "
    "unusable\ninput, 3 inconclusive, 4 nothing was checked, 70 an internal error.";

// What the options are read into before they are checked.
struct Raw {
  std::string format = "text";
  std::vector<std::string> set;
  std::string engine = "auto";
  std::string interleave;
  std::string memory;
  std::string store_buffer;
  std::string max_depth;
  std::string time_limit;
  std::string memory_limit;
  std::string jobs;
  std::string seed;
  std::string sample;
  std::string steps;
  std::string runs;
  std::string schedule = "threads";
  std::string trace = "changes";
  std::string color = "auto";
  std::string for_all;
  std::vector<std::string> operands;
};

struct Refused {
  std::string message;
};

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::string with_nearest(const std::string& message, const std::string& name,
                         const std::vector<std::string>& candidates) {
  const std::string nearest = lang::nearest_name(name, candidates);
  return nearest.empty() ? message : message + "; did you mean '" + nearest + "'?";
}

// A word out of those that are built; those that are planned are refused with the list.
void choose(const std::string& option, const std::string& value,
            const std::vector<std::string>& built, const std::vector<std::string>& later) {
  if (std::find(built.begin(), built.end(), value) != built.end()) return;
  if (std::find(later.begin(), later.end(), value) != later.end()) {
    throw Refused{option + " " + value + " is not built yet; those that are: " + listed(built)};
  }
  throw Refused{with_nearest(option + " does not know '" + value + "'; it knows: " + listed(built),
                             value, built)};
}

std::uint64_t whole_number(const std::string& option, const std::string& text,
                           std::uint64_t limit) {
  std::uint64_t value = 0;
  bool good = !text.empty() && text.size() <= 19;
  for (const char c : text) {
    good = good && c >= '0' && c <= '9';
    if (good) value = value * 10 + static_cast<std::uint64_t>(c - '0');
  }
  if (!good || value > limit) {
    throw Refused{option + " expects a whole number of at most " + std::to_string(limit) +
                  ", not '" + text + "'"};
  }
  return value;
}

double seconds(const std::string& text) {
  std::size_t used = 0;
  double value = -1;
  try {
    value = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  if (used == 0 || used != text.size() || !std::isfinite(value) || value < 0) {
    throw Refused{"--time-limit expects seconds, such as 60 or 0.5, not '" + text + "'"};
  }
  return value;
}

std::pair<std::string, program::Word> assignment(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string usage = "--set expects NAME=VALUE with an integer, not '" + text + "'";
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) throw Refused{usage};
  const std::string value = text.substr(equals + 1);
  if (value == "true" || value == "false") return {text.substr(0, equals), value == "true"};
  try {
    std::size_t used = 0;
    const bool hex = value.find('x') != std::string::npos;
    const program::Word number = std::stoll(value, &used, hex ? 16 : 10);
    if (used == value.size() && std::isspace(static_cast<unsigned char>(value[0])) == 0) {
      return {text.substr(0, equals), number};
    }
  } catch (const std::exception&) {
    throw Refused{usage};
  }
  throw Refused{usage};
}

std::vector<std::string> engine_names() {
  std::vector<std::string> names;
  for (const checker::Engine& engine : checker::engines()) names.emplace_back(engine.name);
  return names;
}

void add_output_options(CLI::App& app, Options& options, Raw& raw) {
  const char* group = "Output";
  app.add_option("--format", raw.format,
                 "text, json, jsonl, junit or itf, which has a document a line for each trace "
                 "(default text)")
      ->group(group)
      ->option_text("FORMAT");
  app.add_option("-o,--output", options.output, "write the result there, not to standard output")
      ->group(group)
      ->option_text("FILE");
  app.add_option("--color", raw.color, "auto, always or never (NO_COLOR is obeyed)")
      ->group(group)
      ->option_text("WHEN");
  app.add_option("--trace", raw.trace, "changes: what moved in each step; full: everything")
      ->group(group)
      ->option_text("changes|full");
}

void add_model_options(CLI::App& app, Options& options, Raw& raw) {
  const char* group = "The model";
  app.add_option("--set", raw.set, "fix a parameter of the stack (may be repeated)")
      ->group(group)
      ->allow_extra_args(false)
      ->option_text("NAME=VALUE");
  app.add_option("--stack", options.stack, "which stack, where the file has several")
      ->group(group)
      ->option_text("NAME");
  app.add_option("--property", options.properties, "check only this one (may be repeated)")
      ->group(group)
      ->allow_extra_args(false)
      ->option_text("NAME");
  app.add_option("--root", options.roots,
                 "where imports and patched files are looked up, after the stack's own folder and "
                 "before the library shipped (may be repeated)")
      ->group(group)
      ->allow_extra_args(false)
      ->option_text("DIR");
  app.add_option("--assume", options.assumptions,
                 "what else holds of the parameters, as if the stack said it (may be repeated)")
      ->group(group)
      ->allow_extra_args(false)
      ->option_text("EXPR");
  app.add_option("--interleave", raw.interleave,
                 "coarse: a step runs to the next stop point; fine: to the next access to shared "
                 "state (default: as the stack says)")
      ->group(group)
      ->option_text("coarse|fine");
  app.add_option(
         "--memory", raw.memory,
         "sc: a store is seen at once; tso: it waits in a buffer, as on x86; weak: what the "
         "kernel's memory model allows (default: as the stack says, otherwise sc)")
      ->group(group)
      ->option_text("sc|tso|weak");
  app.add_option("--store-buffer", raw.store_buffer,
                 "how many stores may wait, 1 to 8: tso, in the buffer of a thread; weak, of a "
                 "variable (default: as the stack says, otherwise 3)")
      ->group(group)
      ->option_text("N");
}

void add_search_options(CLI::App& app, Options& options, Raw& raw) {
  const char* group = "The search";
  std::string engines = "who decides (default auto):";
  for (const checker::Engine& engine : checker::engines()) {
    engines += std::string("\n") + engine.name + ": " + engine.decides;
  }
  app.add_option("--engine", raw.engine, engines)->group(group)->option_text("ENGINE");
  app.add_option("--max-depth", raw.max_depth, "look at so many steps at most")
      ->group(group)
      ->option_text("N");
  app.add_option("--seed", raw.seed,
                 "for what is chosen at random (mutate --sample); the search chooses nothing")
      ->group(group)
      ->option_text("N");
  app.add_flag("--coverage", options.coverage, "list the statements that no run reaches")
      ->group(group);
}

void add_limit_options(CLI::App& app, Options& options, Raw& raw) {
  const char* group = "The search";
  app.add_option("--time-limit", raw.time_limit,
                 "stop after so long, with what is known (decimal; 0 before the first step)")
      ->group(group)
      ->option_text("SECONDS");
  app.add_option("--memory-limit", raw.memory_limit,
                 "512M, 4G, ... (default three quarters of what is free)")
      ->group(group)
      ->option_text("SIZE");
  app.add_option("--jobs", raw.jobs, "threads (default: one for each core); no answer changes")
      ->group(group)
      ->option_text("N");
  app.add_option("--traces", options.traces_folder,
                 "write a file for each trace there (txproof trace replay FILE runs one again)")
      ->group("Output")
      ->option_text("DIR");
}

void add_simulate_options(CLI::App& app, Options& options, Raw& raw) {
  const char* group = "The samples";
  app.add_option("--seed", raw.seed, "of the random numbers (default 1); the same gives the same")
      ->group(group)
      ->option_text("N");
  app.add_option("--steps", raw.steps, "of each run (default 10000)")
      ->group(group)
      ->option_text("N");
  app.add_option("--runs", raw.runs, "independent ones (default 20)")
      ->group(group)
      ->option_text("N");
  app.add_option("--schedule", raw.schedule,
                 "threads: all that can step, and time, are equally likely; functions: first a "
                 "function, then one of its threads (default threads)")
      ->group(group)
      ->option_text("threads|functions");
  app.add_option("--expr", options.expressions,
                 "sample this after every step: mean, quantiles, extremes (may be repeated)")
      ->group(group)
      ->allow_extra_args(false)
      ->option_text("EXPR");
  app.add_option("--rate", options.rates,
                 "A / B of two counters, or of a counter and ticks (may be repeated)")
      ->group(group)
      ->allow_extra_args(false)
      ->option_text("A/B");
  app.add_option("--plot", options.plot, "the expressions over the steps, as .svg or .csv")
      ->group("Output")
      ->option_text("FILE");
}

void add_for_all_options(CLI::App& app, Options& options, Raw& raw) {
  app.add_option("--for-all", raw.for_all,
                 "leave parameters unknown, and prove or refute for all their values")
      ->group("The model")
      ->option_text("W,L,R");
  app.add_option("--certificate", options.certificate_folder,
                 "write the obligations of each proof there (txproof certify DIR checks them)")
      ->group("Output")
      ->option_text("DIR");
}

// The names in "W,L,R".
std::vector<std::string> names_in(const std::string& option, const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    std::string name = text.substr(at, comma - at);
    if (name.empty()) throw Refused{option + " expects names such as W,L,R, not '" + text + "'"};
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw Refused{option + " names '" + name + "' twice"};
    }
    names.push_back(std::move(name));
    at = comma + 1;
  }
  return names;
}

// Turns what was read into what is meant.
void interpret(const Raw& raw, Options& options) {
  choose("--format", raw.format, {"text", "json", "jsonl", "junit", "itf"},
         {"sarif", "ktap", "github", "nipa"});
  const std::vector<std::string> formats = {"text", "json", "jsonl", "junit", "itf"};
  options.format =
      static_cast<Format>(std::find(formats.begin(), formats.end(), raw.format) - formats.begin());
  choose("--color", raw.color, {"auto", "always", "never"}, {});
  options.color = raw.color == "always"  ? Color::always
                  : raw.color == "never" ? Color::never
                                         : Color::automatic;
  choose("--trace", raw.trace, {"changes", "full"}, {});
  options.full_traces = raw.trace == "full";
  choose("--engine", raw.engine, engine_names(), {});
  options.engine = raw.engine;
  if (!raw.interleave.empty()) {
    choose("--interleave", raw.interleave, {"coarse", "fine"}, {});
    options.interleave =
        raw.interleave == "fine" ? program::Interleave::fine : program::Interleave::coarse;
  }
  if (!raw.memory.empty()) {
    choose("--memory", raw.memory, {"sc", "tso", "weak"}, {});
    options.memory = raw.memory == "tso"    ? program::Memory::tso
                     : raw.memory == "weak" ? program::Memory::weak
                                            : program::Memory::sc;
  }
  if (!raw.store_buffer.empty()) {
    options.store_depth =
        static_cast<std::uint32_t>(whole_number("--store-buffer", raw.store_buffer, 8));
    if (options.store_depth == 0U) throw Refused{"--store-buffer expects at least 1"};
  }
  for (const std::string& text : raw.set) options.set.push_back(assignment(text));
  if (!raw.for_all.empty()) options.for_all = names_in("--for-all", raw.for_all);
  for (const auto& [name, value] : options.set) {
    if (std::find(options.for_all.begin(), options.for_all.end(), name) != options.for_all.end()) {
      throw Refused{"--set fixes '" + name + "', which --for-all leaves unknown"};
    }
  }
  if (!options.certificate_folder.empty() && options.for_all.empty() && !options.prove_form) {
    throw Refused{"--certificate writes the proofs of --for-all, which is not given"};
  }
  if (!raw.max_depth.empty()) {
    options.max_depth = static_cast<std::uint32_t>(
        whole_number("--max-depth", raw.max_depth, std::numeric_limits<std::uint32_t>::max() - 1));
  }
  if (!raw.time_limit.empty()) options.time_limit = seconds(raw.time_limit);
  if (!raw.memory_limit.empty()) {
    const auto bytes = parse_bytes(raw.memory_limit);
    if (!bytes || *bytes == 0) {
      throw Refused{"--memory-limit expects a size such as 512M or 4G, not '" + raw.memory_limit +
                    "'"};
    }
    options.memory_limit = *bytes;
  } else {
    options.memory_limit = default_memory_limit();
  }
  options.jobs = default_jobs();
  if (!raw.jobs.empty()) {
    options.jobs = static_cast<unsigned>(whole_number("--jobs", raw.jobs, 1024));
    if (options.jobs == 0) throw Refused{"--jobs expects at least 1"};
  }
  if (!raw.seed.empty()) {
    options.seed = whole_number("--seed", raw.seed, std::numeric_limits<std::int64_t>::max());
  }
  if (!raw.sample.empty()) {
    options.sample = whole_number("--sample", raw.sample, 1'000'000);
    if (*options.sample == 0) throw Refused{"--sample expects at least 1"};
  }
  constexpr std::uint64_t most_steps = 1'000'000'000;
  constexpr std::uint64_t most_runs = 1'000'000;
  if (!raw.steps.empty()) options.steps = whole_number("--steps", raw.steps, most_steps);
  if (!raw.runs.empty()) options.runs = whole_number("--runs", raw.runs, most_runs);
  if (options.steps == 0) throw Refused{"--steps expects at least 1"};
  if (options.runs == 0) throw Refused{"--runs expects at least 1"};
  choose("--schedule", raw.schedule, {"threads", "functions"}, {});
  options.by_function = raw.schedule == "functions";
}

// A command or action that does not exist.
void refuse_unknown(const std::string& what, const std::string& word,
                    const std::vector<std::string>& built, const std::vector<std::string>& later) {
  if (std::find(built.begin(), built.end(), word) != built.end()) return;
  if (std::find(later.begin(), later.end(), word) != later.end()) {
    throw Refused{"'" + word + "' is not built yet; those that are: " + listed(built)};
  }
  throw Refused{with_nearest("there is no " + what + " '" + word + "'; there are: " + listed(built),
                             word, built)};
}

void refuse_leftovers(const CLI::App& command) {
  for (const std::string& word : command.remaining()) {
    if (word.size() < 2 || word[0] != '-') {
      throw Refused{"'" + word + "' is one operand too many for " + command.get_name()};
    }
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& long_name : option->get_lnames()) known.push_back("--" + long_name);
    }
    throw Refused{with_nearest(command.get_name() + " has no option '" + name + "'", name, known)};
  }
}

struct Commands {
  CLI::App app{
      "Proves that a network transmit path keeps its backpressure, or refutes it with the "
      "shortest trace.",
      "txproof"};
  CLI::App* check = nullptr;
  CLI::App* diff = nullptr;
  CLI::App* bound = nullptr;
  CLI::App* frontier = nullptr;
  CLI::App* mutate = nullptr;
  CLI::App* simulate = nullptr;
  CLI::App* export_to = nullptr;
  CLI::App* trace = nullptr;
  CLI::App* explain = nullptr;
  CLI::App* fmt = nullptr;
  CLI::App* certify = nullptr;
};

void set_up(Commands& commands, Options& options, Raw& raw) {
  CLI::App& app = commands.app;
  app.set_version_flag("--version", std::string("txproof ") + TXPROOF_VERSION);
  app.footer(example);
  app.require_subcommand(0, 1);

  commands.check = app.add_subcommand("check", "Check every property of a stack");
  commands.check->add_option("STACK", options.stack_file, "a .tx file, a folder of such, or -")
      ->required();
  commands.check
      ->add_option("--patch", options.patches,
                   "apply a patch to the model first (may be repeated, in order)")
      ->group("The model")
      ->allow_extra_args(false)
      ->option_text("PATCH");

  add_for_all_options(*commands.check, options, raw);

  commands.diff = app.add_subcommand("diff", "Compare a stack before and after patches");
  commands.diff->add_option("STACK", options.stack_file, "a .tx file, or -")->required();
  commands.diff->add_option("PATCH", options.operands, "unified diffs of the model, in order");
  commands.diff
      ->add_option("--base", options.bases, "a patch that both sides have (may be repeated)")
      ->group("The model")
      ->allow_extra_args(false)
      ->option_text("PATCH");
  commands.diff->add_option("--git", options.git, "compare two revisions of the model files")
      ->group("The model")
      ->option_text("A..B");

  commands.bound =
      app.add_subcommand("bound", "The tight maximum of an expression, and what reaches it");
  commands.bound->add_option("STACK", options.stack_file, "a .tx file, or -")->required();
  commands.bound
      ->add_option("EXPR", options.expression,
                   "an expression of the language; it may name what the stack declares")
      ->required();

  add_for_all_options(*commands.bound, options, raw);

  commands.frontier = app.add_subcommand(
      "frontier", "Sweep parameters: where a property starts to fail, as a formula if one fits");
  commands.frontier->add_option("STACK", options.stack_file, "a .tx file, or -")->required();
  commands.frontier
      ->add_option(
          "--over", options.over,
          "parameters and their values: W=1..6,L=1..8 (a name alone: the first four of its "
          "domain)")
      ->group("The model")
      ->required()
      ->option_text("PARAMS");
  commands.simulate = app.add_subcommand(
      "simulate", "Random runs, for sizes that no search reaches: sampling, which proves nothing");
  commands.simulate->add_option("STACK", options.stack_file, "a .tx file, or -")->required();

  commands.mutate = app.add_subcommand(
      "mutate", "Plant small faults in the code that a stack runs: which does no property notice?");
  commands.mutate->add_option("STACK", options.stack_file, "a .tx file")->required();
  commands.mutate
      ->add_option("--sample", raw.sample,
                   "only so many mutants, chosen by --seed (default: all; --time-limit is for each "
                   "of them, 5 s and 20 times the stack's own at least)")
      ->group("The search")
      ->option_text("N");
  commands.frontier
      ->add_flag("--for-all", options.prove_form,
                 "where a formula fits, prove it for all values of these parameters")
      ->group("The model");
  commands.frontier
      ->add_option("--certificate", options.certificate_folder,
                   "write the obligations of the proof there (txproof certify DIR checks them)")
      ->group("Output")
      ->option_text("DIR");
  for (CLI::App* command :
       {commands.bound, commands.frontier, commands.simulate, commands.mutate}) {
    command
        ->add_option("--patch", options.patches,
                     "apply a patch to the model first (may be repeated, in order)")
        ->group("The model")
        ->allow_extra_args(false)
        ->option_text("PATCH");
  }

  commands.export_to = app.add_subcommand("export", "Write a stack in another tool's language");
  commands.export_to->add_option("STACK", options.stack_file, "a .tx file, or -")->required();
  commands.export_to
      ->add_option("--to", options.export_to,
                   "promela: for spin; smtlib: init, trans and properties; dot: the threads, drawn")
      ->required()
      ->option_text("LANGUAGE");
  commands.export_to
      ->add_option("-o,--output", options.output, "write the result there, not to standard output")
      ->option_text("FILE");
  commands.export_to
      ->add_option("--patch", options.patches,
                   "apply a patch to the model first (may be repeated, in order)")
      ->group("The model")
      ->allow_extra_args(false)
      ->option_text("PATCH");
  add_model_options(*commands.export_to, options, raw);

  commands.trace = app.add_subcommand("trace", "Show or re-run a trace that was written");
  commands.trace->add_option("ACTION", options.trace_action, "show or replay")->required();
  commands.trace->add_option("FILE", options.operands, "a trace or a report in JSON, or -")
      ->required();
  commands.trace
      ->add_option("--root", options.roots, "where imports are looked up (may be repeated)")
      ->allow_extra_args(false)
      ->option_text("DIR");

  commands.explain = app.add_subcommand("explain", "Explain a code such as TX0103");
  commands.explain->add_option("CODE", options.operands, "without one: the list");

  commands.fmt = app.add_subcommand("fmt", "Write a model in the one style");
  commands.fmt->add_option("FILE", options.operands, "a .tx file, or -")->required();
  commands.fmt->add_flag("-i,--in-place", options.fmt_in_place, "change the file itself");
  commands.fmt->add_flag("--check", options.fmt_check, "exit 1 if it is not in that style");

  commands.certify = app.add_subcommand(
      "certify", "Check the certificates of proofs again, in a fresh Z3 and in cvc5");
  commands.certify->add_option("DIR", options.operands, "a folder that --certificate wrote")
      ->required();
  commands.certify
      ->add_option("--time-limit", raw.time_limit,
                   "for each solver and text (decimal; default 300)")
      ->option_text("SECONDS");

  for (CLI::App* command :
       {commands.check, commands.diff, commands.bound, commands.frontier, commands.mutate}) {
    add_model_options(*command, options, raw);
    add_search_options(*command, options, raw);
    add_limit_options(*command, options, raw);
  }
  add_model_options(*commands.simulate, options, raw);
  add_simulate_options(*commands.simulate, options, raw);
  add_limit_options(*commands.simulate, options, raw);
  for (CLI::App* command : {commands.check, commands.diff, commands.bound, commands.frontier,
                            commands.simulate, commands.mutate, commands.trace, commands.certify}) {
    add_output_options(*command, options, raw);
  }
  for (CLI::App* command : {commands.check, commands.diff, commands.bound, commands.frontier,
                            commands.simulate, commands.mutate, commands.export_to, commands.trace,
                            commands.explain, commands.fmt, commands.certify}) {
    command->allow_extras();
  }
  const std::pair<CLI::App*, const char*> examples[] = {
      {commands.check, "check model/stacks/bonding.tx --property no_silent_loss"},
      {commands.diff, "diff model/stacks/bonding.tx model/patches/skb-orphan-try.patch"},
      {commands.bound, "bound model/stacks/bonding.tx qdisc0.qlen"},
      {commands.frontier, "frontier model/stacks/bonding.tx --over W,L --property no_silent_loss"},
      {commands.mutate, "mutate model/stacks/bonding.tx --sample 50"},
      {commands.simulate, "simulate model/stacks/bonding.tx --set SOCKETS=50 --expr qdisc0.qlen"},
      {commands.export_to, "export model/stacks/bonding.tx --to promela -o bonding.pml"},
      {commands.trace, "trace replay traces/no_silent_loss.json"},
      {commands.explain, "explain TX0103"},
      {commands.fmt, "fmt --check model/stacks/bonding.tx"},
      {commands.certify, "certify proofs"},
  };
  for (const auto& [command, line] : examples) {
    command->footer(std::string("For example:\n  txproof ") + line);
  }
}

void parse(const std::vector<std::string>& arguments, Commands& commands, Options& options,
           const Raw& raw) {
  if (!arguments.empty() && !arguments[0].empty() && arguments[0][0] != '-') {
    refuse_unknown("command", arguments[0], built_commands, later_commands);
  }
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    commands.app.parse(std::move(reversed));
  } catch (const CLI::RequiredError&) {
    // What is missing may be there under a misspelt name.
    for (const CLI::App* chosen : commands.app.get_subcommands()) refuse_leftovers(*chosen);
    throw;
  }
  if (commands.app.get_subcommands().empty()) {
    throw Refused{"a command is needed; there are: " + listed(built_commands) +
                  " (txproof --help says more)"};
  }
  const CLI::App* chosen = commands.app.get_subcommands()[0];
  refuse_leftovers(*chosen);
  options.command = static_cast<Command>(
      std::find(built_commands.begin(), built_commands.end(), chosen->get_name()) -
      built_commands.begin());
  interpret(raw, options);
  if (options.command == Command::export_to) {
    choose("--to", options.export_to, {"promela", "smtlib", "dot"}, {});
  }
  if (options.command == Command::trace) {
    refuse_unknown("trace action", options.trace_action, {"show", "replay"},
                   {"minimise", "conform"});
  }
  const bool one_answer =
      options.command == Command::bound || options.command == Command::frontier ||
      options.command == Command::mutate || options.command == Command::simulate ||
      options.command == Command::certify;
  const bool plain = options.format == Format::text || options.format == Format::json;
  if (one_answer && !plain &&
      !(options.command == Command::bound && options.format == Format::itf)) {
    throw Refused{chosen->get_name() + " writes text and json" +
                  (options.command == Command::bound ? ", and itf" : "")};
  }
  if (!options.for_all.empty() && !plain) {
    throw Refused{chosen->get_name() + " with --for-all writes text and json"};
  }
  if (options.command == Command::bound &&
      options.expression.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Refused{"bound needs an expression, and EXPR is empty"};
  }
  if (options.command == Command::bound && !options.properties.empty()) {
    throw Refused{"bound asks about an expression, and --property has no place there"};
  }
  if (options.command == Command::mutate && options.stack_file == "-") {
    throw Refused{"mutate reads the model many times: it needs a file, not standard input"};
  }
  const auto ends_with = [](const std::string& text, const std::string& end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
  };
  if (!options.plot.empty() && !ends_with(options.plot, ".svg") &&
      !ends_with(options.plot, ".csv")) {
    throw Refused{"--plot expects a file named .svg or .csv, not '" + options.plot + "'"};
  }
  if (!options.plot.empty() && options.expressions.empty()) {
    throw Refused{"--plot draws expressions, and there is no --expr"};
  }
  if (options.command == Command::frontier && options.properties.size() != 1) {
    throw Refused{"frontier needs one property: --property NAME"};
  }
  if (options.command == Command::diff) {
    if (options.git.empty() && options.operands.empty()) {
      throw Refused{"diff needs something to compare: a PATCH, or --git A..B"};
    }
    if (!options.git.empty() && (!options.operands.empty() || !options.bases.empty())) {
      throw Refused{"diff takes patches or --git, not both"};
    }
  }
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(const std::string& text) {
  std::uint64_t value = 0;
  std::size_t i = 0;
  for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    if (value > (std::uint64_t{1} << 50U)) return std::nullopt;
    value = value * 10 + static_cast<std::uint64_t>(text[i] - '0');
  }
  if (i == 0) return std::nullopt;
  std::string unit = text.substr(i);
  if (unit.size() > 1 && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
  unsigned shift = 0;
  if (unit == "K" || unit == "k" || unit == "Ki") shift = 10;
  if (unit == "M" || unit == "m" || unit == "Mi") shift = 20;
  if (unit == "G" || unit == "g" || unit == "Gi") shift = 30;
  if (unit == "T" || unit == "t" || unit == "Ti") shift = 40;
  if (shift == 0 && !unit.empty()) return std::nullopt;
  if (value > (std::numeric_limits<std::uint64_t>::max() >> (shift + 1U))) return std::nullopt;
  return value << shift;
}

Parsed parse_arguments(const std::vector<std::string>& arguments, Options& options) {
  Commands commands;
  Raw raw;
  set_up(commands, options, raw);
  if (arguments.empty()) return {false, true, commands.app.help()};
  try {
    parse(arguments, commands, options, raw);
    return {true, false, ""};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = commands.app.get_subcommands();
    return {false, false, chosen.empty() ? commands.app.help() : chosen[0]->help()};
  } catch (const CLI::CallForAllHelp&) {
    return {false, false, commands.app.help()};
  } catch (const CLI::CallForVersion& version) {
    return {false, false, std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    return {false, true, std::string("txproof: ") + error.what() + "\n"};
  } catch (const Refused& refused) {
    return {false, true, "txproof: " + refused.message + "\n"};
  }
}

}  // namespace txproof::cli
