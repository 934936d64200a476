#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/json_parts.h"
#include "cli/mutation_report.h"
#include "cli/report.h"
#include "counterexamples/render_json.h"

namespace txproof::cli {

using nlohmann::ordered_json;

namespace {

// How often each property told, and how often it alone did.
struct Strength {
  std::string instance;
  std::size_t killed = 0;
  std::size_t alone = 0;
};

std::vector<Strength> strengths(const MutationReport& report) {
  std::vector<Strength> out;
  for (const std::size_t i : report.base.shown) {
    const properties::Result& result = report.base.exploration.results[i];
    Strength row;
    row.instance = report.base.loaded.program->properties[result.property].instance;
    for (const MutantResult& mutant : report.mutants) {
      const bool told = std::find(mutant.killers.begin(), mutant.killers.end(), row.instance) !=
                        mutant.killers.end();
      if (told) ++row.killed;
      if (told && mutant.killers.size() == 1) ++row.alone;
    }
    out.push_back(std::move(row));
  }
  return out;
}

std::string place_of(const mutation::Mutant& mutant, const lang::SourceSet& sources) {
  return sources.file(mutant.span.file).path + ":" +
         std::to_string(sources.position(mutant.span.file, mutant.span.begin).line);
}

// As a patch names the file: from the root of the library, where it is one of the library's.
std::string diff_of(const mutation::Mutant& mutant, const lang::SourceSet& sources) {
  std::string path = sources.file(mutant.span.file).path;
  const std::string root = library_root() + "/";
  if (path.starts_with(root)) path.erase(0, root.size());
  return mutation::mutant_diff(mutant, sources, path);
}

std::size_t kill_base(const MutationReport& report) {
  return report.count(Fate::killed) + report.count(Fate::survived);
}

}  // namespace

const char* to_string(Fate fate) {
  switch (fate) {
    case Fate::killed:
      return "killed";
    case Fate::survived:
      return "survived";
    case Fate::undecided:
      return "undecided";
    case Fate::refused:
      return "refused";
    case Fate::not_run:
      return "not run";
  }
  return "";
}

std::size_t MutationReport::count(Fate fate) const {
  return static_cast<std::size_t>(
      std::count_if(mutants.begin(), mutants.end(),
                    [fate](const MutantResult& result) { return result.fate == fate; }));
}

std::string mutate_text(const MutationReport& report, const lang::SourceSet& sources,
                        const Options& options) {
  const std::string parameters = parameters_text(*report.base.loaded.program);
  std::string out = report.base.loaded.stack->name + " (" + report.base.loaded.origin.file + ")" +
                    (parameters.empty() ? "" : "  " + parameters) + "\n";
  const std::size_t of = kill_base(report);
  out += fmt::format("  kill rate {} of {}", report.count(Fate::killed), of);
  if (of > 0) out += fmt::format(" ({} %)", report.count(Fate::killed) * 100 / of);
  const auto also = [&out, &report](Fate fate, const char* words) {
    if (report.count(fate) > 0) out += fmt::format("; {} {}", report.count(fate), words);
  };
  also(Fate::undecided, "undecided within the limits");
  also(Fate::refused, "no model any more");
  also(Fate::not_run, "not run");
  out += "\n";
  if (report.mutants.size() < report.sites) {
    out += fmt::format("  a sample: {} of {} mutants, seed {}\n", report.mutants.size(),
                       report.sites, options.seed);
  }
  const std::vector<Strength> rows = strengths(report);
  std::size_t width = 0;
  for (const Strength& row : rows) width = std::max(width, row.instance.size());
  for (const Strength& row : rows) {
    out += fmt::format("  {:<{}}  told of {}", row.instance, width, row.killed);
    out += row.alone > 0 ? fmt::format(", alone of {}\n", row.alone) : "\n";
  }
  std::size_t number = 0;
  for (const MutantResult& result : report.mutants) {
    if (result.fate != Fate::survived && result.fate != Fate::undecided) continue;
    out += fmt::format("\n{} {}: {} in {}, {}{}\n", to_string(result.fate), ++number,
                       mutation::to_string(result.mutant.fault), result.mutant.function,
                       place_of(result.mutant, sources),
                       result.same_size ? "; as many states and transitions as before" : "");
    out += diff_of(result.mutant, sources);
  }
  return out;
}

std::string mutate_json(const MutationReport& report, const lang::SourceSet& sources,
                        const Options& options) {
  ordered_json out = model_head(report.base.loaded, "txproof/mutate/1");
  out["mutants"] = report.mutants.size();
  out["sites"] = report.sites;
  if (report.mutants.size() < report.sites) out["seed"] = options.seed;
  for (const Fate fate :
       {Fate::killed, Fate::survived, Fate::undecided, Fate::refused, Fate::not_run}) {
    std::string key = to_string(fate);
    std::replace(key.begin(), key.end(), ' ', '_');
    out[key] = report.count(fate);
  }
  ordered_json properties = ordered_json::array();
  for (const Strength& row : strengths(report)) {
    properties.push_back(
        {{"property", row.instance}, {"killed", row.killed}, {"alone", row.alone}});
  }
  out["properties"] = std::move(properties);
  ordered_json results = ordered_json::array();
  for (const MutantResult& result : report.mutants) {
    const lang::Span& span = result.mutant.span;
    ordered_json row;
    row["fate"] = to_string(result.fate);
    row["fault"] = mutation::to_string(result.mutant.fault);
    row["function"] = result.mutant.function;
    row["file"] = sources.file(span.file).path;
    row["line"] = sources.position(span.file, span.begin).line;
    row["killed_by"] = result.killers;
    if (result.fate == Fate::survived) row["same_size"] = result.same_size;
    row["diff"] = diff_of(result.mutant, sources);
    results.push_back(std::move(row));
  }
  out["results"] = std::move(results);
  return counterexamples::json_text(out, true);
}

}  // namespace txproof::cli
