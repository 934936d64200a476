#include "model/program/elaborate.h"

#include <algorithm>

#include "model/program/access.h"
#include "model/program/counter_abstraction.h"
#include "model/program/elaboration.h"
#include "model/program/liveness.h"

namespace txproof::program {

namespace {

// References and sharing are learnt by walking again; each round learns more objects for some
// variable or is the last, so this many suffice for anything but a mistake of ours.
constexpr int most_rounds = 200;

// How many stores may wait where nobody says: tso, in a buffer; weak, of a variable.
constexpr std::uint32_t usual_store_depth = 3;

}  // namespace

Elaboration::Elaboration(const lang::Model& model, const lang::StackDecl& stack,
                         const ElaborateOptions& options, lang::Diagnostics& diagnostics,
                         const Knowledge& known)
    : model_(model),
      stack_(stack),
      options_(options),
      diagnostics_(diagnostics),
      known_(known),
      program_(std::make_unique<Program>()),
      b_(*program_) {
  instances_.emplace_back();
}

void Elaboration::run() {
  program_->stack = stack_.name;
  boolean_display_ = display_of({"false", "true"}, 0);
  objects_display_ = display_of({}, 0);
  threads_display_ = display_of({}, 0);
  for (const auto& item : stack_.checks) {
    if (item->property == nullptr) continue;
    for (const auto& ghost : item->property->ghosts) {
      if (ghost->role != lang::VarDecl::Role::ghost_field || ghost->owner == nullptr) continue;
      auto& list = ghost_fields_[ghost->owner];
      if (std::find(list.begin(), list.end(), ghost.get()) == list.end()) {
        list.push_back(ghost.get());
      }
    }
  }
  const std::size_t errors = diagnostics_.error_count();
  create_params();
  if (diagnostics_.error_count() > errors) return;
  for (const auto& assumption : stack_.assumptions) {
    const ExprId assumed = b_.truth(fixed_value(*assumption));
    if (!b_.constant_value(assumed)) {
      assume(assumed, text(*assumption), assumption->span);
      continue;
    }
    if (b_.constant_value(assumed) == 0 && diagnostics_.error_count() == errors) {
      error("TX0429", assumption->span,
            "the stack assumes `" + text(*assumption) + "`, which these parameters do not meet");
    }
  }
  if (diagnostics_.error_count() > errors) return;
  create_instances();
  if (diagnostics_.error_count() > errors) return;
  create_threads();
  create_properties();
  if (diagnostics_.error_count() > errors) return;
  begin_memory();
  walk_threads();
  finish_memory();
  add_cells();
  compact(*program_);
  finish_properties();
  note_memory();
  finish_aggregates();
  if (diagnostics_.error_count() > errors) return;
  check_assumptions();
  for (Slot& slot : program_->slots) {
    if (slot.kind == SlotKind::handle) {
      const Struct& s = program_->structs[slot.handle_of];
      slot.range = {0, 1 + static_cast<Word>(s.places.size())};
    }
    if (slot.display == threads_display_) {
      slot.range = {0, static_cast<Word>(program_->threads.size())};
    }
  }
  for (const Struct& structure : program_->structs) {
    for (const Place& place : structure.places) {
      program_->slots[place.base].range = {0, structure.counted
                                                  ? 1 + static_cast<Word>(structure.places.size())
                                              : place.is_local ? 2
                                                               : 1};
    }
  }
}

namespace {

// What never changes need not be stored: its rest value says it.
void forget_constants(Program& program) {
  for (Slot& slot : program.slots) {
    const bool constant = slot.range.lo == slot.range.hi && slot.rest_value == slot.range.lo &&
                          slot.initial == slot.rest_value;
    if (constant && !slot.parameter) slot.stored = false;
  }
}

}  // namespace

std::unique_ptr<Program> elaborate(const lang::Model& model, const lang::StackDecl& stack,
                                   const ElaborateOptions& options,
                                   lang::Diagnostics& diagnostics) {
  Interleave interleave = stack.interleave == "fine" ? Interleave::fine : Interleave::coarse;
  if (options.interleave) interleave = *options.interleave;
  Memory memory = stack.memory == "tso"    ? Memory::tso
                  : stack.memory == "weak" ? Memory::weak
                                           : Memory::sc;
  if (options.memory) memory = *options.memory;
  const bool wants_fine = interleave == Interleave::fine;
  if (memory != Memory::sc && !wants_fine) {
    diagnostics.error("TX0605", stack.memory.empty() ? stack.span : stack.memory_span,
                      std::string("memory ") + (memory == Memory::tso ? "tso" : "weak") +
                          " needs fine steps, and the stack '" + stack.name +
                          "' takes coarse ones: a whole call is one step there, and nobody can "
                          "look while a store waits");
    return nullptr;
  }
  Knowledge known;
  known.memory = memory;
  known.store_depth = stack.store_buffer != 0 ? stack.store_buffer : usual_store_depth;
  if (options.store_depth) known.store_depth = *options.store_depth;
  for (int round = 0; round < most_rounds; ++round) {
    lang::Diagnostics found;
    Elaboration pass(model, stack, options, found, known);
    pass.run();
    Knowledge next = known;
    for (const auto& [variable, set] : pass.learnt().references) {
      next.references[variable].insert(set.begin(), set.end());
    }
    for (const auto& [thread, use] : pass.learnt().uses) next.uses[thread].merge(use);
    std::unique_ptr<Program> program = pass.take_program();
    if (!found.has_errors() && wants_fine) {
      next.fine = true;
      if (!known.fine) {
        if (next.references == known.references) {
          next.shared = pass.keys(shared_slots(*program));
        } else {
          next.fine = false;  // first learn what references may be
        }
      }
    }
    // What threads do to memory is known when one pass has seen every access.
    next.woven = memory != Memory::sc && known.fine && next.references == known.references;
    const bool settled = next.references == known.references && next.fine == known.fine &&
                         next.woven == known.woven && next.uses == known.uses;
    if (!settled && !found.has_errors()) {
      known = std::move(next);
      continue;
    }
    for (const lang::Diagnostic& d : found.all()) {
      (d.severity == lang::Severity::error ? diagnostics.error(d.code, d.span, d.message)
                                           : diagnostics.warning(d.code, d.span, d.message))
          .notes = d.notes;
    }
    if (found.has_errors()) return nullptr;
    program->interleave = interleave;
    program->memory = memory;
    const std::size_t errors = diagnostics.error_count();  // of other stacks
    abstract_containers(*program, diagnostics);
    if (diagnostics.error_count() > errors) return nullptr;
    if (pass.others().others.number != no_id) {
      sum_up_others(*program, pass.others(), diagnostics);
      if (diagnostics.error_count() > errors) return nullptr;
    }
    settle_locals(*program);
    finish_others(*program, diagnostics);
    if (diagnostics.error_count() > errors) return nullptr;
    if (!options.for_all.empty()) forget_constants(*program);
    compute_step_accesses(*program);
    return program;
  }
  diagnostics.error("TX0422", stack.span,
                    "what its references may be does not settle; this is a mistake of the tool");
  return nullptr;
}

}  // namespace txproof::program
