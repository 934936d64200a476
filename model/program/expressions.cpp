// Expressions. `value` may emit code (calls, checks, stops before shared reads); `pure_value` must
// not, and is what conditions of waits and claims are made of.
#include <algorithm>
#include <cassert>

#include "model/program/elaboration.h"

namespace txproof::program {

namespace {

using Ast = lang::ExprKind;
using Op = ExprKind;

const std::map<std::string, Op>& operators() {
  static const std::map<std::string, Op> table{
      {"+", Op::add},          {"-", Op::subtract},   {"*", Op::multiply},
      {"/", Op::divide},       {"%", Op::modulo},     {"&", Op::bit_and},
      {"|", Op::bit_or},       {"^", Op::bit_xor},    {"<<", Op::shift_left},
      {">>", Op::shift_right}, {"<", Op::less},       {"<=", Op::less_equal},
      {"==", Op::equal},       {"!=", Op::not_equal}, {"&&", Op::logical_and},
      {"||", Op::logical_or}};
  return table;
}

bool is_handle_like(const lang::Expr& expr) {
  return expr.type != nullptr && (expr.type->kind == lang::Type::Kind::weak ||
                                  expr.type->kind == lang::Type::Kind::structure);
}

}  // namespace

Word Elaboration::constant_of(const lang::Expr& expr) {
  const ExprId id = pure_value(expr);
  if (const auto known = b_.constant_value(id)) return *known;
  if (!options_.for_all.empty() && is_fixed(id)) {
    error(
        "TX0434", expr.span,
        "`" + text(expr) + "` depends on a parameter that is left unknown, and must be known here");
    return 0;
  }
  error("TX0417", expr.span,
        "this must be known when the stack is built: numbers, constants and "
        "parameters only");
  return 0;
}

ExprId Elaboration::pure_value(const lang::Expr& expr) {
  const bool before = std::exchange(pure_, true);
  const ExprId result = value(expr);
  pure_ = before;
  return result;
}

ExprId Elaboration::pure_truth(const lang::Expr& expr) {
  const bool before = std::exchange(pure_, true);
  const ExprId result = truth(expr);
  pure_ = before;
  return result;
}

ExprId Elaboration::in_context(ExprId context, const std::function<ExprId()>& inner) {
  const ExprId before = pure_context_;
  pure_context_ = before == no_id ? context : b_.logical_and(before, context);
  const ExprId result = inner();
  pure_context_ = before;
  return result;
}

Elaboration::Guarded Elaboration::condition_of(const lang::Expr& expr) {
  Guarded result;
  auto* const faults = std::exchange(pure_faults_, &result.faults);
  const ExprId context = std::exchange(pure_context_, no_id);
  const ExprId gate_before = std::exchange(pure_gate_, no_id);
  std::vector<ExprId> loads_before = std::exchange(pure_loads_, {});
  result.condition = pure_truth(expr);
  result.loads = std::exchange(pure_loads_, std::move(loads_before));
  result.condition = both(pure_gate_, result.condition);
  pure_gate_ = gate_before;
  pure_faults_ = faults;
  pure_context_ = context;
  return result;
}

ExprId Elaboration::no_fault(const std::vector<PureFault>& faults) {
  ExprId all = b_.constant(1);
  for (const PureFault& fault : faults) all = b_.logical_and(all, fault.condition);
  return all;
}

void Elaboration::check_all(const std::vector<PureFault>& faults) {
  for (const PureFault& fault : faults) {
    check(fault.condition, fault.property, fault.kind, fault.message, fault.where);
  }
}

ExprId Elaboration::truth(const lang::Expr& expr) {
  if (expr.type != nullptr && expr.type->kind == lang::Type::Kind::structure) {
    const Binding packet = refer(expr);
    if (packet.kind == Binding::Kind::packet) return b_.constant(1);
    if (pure_) return guarded(packet.guard, is_full(packet));
    const bool shared = is_shared(packet.addr);
    touch(packet, expr.span);
    check(b_.logical_not(is_stale(packet)), "own.linear", "own.used_after_move",
          "`" + text(expr) + "` was given away, and is tested here", expr.span);
    return shared ? capture(is_full(packet), text(expr)) : is_full(packet);
  }
  return b_.truth(value(expr));
}

ExprId Elaboration::value(const lang::Expr& expr) {
  switch (expr.kind) {
    case Ast::integer:
    case Ast::boolean:
      return b_.constant(expr.value);
    case Ast::none:
      return b_.constant(0);
    case Ast::self:
      return b_.constant(static_cast<Word>(thread_) + 1);
    case Ast::this_: {
      for (const Frame* f = frame_; f != nullptr; f = f->outer) {
        if (f->receiver != 0) return b_.constant(f->receiver);
      }
      return b_.constant(0);
    }
    case Ast::ticks:
      return b_.constant(0);
    case Ast::name:
      if (expr.decl != nullptr && expr.decl->decl_kind == lang::DeclKind::enumerator) {
        return b_.constant(static_cast<const lang::Enumerator*>(expr.decl)->value);
      }
      if (expr.decl != nullptr && expr.decl->decl_kind == lang::DeclKind::function) {
        if (expr.type == nullptr) return b_.constant(0);
        const auto& hooks = expr.type->hooks;
        const auto found = std::find(hooks.begin(), hooks.end(), expr.decl);
        return b_.constant(found == hooks.end() ? 0 : found - hooks.begin() + 1);
      }
      if (is_handle_like(expr)) return handle_value(expr);
      return read(refer_name(expr), expr);
    case Ast::field:
      if (expr.builtin != lang::Builtin::not_builtin) return container_value(expr);
      if (is_handle_like(expr)) return handle_value(expr);
      return read(refer_member(expr), expr);
    case Ast::index:
      if (is_handle_like(expr)) return handle_value(expr);
      return read(refer_index(expr), expr);
    case Ast::call: {
      if (expr.builtin != lang::Builtin::not_builtin) return container_value(expr);
      ExprId result = no_id;
      if (pure_ && pure_call(expr, result)) return result;
      if (pure_) {
        error("TX0418", expr.span,
              "a condition or a claim may call only functions that do nothing but return a value "
              "(`if (…) return …; return …;`)");
        return b_.constant(0);
      }
      return call(expr, nullptr);
    }
    case Ast::unary: {
      const ExprId a = expr.name == "!" ? truth(*expr.args[0]) : value(*expr.args[0]);
      if (expr.name == "!") return b_.logical_not(a);
      return wrapped(b_.unary(expr.name == "-" ? Op::negate : Op::bit_not, a), expr.type);
    }
    case Ast::binary:
      return binary_value(expr);
    case Ast::conditional:
      return conditional_value(expr);
    case Ast::cast: {
      const ExprId a = value(*expr.args[0]);
      return wrapped(a, expr.type);
    }
    case Ast::any:
      return any_value(expr);
    case Ast::aggregate:
      return aggregate_value(expr);
    case Ast::range:
    case Ast::take:
    case Ast::take_where:
    case Ast::copy:
    case Ast::get:
    case Ast::literal:
    case Ast::list:
    case Ast::instance:
      break;
  }
  error("TX0419", expr.span, "this cannot stand here as a value");
  return b_.constant(0);
}

std::optional<Word> Elaboration::modulus_of(const lang::Type* type) {
  if (type == nullptr || type->kind != lang::Type::Kind::wrapping) return std::nullopt;
  if (type->bits != 0) return Word{1} << type->bits;
  return std::max(Word{1}, constant_of(*type->size));
}

ExprId Elaboration::wrapped(ExprId value, const lang::Type* type) {
  const auto modulus = modulus_of(type);
  return modulus ? b_.wrap(value, *modulus) : value;
}

// An evaluated value, kept: what follows may change what it was read from.
ExprId Elaboration::capture(ExprId value, const std::string& name) {
  if (b_.constant_value(value)) return value;
  const Range range = b_.range(value);
  const SlotId id = scratch(name, range);
  if (range.hi <= static_cast<Word>(instances_.size())) {
    temporary_references_[id] = references(value);
  }
  set_scratch(id, value, here_);
  return b_.load(b_.at(id), range);
}

bool Elaboration::has_effects(const lang::Expr& expr) {
  switch (expr.kind) {
    case Ast::any:
    case Ast::take:
    case Ast::take_where:
      return true;
    case Ast::call:
      switch (expr.builtin) {
        case lang::Builtin::len:
        case lang::Builtin::empty:
        case lang::Builtin::full:
        case lang::Builtin::cap:
        case lang::Builtin::head:
        case lang::Builtin::tail:
        case lang::Builtin::peek:
        case lang::Builtin::contains:
        case lang::Builtin::min:
        case lang::Builtin::max:
        case lang::Builtin::abs:
        case lang::Builtin::read_once:
        case lang::Builtin::load_acquire:
          break;
        default:
          return true;
      }
      break;
    default:
      break;
  }
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [](const auto& arg) { return arg != nullptr && has_effects(*arg); });
}

ExprId Elaboration::handle_value(const lang::Expr& expr) {
  if (expr.kind == Ast::none) return b_.constant(0);
  if (expr.type != nullptr && expr.type->kind == lang::Type::Kind::weak) {
    if (expr.kind == Ast::call || expr.kind == Ast::conditional) {
      return expr.kind == Ast::conditional                ? conditional_value(expr)
             : expr.builtin != lang::Builtin::not_builtin ? container_value(expr)
                                                          : call(expr, nullptr);
    }
    const Binding binding = refer(expr);
    if (binding.kind == Binding::Kind::packet) return binding.value;
    if (binding.kind == Binding::Kind::storage && binding.shape.kind == Shape::Kind::packet) {
      return guarded(binding.guard, b_.place_id(binding.addr, binding.shape.structure));
    }
    return read(binding, expr);
  }
  const Binding packet = refer(expr);
  if (packet.kind == Binding::Kind::packet) return packet.value;
  if (packet.kind != Binding::Kind::storage) return guarded(packet.guard, packet.value);
  if (!pure_) {
    touch(packet, expr.span);
    check(b_.logical_not(is_stale(packet)), "own.linear", "own.used_after_move",
          "`" + text(expr) + "` was given away, and is named here", expr.span);
  }
  return guarded(packet.guard, b_.place_id(packet.addr, packet.shape.structure));
}

// Dangling, a handle equals nothing, and is not none.
ExprId Elaboration::handles_equal(const lang::Expr& left, const lang::Expr& right) {
  if (right.kind == Ast::none || left.kind == Ast::none) {
    const lang::Expr& tested = right.kind == Ast::none ? left : right;
    if (tested.type != nullptr && tested.type->kind == lang::Type::Kind::structure) {
      return b_.logical_not(truth(tested));
    }
    return b_.equals(handle_value(tested), 0);
  }
  const ExprId a = handle_value(left);
  const ExprId b = handle_value(right);
  return b_.logical_and(b_.differs(a, 1), b_.binary(Op::equal, a, b));
}

ExprId Elaboration::operate(const std::string& op, ExprId a, ExprId b, const lang::Expr& at) {
  if (op == ">") return operate("<", b, a, at);
  if (op == ">=") return operate("<=", b, a, at);
  if (op == ">") return operate("<", b, a, at);
  if (op == ">=") return operate("<=", b, a, at);
  const Op kind = operators().at(op);
  if (kind == Op::multiply && is_number(a) && is_fixed(b)) std::swap(a, b);
  if (kind == Op::multiply && is_number(b) && is_fixed(a)) {
    return b_.binary(Op::add, a, times_others(a));
  }
  if (kind == Op::divide || kind == Op::modulo) {
    const Range range = b_.range(b);
    if (range.lo <= 0 && range.hi >= 0) {
      if (pure_) {
        Binding quotient;
        demand(quotient, b_.differs(b, 0), "range", "int.divide",
               "`" + text(at) + "` divides by zero", at.op_span);
        return guarded(b_.differs(b, 0),
                       b_.constant_value(b) ? b_.constant(0) : b_.binary(kind, a, b));
      }
      if (!b_.constant_value(b)) b = capture(b, "divisor");
      check(b_.differs(b, 0), "range", "int.divide", "`" + text(at) + "` divides by zero",
            at.op_span);
      if (b_.constant_value(b)) return b_.constant(0);
    }
  }
  b_.on_overflow = [&] {
    if (modulus_of(at.type)) return;  // wraps: right modulo 2^64 whatever the size
    error("TX0420", at.op_span, "the result of `" + op + "` can go beyond 2^62");
  };
  ExprId result = b_.binary(kind, a, b);
  b_.on_overflow = nullptr;
  return wrapped(result, at.type);
}

ExprId Elaboration::binary_value(const lang::Expr& expr) {
  const std::string& op = expr.name;
  const lang::Expr& left = *expr.args[0];
  const lang::Expr& right = *expr.args[1];
  if (op == "&&" || op == "||" || op == "=>") return short_circuit(expr);
  if ((op == "==" || op == "!=") && (is_handle_like(left) || is_handle_like(right))) {
    const ExprId same = handles_equal(left, right);
    return op == "==" ? same : b_.logical_not(same);
  }
  ExprId a = value(left);
  // Code that the right side emits runs first; the left side was read before it.
  if (!pure_ && (has_effects(right) || known_.fine)) a = capture(a, "left");
  const ExprId b = value(right);
  return operate(op, a, b, expr);
}

// Where the right side needs code of its own (a call, a check), it becomes a branch.
ExprId Elaboration::short_circuit(const lang::Expr& expr) {
  const bool is_and = expr.name == "&&";
  const bool is_implication = expr.name == "=>";
  ExprId left = truth(*expr.args[0]);
  const auto combine = [&](ExprId right) {
    if (is_and) return b_.logical_and(left, right);
    return b_.logical_or(is_implication ? b_.logical_not(left) : left, right);
  };
  if (pure_) {
    const ExprId reached = is_and || is_implication ? left : b_.logical_not(left);
    return combine(in_context(reached, [&] { return truth(*expr.args[1]); }));
  }
  const auto known = b_.constant_value(left);
  const bool right_decides_if = is_and || is_implication;  // … the left side is so
  if (known && (*known != 0) != right_decides_if) return b_.constant(is_and ? 0 : 1);
  const BlockId before = b_.block();
  const BlockId aside = b_.new_block(thread_);
  b_.set_block(aside);
  const ExprId right = truth(*expr.args[1]);
  if (b_.block() == aside && b_.block_is_empty()) {
    b_.set_block(before);
    return combine(right);
  }
  const SlotId result = scratch("condition", {0, 1});
  const auto set = [&](ExprId value) { set_scratch(result, value, expr.span); };
  const BlockId join = b_.new_block(thread_);
  set(right);
  b_.jump(join);
  const BlockId skip = b_.new_block(thread_);
  b_.set_block(skip);
  set(b_.constant(is_and ? 0 : 1));
  b_.jump(join);
  b_.set_block(before);
  b_.branch(left, right_decides_if ? aside : skip, right_decides_if ? skip : aside);
  b_.set_block(join);
  return b_.load(b_.at(result), {0, 1});
}

ExprId Elaboration::conditional_value(const lang::Expr& expr) {
  const ExprId condition = truth(*expr.args[0]);
  const auto branch_value = [&](const lang::Expr& e) {
    const bool handle = expr.type != nullptr && expr.type->kind == lang::Type::Kind::weak;
    return handle ? handle_value(e) : value(e);
  };
  if (pure_) {
    const ExprId then = in_context(condition, [&] { return branch_value(*expr.args[1]); });
    const ExprId otherwise =
        in_context(b_.logical_not(condition), [&] { return branch_value(*expr.args[2]); });
    return b_.conditional(condition, then, otherwise);
  }
  const BlockId before = b_.block();
  const BlockId then = b_.new_block(thread_);
  const BlockId otherwise = b_.new_block(thread_);
  b_.set_block(then);
  const ExprId a = branch_value(*expr.args[1]);
  const BlockId then_end = b_.block();
  b_.set_block(otherwise);
  const ExprId b = branch_value(*expr.args[2]);
  const BlockId otherwise_end = b_.block();
  if (then_end == then && otherwise_end == otherwise && program_->blocks[then].stmts.empty() &&
      program_->blocks[otherwise].stmts.empty()) {
    b_.set_block(before);
    return b_.conditional(condition, a, b);
  }
  const Range range{std::min(b_.range(a).lo, b_.range(b).lo),
                    std::max(b_.range(a).hi, b_.range(b).hi)};
  const SlotId id = scratch("choice", range);
  RefSet& refs = temporary_references_[id];
  if (range.hi <= static_cast<Word>(instances_.size())) {
    refs = references(a);
    refs.merge(references(b));
  }
  const BlockId join = b_.new_block(thread_);
  for (const auto& [block, result] : {std::pair{then_end, a}, std::pair{otherwise_end, b}}) {
    b_.set_block(block);
    set_scratch(id, result, expr.span);
    b_.jump(join);
  }
  b_.set_block(before);
  b_.branch(condition, then, otherwise);
  b_.set_block(join);
  return b_.load(b_.at(id), range);
}

ExprId Elaboration::any_value(const lang::Expr& expr) {
  if (pure_) {
    error("TX0421", expr.span, "`any` makes a choice, which a condition or a claim cannot");
    return b_.constant(0);
  }
  const ExprId lo = capture(value(*expr.args[0]), "from");
  const ExprId hi = capture(value(*expr.args[1]), "to");
  check(b_.binary(Op::less_equal, lo, hi), "range", "any.empty",
        "`" + text(expr) + "` has nothing to choose from", expr.span);
  const Range range{b_.range(lo).lo, std::max(b_.range(lo).lo, b_.range(hi).hi)};
  const SlotId id = scratch("any", range);
  Stmt stmt = base(StmtKind::pick, expr.span);
  stmt.target = b_.at(id);
  stmt.value = lo;
  stmt.value2 = hi;
  b_.emit(stmt);
  return b_.load(b_.at(id), range);
}

// A call in a condition: `if (…) return …;` any number of times, then `return …;`.
bool Elaboration::pure_body(const std::vector<lang::StmtPtr>& stmts, std::size_t from,
                            ExprId& result) {
  if (from >= stmts.size()) return false;
  const lang::Stmt& stmt = *stmts[from];
  const auto returned = [&](const lang::Expr& e) {
    return is_handle_like(e) ? handle_value(e) : value(e);
  };
  if (stmt.kind == lang::StmtKind::return_ && !stmt.exprs.empty() && stmt.exprs[0] != nullptr) {
    result = returned(*stmt.exprs[0]);
    return true;
  }
  if (stmt.kind == lang::StmtKind::block) return pure_body(stmt.body, 0, result);
  if (stmt.kind != lang::StmtKind::if_) return false;
  const ExprId condition = truth(*stmt.exprs[0]);
  ExprId then = no_id;
  ExprId otherwise = no_id;
  const auto branch = [&](const lang::Stmt& s, ExprId& into) {
    if (s.kind == lang::StmtKind::block) return pure_body(s.body, 0, into);
    if (s.kind == lang::StmtKind::return_ && !s.exprs.empty() && s.exprs[0] != nullptr) {
      into = returned(*s.exprs[0]);
      return true;
    }
    return false;
  };
  bool done = false;
  in_context(condition, [&] {
    done = branch(*stmt.body[0], then);
    return no_id;
  });
  if (!done) return false;
  const bool has_else = stmt.body.size() > 1 && stmt.body[1] != nullptr;
  in_context(b_.logical_not(condition), [&] {
    done = has_else ? branch(*stmt.body[1], otherwise) : pure_body(stmts, from + 1, otherwise);
    return no_id;
  });
  if (!done) return false;
  result = b_.conditional(condition, then, otherwise);
  return true;
}

bool Elaboration::pure_call(const lang::Expr& expr, ExprId& result) {
  if (expr.decl == nullptr || expr.decl->decl_kind != lang::DeclKind::function) return false;
  const auto* function = static_cast<const lang::FunctionDecl*>(expr.decl);
  if (activations_.size() > 200) return false;
  std::vector<Word> receivers{0};
  ExprId receiver = b_.constant(0);
  ExprId guard = no_id;
  if (function->owner != nullptr) {
    const lang::Expr& callee = *expr.args[0];
    receiver = callee.kind == Ast::field ? value(*callee.args[0]) : b_.constant([&] {
      for (const Frame* f = frame_; f != nullptr; f = f->outer) {
        if (f->receiver != 0) return f->receiver;
      }
      return Word{0};
    }());
    receivers.clear();
    for (const Word id : references(receiver)) {
      if (id > 0 && is_kind_of(id, *function->owner)) receivers.push_back(id);
      if (id != 0) continue;
      Binding called;
      demand(called, b_.differs(receiver, 0), "range", "call.none",
             "`" + text(expr) + "` calls none", expr.op_span);
      guard = called.guard;
    }
    if (receivers.empty()) {
      result = b_.constant(0);
      return true;
    }
  }
  std::vector<Binding> arguments;
  for (std::size_t i = 1; i < expr.args.size(); ++i) {
    const lang::VarDecl& parameter = *function->parameters[i - 1];
    if (parameter.type->kind == lang::Type::Kind::structure || parameter.by_reference) {
      arguments.push_back(refer(*expr.args[i]));
      continue;
    }
    Binding binding;
    binding.value =
        is_handle_like(*expr.args[i]) ? handle_value(*expr.args[i]) : value(*expr.args[i]);
    if (parameter.type->kind == lang::Type::Kind::weak) {
      binding.shape.kind = Shape::Kind::handle;
      binding.shape.structure = struct_of(*parameter.type->decl);
    }
    arguments.push_back(std::move(binding));
  }
  result = no_id;
  for (auto it = receivers.rbegin(); it != receivers.rend(); ++it) {
    const lang::FunctionDecl* target =
        function->owner != nullptr ? implementation(*function, *it) : function;
    if (target == nullptr || !target->has_body) return false;
    Frame frame;
    frame.receiver = *it;
    frame.function = target;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      frame.names[target->parameters[i].get()] = arguments[i];
    }
    activations_.push_back({target, *it, {}, expr.span, {}});
    Frame* const before = std::exchange(frame_, &frame);
    ExprId one = no_id;
    const bool done = pure_body(target->body, 0, one);
    frame_ = before;
    activations_.pop_back();
    if (!done) return false;
    result = result == no_id ? one : b_.conditional(b_.equals(receiver, *it), one, result);
  }
  result = guarded(guard, result);
  return true;
}

}  // namespace txproof::program
