// Random small Programs: the formulas of their steps have exactly the interpreter's successors as
// models, in both encodings of numbers, with paths merged and with paths apart. And every wrong
// translation on the list is noticed.
#include "checker/smt/encode.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/support/engine/formulas.h"
#include "tests/support/random_program.h"

using namespace txproof::test;
using txproof::checker::smt::last_slip;
using txproof::checker::smt::Numbers;
using txproof::checker::smt::Slip;

namespace {

// A handle to a packet that moves, or ends: random programs seldom come to that.
Program handle_follows() {
  ProgramBuilder b;
  Struct packet;
  packet.name = "packet";
  packet.words = 2;
  for (PlaceId i = 0; i < 2; ++i) {
    const SlotId base = b.slot("place", 0, 2);
    b.program.place_at[base] = i;
    b.slot("field", 0, 1);
    packet.places.push_back({base, "place", false});
  }
  const SlotId handle = b.slot("handle", 0, 3);
  packet.handles.push_back(handle);
  b.program.structs.push_back(packet);
  const AddrId first = b.at(packet.places[0].base);
  const AddrId second = b.at(packet.places[1].base);
  const ThreadId t = b.thread("t");
  const LocationId begin = b.location(t, StopKind::yield);
  const LocationId middle = b.location(t, StopKind::yield);
  const LocationId end = b.location(t, StopKind::end);
  const BlockId makes = b.entry(begin);
  Stmt& create = b.stmt(makes, StmtKind::create);
  create.structure = 0;
  create.target = first;
  const ExprId named = b.op(ExprKind::place_id, no_id);
  b.program.exprs[named].addr = first;
  b.program.exprs[named].structure = 0;
  b.assign(makes, handle, named);
  b.stop(makes, middle);
  const BlockId splits = b.entry(middle);
  const BlockId moves = b.block(t);
  const BlockId destroys = b.block(t);
  b.choose(splits, {moves, destroys}, {no_id, no_id});
  Stmt& move = b.stmt(moves, StmtKind::move);
  move.structure = 0;
  move.source = first;
  move.target = second;
  b.stop(moves, end);
  Stmt& destroy = b.stmt(destroys, StmtKind::destroy);
  destroy.structure = 0;
  destroy.source = first;
  b.stop(destroys, end);
  return b.program;
}

// Two packets of a counted struct, the first of which ends: the second becomes cell 0. And a
// negative number is divided.
Program cells_move_up() {
  ProgramBuilder b;
  Struct shared;
  shared.name = "shared";
  shared.counted = true;
  for (PlaceId i = 0; i < 2; ++i) {
    const SlotId tag = b.slot("shared", 0, 3);
    b.program.place_at[tag] = i;
    shared.places.push_back({tag, "shared", false});
  }
  CellTable cells;
  cells.structure = 0;
  cells.stride = 2;
  cells.count = 2;
  for (int i = 0; i < 2; ++i) {
    const SlotId live = b.slot("live", 0, 1);
    b.slot("field", 0, 1);
    if (i == 0) cells.first = live;
  }
  b.program.structs.push_back(shared);
  b.program.cells.push_back(cells);
  const SlotId number = b.slot("number", -3, 3, -3);
  const SlotId quotient = b.slot("quotient", -3, 3);
  const ThreadId t = b.thread("t");
  const LocationId begin = b.location(t, StopKind::yield);
  const LocationId middle = b.location(t, StopKind::yield);
  const LocationId end = b.location(t, StopKind::end);
  const BlockId makes = b.entry(begin);
  for (const Place& place : shared.places) {
    const AddrId target = b.at(place.base);
    Stmt& create = b.stmt(makes, StmtKind::create);
    create.structure = 0;
    create.target = target;
  }
  b.assign(makes, number, b.constant(-1));
  b.stop(makes, middle);
  const BlockId ends = b.entry(middle);
  const AddrId first = b.at(shared.places[0].base);
  Stmt& destroy = b.stmt(ends, StmtKind::destroy);
  destroy.structure = 0;
  destroy.source = first;
  b.assign(ends, quotient, b.op(ExprKind::divide, b.load(number), b.constant(2)));
  b.stop(ends, end);
  return b.program;
}

}  // namespace

TEST_CASE("formulas and interpreter agree") {
  CHECK(rc::check("random programs", [] {
    const Program program = RandomProgram().make();
    FormulaCheck check;
    const unsigned way = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0U, 4U));
    check.encode.numbers = way % 2 == 0 ? Numbers::integers : Numbers::bit_vectors;
    check.encode.merge = way / 2 == 0;
    const std::string wrong = disagreement(program, check);
    if (!wrong.empty()) RC_FAIL(wrong);
  }));
}

// A slip that no program shows would say that the comparison is blind there.
TEST_CASE("wrong translations are noticed") {
  std::vector<Program> programs{handle_follows(), cells_move_up()};
  for (const Program& program : programs) CHECK(disagreement(program, {}) == "");
  // The same ones each time: whether a slip is noticed is no matter of luck.
  const auto random_program = rc::gen::exec([] { return RandomProgram().make(); });
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    programs.push_back(random_program(rc::Random(seed), rc::kNominalSize).value());
  }
  const auto noticed = [&programs](Slip slip) {
    FormulaCheck check;
    check.encode.slips.insert(slip);
    return std::any_of(programs.begin(), programs.end(), [&check](const Program& program) {
      return !disagreement(program, check).empty();
    });
  };
  // What random programs of this kind do not show in their first states.
  const std::set<Slip> out_of_reach = {Slip::destroy_ends_shared_cell, Slip::pick_element_takes_any,
                                       Slip::locals_survive, Slip::clocks_run_in_empty_places};
  std::string unnoticed;
  for (unsigned number = 0; number <= static_cast<unsigned>(last_slip); ++number) {
    const auto slip = static_cast<Slip>(number);
    if (out_of_reach.count(slip) == 0 && !noticed(slip)) unnoticed += " " + std::to_string(number);
  }
  CHECK(unnoticed == "");
}
