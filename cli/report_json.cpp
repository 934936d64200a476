// The reports for machines; docs/schema/ says what is in them. Keys are added, never renamed.
#include <nlohmann/json.hpp>

#include "cli/json_parts.h"
#include "cli/report.h"
#include "counterexamples/render_json.h"

namespace txproof::cli {

using nlohmann::ordered_json;
using properties::Result;

namespace {

ordered_json result_json(const StackReport& report, std::size_t index,
                         const lang::SourceSet& sources, const std::string& trace_file) {
  const Result& result = report.exploration.results[index];
  const program::Property& property = report.loaded.program->properties[result.property];
  const properties::Exploration& e = report.exploration;
  ordered_json out;
  out["property"] = property.name;
  if (property.instance != property.name) out["instance"] = property.instance;
  if (!property.text.empty()) out["text"] = property.text;
  out["verdict"] = properties::to_string(result.verdict);
  if (result.verdict == properties::Verdict::inconclusive) {
    out["limit"] = properties::to_string(result.limit);
    out["reason"] = result.reason;
  }
  if (result.vacuous) out["vacuous"] = *result.vacuous;
  out["engine"] = result.engine.empty() ? e.engine : result.engine;
  out["states"] = e.states;
  out["transitions"] = e.transitions;
  out["depth"] = e.depth;
  out["seconds"] = e.seconds;
  if (result.value) {
    out["value"] = number(*result.value);
    out["value_is_exact"] = result.value_is_exact;
  } else if (result.value_text) {
    out["value"] = *result.value_text;
    out["value_is_exact"] = result.value_is_exact;
  }
  if (report.traces[index]) {
    out["trace"] = counterexamples::trace_to_json(*report.traces[index], *report.loaded.program,
                                                  sources, report.loaded.origin);
    if (!trace_file.empty()) out["trace_file"] = trace_file;
  }
  return out;
}

// Everything about a stack but its results.
ordered_json stack_head(const StackReport& report) {
  ordered_json out = model_head(report.loaded, "txproof/check/1");
  out["complete"] = report.exploration.complete;
  return out;
}

ordered_json stack_json(const StackReport& report, const lang::SourceSet& sources,
                        const Options& options, const std::vector<std::string>& trace_files) {
  ordered_json out = stack_head(report);
  ordered_json results = ordered_json::array();
  for (const std::size_t i : report.shown) {
    results.push_back(result_json(report, i, sources, trace_files[i]));
  }
  out["results"] = std::move(results);
  ordered_json not_checked = ordered_json::array();
  for (const diff::Unusable& unusable : report.loaded.unusable) {
    not_checked.push_back({{"property", unusable.property}, {"reason", unusable.reason}});
  }
  if (!not_checked.empty()) out["not_checked"] = std::move(not_checked);
  if (!report.internal_errors.empty()) out["internal_errors"] = report.internal_errors;
  if (options.coverage) {
    ordered_json rows = ordered_json::array();
    for (const Unreached& row : unreached_lines(report, sources)) {
      rows.push_back({{"file", row.file}, {"line", row.line}, {"text", row.text}});
    }
    out["not_reached"] = std::move(rows);
  }
  return out;
}

ordered_json change_json(const DiffReport& report, const diff::PropertyChange& change) {
  ordered_json out;
  out["property"] = change.property;
  if (change.instance != change.property) out["instance"] = change.instance;
  const auto verdict = [](const StackReport& side, const std::optional<std::size_t>& result) {
    return result ? ordered_json(properties::to_string(side.exploration.results[*result].verdict))
                  : ordered_json(nullptr);
  };
  out["base"] = verdict(report.base, change.base);
  out["patched"] = verdict(report.patched, change.patched);
  out["change"] = diff::to_string(change.change);
  if (!change.note.empty()) out["note"] = change.note;
  return out;
}

ordered_json sites_json(const std::vector<diff::Site>& sites, bool drops) {
  ordered_json out = ordered_json::array();
  for (const diff::Site& site : sites) {
    ordered_json item;
    item["function"] = site.function;
    if (drops && !site.where.empty()) item["called_by"] = site.where;
    item[drops ? "text" : "value"] = site.text;
    out.push_back(std::move(item));
  }
  return out;
}

ordered_json diff_tail(const DiffReport& report) {
  const diff::Comparison& c = report.comparison;
  ordered_json out;
  ordered_json maxima = ordered_json::array();
  for (const diff::MovedMaximum& moved : c.maxima) {
    maxima.push_back({{"property", moved.instance},
                      {"base", number(moved.base)},
                      {"patched", number(moved.patched)}});
  }
  out["maxima"] = std::move(maxima);
  ordered_json rates = ordered_json::array();
  for (const diff::MovedRate& moved : c.rates) {
    rates.push_back(
        {{"property", moved.instance}, {"base", moved.base}, {"patched", moved.patched}});
  }
  out["rates"] = std::move(rates);
  out["drop_sites"] = {{"reachable", sites_json(c.drops_gained, true)},
                       {"unreachable", sites_json(c.drops_lost, true)},
                       {"exact", c.sites_are_exact}};
  out["return_codes"] = {{"reachable", sites_json(c.returns_gained, false)},
                         {"unreachable", sites_json(c.returns_lost, false)},
                         {"exact", c.sites_are_exact}};
  out["notes"] = report.notes;
  return out;
}

std::string line(const ordered_json& value) { return counterexamples::json_text(value, false); }

}  // namespace

std::string check_json(const CheckReport& report, const lang::SourceSet& sources,
                       const Options& options) {
  if (!report.is_list && report.stacks.size() == 1) {
    return counterexamples::json_text(
        stack_json(report.stacks[0], sources, options, report.trace_files[0]), true);
  }
  ordered_json out;
  out["tool"] = "txproof";
  out["version"] = TXPROOF_VERSION;
  out["schema"] = "txproof/check/1";
  ordered_json stacks = ordered_json::array();
  for (std::size_t s = 0; s < report.stacks.size(); ++s) {
    stacks.push_back(stack_json(report.stacks[s], sources, options, report.trace_files[s]));
  }
  out["stacks"] = std::move(stacks);
  ordered_json failed = ordered_json::array();
  for (const FailedFile& file : report.failed) {
    failed.push_back({{"file", file.file}, {"error", file.message}});
  }
  if (!failed.empty()) out["failed"] = std::move(failed);
  return counterexamples::json_text(out, true);
}

std::string check_jsonl(const CheckReport& report, const lang::SourceSet& sources,
                        const Options& /*options*/) {
  std::string out;
  for (std::size_t s = 0; s < report.stacks.size(); ++s) {
    ordered_json head = {{"event", "stack"}};
    head.update(stack_head(report.stacks[s]));
    out += line(head);
    for (const std::size_t i : report.stacks[s].shown) {
      ordered_json row = {{"event", "result"}, {"stack", report.stacks[s].loaded.stack->name}};
      row.update(result_json(report.stacks[s], i, sources, report.trace_files[s][i]));
      out += line(row);
    }
  }
  for (const FailedFile& file : report.failed) {
    out += line({{"event", "failed"}, {"file", file.file}, {"error", file.message}});
  }
  return out + line({{"event", "end"}, {"status", static_cast<int>(report.status)}});
}

std::string check_itf(const CheckReport& report, const lang::SourceSet& sources) {
  std::string out;
  for (const StackReport& stack : report.stacks) {
    for (const std::size_t i : stack.shown) {
      if (!stack.traces[i]) continue;
      out += counterexamples::trace_to_itf(*stack.traces[i], *stack.loaded.program, sources);
    }
  }
  return out;
}

std::string diff_json(const DiffReport& report, const lang::SourceSet& sources,
                      const Options& options) {
  ordered_json out;
  out["tool"] = "txproof";
  out["version"] = TXPROOF_VERSION;
  out["schema"] = "txproof/diff/1";
  out["base"] = stack_json(report.base, sources, options, report.base_files);
  out["patched"] = stack_json(report.patched, sources, options, report.patched_files);
  ordered_json changes = ordered_json::array();
  for (const diff::PropertyChange& change : report.comparison.changes) {
    changes.push_back(change_json(report, change));
  }
  out["changes"] = std::move(changes);
  out.update(diff_tail(report));
  return counterexamples::json_text(out, true);
}

std::string diff_jsonl(const DiffReport& report, const lang::SourceSet& sources,
                       const Options& /*options*/) {
  std::string out;
  for (const bool is_base : {true, false}) {
    const StackReport& side = is_base ? report.base : report.patched;
    const char* name = is_base ? "base" : "patched";
    ordered_json head = {{"event", "stack"}, {"side", name}};
    head.update(stack_head(side));
    out += line(head);
    for (const std::size_t i : side.shown) {
      ordered_json row = {{"event", "result"}, {"side", name}};
      row.update(
          result_json(side, i, sources, (is_base ? report.base_files : report.patched_files)[i]));
      out += line(row);
    }
  }
  for (const diff::PropertyChange& change : report.comparison.changes) {
    ordered_json row = {{"event", "change"}};
    row.update(change_json(report, change));
    out += line(row);
  }
  ordered_json tail = {{"event", "comparison"}};
  tail.update(diff_tail(report));
  return out + line(tail) + line({{"event", "end"}, {"status", static_cast<int>(report.status)}});
}

std::string diff_itf(const DiffReport& report, const lang::SourceSet& sources) {
  std::string out;
  for (const Witness& witness : witnesses(report)) {
    out += counterexamples::trace_to_itf(*witness.side->traces[witness.result],
                                         *witness.side->loaded.program, sources);
  }
  return out;
}

}  // namespace txproof::cli
