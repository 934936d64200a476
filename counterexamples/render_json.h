// A trace as JSON (docs/schema/trace.schema.json) and as ITF, and back: what `trace replay` needs.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "counterexamples/trace.h"
#include "model/lang/source.h"
#include "properties/verdict.h"

namespace txproof::counterexamples {

// Which model a trace is of: all that is needed to run it again.
struct ModelOrigin {
  std::string file;                  // the stack's file, as given
  std::string stack;                 // its name
  std::vector<std::string> roots;    // --root
  std::vector<std::string> patches;  // applied in this order
  std::string revision;              // of git; empty: the files as they are
};

// The moves of a trace file, with threads by name, so that they survive a change of the model that
// only adds threads.
struct StoredMove {
  std::string thread;  // "time" for the step of time
  std::vector<std::uint32_t> choices;
};

struct StoredTrace {
  ModelOrigin origin;
  std::map<std::string, std::int64_t> parameters;
  std::string interleave;
  std::string memory;              // empty: sc
  std::uint32_t store_buffer = 0;  // 0: as usual
  std::string property;            // its instance
  std::string kind;
  std::string message;
  std::vector<StoredMove> moves;
  std::optional<std::size_t> loop;  // as in Trace
};

// "sc", "tso", "weak".
const char* memory_word(program::Memory memory);

nlohmann::ordered_json trace_to_json(const Trace& trace, const program::Program& program,
                                     const lang::SourceSet& sources, const ModelOrigin& origin);

// Takes a trace file, or a report of check or diff, apart.
//   ensures: at least one trace, or a sentence in `error`
std::vector<StoredTrace> traces_from_json(const std::string& text, std::string& error);

// The path that a stored trace names in `program`; which violation or claim is found by kind.
//   ensures: absent with a sentence in `error` if the program has no such thread or property
struct ResolvedPath {
  program::PropertyId property = program::no_id;
  std::vector<properties::Path> candidates;  // one for each violation or claim that it may mean
};
std::optional<ResolvedPath> resolve_path(const StoredTrace& stored, const program::Program& program,
                                         std::string& error);

// The Informal Trace Format of Apalache and Quint: every stored slot in every state.
std::string trace_to_itf(const Trace& trace, const program::Program& program,
                         const lang::SourceSet& sources);

// As JSON text; bytes that are not UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& value, bool pretty);

}  // namespace txproof::counterexamples
