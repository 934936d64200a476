// Random text of the language, made along its grammar, for properties of parser and printer.
// A seed decides everything, so that a failure can be run again.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace txproof::test {

class TextGenerator {
 public:
  explicit TextGenerator(std::uint64_t seed) : random_(seed) {}

  std::string expression(int depth) {
    if (depth <= 0) return operand();
    const auto sub = [&] { return expression(depth - 1 - below(2)); };
    switch (below(18)) {
      case 0:
        return sub() + space() + pick({"+", "-", "*", "/", "%", "<<", ">>"}) + " " + sub();
      case 1:
        return sub() + " " + pick({"==", "!=", "<", "<=", ">", ">="}) + space() + " " + sub();
      case 2:
        return sub() + " " + pick({"&&", "||", "&", "|", "^", "=>"}) + " " + sub();
      case 3:
        return pick({"-", "!", "~"}) + " " + sub();
      case 4:
        return "(" + space() + sub() + ")";
      case 5:
        return "(" + sub() + ") ? " + sub() + " : " + sub();
      case 6:
        return place(depth) + "(" + values(depth) + ")";
      case 7:
        return pick({"u8", "u16", "u32", "int mod 4", "int mod (N + 1)"}) + "(" + sub() + ")";
      case 8:
        return pick({"take ", "copy ", "get "}) + place(depth);
      case 9:
        return "take(p in " + place(depth) + " where " + sub() + ")";
      case 10:
        return "(any " + operand() + ".." + operand() + " + 1)";
      case 11:
        return pick({"sum", "min", "max"}) + "(s in " + domain(depth) + where(depth) + ") " +
               place(depth);
      case 12:
        return "count(s in " + domain(depth) + where(depth) + ")";
      case 13:
        return "(" + pick({"forall", "exists"}) + " k in " + domain(depth) + where(depth) + ": " +
               sub() + ")";
      case 14:
        return pick({"min", "max"}) + "(" + sub() + ", " + sub() + ")";
      default:
        return place(depth);
    }
  }

  std::string file() {
    std::string result = maybe("import \"a \\\"b\\\".tx\";");
    for (int i = 1 + below(5); i > 0; --i) result += declaration() + space();
    return result + space();
  }

 private:
  std::mt19937_64 random_;

  int below(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }
  std::string pick(const std::vector<std::string>& of) {
    return of[static_cast<std::size_t>(below(static_cast<int>(of.size())))];
  }
  std::string maybe(const std::string& text) { return below(2) == 0 ? text : std::string(); }
  std::string space() {
    return pick({"", " ", "\n", "\n\n\n", " /* a */ ", " // b\n", "\t", "\n  // own\n",
                 "\n/* c\n * d */\n", "  \n\n // e \n\n"});
  }
  std::string name() {
    return pick({"a", "skb", "q", "len", "count", "take", "copy", "min", "rate", "run", "linear",
                 "of", "when", "fair", "on", "check", "up", "counter_", "x1"});
  }
  std::string plain() { return pick({"a", "skb", "q", "dev", "N", "x1", "limit"}); }
  std::string operand() {
    return pick({"0", "17", "0x1F", "true", "false", "none", "NULL", "self", "this", "ticks", "a",
                 "skb", "N"});
  }
  std::string place(int depth) {
    std::string result = plain();
    for (int i = below(3); i > 0; --i) {
      result += below(3) == 0 ? "[" + expression(depth - 2) + "]" : pick({".", "->"}) + name();
    }
    return result;
  }
  std::string domain(int depth) {
    return below(3) == 0 ? operand() + "..N" : below(2) == 0 ? plain() : place(depth);
  }
  std::string where(int depth) { return maybe(" where " + expression(depth - 2)); }
  std::string values(int depth) {
    std::string result;
    for (int i = below(3); i > 0; --i) {
      result += (result.empty() ? "" : ", ") +
                (below(5) == 0 ? bindings(depth - 1, false) : expression(depth - 1));
    }
    return result;
  }
  std::string bindings(int depth, bool stack) {
    std::string result = "{";
    for (int i = below(3); i > 0; --i) {
      std::string value = expression(depth > 2 ? 2 : depth);
      if (stack && depth > 0) {
        value = pick({value, "[" + value + ", a]", "[]", plain() + " " + bindings(depth - 1, true),
                      bindings(depth - 1, true)});
      }
      result += " " + name() + ":" + space() + value + ",";
    }
    if (below(2) == 0 && result.back() == ',') result.pop_back();
    return result + space() + "}";
  }
  std::string range(int depth) {
    return maybe(" in " + operand() + ".." + (depth > 0 ? operand() + " + 1" : operand()));
  }
  std::string type() {
    switch (below(9)) {
      case 0:
        return "fifo<" + type() + ", " + operand() + " + 1>";
      case 1:
        return "bag<" + plain() + ", (" + expression(1) + ")>";
      case 2:
        return "int mod " + pick({"4", "N", "(N - 1)"});
      case 3:
        return "weak " + plain();
      case 4:
        return plain();
      default:
        return pick({"int", "bool", "u8", "u16", "u32", "thread"});
    }
  }
  std::string declarator() {
    return plain() + maybe("[" + operand() + "]") + range(1) +
           maybe(" = " + (below(4) == 0 ? bindings(1, false) : expression(1)));
  }
  std::string variables() {
    return type() + " " + declarator() + maybe("," + space() + declarator()) + ";";
  }
  std::string block(int depth) {
    std::string result = "{" + space();
    for (int i = below(4); i > 0; --i) result += statement(depth) + space();
    return result + "}";
  }
  std::string statement(int depth) {
    const std::string e = expression(2);
    if (depth <= 0) {
      return pick({"pause;",
                   "yield;",
                   "tick;",
                   "break;",
                   "continue;",
                   ";",
                   "goto drop;",
                   "drop:",
                   "return;",
                   "return " + e + ";",
                   "wait " + e + ";",
                   "wait " + e + " fair;",
                   "rest " + e + ";",
                   "destroy " + place(1) + ";",
                   "assert " + e + ", own.leak;",
                   "assert " + e + ";",
                   "count " + plain() + "[1] += " + e + ";",
                   place(1) + "++;",
                   place(1) + "--;",
                   place(1) + " = " + e + ";",
                   place(1) + " <<= " + e + ";",
                   place(1) + " = " + bindings(1, false) + ";",
                   plain() + "(" + values(1) + ");",
                   variables()});
    }
    const std::string body = below(2) == 0 ? block(depth - 1) : statement(0);
    switch (below(9)) {
      case 0:
        return "if (" + e + ")" + space() + body +
               maybe(space() + "else " + (below(2) == 0 ? statement(depth - 1) : body));
      case 1:
        return "while (" + e + ") rounds <= N + 1 " + body;
      case 2:
        return "do " + body + " while (" + e + ") rounds <= 3;";
      case 3:
        return "for (i in 0.." + operand() + ")" + space() + body;
      case 4:
        return "loop " + block(depth - 1);
      case 5:
        return maybe("wait ") + "either {" + maybe(" when " + e + ":") + statement(depth - 1) +
               space() + "} or " + block(depth - 1);
      case 6:
        return "atomic " + pick({"", "relaxed ", "acquire ", "release "}) + block(depth - 1);
      case 7:
        return block(depth - 1);
      default:
        return statement(0);
    }
  }
  std::string parameters() {
    return "(" + maybe(type() + " a" + range(0) + maybe(", " + type() + " &b")) + ")";
  }
  std::string function(bool body) {
    return "fn " + plain() + parameters() + maybe(" : " + type() + range(0)) +
           maybe(" recursion <= N") + (body ? block(2) : ";");
  }
  std::string members(bool methods, bool bodies) {
    std::string result = "{" + space();
    for (int i = below(5); i > 0; --i) {
      result += pick({variables(), "param " + variables(), "int left in 0..D = 0 ticks down;",
                      "hook d in { f, g } = none;", "spinlock l " + bindings(1, true) + ";",
                      methods ? function(bodies) : "bool b;"}) +
                space();
    }
    return result + "}" + maybe(";");
  }
  std::string probe() {
    return pick({"on entry f(a, b)", "on entry Qdisc.enqueue", "on return", "on return rc",
                 "on return rc of a.f(x)", "on new T(s)", "on destroy T(s)"}) +
           maybe(" when " + expression(1)) + block(1);
  }
  std::string property_item() {
    const std::string e = expression(2);
    return pick({"always " + e + ";", "always " + e + " outside f, a.g;", "at rest " + e + ";",
                 "maximum (" + e + ") <= " + e + ";", "infinitely_often " + e + ";",
                 "(" + e + ") leads_to " + e + ";",
                 "a leads_to " + e + " assuming infinitely_often " + e + ";",
                 "rate a[1] / ticks >= 1 / 3;", "rate a / b <= (" + e + ");",
                 "ghost " + variables(), "ghost sock sk_buff.origin = none;", variables(),
                 "per call f(a) {" + space() + "bool lost = false;" + probe() + "}", probe()});
  }
  std::string stack_item() {
    return pick({"param int N in 1..4 = 2;", "eth e0 " + bindings(2, true) + ";",
                 "eth e1[N] " + bindings(1, true), "bond b;",
                 "run t(" + values(1) + ") for i in 0..N - 1 when " + expression(1) + ";",
                 "run t();", "check p(" + expression(1) + "), q;", "check p;",
                 "assume " + expression(2) + ";", "interleave fine;", "memory tso;",
                 "store_buffer 2;"});
  }
  std::string declaration() {
    std::string items;
    switch (below(11)) {
      case 0:
        return "const A = " + expression(2) + maybe(", B =" + space() + expression(1)) + ";";
      case 1:
        return "typedef " + type() + " t" + range(0) + ";";
      case 2:
        return "enum e { A," + space() + "B = " + expression(1) + ", C }" + maybe(";");
      case 3:
        return pick({"linear", "counted"}) + " struct s" + members(false, false);
      case 4:
        return "object o" + maybe(" : i") + members(true, true);
      case 5:
        return "interface i" + members(true, below(2) == 0);
      case 6:
        return maybe("urgent ") + maybe("strong ") + "thread t" + parameters() + block(2);
      case 7:
        return "counter c" + maybe("[N]") + ";";
      case 8:
        for (int i = below(4); i > 0; --i) items += property_item() + space();
        return "property p " + maybe("\"what \\\"it\\\" says\"") + maybe("(int n in 0..3)") + "{" +
               space() + items + "}";
      case 9:
        for (int i = below(5); i > 0; --i) items += stack_item() + space();
        return "stack s {" + space() + items + "}";
      default:
        return function(true);
    }
  }
};

}  // namespace txproof::test
