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
  std::vector<Program> programs;
  for (int round = 0; round < 4; ++round) {
    CHECK(rc::check("programs to be mistranslated",
                    [&programs] { programs.push_back(RandomProgram().make()); }));
  }
  const auto noticed = [&programs](Slip slip) {
    FormulaCheck check;
    check.encode.slips.insert(slip);
    return std::any_of(programs.begin(), programs.end(), [&check](const Program& program) {
      return !disagreement(program, check).empty();
    });
  };
  // What random programs of this kind do not show in their first states.
  const std::set<Slip> out_of_reach = {Slip::move_leaves_handles, Slip::destroy_ends_shared_cell,
                                       Slip::pick_element_takes_any, Slip::locals_survive,
                                       Slip::clocks_run_in_empty_places};
  std::string unnoticed;
  for (unsigned number = 0; number <= static_cast<unsigned>(last_slip); ++number) {
    const auto slip = static_cast<Slip>(number);
    if (out_of_reach.count(slip) == 0 && !noticed(slip)) unnoticed += " " + std::to_string(number);
  }
  CHECK(unnoticed == "");
}
