// The syntax tree, which the type checker turns into the typed tree by filling in the fields
// marked "set by check".
//
// Nodes are plain structs with a kind and children; the comment at each kind says which children
// it has. The tree owns its nodes; everything else holds plain pointers into it, valid as long as
// the Model lives.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/lang/source.h"

namespace txproof::lang {

struct Expr;
struct Stmt;
struct Decl;
struct VarDecl;
struct FunctionDecl;
struct TypeDecl;
struct PropertyDecl;
struct StackDecl;
struct Type;

using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;

// ---------------------------------------------------------------- types

// A resolved type. Interned by the Model; compare by `same_type`.
struct Type {
  enum class Kind {
    error,        // something already reported; compatible with everything
    void_,        // no value
    boolean,      //
    integer,      // mathematical; `lo`..`hi` as written, null where inherited from an initialiser
    wrapping,     // u8, u16, u32 (`bits`), or `int mod size` (`bits` 0)
    enumeration,  // `decl`
    structure,    // linear or counted struct: `decl`
    weak,         // weak handle: `decl` is the struct
    object,       // reference to an object or interface: `decl`; may be none
    fifo,         // `element`, `size` is the capacity
    bag,          // `element`, `size` is the capacity
    array,        // `element`, `size` is the length (null for `param T x[]`: length of its binding)
    thread,       // type of `self`
    hook,         // one of `hooks`, or none
    none,         // type of the literal none / NULL
  };
  Kind kind = Kind::error;
  const TypeDecl* decl = nullptr;
  const Type* element = nullptr;
  const Expr* lo = nullptr;
  const Expr* hi = nullptr;
  const Expr* size = nullptr;
  int bits = 0;
  std::vector<const FunctionDecl*> hooks;
};

// A type as written.
struct TypeExpr {
  enum class Kind { named, integer, boolean, u8, u16, u32, mod, fifo, bag, weak, thread, hook };
  Kind kind = Kind::named;
  Span span;
  std::string name;                   // named, weak: the struct's name
  std::unique_ptr<TypeExpr> element;  // fifo, bag
  ExprPtr size;                       // fifo, bag: capacity; mod: modulus
  std::vector<std::string> hooks;     // hook: the functions
  std::vector<Span> hook_spans;
  ExprPtr lo, hi;  // range written after a return type: `: int in 0..3`
};

// ---------------------------------------------------------------- expressions

enum class ExprKind {
  integer,  // value
  boolean,  // value 0 or 1
  none,     // none, NULL
  self,     // the running thread
  this_,    // the receiver of a method (also in probes on methods)
  ticks,    // the built-in counter of time steps (only in `rate`)
  name,     // name; decl set by check (a field of the receiver has via_this set)
  field,    // args[0] . name; decl set by check. `->` is the same
  index,    // args[0] [ args[1] ]
  call,     // callee args[0] (a name or field expr), then the arguments args[1..];
            // decl set by check: the FunctionDecl, or null for a hook call (args[0] is the hook)
            // or builtin, see `builtin`
  unary,    // op args[0]: "-", "!", "~"
  binary,   // args[0] op args[1]: C's, and "=>"
  conditional,  // args[0] ? args[1] : args[2]
  cast,         // u16(args[0]): written_type u8/u16/u32, or `mod`
  any,          // any args[0] .. args[1]
  take,         // take args[0]: the packet out of a field or slot
  take_where,   // take(binder in args[0] where args[1])
  copy,         // copy args[0]
  get,          // get args[0]: one more reference to a counted struct
  literal,      // { field: value, ... }: field_names and args; only as an initialiser or argument
  list,         // [a, b, c]: only as a binding of an array param
  instance,     // type_name { field: value, ... }: only as a binding in a stack
  aggregate,    // aggregate_op (binder in args[0] [where args[1]]) args[2]; args[1] may be null;
                // for count args[2] is null. forall/exists: `forall k in sock: E`
  range,        // args[0] .. args[1]: only as the domain of an aggregate
};

enum class AggregateOp { sum, count, forall, exists, minimum, maximum };

// Methods and functions that the language has itself.
enum class Builtin {
  not_builtin,
  push,
  push_head,
  pop,
  pop_tail,  // containers; on a bag only push and pop-by-take
  head,
  tail,  // a weak handle (linear elements) or the value
  peek,  // peek(i): as head, of the i-th element
  len,
  empty,
  full,
  cap,       // x.len, x.empty, x.full, x.cap (also len(x))
  splice,    // a.splice(b): all of b behind a; b is then empty
  contains,  // a.contains(v) / a.contains(weak handle)
  remove,    // a.remove(weak handle): takes that element out
  clear,     // scalar elements only
  min,
  max,
  abs,            // min(a, b), max(a, b), abs(a)
  read_once,      // READ_ONCE(x)
  write_once,     // WRITE_ONCE(x, v)
  load_acquire,   // smp_load_acquire(x)
  store_release,  // smp_store_release(x, v)
};

struct Expr {
  ExprKind kind = ExprKind::integer;
  Span span;     // the whole expression
  Span op_span;  // the operator, the field name, the function name: where a caret goes
  std::int64_t value = 0;
  std::string name;  // name, field: the name; unary, binary: the operator; aggregate: the binder's
  std::vector<ExprPtr> args;
  std::vector<std::string> field_names;  // literal, instance
  std::vector<Span> field_spans;
  std::string type_name;  // instance
  AggregateOp aggregate_op = AggregateOp::sum;
  std::unique_ptr<TypeExpr> written_type;  // cast
  std::unique_ptr<VarDecl> binder;         // take_where, aggregate
  bool arrow = false;                      // field: written `->`; printing only
  bool parens = false;                     // written in parentheses; printing only

  // set by check
  const Type* type = nullptr;
  const Decl* decl = nullptr;  // what a name, field or call refers to
  bool via_this = false;       // a bare name that is a member of the receiver
  Builtin builtin = Builtin::not_builtin;
  // aggregate over all values of a type (decl is the TypeDecl), over the field `decl` of every
  // instance of an object type (`count(s in eth.ring)`), or over one container/array/object
  enum class Domain {
    not_aggregate,
    of_type,
    of_type_field,
    of_value,
    of_range
  } domain = Domain::not_aggregate;
};

// ---------------------------------------------------------------- statements

enum class StmtKind {
  block,     // body
  local,     // vars: one or more declarations of one type
  assign,    // exprs[0] op exprs[1]; op "=", "+=", ...; `x++` is op "+=" with 1
  call,      // exprs[0], a call (or a `take`, `any` … for its effect is an error)
  if_,       // exprs[0]; body[0] then, body[1] else (may be absent)
  while_,    // while (exprs[0]) rounds <= exprs[1] body[0]
  do_while,  // do body[0] while (exprs[0]) rounds <= exprs[1];
  for_,      // for (vars[0] in exprs[0] .. exprs[1]) body[0]
  loop,      // loop body[0]
  either,    // branches; is_wait for `wait either`
  wait,      // exprs[0]; is_fair
  rest,      // exprs[0]
  pause,
  yield,
  tick,
  atomic,   // body[0]; name: "" (orders everything), "acquire", "release", "relaxed"
  fence,    // `fence full;`, `fence read;`, `fence write;`: name
  return_,  // exprs[0] may be absent
  break_,
  continue_,
  goto_,    // name
  label,    // name
  destroy,  // exprs[0]
  assert_,  // exprs[0]; name: the fault's name if given (`assert E, lock.unheld;`)
  count,    // count exprs[0] += exprs[1]: exprs[0] a counter or one element of a counter array
};

struct Branch {
  ExprPtr guard;  // null: can always be taken
  std::vector<StmtPtr> body;
  Span span;
};

struct Stmt {
  StmtKind kind = StmtKind::block;
  Span span;
  Span op_span;
  std::string name;
  std::vector<ExprPtr> exprs;
  std::vector<StmtPtr> body;
  std::vector<std::unique_ptr<VarDecl>> vars;
  std::vector<Branch> branches;
  bool is_wait = false;
  bool is_fair = false;
  bool has_guards = false;  // either: some branch has `when`
};

// ---------------------------------------------------------------- declarations

enum class DeclKind { variable, function, type, enumerator, property, stack };

struct Decl {
  explicit Decl(DeclKind k) : decl_kind(k) {}
  virtual ~Decl() = default;
  Decl(const Decl&) = delete;
  Decl& operator=(const Decl&) = delete;
  DeclKind decl_kind;
  std::string name;
  Span span;       // the name
  Span full_span;  // the whole declaration
};

// Everything that has a type and a name.
struct VarDecl : Decl {
  enum class Role {
    constant,   // const NAME = expr
    param,      // param of an object, interface or stack
    field,      // of an object, interface or struct
    parameter,  // of a function or thread, or bound by a probe
    local,
    binder,       // bound by an aggregate, a take or a for
    ghost,        // state of a property or of an activation
    ghost_field,  // `ghost sock sk_buff.origin = none;`: owner_struct
    instance,     // of an object, in a stack
    counter,      // `counter delivered[N];`
  };
  VarDecl() : Decl(DeclKind::variable) {}
  Role role = Role::local;
  std::unique_ptr<TypeExpr> written_type;  // null for constants, binders
  ExprPtr lo, hi;                          // `in lo..hi` behind the name
  bool is_array = false;
  ExprPtr array_size;         // null with is_array: `x[]`
  ExprPtr init;               // initial or default value; literal for braces
  bool by_reference = false;  // T &x
  bool is_instance = false;   // field with braces: an object of its own (init: literal)
  enum class Ticks { none, up, down } ticks = Ticks::none;
  std::string owner_struct;  // ghost_field: the struct's name

  // set by check
  const Type* type = nullptr;
  const TypeDecl* owner = nullptr;       // field, param, ghost_field: the type it belongs to
  std::optional<std::int64_t> constant;  // constants: the value
  bool is_assigned = false;              // some statement may write it (or passes it by &)
};

struct FunctionDecl : Decl {
  FunctionDecl() : Decl(DeclKind::function) {}
  std::vector<std::unique_ptr<VarDecl>> parameters;
  std::unique_ptr<TypeExpr> written_result;  // null: no value
  bool has_body = true;                      // false: declared in an interface
  std::vector<StmtPtr> body;
  ExprPtr recursion;  // `recursion <= N`
  bool is_thread = false;
  bool is_urgent = false;
  bool is_strong = false;

  // set by check
  const Type* result = nullptr;
  const TypeDecl* owner = nullptr;  // methods: the object or interface
};

struct Enumerator : Decl {
  Enumerator() : Decl(DeclKind::enumerator) {}
  ExprPtr written_value;  // `= e`; null: one more than the one before it, the first 0

  // set by check
  std::int64_t value = 0;
  const TypeDecl* owner = nullptr;
};

struct TypeDecl : Decl {
  enum class Kind { enumeration, alias, linear_struct, counted_struct, object, interface };
  TypeDecl() : Decl(DeclKind::type) {}
  Kind kind = Kind::alias;
  std::vector<std::unique_ptr<Enumerator>> enumerators;
  std::unique_ptr<TypeExpr> alias;  // typedef
  ExprPtr alias_lo, alias_hi;
  std::string implements_name;  // object NAME : interface
  Span implements_span;
  std::vector<std::unique_ptr<VarDecl>> fields;  // params too, in order
  std::vector<std::unique_ptr<FunctionDecl>> methods;

  // set by check
  const TypeDecl* implements = nullptr;
  const Type* type = nullptr;                // the type that the name denotes
  std::vector<const VarDecl*> ghost_fields;  // added by properties that are checked
  [[nodiscard]] bool is_struct() const {
    return kind == Kind::linear_struct || kind == Kind::counted_struct;
  }
};

// `on entry F(a, b) when E { }`, `on return rc of F(a, b)`, `on new T(x)`, `on destroy T(x)`.
struct Probe {
  enum class Event { entry, return_, new_, destroy };
  Event event = Event::entry;
  Span span;
  std::string owner_name;  // `pfifo.enqueue`: the object or interface; empty for a plain function
  std::string name;        // function or struct; empty: the `per call` function (on return)
  Span name_span;
  bool has_parameters = false;
  std::vector<std::unique_ptr<VarDecl>> parameters;  // names bound to the arguments, in order
  std::unique_ptr<VarDecl> result;                   // `on return rc`
  ExprPtr when;
  std::vector<StmtPtr> body;

  // set by check
  const FunctionDecl* function = nullptr;  // entry, return
  const TypeDecl* structure = nullptr;     // new, destroy
};

struct PerCall {
  Span span;
  std::string owner_name;
  std::string name;
  Span name_span;
  bool has_parameters = false;
  std::vector<std::unique_ptr<VarDecl>> parameters;
  std::vector<std::unique_ptr<VarDecl>> ghosts;
  std::vector<std::unique_ptr<Probe>> probes;
  const FunctionDecl* function = nullptr;  // set by check
};

struct Claim {
  enum class Kind { always, at_rest, maximum, leads_to, infinitely_often, rate };
  Kind kind = Kind::always;
  Span span;
  ExprPtr left;   // always, at_rest, infinitely_often: the condition; maximum: the expression;
                  // leads_to: the left side; rate: the numerator
  ExprPtr right;  // maximum: the bound; leads_to: the right side; rate: the denominator
  ExprPtr bound_numerator, bound_denominator;  // rate
  bool at_least = true;                        // rate: `>=`; false `<=`
  ExprPtr assuming;                            // leads_to … assuming infinitely_often E
  std::vector<std::string> outside;            // always E outside f, object.g
  std::vector<Span> outside_spans;
  std::vector<const FunctionDecl*> outside_functions;  // set by check
};

struct PropertyDecl : Decl {
  PropertyDecl() : Decl(DeclKind::property) {}
  std::string text;  // what it says, in words
  std::vector<std::unique_ptr<VarDecl>> parameters;
  std::vector<std::unique_ptr<VarDecl>> ghosts;  // ghost and ghost_field
  std::vector<std::unique_ptr<Claim>> claims;
  std::vector<std::unique_ptr<PerCall>> per_calls;
  std::vector<std::unique_ptr<Probe>> probes;
  // Not from the text of the model but asked about this stack, whose parameters and instances it
  // may name.
  const struct StackDecl* asked_about = nullptr;
};

struct RunItem {
  Span span;
  std::string name;
  Span name_span;
  std::vector<ExprPtr> args;
  std::unique_ptr<VarDecl> binder;  // for i in lo..hi
  ExprPtr lo, hi;
  ExprPtr when;
  const FunctionDecl* thread = nullptr;  // set by check
};

struct CheckItem {
  Span span;
  std::string name;
  Span name_span;
  bool continues = false;  // behind the comma of the one before; printing only
  std::vector<ExprPtr> args;
  const PropertyDecl* property = nullptr;  // set by check
};

struct StackDecl : Decl {
  StackDecl() : Decl(DeclKind::stack) {}
  std::vector<std::unique_ptr<VarDecl>> params;
  std::vector<std::unique_ptr<VarDecl>> instances;  // init: literal with the bindings
  std::vector<std::unique_ptr<RunItem>> runs;
  std::vector<std::unique_ptr<CheckItem>> checks;
  std::vector<ExprPtr> assumptions;
  std::vector<Span> assumption_spans;  // each from `assume`
  std::string interleave;              // "", "coarse", "fine"
  std::string memory;                  // "", "sc", "tso", "weak"
  std::uint32_t store_buffer = 0;      // `store_buffer N;`: 0 if not said
  Span interleave_span, memory_span, store_buffer_span;
};

struct Import {
  Span span;
  std::string path;
};

// One file's tree.
struct FileSyntax {
  FileId file = 0;
  std::vector<Import> imports;
  std::vector<std::unique_ptr<Decl>> decls;  // in order; `const A = 1, B = 2;` gives two
};

// The typed tree of one stack's file and everything that it imports.
struct Model {
  std::vector<std::unique_ptr<FileSyntax>> files;  // imports before importers
  std::vector<std::unique_ptr<Type>> types;
  std::map<std::string, const Decl*> names;  // the global scope
  std::vector<const StackDecl*> stacks;      // of the main file
};

}  // namespace txproof::lang
