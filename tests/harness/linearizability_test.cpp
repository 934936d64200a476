// Histories whose answer is known.
#include "harness/linearizability.h"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>

using namespace txproof::harness;

namespace {

// A register of three values, and a queue of at most two of them.
const std::string text =
    "enum op_t { NONE, WRITE, READ, PUSH, POP };\n"
    "typedef int value_t in 0..3;\n"
    "object cell { value_t x = 0; fifo<value_t, 2> q; }\n"
    "object port_t { op_t op = NONE; value_t value = 0; int answer in -1..3 = 0; }\n"
    "thread user(cell c, port_t p) { loop { pause;\n"
    "  either { p.op = WRITE; p.value = any 1..3; c.x = p.value; }\n"
    "  or { p.op = READ; p.answer = c.x; }\n"
    "  or { p.op = PUSH; p.value = any 1..3; if (c.q.full) p.answer = -1; else c.q.push(p.value); "
    "}\n"
    "  or { p.op = POP; if (c.q.empty) p.answer = -1; else p.answer = c.q.pop(); } } }\n"
    "stack s { cell c {}; port_t p {}; run user(c, p); }\n";

const Port port{"user", {"p.op", "p.value"}, {"p.answer"}};

Operation write(unsigned thread, std::int64_t value, std::uint64_t called, std::uint64_t returned) {
  return {thread, {1, value}, {0}, called, returned};
}
Operation read(unsigned thread, std::int64_t value, std::uint64_t called, std::uint64_t returned) {
  return {thread, {2, 0}, {value}, called, returned};
}
Operation push(unsigned thread, std::int64_t value, std::uint64_t called, std::uint64_t returned) {
  return {thread, {3, value}, {0}, called, returned};
}
Operation pop(unsigned thread, std::int64_t value, std::uint64_t called, std::uint64_t returned) {
  return {thread, {4, 0}, {value}, called, returned};
}

bool accepts(const std::vector<Operation>& history) {
  Oracle oracle(Model::from_text(text), port);
  return linearizable(oracle, history).passed;
}

// By trying every order.
bool some_order(Oracle& oracle, const std::vector<Operation>& history) {
  std::vector<std::size_t> order(history.size());
  std::iota(order.begin(), order.end(), 0U);
  do {
    bool good = true;
    std::vector<Oracle::StateId> states = {oracle.start()};
    for (std::size_t i = 0; i < order.size() && good; ++i) {
      for (std::size_t j = i + 1; j < order.size(); ++j) {
        good = good && history[order[j]].returned > history[order[i]].called;
      }
      states = oracle.after(states, history[order[i]].command, history[order[i]].answer);
      good = good && !states.empty();
    }
    if (good) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

}  // namespace

TEST_CASE("a register: overlapping reads may see either value, later ones must not go back") {
  CHECK(accepts({}));
  CHECK(accepts({write(0, 1, 0, 3), read(1, 0, 1, 2)}));
  CHECK(accepts({write(0, 1, 0, 3), read(1, 1, 1, 2)}));
  CHECK_FALSE(accepts({write(0, 1, 0, 1), read(1, 0, 2, 3)}));  // it has returned
  CHECK_FALSE(accepts({write(0, 1, 0, 5), read(1, 1, 1, 2), read(1, 0, 3, 4)}));
  CHECK(accepts({write(0, 1, 0, 5), read(1, 0, 1, 2), read(1, 1, 3, 4)}));
  CHECK_FALSE(accepts({read(0, 2, 0, 1)}));  // nobody wrote it
}

TEST_CASE("a queue: the example of Herlihy and Wing, and what is wrong with its second history") {
  // Two overlapping pushes may take effect in either order.
  CHECK(accepts({push(0, 1, 0, 4), push(1, 2, 1, 3), pop(1, 2, 5, 7), pop(0, 1, 6, 8)}));
  // Pushed one after the other, popped the other way round.
  CHECK_FALSE(accepts({push(0, 1, 0, 1), push(1, 2, 2, 3), pop(1, 2, 4, 5)}));
  // Popped twice.
  CHECK_FALSE(accepts({push(0, 1, 0, 1), pop(0, 1, 2, 4), pop(1, 1, 3, 5)}));
}

TEST_CASE("a refusal shows the history and how far it can be explained") {
  Oracle oracle(Model::from_text(text), port);
  const Result result =
      linearizable(oracle, {write(0, 1, 0, 1), write(0, 2, 2, 3), read(1, 1, 4, 5)});
  REQUIRE_FALSE(result);
  CHECK(result.message.find("p.op=READ p.value=0 -> p.answer=1") != std::string::npos);
  CHECK(result.message.find("longest order") != std::string::npos);
}

TEST_CASE("the search says what trying every order says") {
  Oracle oracle(Model::from_text(text), port);
  int accepted = 0;
  int refused = 0;
  CHECK(rc::check("random histories of two threads", [&] {
    const auto any = [](int below) {
      return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below));
    };
    std::vector<Operation> history;
    std::uint64_t clock = 0;
    std::vector<int> open(2, -1);
    const int events = any(14);
    for (int i = 0; i < events || open[0] >= 0 || open[1] >= 0; ++i) {
      const auto thread = static_cast<unsigned>(i < events ? any(2) : (open[0] >= 0 ? 0 : 1));
      if (open[thread] >= 0) {
        history[static_cast<std::size_t>(open[thread])].returned = clock++;
        open[thread] = -1;
      } else if (i < events) {
        const int op = 1 + any(4);
        const bool valued = op == 1 || op == 3;
        const int answer = valued ? 0 : any(4);
        open[thread] = static_cast<int>(history.size());
        history.push_back({thread,
                           {op, valued ? 1 + any(3) : 0},
                           {op == 4 && answer == 0 ? -1 : answer},
                           clock++,
                           0});
      }
    }
    const bool expected = some_order(oracle, history);
    (expected ? accepted : refused) += 1;
    RC_ASSERT(linearizable(oracle, history).passed == expected);
  }));
  CHECK(accepted > 5);
  CHECK(refused > 5);
}

TEST_CASE("two threads: a queue under a lock passes, one that forgets the lock's half does not") {
  struct Shared {
    std::mutex mutex;
    std::vector<std::int64_t> values;
  };
  const auto make = [](bool broken) {
    return [broken]() -> SharedSubject {
      const auto shared = std::make_shared<Shared>();
      return [shared, broken](unsigned /*thread*/, const Values& command) -> Values {
        std::unique_lock<std::mutex> lock(shared->mutex);
        if (command[0] == 3) {
          if (shared->values.size() == 2) return {-1};
          shared->values.push_back(command[1]);
          return {0};
        }
        if (shared->values.empty()) return {-1};
        const std::int64_t value = shared->values.front();
        if (broken) {  // gives the lock away between reading and removing
          lock.unlock();
          std::this_thread::yield();
          lock.lock();
        }
        if (!shared->values.empty()) shared->values.erase(shared->values.begin());
        return {value};
      };
    };
  };
  ConcurrentOptions options;
  options.rounds = 300;
  options.role = [](unsigned /*thread*/, const Values& command) { return command[0] >= 3; };
  const Model model = Model::from_text(text);
  const Result clean = check_concurrent(model, port, make(false), options);
  CHECK_MESSAGE(clean, clean.message);
  CHECK(clean.steps == 300 * 16);
  options.rounds = 5000;
  CHECK_FALSE(check_concurrent(model, port, make(true), options));
  options.role = [](unsigned thread, const Values& /*command*/) { return thread == 0; };
  CHECK_THROWS_AS(check_concurrent(model, port, make(false), options), ModelError);
}
