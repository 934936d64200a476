// What an elaboration knows about the memory model: internal to model/program.
//
// tso and weak are woven into the Program as ordinary slots, statements and threads, so no engine
// knows of them. docs/memory-models.md says what each means; here is what the walk needs:
//
//   - *variables*: shared scalars of objects that some thread stores to. Everything else (packets,
//     containers, handles, clocks) is always seen as it is, and an operation that changes it
//     orders everything, as an atomic one does.
//   - what each thread does, learnt in the pass before: nothing is made for a thread that stores
//     nothing or reads nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/program/program.h"

namespace txproof::program {

// What the step behind a stop for an access does to memory.
enum class AccessKind : std::uint8_t {
  load,       // reads
  store,      // writes a variable
  container,  // changes a container, a packet's place or field, a handle, a clock
  atomic,     // atomic { }, fence full: orders everything
};

enum class MemoryOrder : std::uint8_t { relaxed, acquire, release, full };

// What one pass learns of a thread for the next.
struct MemoryUse {
  std::set<std::string> stores;  // keys of the slots that it stores to
  std::set<std::string> loads;
  std::set<std::string> atomic_stores;  // … inside `atomic`
  bool orders_stores = false;           // fence write
  bool orders_loads = false;            // fence read, or anything that orders everything
  bool orders_all = false;              // fence full, atomic, a container's operation
  bool releases = false;
  bool primitive = false;  // the text says something about order, or that it need not
  bool operator==(const MemoryUse&) const = default;
  void merge(const MemoryUse& other) {
    stores.insert(other.stores.begin(), other.stores.end());
    loads.insert(other.loads.begin(), other.loads.end());
    atomic_stores.insert(other.atomic_stores.begin(), other.atomic_stores.end());
    orders_stores = orders_stores || other.orders_stores;
    orders_loads = orders_loads || other.orders_loads;
    orders_all = orders_all || other.orders_all;
    releases = releases || other.releases;
    primitive = primitive || other.primitive;
  }
};

// tso: the buffer of one thread, while walking.
struct BufferState {
  SlotId length = no_id;
  SlotId first = no_id;
  std::vector<SlotId> variables;
  std::map<SlotId, Word> number;  // 1 + index in variables
};

// weak: the slots of all histories and views, while walking. Variable v (0-based) has a block of
// `stride` slots from `block` on: length, floor, sc view, `depth` values, then for each of these
// the view that its reader gets, one slot a variable. A view of a variable is a position in its
// values.
struct HistoryState {
  std::vector<SlotId> variables;
  std::map<SlotId, Word> number;  // 1 + index in variables
  SlotId block = no_id;
  std::uint32_t stride = 0;
  std::uint32_t depth = 0;
  bool has_messages = false;  // some thread orders its stores
  bool has_strong = false;    // some thread orders everything
  std::vector<bool> read;     // by variable: some thread reads it outside `atomic`
  // By variable, while an `atomic` is walked: it has stored to it already, so that the next store
  // takes the place of that one, which nobody sees.
  SlotId stored_here = no_id;
  struct Views {              // of one thread; each one slot a variable; no_id: not kept
    SlotId current = no_id;   // what it reads
    SlotId pending = no_id;   // what it must see behind the next read fence
    SlotId written = no_id;   // its own stores
    SlotId release = no_id;   // what its stores carry
    SlotId gone = no_id;      // it ran off its end
    std::vector<bool> reads;  // by variable: it reads it or stores to it
  };
  std::map<ThreadId, Views> views;
};

}  // namespace txproof::program
