// The report for people: the table of verdicts first, then the traces, then what was not checked.
#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"
#include "cli/report.h"
#include "counterexamples/render_text.h"
#include "properties/memory_bounds.h"

namespace txproof::cli {

using properties::Result;
using properties::Verdict;

namespace {

struct Paint {
  bool on = false;
  [[nodiscard]] std::string with(const char* code, const std::string& text) const {
    return on ? std::string("\x1b[") + code + "m" + text + "\x1b[0m" : text;
  }
};

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string verdict_cell(const Paint& paint, Verdict verdict, std::size_t width) {
  const char* code = verdict == Verdict::holds      ? "32"
                     : verdict == Verdict::violated ? "1;31"
                                                    : "33";
  return paint.with(code, padded(properties::to_string(verdict), width));
}

// What stands beside a verdict.
std::string remark(const StackReport& report, std::size_t index) {
  const Result& result = report.exploration.results[index];
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (result.verdict == Verdict::violated && report.traces[index]) {
    const std::size_t steps = report.traces[index]->steps.size();
    const std::optional<std::size_t>& loop = report.traces[index]->loop;
    const std::size_t before = loop.value_or(steps);
    add(report.traces[index]->kind + " after " + std::to_string(before) +
        (before == 1 ? " step" : " steps") +
        (before < steps ? ", then a cycle of " + std::to_string(steps - before) : ""));
  }
  if (result.verdict == Verdict::inconclusive) add(result.reason);
  if (result.vacuous) add("vacuous: " + *result.vacuous);
  if (result.value) {
    add((result.value_is_exact ? "maximum " : "at least ") + std::to_string(*result.value));
  }
  if (result.value_text) {
    add((result.value_is_exact ? "worst ratio " : "worst ratio seen ") + *result.value_text);
  }
  return text;
}

const program::Property& property_of(const StackReport& report, std::size_t result) {
  return report.loaded.program->properties[report.exploration.results[result].property];
}

// ", memory tso with store buffers of 3": nothing for sc.
std::string memory_text(const program::Program& program) {
  if (program.memory == program::Memory::sc) return "";
  return program.memory == program::Memory::tso
             ? fmt::format(", memory tso, store buffers of {}", program.store_depth)
             : fmt::format(", memory weak, {} stores of a variable waiting at most",
                           program.store_depth);
}

std::string size_line(const StackReport& report) {
  const properties::Exploration& e = report.exploration;
  return fmt::format(
      "{}: {} states, {} transitions, depth {}, {:.1f} s, {} steps{}{}", e.engine, e.states,
      e.transitions, e.depth, e.seconds,
      report.loaded.program->interleave == program::Interleave::fine ? "fine" : "coarse",
      memory_text(*report.loaded.program), e.complete ? ", every reachable state" : "");
}

std::string stack_title(const StackReport& report, const Paint& paint) {
  std::string title = paint.with("1", report.loaded.stack->name) + " (" + report.loaded.origin.file;
  const std::string parameters = parameters_text(*report.loaded.program);
  return title + ")" + (parameters.empty() ? "" : "  " + parameters);
}

std::string table(const StackReport& report, const Paint& paint) {
  std::size_t width = 0;
  for (const std::size_t i : report.shown) {
    width = std::max(width, property_of(report, i).instance.size());
  }
  std::string out;
  for (const std::size_t i : report.shown) {
    const std::string note = remark(report, i);
    const std::string& name = property_of(report, i).instance;
    out += "  " + verdict_cell(paint, report.exploration.results[i].verdict, 12) + "  " +
           (note.empty() ? name : padded(name, width) + "  " + note) + "\n";
  }
  return out;
}

// The traces of one stack that have been shown.
using Shown = std::vector<std::pair<const StackReport*, std::size_t>>;

// The property whose trace has the same steps, among those shown.
std::string same_steps(const Shown& shown, const StackReport& report, std::size_t result) {
  const counterexamples::Trace& trace = *report.traces[result];
  for (const auto& [other, index] : shown) {
    if (other != &report) continue;
    const counterexamples::Trace& known = *other->traces[index];
    const bool same =
        std::equal(trace.steps.begin(), trace.steps.end(), known.steps.begin(), known.steps.end(),
                   [](const auto& a, const auto& b) { return a.move == b.move; });
    if (same && trace.loop == known.loop) return property_of(report, index).instance;
  }
  return "";
}

std::string trace_part(const StackReport& report, std::size_t result, Shown& shown,
                       const lang::SourceSet& sources, const Options& options,
                       const std::string& written, const std::string& title) {
  counterexamples::TextOptions text;
  text.full = options.full_traces;
  text.color = use_color(options);
  text.same_as = same_steps(shown, report, result);
  shown.emplace_back(&report, result);
  std::string out =
      "\n" + title +
      counterexamples::render_text(*report.traces[result], *report.loaded.program, sources, text);
  if (!written.empty()) out += "  replay: txproof trace replay " + written + "\n";
  return out;
}

// What a reader could take for checked and was not.
std::string unchecked(const StackReport& report, const lang::SourceSet& sources,
                      const Options& options) {
  std::vector<std::string> lines;
  if (report.only_builtins && !report.asked_by_name) {
    lines.push_back("stack '" + report.loaded.stack->name +
                    "' checks no property: only the built-in ones were looked at");
  }
  if (report.exploration.stopped_by_fault) {
    lines.emplace_back(
        "some runs end in a violation of a built-in property; nothing is known beyond it");
  }
  for (const properties::Drained& drained :
       properties::drained_by_containers(*report.loaded.program, report.exploration)) {
    lines.push_back(counterexamples::place_text(sources, drained.where) + ": " + drained.text +
                    ", so what could happen before that was not looked at");
  }
  for (const diff::Unusable& unusable : report.loaded.unusable) {
    lines.push_back("'" + unusable.property + "' cannot be evaluated: " + unusable.reason);
  }
  std::string out;
  for (const std::string& line : lines) out += "  not checked: " + line + "\n";
  if (options.coverage) {
    const std::vector<Unreached> rows = unreached_lines(report, sources);
    out += rows.empty() ? "  coverage: every statement was reached\n"
                        : "  coverage: " + std::to_string(rows.size()) +
                              (rows.size() == 1 ? " line was" : " lines were") + " never reached\n";
    for (const Unreached& row : rows) {
      out += "    " + row.file + ":" + std::to_string(row.line) + ": " + row.text + "\n";
    }
  }
  return out;
}

std::string sites_text(const char* title, const std::vector<diff::Site>& sites, bool drops) {
  std::string out;
  for (const diff::Site& site : sites) {
    out += std::string("  ") + title + "  ";
    if (drops) {
      out += site.function + (site.where.empty() ? "" : ", called by " + site.where) +
             (site.text.empty() ? "" : ":  " + site.text);
    } else {
      out += site.function + " returns " + site.text;
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string parameters_text(const program::Program& program) {
  std::string text;
  for (const program::Parameter& parameter : program.parameters) {
    text += (text.empty() ? "" : " ") + parameter.name + "=" + std::to_string(parameter.value);
  }
  return text;
}

std::string check_text(const CheckReport& report, const lang::SourceSet& sources,
                       const Options& options) {
  const Paint paint{use_color(options)};
  std::string out;
  for (const StackReport& stack : report.stacks) {
    out += stack_title(stack, paint) + "\n" + table(stack, paint) + "  " + size_line(stack) + "\n" +
           unchecked(stack, sources, options);
    if (report.is_list) out += "\n";
  }
  for (const FailedFile& failed : report.failed) {
    out += paint.with("1;31", "unusable") + "  " + failed.file + ": " + failed.message + "\n";
  }
  if (report.is_list && report.stacks.empty() && report.failed.empty()) {
    out += "no stack was found: nothing was checked\n";
  }
  Shown shown;
  for (std::size_t s = 0; s < report.stacks.size(); ++s) {
    for (const std::size_t i : report.stacks[s].shown) {
      if (report.stacks[s].traces[i]) {
        out += trace_part(report.stacks[s], i, shown, sources, options, report.trace_files[s][i],
                          report.is_list ? stack_title(report.stacks[s], paint) + "\n" : "");
      }
    }
  }
  return out;
}

std::vector<Witness> witnesses(const DiffReport& report) {
  std::vector<Witness> out;
  for (const diff::PropertyChange& change : report.comparison.changes) {
    if (change.is_worse && change.patched && report.patched.traces[*change.patched]) {
      out.push_back({&report.patched, *change.patched, false});
    }
    if (change.change == diff::Change::fixed && change.base && report.base.traces[*change.base]) {
      out.push_back({&report.base, *change.base, true});
    }
  }
  return out;
}

std::string diff_text(const DiffReport& report, const lang::SourceSet& sources,
                      const Options& options) {
  const Paint paint{use_color(options)};
  std::size_t width = 8;
  for (const diff::PropertyChange& change : report.comparison.changes) {
    width = std::max(width, change.instance.size());
  }
  std::string out = stack_title(report.patched, paint) + "\n";
  out += "  " + padded("", width) + "  " + padded("base", 12) + "  " + padded("patched", 12) + "\n";
  for (const diff::PropertyChange& change : report.comparison.changes) {
    const auto cell = [&](const StackReport& side, const std::optional<std::size_t>& result) {
      return result ? verdict_cell(paint, side.exploration.results[*result].verdict, 12)
                    : padded("-", 12);
    };
    const std::string word = diff::to_string(change.change);
    out += "  " + padded(change.instance, width) + "  " + cell(report.base, change.base) + "  " +
           cell(report.patched, change.patched) + "  " +
           (change.is_worse ? paint.with("1;31", word) : word) +
           (change.note.empty() ? "" : ": " + change.note) + "\n";
  }
  for (const diff::MovedMaximum& moved : report.comparison.maxima) {
    out += "  maximum of " + moved.instance + ": " + std::to_string(moved.base) + " -> " +
           std::to_string(moved.patched) + "\n";
  }
  for (const diff::MovedRate& moved : report.comparison.rates) {
    out += "  worst ratio of " + moved.instance + ": " + moved.base + " -> " + moved.patched + "\n";
  }
  const diff::Comparison& c = report.comparison;
  out += sites_text("packets now end in       ", c.drops_gained, true);
  out += sites_text("packets no longer end in ", c.drops_lost, true);
  out += sites_text("now reached              ", c.returns_gained, false);
  out += sites_text("no longer reached        ", c.returns_lost, false);
  const bool any_site = !c.drops_gained.empty() || !c.drops_lost.empty() ||
                        !c.returns_gained.empty() || !c.returns_lost.empty();
  if (any_site && !c.sites_are_exact) {
    out += "  (these are of the states that were seen, which are not all)\n";
  }
  for (const std::string& note : report.notes) out += "  note: " + note + "\n";
  out += "  base     " + size_line(report.base) + "\n";
  out += "  patched  " + size_line(report.patched) + "\n";
  out += unchecked(report.patched, sources, options);
  Shown shown;
  for (const Witness& witness : witnesses(report)) {
    const std::vector<std::string>& files =
        witness.is_base ? report.base_files : report.patched_files;
    out += trace_part(*witness.side, witness.result, shown, sources, options, files[witness.result],
                      witness.is_base ? "In the base, and no longer in the patched model:\n"
                                      : "In the patched model:\n");
  }
  return out;
}

}  // namespace txproof::cli
