// Declarations of random models, and which parts of the language a model has.
#include "tests/support/generator/random_model.h"

#include <algorithm>

#include "tests/support/generator/writer.h"

namespace txproof::test {

void Writer::choose() {
  use_.packets = dice_.chance(65);
  if (use_.packets) {
    use_.fifo = dice_.chance(50);
    use_.bag = dice_.chance(35);
    use_.slot = dice_.chance(50);
    use_.weak = dice_.chance(35);
    use_.sender = dice_.chance(40);
    use_.interface = dice_.chance(25);
    use_.borrow = dice_.chance(30);
    use_.packet_owner = dice_.chance(20);
    use_.packet_weak = use_.weak && dice_.chance(20);
  }
  use_.counted = dice_.chance(20);
  use_.page_fifo = use_.counted && dice_.chance(30);
  use_.array = dice_.chance(30);
  use_.wrap = dice_.chance(25);
  use_.numbers = dice_.chance(25);
  use_.number_bag = dice_.chance(15);
  use_.lock = dice_.chance(25);
  use_.enumeration = dice_.chance(20);
  use_.reference = dice_.chance(30);
  use_.hook = dice_.chance(20);
  use_.recursion = dice_.chance(20);
  use_.helper = dice_.chance(45);
  use_.parameter = dice_.chance(30);
  use_.two_boxes = dice_.chance(25);
  use_.fine = dice_.chance(25);
  use_.unsafe = dice_.chance(35);
  use_.counter = features_.liveness && dice_.chance(30);
  if (features_.time && dice_.chance(30)) {
    use_.tick = dice_.chance(70);
    use_.clock = !use_.tick || dice_.chance(60);
    use_.packet_clock = use_.packets && dice_.chance(30);
  }
}

void Writer::types() {
  line("typedef int small_0 in 0..2;");
  if (use_.wrap) {
    wrapping_ = dice_.chance(80) ? "int mod 3" : "u8";
    line("typedef " + wrapping_ + " wrap_0;");
  }
  if (use_.enumeration) line("enum color_0 { RED_0, GREEN_0, BLUE_0 = 5 }");
  if (use_.counter) {
    line("counter sent_0;");
    line("counter lost_0;");
  }
  if (use_.packets) {
    open("linear struct pkt_0");
    line("int len_0 in 0..1;");
    line("bool mark_0 = false;");
    if (use_.packet_clock) line("int age_0 in 0..1 = 0 ticks up;");
    if (use_.packet_owner) line("box_0 owner_0 = none;");
    if (use_.packet_weak) line("weak pkt_0 other_0 = none;");
    close();
  }
  if (use_.counted) {
    open("counted struct page_0");
    line("int data_0 in 0..1;");
    close();
  }
  if (use_.lock) {
    open("object spinlock_0");
    line("bool held_0 = false;");
    close();
    open("fn lock_0(spinlock_0 l_0)");
    open("atomic");
    line(std::string("wait !l_0.held_0") + (dice_.chance(40) ? " fair;" : ";"));
    line("l_0.held_0 = true;");
    close();
    close();
    open("fn try_0(spinlock_0 l_0) : bool");
    open("atomic");
    open("if (l_0.held_0)");
    line("return false;");
    close();
    line("l_0.held_0 = true;");
    line("return true;");
    close();
    close();
    open("fn unlock_0(spinlock_0 l_0)");
    line("assert l_0.held_0, lock.unheld;");
    line("l_0.held_0 = false;");
    close();
  }
}

void Writer::objects() {
  if (use_.interface) {
    open("interface dev_0");
    line("int used_0 in 0..1 = 0;");
    line("fn xmit_0(pkt_0 s_0);");
    close();
    open("object eth_0 : dev_0");
    line("pkt_0 ring_0;");
    open("fn xmit_0(pkt_0 s_0)");
    open("if (ring_0 == none)");
    line("ring_0 = s_0;");
    line("used_0 = 1;");
    --depth_;
    open("} else");
    line("destroy s_0;");
    close();
    close();
    close();
    open("object null_0 : dev_0");
    open("fn xmit_0(pkt_0 s_0)");
    line("destroy s_0;");
    line("used_0 = 1 - used_0;");
    close();
    close();
  }
  open("object box_0");
  if (use_.parameter) line("param int size_0 in 0..2 = 1;");
  line("int n_0 in -1..2 = 0;");
  line("int m_0 in 0..2 = " + text(dice_.below(2)) + ";");
  line("bool f_0 = false;");
  if (use_.wrap) line("wrap_0 w_0 = " + text(dice_.below(3)) + ";");
  if (use_.array) line("int a_0[2] in 0..2 = 0;");
  if (use_.fifo) line("fifo<pkt_0, 2> q_0;");
  if (use_.bag) line("bag<pkt_0, 2> g_0;");
  if (use_.slot) line("pkt_0 s_0;");
  if (use_.weak) line("weak pkt_0 h_0;");
  if (use_.counted) {
    line("page_0 p_0;");
    line("page_0 o_0;");
  }
  if (use_.page_fifo) line("fifo<page_0, 1> v_0;");
  if (use_.numbers) line("fifo<small_0, 2> k_0;");
  if (use_.number_bag) line("bag<small_0, 2> l_0;");
  if (use_.clock) line("int left_0 in 0..2 = 0 ticks " + dice_.pick({"down;", "up;"}));
  if (use_.enumeration) line("color_0 e_0 = RED_0;");
  if (use_.reference) line("box_0 r_0;");
  if (use_.interface) {
    line("dev_0 out_0;");
    line("eth_0 one_0 {};");
    line("null_0 two_0 {};");
  }
  if (use_.lock) line("spinlock_0 lock_0 {};");
  if (use_.hook) line("hook hook_0 in { up_0, down_0 } = none;");
  close();
}

void Writer::functions() {
  Scope scope;
  scope.boxes = {"b_9"};
  scope.stops = false;
  scope.thread = false;
  if (use_.hook) {
    open("fn up_0(box_0 b_9)");
    line("b_9->m_0 = min(2, b_9->m_0 + 1);");
    close();
    open("fn down_0(box_0 b_9)");
    line("b_9->f_0 = !b_9->f_0;");
    close();
  }
  if (use_.recursion) {
    open("fn down_1(box_0 b_9, int n_9 in 0..3) recursion <= 2");
    line("b_9->n_0 = min(2, n_9);");
    open("if (n_9 > 0)");
    line("down_1(b_9, n_9 - 1);");
    close();
    close();
  }
  if (use_.helper) {
    open("fn pure_0(int n_9 in -2..2) : int in -3..3");
    line("if (n_9 > 1) return n_9 " + dice_.pick({"- 1;", "+ 1;"}));
    line("return " + dice_.pick({"-n_9;", "n_9 + 1;", "abs(n_9);"}));
    close();
    open("fn act_0(box_0 b_9, int n_9 in 0..2)");
    Scope inner = scope;
    act_stops_ = dice_.chance(30);
    inner.stops = act_stops_;
    inner.numbers = {"n_9"};
    budget_ = 4;
    body(inner, 1 + dice_.below(2));
    close();
  }
  if (use_.borrow) {
    open("fn lend_0(pkt_0 &s_9, box_0 b_9)");
    switch (dice_.below(3)) {
      case 0:
        line("s_9.len_0 = 1 - s_9.len_0;");
        break;
      case 1:
        line("pkt_0 s_8 = copy s_9;");
        line("destroy s_9;");
        line("s_9 = s_8;");
        break;
      default:
        line("b_9->n_0 = s_9.len_0;");
        if (use_.slot) {
          open("if (b_9->s_0 == none)");
          line("b_9->s_0 = s_9;");
          line("s_9 = { len_0: 1 };");
          close();
        }
        break;
    }
    close();
  }
  if (use_.sender) {
    open("fn send_0(pkt_0 s_9, box_0 b_9) : int in 0..1");
    open("if (" + condition(scope, 1) + ")");
    line("destroy s_9;");
    line("return " + dice_.pick({"0;", "1;"}));
    close();
    if (use_.slot) {
      open("if (b_9->s_0 == none)");
      line("b_9->s_0 = s_9;");
      line("return 0;");
      close();
    }
    line("b_9->m_0 = s_9.len_0;");
    line("destroy s_9;");
    line("return 1;");
    close();
  }
}

void Writer::threads() {
  const int count = 1 + dice_.below(3);
  for (int i = 0; i < count; ++i) {
    Scope scope;
    scope.boxes = {"b_9"};
    if (use_.two_boxes && dice_.chance(60)) scope.boxes.emplace_back("c_9");
    const std::string kind = dice_.chance(15)                                ? "strong "
                             : (use_.clock || use_.tick) && dice_.chance(40) ? "urgent "
                                                                             : "";
    open(kind + "thread thr_" + text(i) + "(box_0 b_9, box_0 c_9)");
    budget_ = 6 + dice_.below(9);
    nesting_ = 0;
    if (dice_.chance(70)) {
      body(scope, dice_.below(2));
      open("loop");
      Scope inner = scope;
      inner.loop = dice_.chance(30);
      budget_ = std::max(budget_, 3);
      stop(inner);
      body(inner, 2 + dice_.below(4));
      close();
    } else {
      body(scope, 2 + dice_.below(4));
      if (dice_.chance(40)) stop(scope);
    }
    close();
    const std::string other = use_.two_boxes ? "b_1" : "b_0";
    runs_.push_back("run thr_" + text(i) + "(" +
                    (dice_.chance(50) ? "b_0, " + other : other + ", b_0") + ");");
    if (dice_.chance(15)) runs_.push_back(runs_.back());
  }
}

void Writer::stack() {
  open("stack stack_0");
  if (use_.fine) line("interleave fine;");
  line("box_0 b_0 {};");
  if (use_.two_boxes) line(use_.parameter ? "box_0 b_1 { size_0: 2 };" : "box_0 b_1 {};");
  for (const std::string& run : runs_) line(run);
  for (const std::string& check : checks_) line("check " + check + ";");
  close();
}

std::string Writer::write() {
  choose();
  types();
  objects();
  functions();
  threads();
  properties();
  stack();
  return text_;
}

std::string random_model(std::uint64_t seed, const ModelFeatures& features) {
  return Writer(seed, features).write();
}

}  // namespace txproof::test
