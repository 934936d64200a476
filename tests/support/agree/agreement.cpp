#include "tests/support/agree/agreement.h"

#include <algorithm>
#include <exception>

#include "tests/support/agree/engines.h"
#include "tests/support/engine/elaborated.h"

namespace txproof::test {

using namespace program;

namespace {

// Every run of coarse steps is one of fine steps, so a violation in coarse steps is one in fine
// steps. (Runs without end differ: in fine steps others move in between for ever.)
std::string fine_lacks(const Program& coarse, const Truth& truth, const Program& fine,
                       std::size_t limit) {
  const Truth found = truth_of(fine, limit);
  if (!found.complete) return "";
  for (PropertyId id = 0; id < coarse.properties.size(); ++id) {
    const std::string& name = coarse.properties[id].instance;
    // A check that is never reached in coarse steps can stand before another one in fine steps.
    const auto same =
        std::find_if(fine.properties.begin(), fine.properties.end(),
                     [&](const Property& property) { return property.instance == name; });
    if (same == fine.properties.end()) return name + ": not there in fine steps";
    const Truth::Finding& there =
        found.findings[static_cast<std::size_t>(same - fine.properties.begin())];
    if (truth.findings[id].violated && !there.violated) {
      return name + ": violated in coarse steps and not in fine ones";
    }
    if (truth.findings[id].largest > there.largest)
      return name + ": a smaller maximum in fine steps";
  }
  return "";
}

}  // namespace

Agreement agreement_of(const std::string& text, std::size_t limit) {
  Agreement result;
  std::unique_ptr<Program> program;
  try {
    program = elaborated(text);
  } catch (const std::exception& error) {
    result.kind = Agreement::Kind::refused;
    result.problem = error.what();
    return result;
  }
  const Truth truth = truth_of(*program, limit);
  if (!truth.complete) {
    result.kind = Agreement::Kind::too_large;
    return result;
  }
  result.states = truth.states;
  result.faulted = truth.fault;
  result.fine = program->interleave == Interleave::fine;
  for (const Truth::Finding& finding : truth.findings) {
    ++(finding.violated ? result.violated : result.held);
  }
  for (const Property& property : program->properties) {
    for (const Claim& claim : property.claims) {
      if (claim.kind == PropertyKind::leads_to || claim.kind == PropertyKind::infinitely_often ||
          claim.kind == PropertyKind::rate) {
        result.endless = true;
      }
    }
  }
  for (const Engine& engine : engines()) {
    try {
      result.problem = engine.disagrees(*program, truth);
    } catch (const std::exception& error) {
      result.problem = error.what();
    }
    if (result.problem.empty()) continue;
    result.kind = Agreement::Kind::disagreed;
    result.engine = engine.name;
    return result;
  }
  if (!result.fine && truth.states <= limit / 5) {
    ElaborateOptions options;
    options.interleave = Interleave::fine;
    try {
      result.problem = fine_lacks(*program, truth, *elaborated(text, options), limit / 2);
    } catch (const std::exception& error) {
      result.problem = error.what();
    }
    if (!result.problem.empty()) {
      result.kind = Agreement::Kind::disagreed;
      result.engine = "fine steps";
    }
  }
  return result;
}

}  // namespace txproof::test
