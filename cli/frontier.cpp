// txproof frontier STACK --property P --over W=1..6,L=1..8: where P starts to fail.
//
// Every point is checked; nothing is skipped because a parameter seems monotone.
#include <algorithm>
#include <map>

#include "checker/frontier/form.h"
#include "cli/commands.h"
#include "cli/for_all.h"
#include "cli/frontier_for_all.h"
#include "cli/json_parts.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/run.h"
#include "counterexamples/render_json.h"
#include "counterexamples/replay.h"

namespace txproof::cli {

using checker::frontier::Form;
using checker::frontier::Point;
using checker::frontier::Trend;
using nlohmann::ordered_json;
using program::Word;
using properties::ExitStatus;
using properties::Verdict;

namespace {

constexpr std::size_t most_points = 100'000;
constexpr Word default_values = 4;

struct Axis {
  std::string name;
  Word from = 0, to = 0;
};

enum class Outcome : std::uint8_t { holds, violated, inconclusive, excluded };

struct Row {
  std::vector<Word> values;
  Outcome outcome = Outcome::excluded;
  std::uint64_t states = 0;
  std::string reason;
};

struct Sweep {
  std::vector<Axis> axes;
  std::vector<Row> rows;  // the last axis runs fastest
  std::optional<Form> form;
  std::vector<Trend> trends;
  std::optional<FrontierProof> proof;  // --for-all, where a form fits
  std::string internal_error;
};

const char* word(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return properties::to_string(Verdict::holds);
    case Outcome::violated:
      return properties::to_string(Verdict::violated);
    case Outcome::inconclusive:
      return properties::to_string(Verdict::inconclusive);
    case Outcome::excluded:
      return "excluded";
  }
  return "";
}

std::optional<Word> integer(const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  Word value = 0;
  const std::size_t first = negative ? 1 : 0;
  if (text.size() == first || text.size() > first + 15) return std::nullopt;
  for (std::size_t i = first; i < text.size(); ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  return negative ? -value : value;
}

// One of the comma-separated parts of --over.
//   returns a sentence, or nothing
std::string parse_axis(const std::string& part, const program::Program& program, Axis& axis) {
  const std::size_t equals = part.find('=');
  axis.name = part.substr(0, equals);
  std::vector<std::string> known;
  const program::Parameter* parameter = nullptr;
  for (const program::Parameter& p : program.parameters) {
    known.push_back(p.name);
    if (p.name == axis.name) parameter = &p;
  }
  if (parameter == nullptr) {
    const std::string nearest = lang::nearest_name(axis.name, known);
    return "--over: stack '" + program.stack + "' has no parameter '" + axis.name + "'" +
           (nearest.empty() ? "" : "; did you mean '" + nearest + "'?");
  }
  const program::Range domain = parameter->domain;
  if (equals == std::string::npos) {
    axis.from = domain.lo;
    axis.to = std::min(domain.hi, domain.lo + default_values - 1);
    return "";
  }
  const std::string range = part.substr(equals + 1);
  const std::size_t dots = range.find("..");
  const auto from = integer(range.substr(0, dots));
  const auto to = dots == std::string::npos ? from : integer(range.substr(dots + 2));
  if (!from || !to || *from > *to) {
    return "--over expects values such as " + axis.name + "=1..6, not '" + part + "'";
  }
  if (*from < domain.lo || *to > domain.hi) {
    return "--over: '" + axis.name + "' has the domain " + std::to_string(domain.lo) + ".." +
           std::to_string(domain.hi) + ", and " + range + " leaves it";
  }
  axis.from = *from;
  axis.to = *to;
  return "";
}

std::string parse_over(const std::string& text, const program::Program& program,
                       std::vector<Axis>& axes) {
  std::size_t points = 1;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    Axis axis;
    std::string error = parse_axis(text.substr(at, comma - at), program, axis);
    if (!error.empty()) return error;
    for (const Axis& other : axes) {
      if (other.name == axis.name) return "--over names '" + axis.name + "' twice";
    }
    const auto values = static_cast<std::size_t>(axis.to - axis.from + 1);
    if (values > most_points || points * values > most_points) {
      return "--over asks for more than " + std::to_string(most_points) + " points";
    }
    points *= values;
    axes.push_back(axis);
    at = comma + 1;
  }
  return "";
}

class Sweeper {
 public:
  Sweeper(const LoadedStack& loaded, const Options& options, const std::atomic<bool>& interrupted,
          Sweep& sweep, lang::Diagnostics& diagnostics)
      : loaded_(loaded),
        options_(options),
        interrupted_(interrupted),
        sweep_(sweep),
        diagnostics_(diagnostics) {}

  // Returns false if some point cannot be elaborated.
  bool run() {
    std::vector<Word> values;
    if (!vary(values)) return false;
    std::vector<Point> points;
    bool all_known = true;
    for (const Row& row : sweep_.rows) {
      if (row.outcome == Outcome::excluded) continue;
      all_known = all_known && row.outcome != Outcome::inconclusive;
      points.push_back({row.values, row.outcome == Outcome::holds});
    }
    if (!all_known) return true;
    std::vector<std::string> names;
    for (const Axis& axis : sweep_.axes) names.push_back(axis.name);
    sweep_.form = checker::frontier::fit(names, points);
    sweep_.trends = checker::frontier::trends(names.size(), points);
    return true;
  }

 private:
  bool vary(std::vector<Word>& values) {
    if (values.size() == sweep_.axes.size()) return point(values);
    const Axis& axis = sweep_.axes[values.size()];
    for (Word value = axis.from; value <= axis.to; ++value) {
      values.push_back(value);
      const bool good = vary(values);
      values.pop_back();
      if (!good) return false;
    }
    return true;
  }

  bool point(const std::vector<Word>& values) {
    Row row;
    row.values = values;
    program::ElaborateOptions elaborate;
    elaborate.interleave = options_.interleave;
    elaborate.memory = options_.memory;
    elaborate.store_depth = options_.store_depth;
    elaborate.only_properties = options_.properties;
    for (const auto& [name, value] : options_.set) elaborate.set[name] = value;
    RunSettings settings;
    for (std::size_t i = 0; i < values.size(); ++i) {
      elaborate.set[sweep_.axes[i].name] = values[i];
      settings.what += (i == 0 ? "" : " ") + sweep_.axes[i].name + "=" + std::to_string(values[i]);
    }
    lang::Diagnostics found;
    const auto program = program::elaborate(*loaded_.model, *loaded_.stack, elaborate, found);
    if (program == nullptr) {
      if (found.all()[0].code != "TX0429") {  // an assumption excludes the point
        for (const lang::Diagnostic& d : found.all()) {
          diagnostics_.error(d.code, d.span, settings.what + ": " + d.message).notes = d.notes;
        }
        return false;
      }
      row.reason = found.all()[0].message;
      sweep_.rows.push_back(std::move(row));
      return true;
    }
    for (program::PropertyId id = 0; id < program->properties.size(); ++id) {
      if (program->properties[id].name == options_.properties[0]) settings.decide.push_back(id);
    }
    judge(*program, settings, row);
    sweep_.rows.push_back(std::move(row));
    return sweep_.internal_error.empty();
  }

  void judge(const program::Program& program, const RunSettings& settings, Row& row) {
    Options options = options_;
    if (options.time_limit) options.time_limit = std::max(0.0, *options.time_limit - seconds_);
    const properties::Exploration e = explore(program, options, settings, interrupted_);
    seconds_ += e.seconds;
    row.states = e.states;
    row.outcome = Outcome::holds;
    for (const program::PropertyId id : settings.decide) {
      const properties::Result& result = e.results[id];
      if (result.verdict == Verdict::violated) {
        row.outcome = Outcome::violated;
        const auto replay = counterexamples::replay(program, id, *result.path);
        if (!replay.trace) sweep_.internal_error = settings.what + ": " + replay.mismatch;
        return;
      }
      if (result.verdict == Verdict::inconclusive) {
        row.outcome = Outcome::inconclusive;
        row.reason = result.reason;
      }
    }
  }

  const LoadedStack& loaded_;
  const Options& options_;
  const std::atomic<bool>& interrupted_;
  Sweep& sweep_;
  lang::Diagnostics& diagnostics_;
  double seconds_ = 0;  // of all searches so far
};

bool any_row(const Sweep& sweep, Outcome outcome) {
  return std::any_of(sweep.rows.begin(), sweep.rows.end(),
                     [outcome](const Row& row) { return row.outcome == outcome; });
}

// What the sweep comes to, in one sentence; empty where nothing can be said.
std::string summary(const Sweep& sweep, const std::string& property) {
  if (any_row(sweep, Outcome::inconclusive)) return "";
  const bool holds = any_row(sweep, Outcome::holds);
  const bool fails = any_row(sweep, Outcome::violated);
  if (!holds && !fails) return "the stack's assumptions exclude every point";
  if (!fails) return property + " holds at every point";
  if (!holds) return property + " is violated at every point";
  if (!sweep.form) return "no simple formula fits every point";
  return property + " holds iff " + sweep.form->text;
}

std::string range_text(const Sweep& sweep) {
  std::string text;
  for (const Axis& axis : sweep.axes) {
    text += (text.empty() ? "" : ", ") + axis.name + "=" + std::to_string(axis.from) + ".." +
            std::to_string(axis.to);
  }
  return text;
}

// Parameters that were not swept.
std::string fixed_text(const Sweep& sweep, const program::Program& program) {
  std::string text;
  for (const program::Parameter& parameter : program.parameters) {
    const bool swept = std::any_of(sweep.axes.begin(), sweep.axes.end(),
                                   [&](const Axis& axis) { return axis.name == parameter.name; });
    if (swept) continue;
    text += (text.empty() ? "" : ", ") + parameter.name + "=" + std::to_string(parameter.value);
  }
  return text;
}

// Swept points at which the property is violated: the other direction of the form.
std::size_t violated_points(const Sweep& sweep) {
  return static_cast<std::size_t>(
      std::count_if(sweep.rows.begin(), sweep.rows.end(),
                    [](const Row& row) { return row.outcome == Outcome::violated; }));
}

ordered_json proof_json(const Sweep& sweep, const FrontierProof& proof) {
  ordered_json out;
  out["inside"] = proof.proved ? "proved" : "inconclusive";
  if (!proof.proved) out["reason"] = proof.reason;
  if (proof.proved) out["facts"] = proof.facts;
  out["outside"] = "violated at every swept point outside";
  out["points_outside"] = violated_points(sweep);
  if (!proof.files.empty()) out["certificate"] = proof.files;
  out["seconds"] = proof.seconds;
  return out;
}

std::string proof_text(const Sweep& sweep, const FrontierProof& proof) {
  std::string out;
  if (proof.proved) {
    out += "  proved for all values: it holds where " + sweep.form->text + " (an invariant of " +
           std::to_string(proof.facts) + " facts; checked again by a fresh Z3" +
           (proof.asked_cvc5 ? " and by cvc5)\n" : ")\n");
  } else {
    out += "  inconclusive for all values: " + proof.reason + "\n";
  }
  return out + "  outside it is violated at each of the " + std::to_string(violated_points(sweep)) +
         " swept points, with a trace that was replayed; beyond these nothing is shown\n";
}

std::string frontier_json(const LoadedStack& loaded, const Sweep& sweep,
                          const std::string& property) {
  ordered_json out = model_head(loaded, "txproof/frontier/1");
  out["property"] = property;
  ordered_json range = ordered_json::object();
  for (const Axis& axis : sweep.axes) range[axis.name] = {number(axis.from), number(axis.to)};
  for (const Axis& axis : sweep.axes) out["parameters"].erase(axis.name);
  ordered_json table = ordered_json::array();
  for (const Row& row : sweep.rows) {
    ordered_json item;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
      item["parameters"][sweep.axes[i].name] = number(row.values[i]);
    }
    item["verdict"] = word(row.outcome);
    if (row.outcome != Outcome::excluded) item["states"] = row.states;
    if (!row.reason.empty()) item["reason"] = row.reason;
    table.push_back(std::move(item));
  }
  out["table"] = std::move(table);
  if (sweep.form) {
    out["form"] = sweep.form->text;
    out["constant_may_grow_by"] = number(sweep.form->slack);
  }
  out["range"] = std::move(range);
  if (!sweep.trends.empty()) {
    ordered_json more = ordered_json::object();
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
      more[sweep.axes[i].name] = to_string(sweep.trends[i]);
    }
    out["more_of"] = std::move(more);
  }
  if (sweep.proof) out["proof"] = proof_json(sweep, *sweep.proof);
  const std::string text = summary(sweep, property);
  if (!text.empty()) out["summary"] = text;
  return counterexamples::json_text(out, true);
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

// A line for each choice of all but the last parameter, a column for each value of that one.
std::string table_text(const Sweep& sweep) {
  const Axis& last = sweep.axes.back();
  const auto columns = static_cast<std::size_t>(last.to - last.from + 1);
  const std::size_t width =
      std::max(std::to_string(last.from).size(), std::to_string(last.to).size()) + 1;
  std::vector<std::string> labels;
  std::size_t label_width = last.name.size() + 1;
  for (std::size_t r = 0; r < sweep.rows.size(); r += columns) {
    std::string label;
    for (std::size_t i = 0; i + 1 < sweep.axes.size(); ++i) {
      label +=
          (i == 0 ? "" : " ") + sweep.axes[i].name + "=" + std::to_string(sweep.rows[r].values[i]);
    }
    label_width = std::max(label_width, label.size());
    labels.push_back(std::move(label));
  }
  std::string out = "  " + padded(last.name + "=", label_width);
  for (Word value = last.from; value <= last.to; ++value) {
    out += padded(std::to_string(value), width);
  }
  out += "\n";
  for (std::size_t line = 0; line < labels.size(); ++line) {
    out += "  " + padded(labels[line], label_width);
    for (std::size_t c = 0; c < columns; ++c) {
      const Outcome outcome = sweep.rows[line * columns + c].outcome;
      const char* mark = outcome == Outcome::holds          ? "+"
                         : outcome == Outcome::violated     ? "-"
                         : outcome == Outcome::inconclusive ? "?"
                                                            : ".";
      out += padded(mark, width);
    }
    out += "\n";
  }
  out += "  + holds, - violated";
  if (any_row(sweep, Outcome::inconclusive)) out += ", ? inconclusive";
  if (any_row(sweep, Outcome::excluded)) out += ", . excluded by an assumption of the stack";
  return out + "\n";
}

std::string frontier_text(const LoadedStack& loaded, const Sweep& sweep,
                          const std::string& property) {
  std::string out =
      loaded.stack->name + " (" + loaded.origin.file + ")  " + property + "\n" + table_text(sweep);
  const std::string text = summary(sweep, property);
  const std::string fixed = fixed_text(sweep, *loaded.program);
  out += "\n";
  if (!text.empty()) out += "  " + text + "\n";
  out += "  checked point by point for " + range_text(sweep) +
         (fixed.empty() ? "" : "; with " + fixed) +
         (sweep.proof ? "\n" : "; this proves nothing beyond\n");
  if (sweep.proof) out += proof_text(sweep, *sweep.proof);
  if (sweep.form && sweep.form->slack > 0) {
    out += "  (a constant larger by up to " + std::to_string(sweep.form->slack) +
           " fits these points as well)\n";
  }
  for (std::size_t i = 0; i < sweep.trends.size(); ++i) {
    const char* said = sweep.trends[i] == Trend::helps   ? "only ever makes it hold"
                       : sweep.trends[i] == Trend::hurts ? "only ever makes it fail"
                       : sweep.trends[i] == Trend::mixed ? "can make it hold and make it fail"
                                                         : "changes nothing";
    out += "  more of " + sweep.axes[i].name + " " + said + "\n";
  }
  for (const Row& row : sweep.rows) {
    if (row.outcome != Outcome::inconclusive) continue;
    out += "  inconclusive: " + row.reason + "\n";
    break;
  }
  return out;
}

}  // namespace

ExitStatus run_frontier(const Options& options, const std::atomic<bool>& interrupted) {
  Workspace workspace(options);
  Variant variant;
  variant.patches = options.patches;
  std::vector<LoadedStack> stacks = workspace.load_stacks(options.stack_file, variant);
  if (stacks.empty()) {
    write_diagnostics(workspace);
    return ExitStatus::unusable;
  }
  const LoadedStack& loaded = stacks[0];
  Sweep sweep;
  std::string error = prepare_certificate_folder(options);
  if (error.empty()) error = parse_over(options.over, *loaded.program, sweep.axes);
  if (!error.empty()) {
    say(error);
    return ExitStatus::unusable;
  }
  const bool good = Sweeper(loaded, options, interrupted, sweep, workspace.diagnostics()).run();
  write_diagnostics(workspace);
  if (!sweep.internal_error.empty()) {
    say("internal error: the interpreter does not confirm a violation; " + sweep.internal_error);
    return ExitStatus::internal_error;
  }
  if (!good) return ExitStatus::unusable;
  const std::string& property = options.properties[0];
  ExitStatus status =
      any_row(sweep, Outcome::inconclusive) ? ExitStatus::inconclusive : ExitStatus::good;
  if (options.prove_form && sweep.form) {
    std::vector<std::string> names;
    for (const Axis& axis : sweep.axes) names.push_back(axis.name);
    sweep.proof = prove_form(options, names, sweep.form->text, interrupted);
    status = worse(status, sweep.proof->status);
  }
  return write_result(options,
                      options.format == Format::json ? frontier_json(loaded, sweep, property)
                                                     : frontier_text(loaded, sweep, property),
                      status);
}

}  // namespace txproof::cli
