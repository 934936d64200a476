// Properties of random models: every kind, with probes and ghost state.
#include "tests/support/generator/writer.h"

namespace txproof::test {

void Writer::property_body(int kind) {
  // A property names no object of the stack; it has them as parameters, or ranges over all.
  Scope scope;
  scope.boxes = {"o_9"};
  scope.pure = true;
  switch (kind) {
    case 0:
      line("always " + condition(scope, 2) + ";");
      if (use_.helper && dice_.chance(25)) line("always o_9.n_0 <= 1 outside act_0;");
      break;
    case 1:
      line("at rest " + condition(scope, 2) + ";");
      break;
    case 2:
      line("maximum " + number(scope, 1) + " <= " + dice_.pick({"1", "2", "3", "9"}) + ";");
      break;
    case 3:
      if (!use_.helper) return property_body(0);
      line("ghost int seen_0 in 0..2 = 0;");
      open("on entry act_0(b_8, n_8)" + std::string(dice_.chance(30) ? " when n_8 > 0" : ""));
      line(dice_.pick({"seen_0 = min(2, seen_0 + 1);", "seen_0 = n_8;", "seen_0 = any 0..1;"}));
      close();
      if (dice_.chance(50)) {
        open("on return of act_0");
        line("assert seen_0 <= " + text(dice_.below(3)) + ";");
        close();
      }
      line("always seen_0 <= " + text(dice_.below(3)) + ";");
      break;
    case 4:
      if (!use_.sender) return property_body(2);
      open("per call send_0(s_8, b_8)");
      line("bool lost_0 = false;");
      open("on destroy pkt_0(s_7)");
      line("lost_0 = true;");
      close();
      open("on return rc_0");
      line(
          "assert " +
          dice_.pick({"!(rc_0 == 0 && lost_0)", "rc_0 == 1 => lost_0", "!lost_0 || b_8.n_0 <= 1"}) +
          ";");
      close();
      close();
      break;
    case 5:
      if (!use_.packets) return property_body(1);
      line("ghost int pkt_0.tag_0 in 0..1 = 0;");
      line("ghost int number_0 in 0..2 = 0;");
      open("on new pkt_0(s_8)");
      line(dice_.chance(40) ? "s_8.tag_0 = any 0..1;" : "s_8.tag_0 = number_0 > 0 ? 1 : 0;");
      line("number_0 = min(2, number_0 + 1);");
      close();
      open("on destroy pkt_0(s_8)");
      line("assert s_8.tag_0 == 0 || number_0 " + dice_.pick({"> 1", "== 2", "< 2"}) + ";");
      line("number_0 = max(0, number_0 - 1);");
      close();
      if (dice_.chance(50)) line("always count(s_8 in pkt_0 where s_8.tag_0 == 1) <= 1;");
      break;
    default:
      line("always " + condition(scope, 1) + ";");
      line("at rest " + condition(scope, 1) + ";");
      break;
  }
}

void Writer::liveness_body() {
  Scope scope;
  scope.boxes = {"o_9"};
  scope.pure = true;
  if (use_.counter && dice_.chance(30)) {
    line("rate sent_0 / " + std::string(use_.tick && dice_.chance(60) ? "ticks" : "lost_0") +
         dice_.pick({" >= ", " <= "}) + dice_.pick({"1 / 2", "1", "2", "1 / 3"}) + ";");
    return;
  }
  const std::string assuming =
      dice_.chance(25) ? " assuming infinitely_often (" + condition(scope, 1) + ")" : "";
  if (dice_.chance(50)) {
    line("(" + condition(scope, 1) + ") leads_to (" + condition(scope, 1) + ")" + assuming + ";");
  } else {
    line("infinitely_often " + condition(scope, 1) + ";");
  }
}

void Writer::properties() {
  const int count = 1 + dice_.below(3);
  for (int i = 0; i < count; ++i) {
    const std::string name = "prop_" + text(i);
    open("property " + name + "(box_0 o_9)");
    property_body(dice_.below(8));
    close();
    checks_.push_back(name + "(b_" + text(use_.two_boxes ? dice_.below(2) : 0) + ")");
  }
  if (features_.liveness && dice_.chance(35)) {
    open("property live_0(box_0 o_9)");
    liveness_body();
    close();
    checks_.emplace_back("live_0(b_0)");
  }
}

}  // namespace txproof::test
