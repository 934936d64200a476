// Store buffers, histories and fences: what they change, what they must not, and what is bounded.
#include <doctest/doctest.h>

#include <string>

#include "tests/support/engine/elaborated.h"

namespace txproof::test {
namespace {

using program::Memory;

program::ElaborateOptions with(Memory memory, std::uint32_t depth = 3) {
  program::ElaborateOptions options;
  options.memory = memory;
  options.store_depth = depth;
  return options;
}

// A stack of fine steps with the objects `s` of the given fields, and results.
std::string model(const std::string& fields, const std::string& threads, const std::string& runs,
                  const std::string& claim) {
  return "linear struct sk_buff { int len in 1..2; }\n"
         "object shared_t { " +
         fields +
         " }\n"
         "object result_t { int a in 0..3 = 0; int b in 0..3 = 0; }\n" +
         threads + "\nproperty p { " + claim +
         " }\n"
         "stack t { interleave fine; shared_t s {}; result_t r {}; " +
         runs + " check p; }\n";
}

const std::string buffering =
    model("int x in 0..1 = 0; int y in 0..1 = 0;",
          "thread p0(shared_t s, result_t r) { WRITE_ONCE(s.x, 1); r.a = READ_ONCE(s.y); }\n"
          "thread p1(shared_t s, result_t r) { WRITE_ONCE(s.y, 1); r.b = READ_ONCE(s.x); }",
          "run p0(s, r); run p1(s, r);", "at rest forall r in result_t: r.a == 1 || r.b == 1;");

}  // namespace

TEST_CASE("a store is late under tso and weak, not under sc") {
  CHECK(findings(buffering, with(Memory::sc)) == "");
  CHECK(findings(buffering, with(Memory::tso)) == "p");
  CHECK(findings(buffering, with(Memory::weak)) == "p");
}

TEST_CASE("a memory model needs fine steps") {
  std::string coarse = buffering;
  coarse.replace(coarse.find("interleave fine;"), 16, "");
  CHECK(first_error(coarse, with(Memory::sc)) == "");
  CHECK(first_error(coarse, with(Memory::tso)) == "TX0605");
  CHECK(first_error(coarse, with(Memory::weak)) == "TX0605");
}

TEST_CASE("a thread sees its own stores") {
  const std::string text =
      model("int x in 0..2 = 0; int y[2] in 0..2 = 0;",
            "thread own(shared_t s, result_t r) {\n"
            "  s.x = 1; s.y[s.x] = 2; assert s.x == 1; assert s.y[1] == 2;\n"
            "  s.x += 1; rest s.x == 2; r.a = s.y[0]; assert r.a == 0; }\n"
            "thread look(shared_t s, result_t r) { r.b = READ_ONCE(s.x); }",
            "run own(s, r); run look(s, r);", "at rest forall s in shared_t: s.x == 2;");
  CHECK(findings(text, with(Memory::sc)) == "");
  CHECK(findings(text, with(Memory::tso)) == "");
  CHECK(findings(text, with(Memory::weak)) == "");
}

TEST_CASE("a buffer that was too small leaves nothing to hold") {
  const auto text = [](const std::string& between) {
    return model(
        "int x in 0..3 = 0; int y in 0..3 = 0;",
        "thread w(shared_t s) { WRITE_ONCE(s.x, 1); WRITE_ONCE(s.y, 1); " + between +
            "WRITE_ONCE(s.x, 2); }\n"
            "thread look(shared_t s, result_t r) { r.a = READ_ONCE(s.x) + READ_ONCE(s.y); }",
        "run w(s); run look(s, r);", "always forall s in shared_t: s.x <= 2;");
  };
  CHECK(findings(text(""), with(Memory::tso, 2)) == "p inconclusive, range inconclusive");
  CHECK(findings(text(""), with(Memory::tso, 3)) == "");
  CHECK(findings(text("fence full; "), with(Memory::tso, 2)) == "");
  // A history has room for two stores of x beside the one that all have seen.
  CHECK(findings(text(""), with(Memory::weak, 1)) == "p inconclusive, range inconclusive");
  CHECK(findings(text(""), with(Memory::weak, 2)) == "");
}

TEST_CASE("what is violated stays so, however small the buffer") {
  CHECK(findings(buffering, with(Memory::tso, 1)) == "p");
  CHECK(findings(buffering, with(Memory::weak, 1)) == "p");
}

TEST_CASE("a model without primitives holds nothing under weak") {
  const std::string text =
      model("int x in 0..1 = 0;",
            "thread w(shared_t s) { s.x = 1; } thread look(shared_t s, result_t r) { r.a = s.x; }",
            "run w(s); run look(s, r);", "always forall s in shared_t: s.x <= 1;");
  CHECK(findings(text, with(Memory::weak)) == "p inconclusive");
  CHECK(findings(text, with(Memory::tso)) == "");
}

TEST_CASE("what changes a container waits for the stores before it, and is told") {
  const std::string text =
      model("int x in 0..1 = 0; fifo<sk_buff, 2> q;",
            "thread p0(shared_t s, result_t r) { sk_buff skb = { len: 1 }; s.x = 1; s.q.push(skb); "
            "}\n"
            "thread p1(shared_t s, result_t r) { rest !s.q.empty; r.a = s.x; r.b = 1;\n"
            "  destroy s.q.pop(); }",
            "run p0(s, r); run p1(s, r);", "at rest forall r in result_t: r.b == 0 || r.a == 1;");
  CHECK(findings(text, with(Memory::tso)) == "");
  const auto program = elaborated(text, with(Memory::tso));
  int notes = 0;
  for (const auto& property : program->properties) {
    if (property.memory_note == program::MemoryNote::drained) ++notes;
  }
  CHECK(notes == 1);
}

TEST_CASE("at rest, every store is visible") {
  const std::string text =
      model("bool flag = false;",
            "thread wake(shared_t s) { WRITE_ONCE(s.flag, true); }\n"
            "thread sleep(shared_t s, result_t r) { rest READ_ONCE(s.flag); r.a = 1; }",
            "run wake(s); run sleep(s, r);", "at rest forall r in result_t: r.a == 1;");
  CHECK(findings(text, with(Memory::tso)) == "");
  CHECK(findings(text, with(Memory::weak)) == "");
}

TEST_CASE("references are variables too") {
  const std::string text =
      "object cell { int v in 0..2 = 0; }\n"
      "object shared_t { cell at = none; }\n"
      "object result_t { int a in 0..3 = 0; }\n"
      "thread publish(shared_t s, cell c) { WRITE_ONCE(c.v, 2); smp_store_release(s.at, c); }\n"
      "thread follow(shared_t s, result_t r) { cell c = smp_load_acquire(s.at);\n"
      "  if (c != none) r.a = READ_ONCE(c.v); else r.a = 3; }\n"
      "property p { at rest forall r in result_t: r.a >= 2; }\n"
      "stack t { interleave fine; cell c {}; shared_t s { at: none }; result_t r {};\n"
      "  run publish(s, c); run follow(s, r); check p; }\n";
  CHECK(findings(text, with(Memory::tso)) == "");
  CHECK(findings(text, with(Memory::weak)) == "");
}

}  // namespace txproof::test
