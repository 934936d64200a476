// Programs by hand, for tests of what works on Programs.
//
//   ProgramBuilder b;
//   const SlotId x = b.slot("x", 0, 3);
//   const ThreadId t = b.thread("counter");
//   const LocationId head = b.location(t, StopKind::loop_head, b.less(b.load(x), b.constant(3)));
//   const BlockId body = b.entry(head);
//   b.assign(body, x, b.add(b.load(x), b.constant(1)));
//   b.stop(body, head);
//   const Program& program = b.finish();
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/program/program.h"

namespace txproof::test {

using namespace txproof::program;  // NOLINT: a header of tests

class ProgramBuilder {
 public:
  Program program;

  SlotId slot(std::string name, Word lo, Word hi, Word initial = 0) {
    Slot s;
    s.name = std::move(name);
    s.range = {lo, hi};
    s.initial = initial;
    s.rest_value = initial;
    program.slots.push_back(std::move(s));
    program.place_at.push_back(no_id);
    return static_cast<SlotId>(program.slots.size() - 1);
  }
  SlotId scratch(std::string name, Word lo, Word hi, Word rest = 0) {
    const SlotId id = slot(std::move(name), lo, hi, rest);
    program.slots[id].stored = false;
    return id;
  }

  ExprId expr(Expr e) {
    program.exprs.push_back(e);
    return static_cast<ExprId>(program.exprs.size() - 1);
  }
  ExprId constant(Word value) {
    Expr e;
    e.value = value;
    return expr(e);
  }
  ExprId load_at(AddrId addr) {
    Expr e;
    e.kind = ExprKind::load;
    e.addr = addr;
    return expr(e);
  }
  ExprId load(SlotId slot) { return load_at(at(slot)); }
  ExprId op(ExprKind kind, ExprId a, ExprId b = no_id, ExprId c = no_id, Word value = 0) {
    Expr e;
    e.kind = kind;
    e.a = a;
    e.b = b;
    e.c = c;
    e.value = value;
    return expr(e);
  }
  ExprId add(ExprId a, ExprId b) { return op(ExprKind::add, a, b); }
  ExprId subtract(ExprId a, ExprId b) { return op(ExprKind::subtract, a, b); }
  ExprId less(ExprId a, ExprId b) { return op(ExprKind::less, a, b); }
  ExprId equal(ExprId a, ExprId b) { return op(ExprKind::equal, a, b); }
  ExprId both(ExprId a, ExprId b) { return op(ExprKind::logical_and, a, b); }
  ExprId negation(ExprId a) { return op(ExprKind::logical_not, a); }
  ExprId slot_is(SlotId slot, Word value) { return equal(load(slot), constant(value)); }
  ExprId slot_below(SlotId slot, Word value) { return less(load(slot), constant(value)); }

  AddrId address(Address a) {
    program.addresses.push_back(std::move(a));
    return static_cast<AddrId>(program.addresses.size() - 1);
  }
  AddrId at(SlotId slot) {
    Address a;
    a.base = slot;
    return address(a);
  }

  ThreadId thread(std::string name) {
    const SlotId pc = slot("pc." + name, 0, 0);
    program.slots[pc].kind = SlotKind::pc;
    Thread t;
    t.name = name;
    t.function = std::move(name);
    t.pc = pc;
    program.threads.push_back(std::move(t));
    return static_cast<ThreadId>(program.threads.size() - 1);
  }
  LocationId location(ThreadId thread, StopKind kind, ExprId condition = no_id) {
    Location l;
    l.kind = kind;
    l.thread = thread;
    l.condition = condition;
    Thread& t = program.threads[thread];
    l.pc = static_cast<std::uint32_t>(t.locations.size());
    program.slots[t.pc].range.hi = l.pc;
    program.locations.push_back(std::move(l));
    const auto id = static_cast<LocationId>(program.locations.size() - 1);
    t.locations.push_back(id);
    return id;
  }
  BlockId block(ThreadId thread) {
    Block b;
    b.thread = thread;
    program.blocks.push_back(std::move(b));
    return static_cast<BlockId>(program.blocks.size() - 1);
  }
  // The block that a location leads to, new.
  BlockId entry(LocationId location) {
    const BlockId id = block(program.locations[location].thread);
    program.locations[location].entry = id;
    return id;
  }

  Stmt& stmt(BlockId block, StmtKind kind) {
    Stmt s;
    s.kind = kind;
    program.blocks[block].stmts.push_back(s);
    return program.blocks[block].stmts.back();
  }
  void assign_at(BlockId block, AddrId target, ExprId value) {
    Stmt& s = stmt(block, StmtKind::assign);
    s.target = target;
    s.value = value;
  }
  void assign(BlockId block, SlotId target, ExprId value) { assign_at(block, at(target), value); }
  void increment(BlockId block, SlotId target, Word by = 1) {
    assign(block, target, add(load(target), constant(by)));
  }
  void check(BlockId block, ExprId value, ViolationId violation, bool fatal = true) {
    Stmt& s = stmt(block, StmtKind::check);
    s.value = value;
    s.violation = violation;
    s.fatal = fatal;
  }
  void pick(BlockId block, SlotId target, Word lo, Word hi) {
    const ExprId from = constant(lo);
    const ExprId to = constant(hi);
    const AddrId addr = at(target);
    Stmt& s = stmt(block, StmtKind::pick);
    s.target = addr;
    s.value = from;
    s.value2 = to;
  }
  std::uint32_t container(SlotId length, std::uint32_t capacity, std::uint32_t stride = 1,
                          StructId structure = no_id, bool sorted = false) {
    Container c;
    c.addr = at(length);
    c.capacity = capacity;
    c.stride = stride;
    c.structure = structure;
    c.sorted = sorted;
    program.containers.push_back(c);
    return static_cast<std::uint32_t>(program.containers.size() - 1);
  }
  // A container of scalars lo..hi; returns its length slot.
  SlotId fifo(const std::string& name, std::uint32_t capacity, Word lo, Word hi) {
    const SlotId length = slot(name + ".len", 0, capacity);
    program.slots[length].kind = SlotKind::length;
    for (std::uint32_t i = 0; i < capacity; ++i) {
      slot(name + "[" + std::to_string(i) + "]", std::min<Word>(lo, 0), hi);
    }
    return length;
  }
  void push(BlockId block, std::uint32_t container, ExprId element) {
    Stmt& s = stmt(block, StmtKind::insert);
    s.container = container;
    s.element = element;
  }
  void pop(BlockId block, std::uint32_t container, SlotId target) {
    const ExprId head = constant(0);
    const AddrId addr = at(target);
    Stmt& s = stmt(block, StmtKind::remove);
    s.container = container;
    s.value = head;
    s.target = addr;
  }

  void stop(BlockId block, LocationId location, std::vector<SlotId> forget = {}) {
    Terminator& end = program.blocks[block].end;
    end.kind = TerminatorKind::stop;
    end.location = location;
    end.forget = std::move(forget);
  }
  void jump(BlockId block, BlockId to) {
    program.blocks[block].end.kind = TerminatorKind::jump;
    program.blocks[block].end.targets = {to};
  }
  void branch(BlockId block, ExprId condition, BlockId yes, BlockId no) {
    Terminator& end = program.blocks[block].end;
    end.kind = TerminatorKind::branch;
    end.condition = condition;
    end.targets = {yes, no};
  }
  void choose(BlockId block, std::vector<BlockId> targets, std::vector<ExprId> guards = {}) {
    Terminator& end = program.blocks[block].end;
    end.kind = TerminatorKind::choose;
    guards.resize(targets.size(), no_id);
    end.targets = std::move(targets);
    end.guards = std::move(guards);
  }

  PropertyId property(std::string name, PropertyKind kind) {
    Property q;
    q.name = name;
    q.instance = std::move(name);
    q.kind = kind;
    q.has_checks = true;
    program.properties.push_back(std::move(q));
    return static_cast<PropertyId>(program.properties.size() - 1);
  }
  Claim& claim(PropertyId property, PropertyKind kind) {
    Claim c;
    c.kind = kind;
    program.properties[property].claims.push_back(c);
    return program.properties[property].claims.back();
  }
  PropertyId always(std::string name, ExprId condition, ExprId antecedent = no_id) {
    const PropertyId id = property(std::move(name), PropertyKind::always);
    Claim& c = claim(id, PropertyKind::always);
    c.condition = condition;
    c.antecedent = antecedent;
    return id;
  }
  PropertyId at_rest(std::string name, ExprId condition) {
    const PropertyId id = property(std::move(name), PropertyKind::at_rest);
    claim(id, PropertyKind::at_rest).condition = condition;
    return id;
  }
  PropertyId maximum(std::string name, ExprId left, ExprId right) {
    const PropertyId id = property(std::move(name), PropertyKind::maximum);
    Claim& c = claim(id, PropertyKind::maximum);
    c.left = left;
    c.right = right;
    return id;
  }
  ViolationId violation(PropertyId property, std::string kind) {
    Violation v;
    v.property = property;
    v.kind = std::move(kind);
    program.violations.push_back(std::move(v));
    return static_cast<ViolationId>(program.violations.size() - 1);
  }
};

}  // namespace txproof::test
