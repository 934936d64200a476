// Linearisability of real code against a model: the operations of several threads must have the
// answers that they could have had one after the other, each at some moment between its call and
// its return.
//
// The check is a depth-first search for that order (Wing, Gong: Testing and verifying concurrent
// objects, JPDC 17, 1993) that remembers which operations are done in which state of the model, and
// never goes on from the same twice (Lowe: Testing for linearizability, CCPE 29, 2017).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "harness/history.h"
#include "harness/model.h"
#include "harness/port.h"
#include "harness/result.h"

namespace txproof::harness {

// Whether the history has an order that the model allows.
//   requires: operations of one thread do not overlap
Result linearizable(Oracle& oracle, const std::vector<Operation>& history,
                    const Describe& describe = {});

// Runs a command in one of the threads. It must be safe to be called by all of them at once, as far
// as the code under test says it is.
using SharedSubject = std::function<Values(unsigned thread, const Values& command)>;

struct ConcurrentOptions {
  std::uint64_t seed = 1;
  unsigned threads = 2;
  std::uint64_t rounds = 1000;  // each with a fresh subject
  std::size_t calls = 8;        // of each thread in a round
  // Which thread may give which command: one producer, one consumer. Empty: any.
  std::function<bool(unsigned thread, const Values& command)> role = {};
  Describe describe = {};
};

// Lets threads give random commands at the same time and checks every history. Which interleavings
// happen is the machine's affair, so a failure is real, and that there was none proves nothing.
//   requires: the commands that the model defines at the start are defined in every state
//   errors:   ModelError; what the subject throws ends the test as failed
Result check_concurrent(const Model& model, const Port& port,
                        const std::function<SharedSubject()>& make,
                        const ConcurrentOptions& options = {});

}  // namespace txproof::harness
