#include "properties/memory_bounds.h"

namespace txproof::properties {

using program::MemoryNote;
using program::Property;

namespace {

// Why nothing can be said to hold; empty: everything that was explored counts.
std::string reason(const program::Program& program, const Exploration& exploration) {
  if (!program.no_proof.empty()) return program.no_proof;
  std::string met;
  for (const Result& result : exploration.results) {
    const Property& property = program.properties[result.property];
    if (property.memory_note != MemoryNote::bound || result.verdict == Verdict::holds) continue;
    if (result.verdict == Verdict::inconclusive) {
      return "it is not known whether the " + property.name + " was ever too small";
    }
    met += (met.empty() ? "" : "; ") + property.text;
  }
  return met;
}

}  // namespace

void respect_bounds(const program::Program& program, Exploration& exploration) {
  if (program.memory == program::Memory::sc) return;
  const std::string why = reason(program, exploration);
  if (why.empty()) return;
  for (Result& result : exploration.results) {
    if (program.properties[result.property].memory_note != MemoryNote::none) continue;
    result.value_is_exact = false;
    if (result.verdict != Verdict::holds) continue;
    result.verdict = Verdict::inconclusive;
    result.limit = Limit::approximation;
    result.reason = why;
    result.vacuous.reset();
  }
}

std::vector<Drained> drained_by_containers(const program::Program& program,
                                           const Exploration& exploration) {
  std::vector<Drained> out;
  for (const Result& result : exploration.results) {
    const Property& property = program.properties[result.property];
    if (property.memory_note != MemoryNote::drained || result.verdict != Verdict::violated)
      continue;
    out.push_back({property.where, property.text});
  }
  return out;
}

}  // namespace txproof::properties
