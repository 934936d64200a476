// Program: the one meaning of a model, which every engine consumes.
//
// A Program is a finite vector of typed slots and a set of threads. Each thread is a control-flow
// automaton: it stands at a *location* (a stop point of the text), and a *step* runs the code
// behind that location, a graph of blocks, up to the next location. Functions are inlined, object
// dispatch is resolved and properties are woven in, so an engine sees only slots, expressions
// and statements.
//
// Every primitive statement is total: whatever can go wrong (a range left, a packet used after it
// was given away, a full container) is an explicit `check` statement before it. A check that fails
// ends the step as a violation of its property, unless it is not fatal (an assertion of a probe).
//
//   location ──condition holds──▶ block ──jump/branch/choose──▶ block ──stop──▶ location
//
// Layout of the state: a vector of 64-bit words, one a slot. A *place* (where a packet can be) is a
// run of slots: a tag (empty 0, full 1, stale 2), then the fields; an empty or stale place has all
// fields 0. A container is a length, then its elements; unused elements are all 0. So equal
// situations are equal vectors, with no heap. The slots with `stored` set are the state between
// steps; the others are scratch within a step and hold `rest_value` between steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/lang/source.h"

namespace txproof::program {

using Word = std::int64_t;
using State = std::vector<Word>;

using SlotId = std::uint32_t;
using ExprId = std::uint32_t;
using AddrId = std::uint32_t;
using BlockId = std::uint32_t;
using LocationId = std::uint32_t;  // index into Program::locations
using ThreadId = std::uint32_t;
using StructId = std::uint32_t;
using CallId = std::uint32_t;
using ViolationId = std::uint32_t;
using PropertyId = std::uint32_t;
using AggregateId = std::uint32_t;
using DisplayId = std::uint32_t;
using CounterId = std::uint32_t;

constexpr std::uint32_t no_id = 0xffffffffU;

struct Range {
  Word lo = 0;
  Word hi = 0;
  bool operator==(const Range&) const = default;
};

// The upper end of a range that grows with an unknown parameter: there is none. Search and the
// interpreter, which run at the parameters' initial values, may take it as a number; a proof must
// not use it, nor any end beyond it.
constexpr Word unbounded = Word{1} << 40;

// ---------------------------------------------------------------- slots

enum class SlotKind : std::uint8_t {
  pc,      // of a thread: the index of its location among the thread's locations
  scalar,  // integers, booleans, enums, references to objects
  tag,     // of a place: 0 empty, 1 full, 2 stale
  length,  // of a container
  handle,  // weak handle: 0 none, 1 dangling, 2 + PlaceId of struct `handle_of`
};

enum class TickEffect : std::uint8_t { none, up, down };

struct Slot {
  std::string name;  // "eth0.ring[1].truesize"
  SlotKind kind = SlotKind::scalar;
  Range range;          // values that may be stored; packing may rely on it between steps
  Word initial = 0;     // in range
  Word rest_value = 0;  // where !stored, and where a `forget` resets it: in range
  bool stored = true;   // part of the state between steps
  bool ghost = false;   // belongs to a property
  bool shared = false;  // reached by two threads and written by one
  // An unknown parameter (or the unknown of Others): stored, never written. Proofs take any value
  // in its range that meets the assumptions; search runs at `initial`, the value in force.
  bool parameter = false;
  TickEffect ticks = TickEffect::none;
  Word tick_end = 0;        // with ticks: the value that it goes to, and where it stays
  SlotId clock_of = no_id;  // with ticks, in a packet: its tag; where no packet is, no clock runs
  StructId handle_of = no_id;
  DisplayId display = no_id;  // how to write a value; no_id: as a number
  ThreadId owner = no_id;     // locals and pcs: their thread
};

// Names for values: value v is written names[v - first]; outside, as a number.
struct Display {
  Word first = 0;
  std::vector<std::string> names;
};

// ---------------------------------------------------------------- structs and places

using PlaceId = std::uint32_t;  // within its struct

struct Field {
  std::string name;
  std::uint32_t offset = 0;  // from the place's tag slot; 1 is the first field
  std::uint32_t words = 1;
};

struct Place {
  SlotId base = 0;        // its tag
  std::string name;       // "eth0.ring[1]"
  bool is_local = false;  // moved from, a local becomes stale; other places become empty
};

struct NestedPlace {
  std::uint32_t offset = 0;  // of its tag, from the outer tag
  StructId structure = no_id;
};

struct Struct {
  std::string name;
  std::uint32_t words = 1;  // tag included
  std::vector<Field> fields;
  std::vector<Place> places;    // every place where one can be, in slot order
  std::vector<SlotId> handles;  // every weak handle slot to it (kind handle)
  // Every packet place inside this struct, nested ones too, element by element: `destroy` of a
  // struct while one of them is full leaks (the elaborator emits the checks).
  std::vector<NestedPlace> nested;
  bool counted = false;
};

// Counted structs: a place holds a reference to a *cell*. Its tag is 0 empty, 1 stale,
// 2 + cell otherwise, and the fields live in the cell. A cell is a run of slots: live flag (0/1),
// then the fields. Cells are renumbered by first use over the places, in order, when a step ends,
// so equal situations stay equal vectors. Handles to counted structs hold 2 + cell.
struct CellTable {
  StructId structure = no_id;
  SlotId first = 0;  // live flag of cell 0
  std::uint32_t stride = 1;
  std::uint32_t count = 0;
};

// ---------------------------------------------------------------- expressions

enum class ExprKind : std::uint8_t {
  constant,  // value
  load,      // the slot at addr
  negate,
  bit_not,
  logical_not,  // a
  add,
  subtract,
  multiply,
  divide,
  modulo,  // a, b; / and % as in C, b never 0 (checked)
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,
  less,
  less_equal,
  equal,
  not_equal,  // 0 or 1
  logical_and,
  logical_or,   // short-circuit; 0 or 1
  conditional,  // a ? b : c
  wrap,         // a mod value, in 0..value-1 (mathematical modulus); value a power of two or any N
  minimum,
  maximum,    // a, b
  table,      // tables[value][a]: a constant table; a in range (checked)
  aggregate,  // aggregates[value]
  cursor,     // the element that aggregate `value` looks at: a PlaceId + 2 (as a handle), or for
              // scalar elements the absolute slot number, or for a range the integer itself
  place_id,   // handle value (2 + PlaceId) of the place at addr; of a counted place: its tag
  // Comparison of handles follows the language: dangling equals nothing. The elaborator emits
  // plain comparisons with the needed tests.
};

struct Expr {
  ExprKind kind = ExprKind::constant;
  Word value = 0;
  ExprId a = no_id, b = no_id, c = no_id;
  AddrId addr = no_id;
  StructId structure = no_id;  // place_id, cursor: the struct
  Range range;                 // every value it can have lies in here (assuming slots are in range)
};

// One dimension of an indexed address.
struct Index {
  ExprId index = no_id;  // checked to be in 0..count-1 before use
  std::uint32_t stride = 1;
  std::uint32_t count = 1;
};

// Which slot: base + sum of index * stride. With `handle`, base is an offset into the place that
// the handle (value 2 + PlaceId) names: places[handle - 2].base + base + …; for a counted struct
// the offset is into the cell. With `absolute`, the value of that expression is added instead (a
// cursor over scalars).
struct Address {
  SlotId base = 0;
  std::vector<Index> indices;
  ExprId handle = no_id;
  StructId handle_struct = no_id;
  ExprId absolute = no_id;
  std::uint32_t absolute_limit = 0;    // exclusive bound of the slot number
  std::vector<SlotId> absolute_slots;  // every value that `absolute` can have, sorted
};

enum class AggregateKind : std::uint8_t { sum, count, forall, exists, minimum, maximum };

// A set of elements to range over, in order.
struct Span {
  enum class Kind : std::uint8_t {
    places,     // places first..first+count-1 of `structure`; empty and stale ones are skipped
    container,  // elements of the container at `addr` (its length slot): stride, count = capacity;
                // struct elements (`structure`) or scalars (no_id)
    array,      // `count` scalars at addr, `stride` apart
    range,      // integers first..first+count-1
    cells,      // live cells of a counted struct
  } kind = Kind::places;
  StructId structure = no_id;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  AddrId addr = no_id;
  std::uint32_t stride = 1;
  Word range_first = 0;
};

struct Aggregate {
  AggregateKind kind = AggregateKind::sum;
  std::vector<Span> spans;
  AggregateId cursor_of = no_id;  // its cursor is that of this aggregate; no_id: its own
  ExprId where = no_id;           // no_id: all
  ExprId body = no_id;            // no_id for count
  Word empty = 0;                 // minimum, maximum over nothing
};

// ---------------------------------------------------------------- statements

// A fifo or bag: the length at addr, then `capacity` elements of `stride` words.
struct Container {
  AddrId addr = no_id;
  std::uint32_t stride = 1;
  std::uint32_t capacity = 0;
  StructId structure = no_id;  // no_id: scalar elements
  bool sorted = false;         // bag: kept in ascending lexicographic order of the words
};

// A bag whose place is fixed: engines keep it sorted when a step ends, since a field of an element
// may have been written through a handle.
struct Bag {
  SlotId length = 0;
  std::uint32_t stride = 1;
  std::uint32_t capacity = 0;
};

enum class StmtKind : std::uint8_t {
  assign,        // [target] := value; in the target's range (checked before where not evident)
  check,         // value must be non-zero, or `violation` has happened
  witness,       // value non-zero: an assertion of `property` really said something here (for an
                 // implication: its left side was true). Only this counts against vacuity
  create,        // the place [target], empty: becomes full with fields 0 (fields assigned next)
  move,          // the packet at [source] to the empty place [target]; source gets tag `leave`
  duplicate,     // the packet at [source] also at [target]: a new packet with equal fields
  share,         // counted: [target] refers to the cell of [source] (a place), or of handle `value`
  destroy,       // the packet at [source] ends; source gets tag `leave`; handles to it dangle.
                 // Counted: the reference ends; with the last one the cell
  clear_tag,     // [target], not full: tag 0 (a stale local ends, or is assigned again)
  insert,        // container, position `value` (no_id: at the end; sorted: where it belongs):
                 // the packet at [source] (gets tag `leave`), or the scalar `element`
  remove,        // container, position `value`: the packet to the empty place [target], or the
                 // scalar to [target]; with neither it is dropped (scalars)
  splice,        // all elements of `container` behind those of `container2`; empties the first
  clear,         // a container of scalars becomes empty
  pick,          // [target] := any value from..to (expressions `value`, `value2`); nondeterministic
  pick_element,  // [target] := position of any element of `container` for which `value2` holds
                 // (cursor aggregate `aggregate` has the binder); at least one does (checked)
  count,         // counters[counter] += value (index `value2` if an array)
  enter,         // call `call` begins here (for traces and coverage)
  leave,         // call `call` ends; value: what it returns, or no_id
};

struct Stmt {
  StmtKind kind = StmtKind::assign;
  std::uint8_t leave =
      0;              // move, destroy, insert: the tag that source gets (0 or 2; counted 0 or 1)
  bool fatal = true;  // check: the step ends here
  StructId structure = no_id;  // create, move, duplicate, share, destroy
  AddrId target = no_id;
  AddrId source = no_id;
  ExprId value = no_id;
  ExprId value2 = no_id;
  ExprId element = no_id;
  std::uint32_t container = no_id;  // index into Program::containers
  std::uint32_t container2 = no_id;
  std::uint32_t aggregate = no_id;
  ViolationId violation = no_id;
  PropertyId property = no_id;
  CounterId counter = no_id;
  CallId call = no_id;  // the call in which it stands; enter, leave: the call itself
  bool probe = false;   // belongs to a property: no access in the sense of `shared`
  lang::Span where;
};

enum class TerminatorKind : std::uint8_t {
  jump,    // targets[0]
  branch,  // condition ? targets[0] : targets[1]
  choose,  // any targets[i] whose guards[i] holds (no_id: always). If none holds, the step is
           // impossible: without unknown parameters this only stands directly behind a choice
           // location, whose condition says that some guard holds
  stop,    // the step ends; the thread stands at `location`
  lock,    // condition holds: on to targets[0]; otherwise stop at `location`
  halt,    // after a check that never holds: unreachable
};

struct Terminator {
  TerminatorKind kind = TerminatorKind::jump;
  ExprId condition = no_id;
  std::vector<BlockId> targets;
  std::vector<ExprId> guards;
  LocationId location = no_id;
  std::vector<SlotId> forget;  // stop, lock (when it stops): dead locals, set to rest_value
  // choose: which packet leaves this container, whose order was forgotten (Program::unordered)
  std::uint32_t unordered = no_id;
  lang::Span where;
};

struct Block {
  std::vector<Stmt> stmts;
  Terminator end;
  ThreadId thread = no_id;
  std::uint32_t loop = no_id;  // it begins a round of Program::loops[loop]
};

// ---------------------------------------------------------------- threads

enum class StopKind : std::uint8_t {
  start,        // always enabled
  wait,         // enabled if condition; staying is a fault (a lock that is held too)
  rest,         // enabled if condition; staying is none
  pause,        // enabled; need never be left
  yield,        // enabled
  tick,         // only a step of time leads on, to `after`
  after_tick,   // enabled
  loop_head,    // enabled
  choice,       // guarded either: enabled if condition (some guard holds); staying is none
  wait_choice,  // wait either: likewise; staying is a fault
  access,  // fine: before an access to shared state; enabled (condition of an atomic wait: as wait)
  end,     // ran off its end: never enabled, at rest
};

struct Location {
  StopKind kind = StopKind::start;
  ThreadId thread = no_id;
  std::uint32_t pc = 0;      // its number among the thread's locations: the value of the pc slot
  ExprId condition = no_id;  // no_id: always
  BlockId entry = no_id;     // no_id for end, tick
  LocationId after = no_id;  // tick: where time takes it
  bool fair = false;         // wait E fair
  CallId call = no_id;
  lang::Span where;
  // Slots read and written by the step that starts here, sorted (for reductions and slicing).
  std::vector<SlotId> reads, writes;
};

struct Thread {
  std::string name;      // "udp_sender(udp[0], bond0)"
  std::string function;  // "udp_sender"
  bool urgent = false;
  bool strong = false;
  SlotId pc = 0;
  std::vector<LocationId> locations;  // [0] is where it starts
  // Not in the text: what makes the stores of that thread visible (tso), or shows stores of others
  // to it (weak). It comes behind the threads of the text. no_id: a thread of the text.
  ThreadId memory_of = no_id;
  lang::Span where;
};

// One inlined activation: a function at a call path.
struct Call {
  CallId parent = no_id;
  ThreadId thread = no_id;
  std::string function;   // "dev_queue_xmit", "pfifo.enqueue"
  std::string receiver;   // "eth0.qdisc", empty for plain functions
  std::string arguments;  // constant arguments, for people: "eth0"
  lang::Span site;        // the call
  lang::Span body;        // the function's name where it is declared
  DisplayId result_display = no_id;
  bool has_result = false;
};

// ---------------------------------------------------------------- properties

enum class PropertyKind : std::uint8_t {
  builtin,     // own.linear, range, lock, assert: only checks. deadlock: see `deadlock`
  deadlock,    // the search looks for it
  assertions,  // only checks, of probes
  always,      // condition holds after every step, and initially
  at_rest,     // condition holds in every state at rest
  maximum,     // left <= right after every step, and initially
  leads_to,
  infinitely_often,
  rate,  // need another engine
};

// One side of a rate: the sum of some elements of a counter, or time.
struct Tally {
  bool is_ticks = false;
  std::uint32_t first = 0;  // elements first..first+count-1, in the numbering of Counter::first
  std::uint32_t count = 0;
};

// A property has one or more parts: `always` twice, an `always` and probes, …
struct Claim {
  PropertyKind kind = PropertyKind::always;
  ExprId condition = no_id;      // always, at_rest, infinitely_often; leads_to: left
  ExprId left = no_id;           // maximum
  ExprId right = no_id;          // maximum, leads_to
  Tally numerator, denominator;  // rate: numerator / denominator >= (or <=) bound
  Word bound_numerator = 0, bound_denominator = 1;
  bool at_least = true;
  ExprId assuming = no_id;  // leads_to … assuming infinitely_often E
  // For `A => B`: A, or'ed over what ranges over it; no_id: never vacuous.
  ExprId antecedent = no_id;
  lang::Span where;
  std::string text;  // as written
};

// A claim (always) that is no property of the stack's but what a report must say of the memory
// model, where it is false in some state. `text` is the sentence.
enum class MemoryNote : std::uint8_t {
  none,
  bound,   // a store found no room: what was explored is not all, so nothing `holds`
  drained  // a container operation or a packet's move made a buffer that held stores empty first
};

struct Property {
  std::string name;  // as written after `property`; or own.linear, range, deadlock, lock, assert
  std::string instance;  // "fifo_order(eth0)" where it has arguments, otherwise the name
  std::string text;      // what it says, in words
  PropertyKind kind = PropertyKind::builtin;
  std::vector<Claim> claims;
  bool is_watch = false;  // no property of the stack's: a maximum that a comparison follows
  MemoryNote memory_note = MemoryNote::none;  // with is_watch: no maximum, but a note
  bool has_checks = false;                    // some check statement or claim can speak for it
  bool never_probed = false;  // a probed function that this stack never calls: vacuous
  std::string never_probed_name;
  // Not empty: why this Program cannot decide it for all values of the unknown parameters.
  std::string not_served;
  lang::Span where;
};

struct Violation {
  PropertyId property = no_id;
  std::string kind;     // "own.used_after_move", "range", "assert", …
  std::string message;  // one sentence
  lang::Span where;
};

struct Counter {
  std::string name;
  std::uint32_t size = 1;   // elements; 1 where it is no array
  std::uint32_t first = 0;  // of its elements, in one numbering of the elements of all counters
};

struct Parameter {
  std::string name;
  Word value = 0;
  Range domain;
  bool is_default = true;
  SlotId slot = no_id;  // where it is, if it is unknown; `value` is then its initial value
};

// ---------------------------------------------------------------- unknown parameters

// What holds of the unknown parameters: written by the stack, or needed for it to make sense at all
// (a capacity is at least 1). Reads parameter slots only.
struct Assumption {
  ExprId condition = no_id;
  std::string text;
  lang::Span where;
};

// A loop whose number of rounds has no known bound. Its back edge stays in the block graph: every
// cycle of blocks passes a block with `loop` set, where a proof cuts the step in two (an internal
// location: meanwhile no other thread moves, and claims are not looked at).
struct Loop {
  BlockId head = no_id;      // where a round begins
  SlotId rounds = no_id;     // rounds so far: scratch, checked against the bound in the head
  std::vector<SlotId> live;  // scratch slots that hold more than their rest value there, sorted
  lang::Span where;
};

// A container of unknown capacity, abstracted to how many packets of each kind it holds. A kind is
// a combination of values of all fields. No other combination occurs (a fixed point over the whole
// Program found these). Its length is the sum of the counters. Order is forgotten: a packet that is
// taken may be of any kind that is there, so a violation may be spurious and a proof is none.
struct Unordered {
  std::string name;  // "eth0.ring"
  struct Kind {
    SlotId counter = no_id;
    std::vector<Word> fields;  // in the order of the struct's words, without the tag
    std::string text;          // "sk udp[0], truesize 1"
  };
  std::vector<Kind> kinds;
  StructId structure = no_id;  // no_id: scalars, one word
  ExprId capacity = no_id;
  lang::Span where;
};

// An array of objects whose number is unknown: element 0 is in focus, element 1 stands for all the
// others. By symmetry what is proved with any one in focus holds for each. A field of the others
// that is only added to and subtracted from holds its sum over them; one of them has any value that
// the sum allows if none is above the cap: from max(0, sum - (caps - cap)) to min(sum, cap). This
// is sound if the same proof also shows `goal` for the focus after every step; where it does not,
// nothing is proved. Other fields of the others have any value when they are read.
struct Others {
  std::string array;              // "udp"
  SlotId number = no_id;          // the parameter slot of its length
  std::vector<ThreadId> threads;  // of the others, one for all: no locals, and it may go on from
                                  // any of its stop points
  struct Sum {
    std::string field;     // "sk_wmem_alloc"
    SlotId focus = no_id;  // its slot in the object in focus
    SlotId sum = no_id;    // over the others
    ExprId cap = no_id;    // of one object, over parameter slots
    SlotId caps =
        no_id;  // unknown: (number - 1) * cap, as one number, so that no product is needed
    ExprId goal = no_id;  // focus <= cap
  };
  std::vector<Sum> sums;
  lang::Span where;
};

enum class Interleave : std::uint8_t { coarse, fine };
enum class Memory : std::uint8_t { sc, tso, weak };

// tso: the stores of a thread that others do not see yet, oldest first. Slots from `first` on: of
// each entry the variable (1 + its index in `variables`; 0: no entry), then the value.
struct StoreBuffer {
  ThreadId thread = 0;
  SlotId length = 0;
  SlotId first = 0;
  std::uint32_t depth = 0;
  std::vector<SlotId> variables;
};

// weak: the stores to a variable that some thread may still read, oldest first; the variable's own
// slot has the newest. Which of them a thread reads is its view.
struct StoreHistory {
  SlotId variable = 0;
  SlotId length = 0;  // 1..depth
  SlotId first = 0;   // `depth` values
  std::uint32_t depth = 0;
  std::vector<SlotId> views;  // by ThreadId, threads of the text: 0..length-1
};

struct Program {
  std::string stack;
  std::vector<Parameter> parameters;
  Interleave interleave = Interleave::coarse;
  Memory memory = Memory::sc;

  std::vector<Slot> slots;
  std::vector<Display> displays;
  std::vector<Struct> structs;
  std::vector<CellTable> cells;
  std::vector<Expr> exprs;
  std::vector<Address> addresses;
  std::vector<Aggregate> aggregates;
  std::vector<std::vector<Word>> tables;
  std::vector<Container> containers;
  std::vector<Bag> bags;
  std::vector<Block> blocks;
  std::vector<Location> locations;
  std::vector<Thread> threads;
  std::vector<Call> calls;
  std::vector<Property> properties;
  std::vector<Violation> violations;
  std::vector<Counter> counters;
  std::vector<StoreBuffer> store_buffers;
  std::vector<StoreHistory> store_histories;
  std::uint32_t store_depth =
      0;  // tso, weak: how many stores may wait (in a buffer, of a variable)
  // Not empty: why nothing of this program can be said to hold, whatever was explored.
  std::string no_proof;
  bool has_time = false;  // some thread can stand at tick, or some slot changes by time

  // Empty unless parameters were left unknown (ElaborateOptions::for_all).
  std::vector<Assumption> assumptions;
  std::vector<Loop> loops;
  std::vector<Unordered> unordered;
  std::vector<Others> others;

  // place_at[slot]: for the tag slot of a place, its PlaceId; otherwise no_id. (Which struct: the
  // address or statement says.)
  std::vector<PlaceId> place_at;
};

// The initial state: initial values, every thread at its first location.
State initial_state(const Program& program);

}  // namespace txproof::program
