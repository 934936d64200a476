// JUnit XML: a suite for each stack, a case for each property. A violation is a failure; what could
// not be decided is an error; what holds only vacuously is skipped. In a diff a regression is a
// failure, and a violation that was there before is none.
#include <fmt/format.h>

#include "cli/report.h"
#include "counterexamples/render_text.h"

namespace txproof::cli {

using properties::Result;
using properties::Verdict;

namespace {

// The length of the UTF-8 sequence at `at` if XML 1.0 allows its character, or 0.
std::size_t allowed_length(const std::string& text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const unsigned first = byte(at);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' ? 1 : 0;
  std::size_t length = 0;
  if (first >= 0xC2 && first <= 0xDF) length = 2;
  if (first >= 0xE0 && first <= 0xEF) length = 3;
  if (first >= 0xF0 && first <= 0xF4) length = 4;
  if (length == 0) return 0;
  unsigned code = first & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(at + i) & 0x3FU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code == 0xFFFE || code == 0xFFFF || code > 0x10FFFF) return 0;
  return length;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = allowed_length(text, i);
    if (length == 0) {
      out += '?';
      ++i;
      continue;
    }
    if (length > 1) {
      out.append(text, i, length);
    } else if (text[i] == '<') {
      out += "&lt;";
    } else if (text[i] == '>') {
      out += "&gt;";
    } else if (text[i] == '&') {
      out += "&amp;";
    } else if (text[i] == '"') {
      out += "&quot;";
    } else if (text[i] == '\n') {
      out += "&#10;";
    } else {
      out += text[i];
    }
    i += length;
  }
  return out;
}

struct Case {
  std::string name;
  std::string kind;  // "", "failure", "error", "skipped"
  std::string message;
  std::string body;
};

std::string suite(const std::string& name, const std::string& group, double seconds,
                  const std::vector<Case>& cases) {
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  std::string rows;
  for (const Case& item : cases) {
    failures += item.kind == "failure" ? 1 : 0;
    errors += item.kind == "error" ? 1 : 0;
    skipped += item.kind == "skipped" ? 1 : 0;
    rows += fmt::format("    <testcase classname=\"{}\" name=\"{}\"", escaped(group),
                        escaped(item.name));
    if (item.kind.empty() && item.message.empty()) {
      rows += "/>\n";
    } else if (item.kind.empty()) {
      rows += fmt::format("><system-out>{}</system-out></testcase>\n", escaped(item.message));
    } else {
      rows += fmt::format("><{} message=\"{}\">{}</{}></testcase>\n", item.kind,
                          escaped(item.message), escaped(item.body), item.kind);
    }
  }
  return fmt::format(
             "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
             "time=\"{:.3f}\">\n",
             escaped(name), cases.size(), failures, errors, skipped, seconds) +
         rows + "  </testsuite>\n";
}

std::string document(const std::string& suites) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

std::string trace_text(const StackReport& report, std::size_t result,
                       const lang::SourceSet& sources, const Options& options) {
  counterexamples::TextOptions text;
  text.full = options.full_traces;
  return counterexamples::render_text(*report.traces[result], *report.loaded.program, sources,
                                      text);
}

void add_unusable(const StackReport& report, std::vector<Case>& cases) {
  for (const diff::Unusable& unusable : report.loaded.unusable) {
    cases.push_back({unusable.property, "error", "cannot be evaluated: " + unusable.reason, ""});
  }
  for (const std::string& error : report.internal_errors) {
    cases.push_back({"txproof", "error", error, ""});
  }
}

}  // namespace

std::string check_junit(const CheckReport& report, const lang::SourceSet& sources,
                        const Options& options) {
  std::string suites;
  for (const StackReport& stack : report.stacks) {
    std::vector<Case> cases;
    for (const std::size_t i : stack.shown) {
      const Result& result = stack.exploration.results[i];
      Case item;
      item.name = stack.loaded.program->properties[result.property].instance;
      if (result.verdict == Verdict::violated && stack.traces[i]) {
        item.kind = "failure";
        item.message = stack.traces[i]->kind + ": " + stack.traces[i]->message;
        item.body = trace_text(stack, i, sources, options);
      } else if (result.verdict == Verdict::inconclusive) {
        item.kind = "error";
        item.message = "inconclusive: " + result.reason;
      } else if (result.vacuous) {
        item.kind = "skipped";
        item.message = "vacuous: " + *result.vacuous;
      }
      cases.push_back(std::move(item));
    }
    add_unusable(stack, cases);
    suites +=
        suite(stack.loaded.stack->name, stack.loaded.origin.file, stack.exploration.seconds, cases);
  }
  for (const FailedFile& failed : report.failed) {
    suites += suite(failed.file, failed.file, 0, {{"model", "error", failed.message, ""}});
  }
  return document(suites);
}

std::string diff_junit(const DiffReport& report, const lang::SourceSet& sources,
                       const Options& options) {
  std::vector<Case> cases;
  for (const diff::PropertyChange& change : report.comparison.changes) {
    Case item;
    item.name = change.instance;
    item.message = diff::to_string(change.change);
    if (!change.note.empty()) item.message += ": " + change.note;
    if (change.is_worse) {
      item.kind = "failure";
      if (change.patched && report.patched.traces[*change.patched]) {
        item.body = trace_text(report.patched, *change.patched, sources, options);
      }
    } else if (change.change == diff::Change::inconclusive) {
      item.kind = "error";
    }
    cases.push_back(std::move(item));
  }
  for (const StackReport* side : {&report.base, &report.patched}) {
    for (const std::string& error : side->internal_errors) {
      cases.push_back({"txproof", "error", error, ""});
    }
  }
  return document(suite(report.patched.loaded.stack->name, report.patched.loaded.origin.file,
                        report.base.exploration.seconds + report.patched.exploration.seconds,
                        cases));
}

}  // namespace txproof::cli
