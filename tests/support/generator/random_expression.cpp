// Expressions of random models.
#include "tests/support/generator/writer.h"

namespace txproof::test {

std::string Writer::leaf(const Scope& scope) {
  std::vector<std::string> of = {text(dice_.below(4) - 1), text(dice_.below(3)),
                                 field(scope) + "n_0", field(scope) + "m_0"};
  if (of[0] == "-1") of[0] = "(-1)";
  for (const std::string& local : scope.numbers) of.insert(of.end(), 2, local);
  for (const std::string& packet : scope.packets) of.insert(of.end(), 2, packet + ".len_0");
  for (const std::string& page : scope.pages) of.push_back(page + ".data_0");
  if (use_.wrap) of.push_back(field(scope) + "w_0");
  if (use_.array) {
    of.push_back(field(scope) + "a_0[" + text(dice_.below(2)) + "]");
    of.push_back("len(" + field(scope) + "a_0)");
  }
  if (use_.fifo) of.push_back(field(scope) + "q_0.len");
  if (use_.bag) of.push_back(field(scope) + "g_0.len");
  if (use_.numbers) of.push_back(field(scope) + "k_0.len");
  if (use_.clock) of.push_back(field(scope) + "left_0");
  if (use_.parameter) of.push_back(field(scope) + "size_0");
  if (use_.parameter && use_.reference) {
    const std::string reference = field(scope) + "r_0";
    of.insert(of.end(), 2, "(" + reference + " != none ? " + reference + "->size_0 : 2)");
  }
  if (!scope.pure && dice_.chance(30)) return "(any 0.." + text(dice_.below(2) + 1) + ")";
  return dice_.pick(of);
}

std::string Writer::aggregate(const Scope& scope) {
  std::vector<std::string> domains;
  std::vector<std::string> bodies;
  const std::string x = fresh("x_");
  switch (dice_.below(6)) {
    case 0:
      if (!use_.packets) break;
      domains = {"pkt_0"};
      if (use_.fifo) domains.insert(domains.end(), {"box_0.q_0", field(scope) + "q_0"});
      if (use_.bag) domains.insert(domains.end(), {"box_0.g_0", field(scope) + "g_0"});
      bodies = {x + ".len_0", "1 + " + x + ".len_0", "min(1, " + x + ".len_0)"};
      break;
    case 1:
      domains = {"box_0"};
      bodies = {x + ".n_0", x + ".m_0 - " + x + ".n_0"};
      if (use_.fifo) bodies.push_back("count(y_0 in " + x + ".q_0 where y_0.len_0 == 1)");
      if (use_.array) bodies.push_back("(sum(y_0 in 0..1) " + x + ".a_0[y_0])");
      break;
    case 2:
      domains = {"0..2", "-1..1", "0..66"};
      bodies = {x, x + " * " + field(scope) + "n_0"};
      if (use_.array) bodies.push_back(field(scope) + "a_0[(abs(" + x + ")) % 2]");
      break;
    case 3:
      if (use_.array) domains.push_back(field(scope) + "a_0");
      if (use_.numbers) domains.push_back(field(scope) + "k_0");
      if (use_.number_bag) domains.push_back(field(scope) + "l_0");
      if (use_.array) domains.push_back("box_0.a_0");
      bodies = {x, "2 - " + x};
      break;
    case 4:
      if (!use_.counted) break;
      domains = {"page_0"};
      bodies = {x + ".data_0"};
      break;
    default:
      break;
  }
  if (domains.empty()) {
    domains = {"box_0"};
    bodies = {x + ".n_0"};
  }
  const std::string in = "(" + x + " in " + dice_.pick(domains);
  const std::string body = dice_.pick(bodies);
  const std::string where =
      dice_.chance(30) ? " where " + body + dice_.pick({" > 0", " <= 1", " != 1"}) : "";
  switch (dice_.below(6)) {
    case 0:
      return "count" + in + where + ")";
    case 1:
      return "(" + dice_.pick({"min", "max"}) + in + where + ") (" + dice_.pick(bodies) + "))";
    case 2:
    case 3:
      return "(" + dice_.pick({"forall ", "exists "}) + in.substr(1) + where + ": " +
             dice_.pick(bodies) + dice_.pick({" <= 1", " > 0", " == 1"}) + ") ? 1 : 0";
    default:
      return "(sum" + in + where + ") (" + dice_.pick(bodies) + "))";
  }
}

std::string Writer::number(const Scope& scope, int depth) {
  if (depth <= 0) return leaf(scope);
  const auto sub = [&] { return number(scope, depth - 1 - dice_.below(2)); };
  switch (dice_.below(14)) {
    case 0:
    case 1:
    case 2:
      return "(" + sub() + dice_.pick({" + ", " - ", " + ", " * "}) + sub() + ")";
    case 3:
      return dice_.pick({"min(", "max("}) + sub() + ", " + sub() + ")";
    case 4:
      return "abs(" + sub() + ")";
    case 5:
      return "(" + sub() + dice_.pick({" % ", " / "}) + dice_.pick({"2", "3", "(-2)"}) + ")";
    case 6:
      return "(" + condition(scope, depth - 1) + " ? " + sub() + " : " + sub() + ")";
    case 7:
      return "((abs(" + sub() + ") & 7)" + dice_.pick({" & 1", " | 2", " ^ 1", " << 1", " >> 1"}) +
             ")";
    case 8:
      return dice_.chance(70)
                 ? "(-" + sub() + ")"
                 : "((~u8(abs(" + sub() + ")) & 3) " + dice_.pick({"> 1", "== 2"}) + " ? 1 : 2)";
    case 9:
      if (use_.unsafe && !scope.pure && dice_.chance(40)) {
        return "(" + sub() + dice_.pick({" / ", " % "}) + "max(0, " + field(scope) + "n_0))";
      }
      return leaf(scope);
    case 10:
      if (use_.helper) return "pure_0(" + fitting(scope, -2, 2) + ")";
      return leaf(scope);
    case 11:
      return "(" + aggregate(scope) + ")";
    default:
      return leaf(scope);
  }
}

std::string Writer::fitting(const Scope& scope, int lo, int hi, bool index) {
  const std::string value = number(scope, 1 + dice_.below(2));
  // An index that is a constant out of its array is an error of the text.
  if (use_.unsafe && dice_.chance(12)) return index ? field(scope) + "n_0" : value;
  switch (dice_.below(4)) {
    case 0:
      return text(lo + dice_.below(hi - lo + 1));
    case 1:
      return "(abs(" + value + ") % " + text(hi - lo + 1) + (lo < 0 ? " - " : " + ") +
             text(lo < 0 ? -lo : lo) + ")";
    default:
      return "max(" + text(lo) + ", min(" + text(hi) + ", " + value + "))";
  }
}

std::string Writer::test(const Scope& scope) {
  std::vector<std::string> of = {field(scope) + "f_0", "!" + field(scope) + "f_0"};
  for (const std::string& bit : scope.bits) of.push_back(bit);
  if (use_.fifo) of.insert(of.end(), {field(scope) + "q_0.empty", "!" + field(scope) + "q_0.full"});
  if (use_.bag) of.push_back("!" + field(scope) + "g_0.empty");
  if (use_.slot) of.insert(of.end(), {field(scope) + "s_0 != none", field(scope) + "s_0 == none"});
  if (use_.enumeration) of.push_back(field(scope) + "e_0 " + dice_.pick({"==", "!="}) + " RED_0");
  if (use_.reference) of.push_back(field(scope) + "r_0 == " + dice_.pick({"none", box(scope)}));
  if (use_.weak) of.push_back(field(scope) + "h_0 == none");
  if (use_.weak && use_.fifo) of.push_back(field(scope) + "q_0.contains(" + box(scope) + "->h_0)");
  if (use_.numbers) of.push_back(field(scope) + "k_0.contains(" + text(dice_.below(3)) + ")");
  if (use_.counted) of.push_back(field(scope) + "p_0 == none");
  if (use_.lock) of.push_back(field(scope) + "lock_0.held_0");
  if (use_.hook) of.push_back(field(scope) + "hook_0 == " + dice_.pick({"none", "up_0"}));
  return dice_.pick(of);
}

std::string Writer::condition(const Scope& scope, int depth) {
  if (depth <= 0) return test(scope);
  switch (dice_.below(9)) {
    case 0:
    case 1:
    case 2:
      return "(" + number(scope, depth - 1) + dice_.pick({" < ", " <= ", " == ", " != ", " > "}) +
             number(scope, depth - 1) + ")";
    case 3:
      return "(" + condition(scope, depth - 1) + dice_.pick({" && ", " || ", " => "}) +
             condition(scope, depth - 1) + ")";
    case 4:
      return "!(" + condition(scope, depth - 1) + ")";
    default:
      return test(scope);
  }
}

}  // namespace txproof::test
