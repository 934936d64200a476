// Proofs for all values, of a transmit path told with counters, so that nothing but the prover is
// tested here.
#include "checker/forall/prove.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "checker/engines/child.h"
#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

using checker::forall::Proof;
using checker::forall::Prover;

// One sender, a queue of limit L, a ring of R, W packets that it may be charged for. The loop that
// runs the queue is a thread of its own here.
std::string path(const std::string& assumption, const std::string& property) {
  return R"(
object path {
    param int W in 1..1000 = 1;
    param int L in 1..1000 = 1;
    param int R in 1..1000 = 1;
    int charged in 0..W + L + 2 = 0;
    int queue in 0..W + L + 2 = 0;
    int qlen in 0..W + L + 2 = 0;
    int ring in 0..W + L + 2 = 0;
    bool parked = false;
    bool xoff = false;
    bool sched = false;
    bool running = false;
    bool lost = false;
}
thread sender(path p) {
    loop {
        rest p.charged < p.W && !p.running && !p.lost && )" +
         assumption + R"(;
        p.charged += 1;
        if (p.qlen == 0) {
            if (!p.xoff && p.ring < p.R) {
                p.ring += 1;
                p.xoff = p.ring == p.R;
            } else {
                p.parked = true; p.qlen += 1; p.sched = true;
            }
        } else if (p.qlen >= p.L) {
            p.charged -= 1; p.lost = true;
        } else {
            p.queue += 1; p.qlen += 1; p.running = true;
        }
    }
}
thread softirq(path p) {
    loop { rest p.sched && !p.running; p.sched = false; p.running = true; }
}
thread run(path p) {
    loop {
        rest p.running;
        if (p.parked && p.xoff) {
            p.running = false;
        } else if (!p.parked && p.queue == 0) {
            p.running = false;
        } else {
            if (p.parked) p.parked = false; else p.queue -= 1;
            p.qlen -= 1;
            if (!p.xoff && p.ring < p.R) {
                p.ring += 1;
                p.xoff = p.ring == p.R;
                if (p.qlen == 0 || p.xoff) p.running = false;
            } else {
                p.parked = true; p.qlen += 1; p.sched = true; p.running = false;
            }
        }
    }
}
thread complete(path p) {
    loop {
        rest p.ring > 0 && !p.running;
        p.ring -= 1; p.charged -= 1;
        if (p.xoff) { p.xoff = false; p.sched = true; }
    }
}
property q { )" +
         property +
         R"( }
stack s { param int W in 1..1000 = 1; param int L in 1..1000 = 1; param int R in 1..1000 = 1;
    path p { W: W, L: L, R: R };
    run sender(p); run softirq(p); run run(p); run complete(p); check q; }
)";
}

Proof prove(const std::string& text) {
  program::ElaborateOptions options;
  options.for_all = {"W", "L", "R"};
  const auto program = elaborated(text, options);
  checker::forall::Settings settings;
  Prover prover(*program, settings);
  REQUIRE(prover.sample() == "");
  for (program::PropertyId id = 0; id < program->properties.size(); ++id) {
    if (program->properties[id].name == "q") return prover.prove({id}).at(0);
  }
  return {};
}

}  // namespace

TEST_CASE("for all: a socket is charged for what there is") {
  const Proof proof = prove(
      path("true", "always forall p in path: p.charged == p.queue + p.ring + (p.parked ? 1 : 0);"));
  CAPTURE(proof.reason);
  CHECK(proof.proved);
  CHECK(proof.report.good());
  CHECK(proof.invariant.find("between two steps:") != std::string::npos);
}

TEST_CASE("for all: no loss if W <= L + R - 1") {
  const Proof proof = prove(path("p.W <= p.L + p.R - 1", "always forall p in path: !p.lost;"));
  CAPTURE(proof.reason);
  CHECK(proof.proved);
}

// The search for an invariant that is not there goes on for minutes: some seconds of it.
TEST_CASE("for all: what does not hold is not proved") {
  for (const std::string& text : {path("p.W <= p.L + p.R", "always forall p in path: !p.lost;"),
                                  path("true", "always forall p in path: p.charged <= p.W - 1;")}) {
    const checker::ChildEnd end = checker::in_child(
        [&text] { return std::string(prove(text).proved ? "proved" : "not proved"); }, 3.0,
        nullptr);
    CHECK(end.error.empty());
    CHECK(end.answer.value_or("not proved") == "not proved");
  }
}

}  // namespace txproof::test
