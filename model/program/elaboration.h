// One pass that turns a stack of the typed tree into a Program. Internal to model/program: callers
// use elaborate.h.
//
// The pass walks the code of each thread as it would run, inlining calls. It knows at every
// point which object a name means, so dispatch is resolved as it goes; where a reference can
// change at run time, it splits into the cases that some assignment allows. What can be assigned
// is not known before the walk, so the pass is repeated with what the last one learnt until
// nothing new is learnt (Knowledge). The same way, `fine` needs to know what is shared.
//
// The members are grouped as the files are: shapes (types with numbers), objects, names, pure
// expressions and expressions with effects, packets and containers, calls, statements, probes,
// claims.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/lang/diagnostic.h"
#include "model/lang/syntax.h"
#include "model/program/builder.h"
#include "model/program/elaborate.h"
#include "model/program/memory.h"
#include "model/program/others.h"

namespace txproof::program {

// Span::count of an aggregate over every place of a struct, until all are made.
constexpr std::uint32_t every_place = no_id;

// What one pass learns for the next.
struct Knowledge {
  // Objects that a variable may refer to: by its declaration and the object it belongs to (0:
  // none), locals by the receiver of their function.
  std::map<std::pair<const lang::Decl*, Word>, RefSet> references;
  std::set<std::string> shared;  // keys of shared slots
  bool fine = false;             // build with the stop points of `fine`
  // Memory models: what is asked for; whether it is woven in; what each thread does.
  Memory memory = Memory::sc;
  std::uint32_t store_depth = 0;
  bool woven = false;
  std::map<ThreadId, MemoryUse> uses;
};

// A type with numbers.
struct Shape {
  enum class Kind { scalar, handle, packet, fifo, bag, array };
  Kind kind = Kind::scalar;
  Range range;       // scalar: what may be assigned
  Word modulus = 0;  // wrapping types; 0: does not wrap
  Word initial = 0;  // scalar: the value if none is given
  DisplayId display = no_id;
  StructId structure = no_id;            // packet, handle
  bool is_reference = false;             // to an object
  bool is_open = false;                  // an int without a range: takes that of its initialiser
  std::shared_ptr<const Shape> element;  // fifo, bag, array
  std::uint32_t count = 0;               // capacity, length
  std::uint32_t words = 1;
  // With unknown parameters (unknowns.cpp): ends of the range, a capacity that depend on them.
  ExprId lo_end = no_id, hi_end = no_id;
  std::string range_text;  // as written, if an end is unknown
  ExprId capacity = no_id;
  [[nodiscard]] bool is_unbounded() const { return capacity != no_id; }
  [[nodiscard]] bool is_container() const { return kind == Kind::fifo || kind == Kind::bag; }
};

// What a name means at a point of the walk.
struct Binding {
  enum class Kind {
    value,    // an expression: a constant, a parameter that is never assigned, a cursor
    list,     // constant values: an array param, an array of instances
    storage,  // slots
    packet,   // a packet named by a handle-valued expression (binders of aggregates)
  };
  Kind kind = Kind::value;
  ExprId value = no_id;
  std::vector<Word> list;
  AddrId addr = no_id;
  Shape shape;
  bool local = false;      // moved from, it becomes stale
  bool touched = false;    // fine: the stop before this access has been made
  ExprId present = no_id;  // a packet's field: that the packet is there
  ExprId guard = no_id;  // in pure code: where this is 0, the binding means nothing and reads as 0
};

// An object: its members by declaration (those of its interface too).
struct Instance {
  Word id = 0;
  const lang::TypeDecl* type = nullptr;
  std::string name;
  std::map<const lang::VarDecl*, Binding> members;
  const lang::Expr* bindings = nullptr;  // the literal or instance expression, if any
};

// A stack may run that many threads.
constexpr Word most_threads = 4096;

class Elaboration {
 public:
  Elaboration(const lang::Model& model, const lang::StackDecl& stack,
              const ElaborateOptions& options, lang::Diagnostics& diagnostics,
              const Knowledge& known);

  // Walks everything. Errors go to the diagnostics; the Program is then unusable.
  void run();

  [[nodiscard]] std::unique_ptr<Program> take_program() { return std::move(program_); }
  [[nodiscard]] const Knowledge& learnt() const { return learnt_; }
  [[nodiscard]] const OthersSketch& others() const { return sketch_; }
  // The keys of these slots, for Knowledge::shared.
  [[nodiscard]] std::set<std::string> keys(const std::set<SlotId>& slots) const;

 private:
  // ---- shared structures of the walk
  struct Owned {  // a packet place or container that a scope must leave empty
    AddrId addr = no_id;
    Shape shape;
    std::string name;
    lang::Span where;
  };
  struct Scope {
    std::vector<Owned> owned;
    std::map<std::string, BlockId> labels;
  };
  struct LoopTargets {
    BlockId on_break = no_id;
    BlockId on_continue = no_id;
    std::size_t scopes = 0;  // depth of scopes outside the loop's body
  };
  struct Frame {
    const Frame* outer = nullptr;  // where a name is looked up next: probes and claims
    std::map<const lang::VarDecl*, Binding> names;
    Word receiver = 0;
    CallId call = no_id;
    const lang::FunctionDecl* function = nullptr;
    BlockId exit = no_id;
    std::optional<Binding> result;
    std::vector<Scope> scopes;
    std::vector<LoopTargets> loops;
  };
  struct Watched {  // a property that is checked, woven into the walk
    const lang::PropertyDecl* decl = nullptr;
    PropertyId id = no_id;
    Frame frame;  // its parameters and ghosts
    bool has_assertions = false;
    bool asserted = false;  // some assertion of it was woven in
    std::string unmet;      // a probed function that was not met
  };
  struct OpenCall {  // an activation of a function that a `per call` watches
    Watched* watched = nullptr;
    const lang::PerCall* per_call = nullptr;
    std::unique_ptr<Frame> frame;
  };
  struct Activation {
    const lang::FunctionDecl* function = nullptr;
    Word receiver = 0;
    std::vector<Word> objects;  // its constant object arguments
    lang::Span site;
    std::vector<OpenCall> open;
  };
  // What pure code would run into: `condition` is false where it does.
  struct PureFault {
    ExprId condition = no_id;
    std::string property, kind, message;
    lang::Span where;
  };

  // ---- unknown parameters (unknowns.cpp)
  Binding unknown_param(const lang::VarDecl& param, const Shape& shape, Word value);
  [[nodiscard]] bool is_left_unknown(const lang::VarDecl& param) const;
  // The value of what must not change in a run: numbers, constants, parameters, unknown ones too.
  ExprId fixed_value(const lang::Expr& expr);
  [[nodiscard]] bool is_fixed(ExprId value) const;
  // Notes what must hold of the parameters for the stack to make sense; an error if it never can.
  void assume(ExprId condition, const std::string& what, lang::Span where);
  void check_assumptions();
  void set_range(Shape& shape, const lang::Expr& low, const lang::Expr& high, lang::Span where);
  void set_capacity(Shape& shape, const lang::Expr& size, lang::Span where);
  // The condition that a value lies in a shape's range, as far as it is not evident.
  ExprId in_range(const Shape& shape, ExprId value);
  static std::string range_text(const Shape& shape);
  ExprId capacity_of(const Shape& shape);
  std::string capacity_text(const Shape& shape) const;
  void note_unordered(const std::string& name, SlotId length, const Shape& shape);
  bool refuse_unordered(const Binding& container, const std::string& what, lang::Span where);
  // A value by cases of an object: the values of `each`, for the objects that it may be.
  ExprId by_object(ExprId object, const std::vector<Word>& candidates,
                   const std::function<ExprId(Word)>& each);
  [[nodiscard]] bool same_value(ExprId a, ExprId b) const;
  void begin_round(BlockId head, SlotId rounds, lang::Span where);
  Span unordered_span(const Unordered& container);

  // ---- any number of objects (focus.cpp)
  // The length of an array of objects: 2 where it is unknown, the one in focus and the others.
  Word number_of_objects(const lang::VarDecl& decl, const lang::Expr& size);
  void check_symmetry();
  void sketch_others();
  [[nodiscard]] bool is_number(ExprId value) const;
  [[nodiscard]] bool is_last_index(ExprId value) const;
  ExprId times_others(ExprId each);  // (number - 1) * each, as one unknown
  SlotId caps_of(ExprId each);
  ExprId sum_over_others(ExprId body, lang::Span where);
  void find_symmetric(const lang::Expr& expr, bool is_maximum);

  // ---- shapes (shapes.cpp)
  Shape shape_of(const lang::Type& type, const lang::VarDecl* decl);
  Shape scalar_shape(const lang::Type& type, const lang::Expr* lo, const lang::Expr* hi,
                     lang::Span where);
  StructId struct_of(const lang::TypeDecl& decl);
  const Shape& field_shape(StructId structure, const lang::VarDecl& field) const;
  std::uint32_t field_offset(StructId structure, const lang::VarDecl& field) const;
  DisplayId display_of(std::vector<std::string> names, Word first);
  AddrId allocate(const std::string& name, const std::string& key, const Shape& shape,
                  ThreadId owner, bool local, bool ghost, std::optional<Word> initial);
  void allocate_words(const std::string& name, const Shape& shape, ThreadId owner, bool local,
                      bool ghost, std::optional<Word> initial, bool inside);
  // The slots from `first` on, of this field, move at a tick; with runs_while, only while that slot
  // is 1.
  void set_clocks(SlotId first, const lang::VarDecl& decl, const Shape& shape, SlotId runs_while);
  void add_cells();

  // ---- objects (objects.cpp)
  void create_params();
  void create_instances();
  Word create_instance(const lang::TypeDecl& type, const std::string& name,
                       const lang::Expr* bindings);
  void bind_members(Word id);
  void bind_params(Word id);
  void bind_member(Word id, const lang::VarDecl& decl);
  Binding bound_value(const lang::Expr& bound, Word parent);
  void create_threads();
  void walk_threads();
  [[nodiscard]] std::string local_key(const lang::Decl& decl, const Frame& frame) const;
  [[nodiscard]] const Binding* member(Word object, const lang::VarDecl& decl) const;
  [[nodiscard]] std::vector<Word> instances_of(const lang::TypeDecl& type) const;
  [[nodiscard]] bool is_kind_of(Word object, const lang::TypeDecl& type) const;
  std::string object_name(Word id) const {
    return id == 0 ? "none" : instances_[static_cast<std::size_t>(id)].name;
  }

  // ---- names and places (names.cpp)
  [[nodiscard]] const Binding* find(const lang::VarDecl& decl) const;
  Binding refer(const lang::Expr& expr);  // name, field, index, this, binder: what it denotes
  Binding refer_to_write(const lang::Expr& expr);  // … as the left side of an assignment
  Binding refer_name(const lang::Expr& expr);
  Binding refer_member(const lang::Expr& expr);
  Binding refer_index(const lang::Expr& expr);
  Binding object_member(ExprId object, const lang::VarDecl& decl, const lang::Expr& at);
  Binding unreachable_member(const lang::VarDecl& decl);
  Binding packet_field(const Binding& packet, const lang::VarDecl& field, const lang::Expr& at);
  Binding element(const Binding& array, ExprId index, const lang::Expr& at);
  ExprId read(const Binding& binding, const lang::Expr& at);  // the scalar that stands there
  RefSet references(ExprId expr);
  RefSet slot_references(SlotId slot) const;
  ExprId capture_handle(ExprId handle, StructId structure);
  AddrId freeze(AddrId addr);  // indices and handles evaluated once, here
  void demand(Binding& binding, ExprId condition, const std::string& property,
              const std::string& kind, const std::string& message, lang::Span where);
  void learn(const Binding& target, ExprId value);
  [[nodiscard]] bool is_shared(AddrId addr) const;

  // ---- expressions (expressions.cpp)
  ExprId value(const lang::Expr& expr);  // scalar, reference, handle
  ExprId truth(const lang::Expr& expr);  // as a condition: 0 or 1
  ExprId pure_value(const lang::Expr& expr);
  ExprId pure_truth(const lang::Expr& expr);
  // A condition that a thread waits for or chooses by, and what its evaluation can run into.
  struct Guarded {
    ExprId condition = no_id;
    std::vector<PureFault> faults;
    std::vector<ExprId> loads;  // weak: the variables that it reads
  };
  Guarded condition_of(const lang::Expr& expr);
  ExprId no_fault(const std::vector<PureFault>& faults);
  void check_all(const std::vector<PureFault>& faults);
  // Evaluates `inner` where `context` holds: what is demanded there is demanded only then.
  ExprId in_context(ExprId context, const std::function<ExprId()>& inner);
  ExprId handle_value(const lang::Expr& expr);
  ExprId handles_equal(const lang::Expr& left, const lang::Expr& right);
  ExprId operate(const std::string& op, ExprId a, ExprId b, const lang::Expr& at);
  ExprId binary_value(const lang::Expr& expr);
  ExprId short_circuit(const lang::Expr& expr);
  ExprId conditional_value(const lang::Expr& expr);
  ExprId any_value(const lang::Expr& expr);
  ExprId capture(ExprId value, const std::string& name);  // in a fresh scratch slot
  ExprId wrapped(ExprId value, const lang::Type* type);
  std::optional<Word> modulus_of(const lang::Type* type);
  Word constant_of(const lang::Expr& expr);
  static bool has_effects(const lang::Expr& expr);
  ExprId guarded(ExprId condition, ExprId value);  // pure code: value, or 0 where it means nothing
  bool pure_call(const lang::Expr& expr, ExprId& result);
  bool pure_body(const std::vector<lang::StmtPtr>& stmts, std::size_t from, ExprId& result);

  // ---- aggregates (aggregates.cpp)
  ExprId aggregate_value(const lang::Expr& expr);
  ExprId aggregate_of(const lang::Expr& expr);
  ExprId aggregate_as(const lang::Expr& expr, AggregateKind kind, const lang::Expr* where,
                      const lang::Expr* body);
  ExprId over_objects(const lang::Expr& expr, AggregateKind kind, const std::vector<Word>& values,
                      const lang::Expr* where, const lang::Expr* body);
  bool domain_spans(const lang::Expr& expr, std::vector<Span>& spans, StructId& structure,
                    Shape& element);
  Span span_of(const Binding& binding, const lang::Expr& at);
  void quantify_faults(AggregateId id, std::vector<PureFault>& faults);
  void finish_aggregates();

  // ---- packets and containers (packets.cpp, containers.cpp)
  Binding place(const lang::Expr& expr);  // a packet's place; temporaries get one
  void packet_into(const lang::Expr& expr, const Binding& target);
  void move_packet(const Binding& from, const Binding& to, const lang::Expr& at);
  void check_full(const Binding& from, const lang::Expr& at, const std::string& what);
  void check_vacant(const Binding& to, const lang::Expr& at);
  void create_packet(const Binding& target, const lang::Expr* literal, const lang::Expr& at);
  void destroy_packet(const Binding& from, const lang::Expr& at);
  void on_end(StructId structure, const Binding& packet, lang::Span where);
  ExprId is_full(const Binding& place);
  ExprId is_stale(const Binding& place);
  void clear_stale(const Binding& place);
  // Fine: stops before a shared access.
  void touch(const Binding& binding, lang::Span where, AccessKind kind = AccessKind::load);
  SlotId scratch(const std::string& name, Range range);  // a slot for one step
  void set_scratch(SlotId slot, ExprId value, lang::Span where);
  [[nodiscard]] std::uint8_t left_behind(const Binding& from) const;
  Binding temporary(const Shape& shape, const std::string& name, lang::Span where, bool owned);
  std::uint32_t container_of(const Binding& binding);
  ExprId length_of(const Binding& container, const lang::Expr& at);
  ExprId container_value(const lang::Expr& expr);  // a builtin that yields a scalar or nothing
  void container_packet(const lang::Expr& expr, const Binding& target);  // pop, remove
  void take_any(const lang::Expr& expr, const Binding& target);          // take(p in c where E)
  void push(const lang::Expr& expr, const Binding& container);
  void splice(const lang::Expr& expr, const Binding& container);
  ExprId remove_at(const Binding& container, ExprId position, const Binding* target,
                   const lang::Expr& at);
  ExprId element_at(const Binding& container, ExprId position, const lang::Expr& at);
  ExprId contains(const lang::Expr& expr, const Binding& container);

  // ---- calls (calls.cpp)
  // The value of a call; with `target`, a packet that it returns goes there.
  ExprId call(const lang::Expr& expr, const Binding* target);
  ExprId hook_call(const lang::Expr& expr, const Binding* target);
  // The cases that a reference allows, as a chain of branches; the values meet again.
  ExprId split(const lang::Expr& expr, ExprId which, const std::vector<Word>& cases,
               const std::function<ExprId(Word)>& each);
  ExprId call_cases(const lang::Expr& expr, const lang::FunctionDecl& function, Word receiver,
                    std::vector<ExprId> early, std::size_t next, const Binding* target);
  ExprId inline_call(const lang::Expr& expr, const lang::FunctionDecl& function, Word receiver,
                     const std::vector<ExprId>& early, const Binding* target);
  bool may_enter(const lang::Expr& expr, const Activation& activation);
  std::vector<ExprId> early_values(const lang::Expr& expr, const lang::FunctionDecl& function);
  const lang::FunctionDecl* implementation(const lang::FunctionDecl& function, Word object) const;
  void bind_argument(const lang::VarDecl& parameter, const lang::Expr& argument, ExprId early,
                     Frame& callee);
  void return_value(const lang::Expr& expr);

  // ---- statements (statements.cpp)
  void body(const std::vector<lang::StmtPtr>& stmts);
  void statement(const lang::Stmt& stmt);
  void local(const lang::VarDecl& decl);
  void assign(const lang::Stmt& stmt);
  void assign_scalar(const Binding& target, ExprId value, lang::Span where,
                     const std::string& name);
  void if_statement(const lang::Stmt& stmt);
  void while_statement(const lang::Stmt& stmt);
  void for_statement(const lang::Stmt& stmt);
  void loop_statement(const lang::Stmt& stmt);
  void either_statement(const lang::Stmt& stmt);
  void atomic_statement(const lang::Stmt& stmt);
  void return_statement(const lang::Stmt& stmt);
  void goto_statement(const lang::Stmt& stmt);
  void assert_statement(const lang::Stmt& stmt);
  void count_statement(const lang::Stmt& stmt);
  void open_scope() { frame_->scopes.emplace_back(); }
  void close_scope(lang::Span where);
  void leave_scopes(std::size_t down_to, lang::Span where);
  void end_owned(const Owned& owned, lang::Span where);
  LocationId stop(StopKind kind, ExprId condition, lang::Span where, bool fair = false);
  LocationId add_location(StopKind kind, ExprId condition, lang::Span where, bool fair);
  void stop_for_access(lang::Span where, AccessKind kind = AccessKind::load, AddrId addr = no_id);
  void dead_end();

  // ---- memory models (memory.cpp; memory_tso.cpp, memory_weak.cpp)
  void begin_memory();   // when all objects are made: buffers, histories
  void finish_memory();  // when all threads are walked: the threads that show stores
  void note_memory();    // the notes on bounds and containers, as claims
  // The text of a thread is walked, not of a property.
  [[nodiscard]] bool in_thread_text() const { return thread_ != no_id && probe_ == nullptr; }
  [[nodiscard]] bool is_variable(AddrId addr) const;
  void note_access(AccessKind kind, AddrId addr);
  // On what the step before an access depends; no_id: nothing.
  ExprId gate(AccessKind kind, AddrId addr, lang::Span where);
  ExprId both(ExprId a, ExprId b) { return a == no_id ? b : b == no_id ? a : b_.logical_and(a, b); }
  void fence(const lang::Stmt& stmt);
  ExprId marked_access(const lang::Expr& expr);  // READ_ONCE and its kin
  // What this thread reads at the address, where `load` is what memory has there.
  ExprId seen(AddrId addr, ExprId load);
  void store_scalar(AddrId addr, ExprId value, lang::Span where);
  ExprId whole_memory();  // pure code that reads memory as a whole: when it may
  // tso
  void begin_buffers();
  [[nodiscard]] const BufferState* buffer() const;
  ExprId buffered(const BufferState& buffer, AddrId addr, ExprId load);
  void buffer_store(const BufferState& buffer, AddrId addr, ExprId value, lang::Span where);
  void add_flusher(ThreadId of, const BufferState& buffer);
  // weak
  void begin_histories();
  AddrId history_word(ExprId variable, std::uint32_t word);
  AddrId history_value(ExprId variable, ExprId position);
  AddrId message_view(ExprId variable, ExprId position, std::uint32_t other);
  AddrId view_of(SlotId views, ExprId variable);
  ExprId position(AddrId view);
  ExprId history_length(ExprId variable);
  ExprId newest(ExprId variable);
  void set_word(AddrId target, ExprId to, lang::Span where);
  [[nodiscard]] const HistoryState::Views* own_views() const;
  ExprId index_of(ExprId number);
  [[nodiscard]] std::vector<std::uint32_t> possible_variables(AddrId addr) const;
  ExprId view_load(AddrId addr, ExprId load);
  void after_load(AddrId addr, lang::Span where);
  void note_message(ExprId number, ExprId at, MemoryOrder order, lang::Span where);
  void note_loads(const std::vector<ExprId>& numbers, lang::Span where);
  ExprId covers(ExprId number, ExprId at);
  ExprId caught_up(bool strong);
  void read_fence(bool strong, lang::Span where);
  void write_fence(lang::Span where);
  void full_fence(lang::Span where);
  ExprId store_view(std::uint32_t other, MemoryOrder order);
  void history_store(AddrId addr, ExprId value, lang::Span where);
  void for_each_view(ExprId variable, const std::function<void(AddrId)>& use);
  void forget_old(ExprId variable, lang::Span where);
  void atomic_load(ExprId number, lang::Span where);
  void atomic_store(AddrId addr, ExprId number, ExprId value, lang::Span where);
  void begin_atomic(const std::string& order);
  void enter_atomic(lang::Span where);
  ExprId end_atomic(ExprId condition);  // the condition of its step
  void end_atomic_access(ExprId variable, lang::Span where);
  // How many loads from stmts[at] on the store behind them may overtake; 0: none.
  std::size_t overtaken(const std::vector<lang::StmtPtr>& stmts, std::size_t at) const;
  void early_store(const std::vector<lang::StmtPtr>& stmts, std::size_t at, std::size_t loads);
  void end_views(lang::Span where);
  void add_viewer(ThreadId of);
  ExprId weak_gate(AccessKind kind, AddrId addr);
  ExprId variable_number(const std::map<SlotId, Word>& number, AddrId addr);
  ExprId slot_number(AddrId addr);
  ThreadId add_memory_thread(ThreadId of, const std::string& name, const std::string& function);

  // ---- probes and claims (probes.cpp, claims.cpp)
  void create_properties();
  void claim(Watched& watched, const lang::Claim& written);
  ExprId antecedent_of(const lang::Expr& expr);
  ExprId left_side_of(const lang::Expr& expr);
  CounterId counter_of(const lang::VarDecl& decl);
  Tally tally(const lang::Expr& expr);
  void finish_properties();
  void watch_structs();
  void on_entry(Activation& activation, Frame& callee);
  void on_return(Activation& activation, Frame& callee);
  void on_packet(lang::Probe::Event event, StructId structure, const Binding& packet,
                 lang::Span where);
  bool matches(const lang::FunctionDecl* probed, const lang::FunctionDecl& called) const;
  void run_probe(Watched& watched, const lang::Probe& probe, const Frame& outer,
                 const std::map<const lang::VarDecl*, Binding>& names, Word receiver,
                 lang::Span where);
  std::map<const lang::VarDecl*, Binding> probe_arguments(
      const std::vector<std::unique_ptr<lang::VarDecl>>& names, const lang::FunctionDecl& function,
      const Frame& callee);

  // ---- faults
  ViolationId violation(PropertyId property, const std::string& kind, const std::string& message,
                        lang::Span where);
  PropertyId builtin(const std::string& name);
  // Emits a fatal check of a built-in property; nothing where the condition is evidently true.
  void check(ExprId condition, const std::string& property, const std::string& kind,
             const std::string& message, lang::Span where);
  void error(const std::string& code, lang::Span where, const std::string& message);
  Stmt base(StmtKind kind, lang::Span where) const;
  [[nodiscard]] std::string text(const lang::Expr& expr) const;

  const lang::Model& model_;
  const lang::StackDecl& stack_;
  const ElaborateOptions& options_;
  lang::Diagnostics& diagnostics_;
  const Knowledge& known_;
  Knowledge learnt_;
  std::unique_ptr<Program> program_;
  Builder b_;

  std::map<const lang::VarDecl*, Binding> globals_;  // params and instances of the stack
  std::deque<Instance> instances_;                   // [0] is none
  DisplayId objects_display_ = no_id;
  DisplayId threads_display_ = no_id;
  DisplayId boolean_display_ = no_id;
  std::map<const lang::TypeDecl*, StructId> structs_;
  std::map<const lang::TypeDecl*, DisplayId> enum_displays_;
  struct FieldPlace {
    std::uint32_t offset = 0;
    Shape shape;
  };
  std::map<std::pair<StructId, const lang::VarDecl*>, FieldPlace> fields_;
  std::map<StructId, std::vector<const lang::VarDecl*>> field_order_;
  std::map<const lang::TypeDecl*, std::vector<const lang::VarDecl*>> ghost_fields_;
  std::map<const lang::VarDecl*, CounterId> counters_;
  std::vector<std::string> slot_keys_;  // by SlotId; empty: temporaries
  std::map<SlotId, std::pair<const lang::Decl*, Word>> slot_owner_;  // for Knowledge::references
  std::map<BlockId, LocationId> entries_;  // blocks directly behind a stop point
  std::map<SlotId, RefSet> temporary_references_;
  std::vector<std::vector<Binding>> thread_args_;
  std::vector<const lang::RunItem*> thread_items_;
  std::map<ThreadId, std::string> thread_suffix_;
  // Objects written inside the bindings of another, and those that are fields of another.
  std::map<std::pair<const lang::Expr*, Word>, Word> nested_;
  std::map<std::pair<const lang::VarDecl*, Word>, std::vector<Word>> embedded_;

  OthersSketch sketch_;                   // number: no_id where every number of objects is known
  const lang::VarDecl* crowd_ = nullptr;  // the array whose length is unknown
  Word focus_ = 0, other_ = 0;            // its two objects
  std::vector<std::pair<ExprId, SlotId>> caps_;
  // forall and max that a claim is made of: by symmetry the object in focus says it for all.
  std::set<const lang::Expr*> symmetric_;

  Frame globals_frame_;
  Frame* frame_ = &globals_frame_;
  ThreadId thread_ = no_id;
  bool pure_ = false;                              // no code may be emitted
  std::vector<PureFault>* pure_faults_ = nullptr;  // where pure code notes what it runs into
  ExprId pure_context_ = no_id;                    // under which condition it is evaluated at all
  bool touched_shared_ = false;                    // set by stop_for_access inside atomic
  Watched* probe_ = nullptr;                       // emitting the code of this property's probe
  lang::Span here_;                                // the statement being walked
  int atomic_depth_ = 0;
  std::set<SlotId> scalars_;         // of objects, no clocks: a store to one may be delayed
  bool as_it_is_ = false;            // memory is read, whatever the thread may see of it
  bool writing_ = false;             // the place on the left of an assignment is looked up
  ExprId pure_gate_ = no_id;         // what the condition being walked waits for besides
  std::set<LocationId> open_gates_;  // tso: nothing is in the buffer behind these
  std::map<ThreadId, BufferState> buffers_;
  struct RoomSite {  // a store that waits for room
    ThreadId thread;
    ExprId condition;  // of its location
    ExprId blocked;    // it waits for nothing else
  };
  std::vector<RoomSite> room_sites_;
  HistoryState weak_;
  MemoryOrder order_ = MemoryOrder::relaxed;         // of the access being walked
  MemoryOrder atomic_order_ = MemoryOrder::relaxed;  // of the `atomic` being walked
  std::vector<ExprId> pure_loads_;  // variables that the condition being walked reads: numbers
  std::set<std::uint32_t> atomic_loads_;
  std::set<std::uint32_t> atomic_stores_;
  struct DrainSite {
    ThreadId thread;
    ExprId condition;
    lang::Span where;
  };
  std::vector<DrainSite> drain_sites_;
  std::vector<lang::Span> atomic_spans_;
  std::vector<Activation> activations_;
  std::deque<Watched> watched_;
  std::map<std::string, PropertyId> builtins_;
  std::size_t inlined_ = 0;  // calls so far, against a runaway expansion
  bool gave_up_ = false;
};

}  // namespace txproof::program
