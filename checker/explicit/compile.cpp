#include "checker/explicit/compile.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "checker/explicit/compile_expression.h"

namespace txproof::checker {

using program::Block;
using program::BlockId;
using program::Container;
using program::Expr;
using program::ExprId;
using program::ExprKind;
using program::LocationId;
using program::no_id;
using program::Program;
using program::PropertyId;
using program::PropertyKind;
using program::Stmt;
using program::StmtKind;
using program::Terminator;
using program::TerminatorKind;

namespace {

class Compiler {
 public:
  Compiler(const Program& program, bool coverage, bool counts, bool walk)
      : program_(program),
        coverage_(coverage),
        counts_(counts),
        walk_(walk),
        assembler_(static_cast<std::uint32_t>(program.slots.size())),
        expressions_(program, assembler_),
        labels_(program.blocks.size()),
        compiled_(program.blocks.size(), false) {}

  Code run();

 private:
  void locations();
  void claims();
  CodeAddress answer(ExprId expr);
  CodeAddress answer_value(ExprId expr);

  // Blocks are compiled when the code that leads to them is.
  Label block_label(BlockId block);
  void pending_blocks();
  void block_chain(BlockId first);
  // Returns the block that goes directly behind.
  std::optional<BlockId> terminator(const Block& block);
  void choose(const Terminator& end);
  void draw(const Terminator& end);
  void stop(const Terminator& end);
  void go_to(BlockId block) { assembler_.emit(Op::jump, block_label(block)); }

  void statement(const Stmt& stmt);
  void assign(const Stmt& stmt);
  void check(const Stmt& stmt);
  void pick_element(const Stmt& stmt);
  void draw_element(const Stmt& stmt);
  void count(const Stmt& stmt);
  void effect(const Stmt& stmt);
  void effect_address(std::uint32_t effect, std::uint32_t Effect::*member, program::AddrId addr);

  const Program& program_;
  bool coverage_;
  bool counts_;
  bool walk_;
  Assembler assembler_;
  ExpressionCompiler expressions_;
  std::vector<std::optional<Label>> labels_;  // by BlockId
  std::vector<bool> compiled_;                // likewise
  std::vector<BlockId> pending_;
};

Code Compiler::run() {
  locations();
  claims();
  pending_blocks();
  return assembler_.finish();
}

CodeAddress Compiler::answer(ExprId expr) {
  const CodeAddress start = assembler_.here();
  const Label no = assembler_.label();
  expressions_.jump_if(expr, false, no);
  assembler_.emit(Op::answer, assembler_.constant(1));
  assembler_.bind(no);
  assembler_.emit(Op::answer, assembler_.constant(0));
  assembler_.release(0);
  return start;
}

CodeAddress Compiler::answer_value(ExprId expr) {
  const CodeAddress start = assembler_.here();
  assembler_.emit(Op::answer, expressions_.value(expr));
  assembler_.release(0);
  return start;
}

void Compiler::locations() {
  Code& code = assembler_.code();
  code.conditions.assign(program_.locations.size(), no_id);
  code.entries.assign(program_.locations.size(), no_id);
  for (LocationId id = 0; id < program_.locations.size(); ++id) {
    const program::Location& location = program_.locations[id];
    const bool conditional = location.condition != no_id;
    if (conditional) code.conditions[id] = answer(location.condition);
    if (location.entry == no_id) continue;
    code.entries[id] = assembler_.here();
    const Label disabled = assembler_.label();
    if (conditional) expressions_.jump_if(location.condition, false, disabled);
    assembler_.release(0);
    if (compiled_[location.entry]) {
      go_to(location.entry);
    } else {
      block_chain(location.entry);
    }
    assembler_.bind(disabled);
    if (conditional) assembler_.emit(Op::answer, assembler_.constant(0));
  }
}

void Compiler::claims() {
  for (const program::Property& property : program_.properties) {
    std::vector<Code::ClaimCode> codes;
    for (const program::Claim& claim : property.claims) {
      Code::ClaimCode code;
      if (claim.kind == PropertyKind::always || claim.kind == PropertyKind::at_rest) {
        if (claim.condition != no_id) code.condition = answer(claim.condition);
        if (claim.antecedent != no_id) code.antecedent = answer(claim.antecedent);
      } else if (claim.kind == PropertyKind::maximum) {
        code.left = answer_value(claim.left);
        code.right = answer_value(claim.right);
      } else if (claim.kind == PropertyKind::leads_to ||
                 claim.kind == PropertyKind::infinitely_often) {
        if (claim.condition != no_id) code.condition = answer(claim.condition);
        if (claim.right != no_id) code.right = answer(claim.right);
        if (claim.assuming != no_id) code.assuming = answer(claim.assuming);
      }
      codes.push_back(code);
    }
    assembler_.code().claims.push_back(std::move(codes));
  }
}

Label Compiler::block_label(BlockId block) {
  if (!labels_[block]) {
    labels_[block] = assembler_.label();
    if (!compiled_[block]) pending_.push_back(block);
  }
  return *labels_[block];
}

void Compiler::pending_blocks() {
  while (!pending_.empty()) {
    const BlockId block = pending_.back();
    pending_.pop_back();
    if (!compiled_[block]) block_chain(block);
  }
}

void Compiler::block_chain(BlockId first) {
  for (std::optional<BlockId> id = first; id;) {
    if (compiled_[*id]) return go_to(*id);
    compiled_[*id] = true;
    if (!labels_[*id]) labels_[*id] = assembler_.label();
    assembler_.bind(*labels_[*id]);
    if (coverage_) assembler_.emit(Op::cover, *id);
    const Block& block = program_.blocks[*id];
    for (const Stmt& stmt : block.stmts) {
      statement(stmt);
      assembler_.release(0);
    }
    id = terminator(block);
    assembler_.release(0);
  }
}

std::optional<BlockId> Compiler::terminator(const Block& block) {
  const Terminator& end = block.end;
  switch (end.kind) {
    case TerminatorKind::jump:
      return end.targets[0];
    case TerminatorKind::branch:
      expressions_.jump_if(end.condition, false, block_label(end.targets[1]));
      return end.targets[0];
    case TerminatorKind::choose:
      walk_ ? draw(end) : choose(end);
      return std::nullopt;
    case TerminatorKind::stop:
      stop(end);
      return std::nullopt;
    case TerminatorKind::lock: {
      const Label go = assembler_.label();
      expressions_.jump_if(end.condition, true, go);
      stop(end);
      assembler_.bind(go);
      return end.targets[0];
    }
    case TerminatorKind::halt:
      assembler_.emit(Op::halt);
      return std::nullopt;
  }
  return std::nullopt;
}

void Compiler::choose(const Terminator& end) {
  const auto count = static_cast<std::uint32_t>(end.targets.size());
  const Label impossible = assembler_.label();
  Label next = assembler_.label();
  for (std::uint32_t i = 0; i < count; ++i) {
    assembler_.bind(next);
    next = assembler_.label();
    if (i + 1 < count) {
      assembler_.emit(i == 0 ? Op::alternative : Op::next_alternative, next);
    } else if (count > 1) {
      assembler_.emit(Op::last_alternative);
    }
    if (end.guards[i] != no_id) expressions_.jump_if(end.guards[i], false, impossible);
    go_to(end.targets[i]);
    assembler_.release(0);
  }
  assembler_.bind(next);
  assembler_.bind(impossible);
  assembler_.emit(Op::impossible);
}

// Every option whose guard holds is offered, also where it is the only one: a Move has it.
void Compiler::draw(const Terminator& end) {
  for (std::uint32_t i = 0; i < end.targets.size(); ++i) {
    const Label next = assembler_.label();
    if (end.guards[i] != no_id) expressions_.jump_if(end.guards[i], false, next);
    assembler_.emit(Op::offer, assembler_.constant(i), block_label(end.targets[i]));
    assembler_.bind(next);
    assembler_.release(0);
  }
  assembler_.emit(Op::draw);
}

void Compiler::stop(const Terminator& end) {
  const program::Location& location = program_.locations[end.location];
  assembler_.emit(Op::stop, assembler_.stop({program_.threads[location.thread].pc,
                                             program::Word{location.pc}, end.forget}));
}

void Compiler::statement(const Stmt& stmt) {
  switch (stmt.kind) {
    case StmtKind::assign:
      return assign(stmt);
    case StmtKind::check:
      return check(stmt);
    case StmtKind::witness: {
      const Label end = assembler_.label();
      expressions_.jump_if(stmt.value, false, end);
      assembler_.emit(Op::evaluated, stmt.property);
      assembler_.bind(end);
      return;
    }
    case StmtKind::pick: {
      const Operand lo = expressions_.value(stmt.value);
      const Operand hi = expressions_.value(stmt.value2);
      assembler_.emit(walk_ ? Op::draw_value : Op::pick, expressions_.address(stmt.target), lo, hi);
      return;
    }
    case StmtKind::pick_element:
      return walk_ ? draw_element(stmt) : pick_element(stmt);
    case StmtKind::count:
      if (counts_) count(stmt);
      return;
    case StmtKind::enter:
    case StmtKind::leave:
      return;
    case StmtKind::create:
    case StmtKind::move:
    case StmtKind::duplicate:
    case StmtKind::share:
    case StmtKind::destroy:
    case StmtKind::clear_tag:
    case StmtKind::insert:
    case StmtKind::remove:
    case StmtKind::splice:
    case StmtKind::clear:
      return effect(stmt);
  }
}

void Compiler::assign(const Stmt& stmt) {
  const ExpressionCompiler::Located target = expressions_.locate(stmt.target);
  if (!target.fixed) {
    assembler_.emit(Op::set_at, target.address, expressions_.value(stmt.value));
    return;
  }
  const Expr& e = program_.exprs[stmt.value];
  const bool sum = e.kind == ExprKind::add || e.kind == ExprKind::subtract;
  if (sum && !expressions_.constant(stmt.value)) {
    const Operand a = expressions_.value(e.a);
    const Operand b = expressions_.value(e.b);
    assembler_.emit(e.kind == ExprKind::add ? Op::set_add : Op::set_subtract, target.slot, a, b);
    return;
  }
  assembler_.emit(Op::set, target.slot, expressions_.value(stmt.value));
}

void Compiler::check(const Stmt& stmt) {
  const Label fine = assembler_.label();
  expressions_.jump_if(stmt.value, true, fine);
  assembler_.emit(Op::fail, stmt.violation, stmt.fatal ? 1U : 0U);
  assembler_.bind(fine);
}

// The choice point counts positions; each time round, the state is again as it was before.
void Compiler::pick_element(const Stmt& stmt) {
  const Container& container = program_.containers[stmt.container];
  assembler_.emit(Op::elements);
  const Label next = assembler_.label();
  assembler_.bind(next);
  const Operand position = assembler_.temporary();
  const Operand element = assembler_.temporary();
  const ExpressionCompiler::Located length = expressions_.locate(container.addr);
  const Operand base = length.fixed ? assembler_.constant(length.slot) : length.address;
  Operand count = Assembler::slot(length.slot);
  if (!length.fixed) {
    count = assembler_.temporary();
    assembler_.emit(Op::load, count, length.address);
  }
  assembler_.emit(Op::next_element, position, count);
  assembler_.emit(Op::index, element, base, position, container.stride);
  assembler_.emit(Op::add, element, element, assembler_.constant(1));
  if (stmt.aggregate != no_id) {
    expressions_.set_cursor(stmt.aggregate, container.structure, element);
  }
  if (stmt.value2 != no_id) expressions_.jump_if(stmt.value2, false, next);
  assembler_.emit(Op::set_at, expressions_.address(stmt.target), position);
}

void Compiler::draw_element(const Stmt& stmt) {
  const Container& container = program_.containers[stmt.container];
  const Operand position = assembler_.temporary();
  const Operand element = assembler_.temporary();
  const ExpressionCompiler::Located length = expressions_.locate(container.addr);
  const Operand base = length.fixed ? assembler_.constant(length.slot) : length.address;
  Operand count = Assembler::slot(length.slot);
  if (!length.fixed) {
    count = assembler_.temporary();
    assembler_.emit(Op::load, count, length.address);
  }
  const Label head = assembler_.label();
  const Label next = assembler_.label();
  const Label end = assembler_.label();
  const Label taken = assembler_.label();
  assembler_.emit(Op::copy, position, assembler_.constant(0));
  assembler_.bind(head);
  assembler_.emit(Op::jump_less_equal, count, position, 0U, end);
  assembler_.emit(Op::index, element, base, position, container.stride);
  assembler_.emit(Op::add, element, element, assembler_.constant(1));
  if (stmt.aggregate != no_id) {
    expressions_.set_cursor(stmt.aggregate, container.structure, element);
  }
  if (stmt.value2 != no_id) expressions_.jump_if(stmt.value2, false, next);
  assembler_.emit(Op::offer, position, taken);
  assembler_.bind(next);
  assembler_.emit(Op::add, position, position, assembler_.constant(1));
  assembler_.emit(Op::jump, head);
  assembler_.bind(end);
  assembler_.emit(Op::draw);
  assembler_.bind(taken);
  assembler_.emit(Op::drawn, position);
  assembler_.emit(Op::set_at, expressions_.address(stmt.target), position);
}

void Compiler::count(const Stmt& stmt) {
  Operand element = assembler_.constant(program_.counters[stmt.counter].first);
  if (stmt.value2 != no_id) {
    const Operand index = expressions_.value(stmt.value2);
    const Operand sum = assembler_.temporary();
    assembler_.emit(Op::add, sum, element, index);
    element = sum;
  }
  assembler_.emit(Op::count, element, expressions_.value(stmt.value));
}

void Compiler::effect_address(std::uint32_t effect, std::uint32_t Effect::*member,
                              program::AddrId addr) {
  assembler_.set_operand(effect, member, expressions_.address(addr));
}

void Compiler::effect(const Stmt& stmt) {
  Effect form;
  form.kind = stmt.kind;
  form.leave = stmt.leave;
  form.structure = stmt.structure;
  form.has_value = stmt.value != no_id;
  form.has_target = stmt.target != no_id;
  form.has_source = stmt.source != no_id;
  const Container* container = nullptr;
  if (stmt.container != no_id) {
    container = &program_.containers[stmt.container];
    form.sorted = container->sorted;
    form.scalar = container->structure == no_id;
    form.structure = container->structure;
    form.stride = container->stride;
    form.capacity = container->capacity;
  }
  if (stmt.container2 != no_id) {
    // A splice: the order is that of the container which receives.
    form.sorted = program_.containers[stmt.container2].sorted;
    form.stride2 = program_.containers[stmt.container2].stride;
  }
  const std::uint32_t id = assembler_.effect(form);
  if (form.has_target) effect_address(id, &Effect::target, stmt.target);
  if (form.has_source) effect_address(id, &Effect::source, stmt.source);
  if (form.has_value) {
    assembler_.set_operand(id, &Effect::value, expressions_.value(stmt.value));
  }
  if (stmt.element != no_id) {
    assembler_.set_operand(id, &Effect::element, expressions_.value(stmt.element));
  } else {
    assembler_.set_operand(id, &Effect::element, assembler_.constant(0));
  }
  if (container != nullptr) effect_address(id, &Effect::container, container->addr);
  if (stmt.container2 != no_id) {
    effect_address(id, &Effect::container2, program_.containers[stmt.container2].addr);
  }
  assembler_.emit(Op::effect, id);
}

}  // namespace

Code compile(const Program& program, bool coverage, bool counts, bool walk) {
  return Compiler(program, coverage, counts, walk).run();
}

}  // namespace txproof::checker
