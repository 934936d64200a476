// Expressions kept up to date along walks of models of every form that is followed, beside what the
// reference interpreter says of them.
#include "checker/sampling/formulas.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/sampling/walk.h"
#include "model/program/interpreter.h"
#include "tests/support/engine/elaborated.h"

using namespace txproof;
using namespace txproof::checker::sampling;

namespace {

// Packets move between sockets' hands, a queue and slots; every claim is true or false now and
// then.
const char* const text =
    "object sock { int used in 0..9 = 0; }\n"
    "linear struct skb { sock sk; int size in 1..3; bool urgent; }\n"
    "object dev { fifo<skb, 4> ring; fifo<skb, 3> queue; int n in 0..40 = 0; }\n"
    "thread sender(sock sk, dev d) { loop { pause;\n"
    "  if (sk.used < 6 && !d.queue.full) {\n"
    "    skb p = { size: any 1..3, urgent: any 0..1 == 1 }; p.sk = sk; sk.used += p.size;\n"
    "    if (p.urgent) d.queue.push_head(p); else d.queue.push(p); } } }\n"
    "thread move(dev d) { loop { rest !d.queue.empty && !d.ring.full; d.ring.push(d.queue.pop()); "
    "} }\n"
    "thread done(dev d) { loop { rest !d.ring.empty; skb p = d.ring.pop();\n"
    "  either { p.sk.used -= p.size; } or { p.sk.used = 0; } destroy p; } }\n"
    "property p {\n"
    "  always forall k in sock: k.used == sum(s in skb where s.sk == k) s.size;\n"
    "  always forall k in sock: count(s in skb where s.sk == k && s.urgent) < 2;\n"
    "  always exists s in skb: s.size == 3;\n"
    "  always forall s in skb: s.size < 3 || s.urgent;\n"
    "  maximum max(k in sock) k.used <= 5;\n"
    "  maximum min(k in sock) k.used + count(s in dev.ring) * 2 <= 5;\n"
    "  maximum max(s in skb) s.size <= 2;\n"
    "  maximum (count(s in skb) > 2 ? sum(k in sock) k.used : 0 - 1) <= 7; }\n"
    "stack s { sock k[5] {}; dev d {}; run sender(k[i], d) for i in 0..4; run move(d); run "
    "done(d);\n"
    "  check p; }\n";

}  // namespace

TEST_CASE("formulas follow every claim of the model, and always have the interpreter's value") {
  const auto program = test::elaborated(text);
  const program::Interpreter interpreter(*program);
  Formulas formulas(*program);
  struct Followed {
    program::ExprId expr;
    Formulas::Number number;
  };
  std::vector<Followed> followed;
  for (const program::Property& property : program->properties) {
    for (const program::Claim& claim : property.claims) {
      for (const program::ExprId expr : {claim.condition, claim.left, claim.right}) {
        if (expr == program::no_id) continue;
        const auto number = formulas.add(expr);
        CAPTURE(claim.text);
        REQUIRE(number);
        followed.push_back({expr, *number});
      }
    }
  }
  REQUIRE(followed.size() >= 12);
  const Plan plan(*program);
  Walk walk(plan);
  int changes = 0;
  for (std::uint64_t run = 0; run < 5; ++run) {
    walk.reset();
    program::State state = program::initial_state(*program);
    formulas.reset(state.data());
    Random random = Random::of_run(5, run);
    RandomChooser chooser(random);
    for (int i = 0; i < 400; ++i) {
      for (const Followed& f : followed) {
        REQUIRE(formulas.value(f.number) == interpreter.evaluate(state, f.expr));
      }
      const auto thread = walk.draw(random, Schedule::functions);
      if (!thread || walk.move(*thread, chooser) != Walk::Outcome::moved) break;
      std::vector<program::Word> before;
      for (const Followed& f : followed) before.push_back(formulas.value(f.number));
      for (program::SlotId slot = 0; slot < state.size(); ++slot) {
        // Some that have not changed are told too.
        if (state[slot] != walk.state()[slot] || slot % 7 == 0) formulas.written(slot);
        state[slot] = walk.state()[slot];
      }
      formulas.settle(state.data());
      for (std::size_t f = 0; f < followed.size(); ++f) {
        changes += before[f] != formulas.value(followed[f].number) ? 1 : 0;
      }
    }
  }
  CHECK(changes > 200);
}

TEST_CASE("a sum over packets costs one group, however many sockets compare theirs with it") {
  const auto program = test::elaborated(text);
  Formulas formulas(*program);
  const auto at =
      std::find_if(program->properties.begin(), program->properties.end(),
                   [](const program::Property& property) { return property.name == "p"; });
  REQUIRE(at != program->properties.end());
  REQUIRE(formulas.add(at->claims.front().condition));
  // For each socket a load, a total, a comparison; one conjunction; constants.
  CHECK(formulas.size() < 5 * 3 + 10);
}
