// Fair strong components: sets of states that one fair run can visit for ever.
//
// An actor (a thread, or time) is
//   weakly fair    if, from some point on always able to step, it steps again and again;
//   strongly fair  if, again and again able to step, it steps again and again.
// A thread is weakly fair unless it is declared `strong`; where it stands at `wait … fair` it is
// strongly fair. To be able to step from a `pause` does not count: a pause need never be left.
//
// Weak fairness asks of a component that some state of it, or some step in it, meets each actor
// (generalised Büchi); no part of a component that fails can do better. Strong fairness takes the
// states out in which an actor can step that never does in the component, and decomposes the rest
// (Emerson and Lei 1987; Streett's pairs).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "checker/graph/state_graph.h"

namespace txproof::checker::graph {

enum class Fair : std::uint8_t {
  no,
  weakly,    // … and strongly where it stands at `wait … fair`
  strongly,  // wherever it can step
};

// What a run has to satisfy.
struct Fairness {
  std::vector<Fair> actors;         // by Actor
  std::optional<std::size_t> fact;  // true again and again
};

// As the language has it: threads as declared, time weakly.
Fairness declared_fairness(const program::Program& program);
// Only time must pass: the runs that a rate ranges over.
Fairness time_passes(const program::Program& program);

// Whether a state makes it an obligation to the actor that steps come again and again although the
// actor can not always step.
bool owes_strongly(const Fairness& fairness, const Situation& situation, Actor actor);

// poll: called now and then; true: stop (the answer is then incomplete).
//   requires: region ascending, of expanded states
//   ensures: disjoint strong components within `region`, each with a cycle; a run that stays in one
//            and takes each of its edges again and again is fair, and every fair run that stays in
//            the region ends up in one
std::vector<std::vector<StateId>> fair_components(const StateGraph& graph,
                                                  std::vector<StateId> region,
                                                  const Fairness& fairness,
                                                  const std::function<bool()>& poll);

}  // namespace txproof::checker::graph
