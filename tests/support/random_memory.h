// Random small models about shared scalars, as text: stores, loads, fences, atomic operations.
#pragma once

#include <rapidcheck.h>

#include <string>

namespace txproof::test {

class RandomMemory {
 public:
  // A model of two or three threads over three variables; each thread keeps what it loaded in its
  // own two results. `fenced`: a full barrier behind every store.
  explicit RandomMemory(bool fenced) : fenced_(fenced) {}

  std::string make() {
    const int threads = 2 + (any(4) == 0 ? 1 : 0);
    std::string text =
        "object shared_t { int x in 0..2 = 0; int y in 0..2 = 0; int z[2] in 0..2 = 0; }\n"
        "object result_t { int a in 0..2 = 0; int b in 0..2 = 0; }\n";
    std::string runs;
    for (int i = 0; i < threads; ++i) {
      const std::string name = "t" + std::to_string(i);
      text += "thread " + name + "(shared_t s, result_t r) {\n";
      const int statements = 2 + any(3);
      for (int n = 0; n < statements; ++n) text += "    " + statement() + "\n";
      text += "}\n";
      runs += " result_t r" + std::to_string(i) + " {}; run " + name + "(s, r" + std::to_string(i) +
              ");";
    }
    text += "property reached { at rest !(exists r in result_t: r.a == " + number(2) +
            " && r.b == " + number(3) + ") || !(exists s in shared_t: s.x == " + number(3) +
            "); }\n";
    text += "property always_so { always forall s in shared_t: s.x <= " + number(3) +
            " || s.y <= " + number(3) + "; }\n";
    return text + "stack random { interleave fine; shared_t s {};" + runs +
           " check reached, always_so; }\n";
  }

 private:
  static int any(int below) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0, below));
  }
  static std::string number(int below) { return std::to_string(any(below)); }
  static std::string variable() {
    switch (any(4)) {
      case 0:
        return "s.x";
      case 1:
        return "s.y";
      case 2:
        return "s.z[" + number(2) + "]";
      default:
        return "s.z[r.a % 2]";
    }
  }
  static std::string result() { return any(2) == 0 ? "r.a" : "r.b"; }
  std::string barrier() const { return fenced_ ? " fence full;" : ""; }

  std::string statement() const {
    switch (any(10)) {
      case 0:
      case 1:
      case 2:
        return variable() + " = " + number(3) + ";" + barrier();
      case 3:
        return "WRITE_ONCE(" + variable() + ", " + result() + ");" + barrier();
      case 4:
      case 5:
        return result() + " = " + variable() + ";";
      case 6:
        return "if (" + variable() + " == " + number(3) + ") { " + variable() + " = " + number(3) +
               ";" + barrier() + " }";
      case 7:
        return "atomic { " + result() + " = s.x; s.x = " + number(3) + "; }";
      case 8:
        return any(2) == 0 ? "fence full;" : "fence write;";
      default:
        return "rest " + variable() + " != " + number(3) + " || s.y != 1;";
    }
  }

  bool fenced_;
};

}  // namespace txproof::test
