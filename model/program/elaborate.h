// A stack of a typed model, with its parameters fixed, as a Program.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/syntax.h"
#include "model/program/program.h"

namespace txproof::program {

struct ElaborateOptions {
  std::map<std::string, Word> set;       // --set NAME=VALUE
  std::optional<Interleave> interleave;  // overrides the stack's own
  std::optional<Memory> memory;
  std::optional<std::uint32_t> store_depth;  // --store-buffer; overrides the stack's own
  // Also follow, for each struct, how many are in flight, and how many of those have no object in
  // each of their references (Property::is_watch): what a comparison of two sides wants to know.
  bool watch = false;
  std::vector<std::string> only_properties;  // empty: those the stack checks
  // Parameters of the stack that stay unknown: each a slot (Slot::parameter) whose initial value is
  // the one in force. See "unknown parameters" in program.h for what becomes of the rest.
  std::vector<std::string> for_all;
};

// Inlines functions, resolves objects, weaves properties in.
//   ensures: a Program exactly if diagnostics gained no error (parameters outside their domain,
//   empty
//            ranges, a cycle of devices, a stop point inside atomic, an assumption that fails, …)
std::unique_ptr<Program> elaborate(const lang::Model& model, const lang::StackDecl& stack,
                                   const ElaborateOptions& options, lang::Diagnostics& diagnostics);

}  // namespace txproof::program
