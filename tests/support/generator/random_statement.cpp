// Statements of random models.
#include "tests/support/generator/writer.h"

namespace txproof::test {

void Writer::assignment(Scope& scope) {
  const std::string at = field(scope);
  switch (dice_.below(13)) {
    case 0:
    case 1:
      line(at + "n_0 = " + fitting(scope, -1, 2) + ";");
      break;
    case 2:
      line(at + "m_0 = " + fitting(scope, 0, 2) + ";");
      break;
    case 3:
      if (use_.unsafe && dice_.chance(40)) {
        line(at + dice_.pick({"n_0 += ", "m_0 -= ", "m_0 += "}) + leaf(scope) + ";");
      } else {
        open("if (" + at + "m_0 < 2)");
        line(at + dice_.pick({"m_0++;", "m_0 += 1;"}));
        close();
      }
      break;
    case 4:
    case 5:
      line(at + "f_0 = " + condition(scope, 1) + ";");
      break;
    case 6:
      if (!use_.wrap) return assignment(scope);
      line(at + dice_.pick({"w_0 += 1;", "w_0 -= 1;",
                            "w_0 = " + wrapping_ + "(" + number(scope, 1) + ");", "w_0++;",
                            "w_0 *= 2;"}));
      break;
    case 7:
      if (!use_.array) return assignment(scope);
      line(at + "a_0[" + fitting(scope, 0, 1, true) + "] = " + fitting(scope, 0, 2) + ";");
      break;
    case 8:
      if (!use_.enumeration) return assignment(scope);
      line(at + "e_0 = " + dice_.pick({"RED_0", "BLUE_0", "GREEN_0"}) + ";");
      break;
    case 9:
      if (!use_.reference) return assignment(scope);
      line(at + "r_0 = " + (dice_.chance(30) ? "none" : box(scope)) + ";");
      break;
    case 10:
      if (!use_.clock) return assignment(scope);
      line(at + "left_0 = " + fitting(scope, 0, 2) + ";");
      break;
    case 11:
      if (scope.numbers.empty()) return assignment(scope);
      line(dice_.pick(scope.numbers) + " = " + fitting(scope, 0, 2) + ";");
      break;
    default:
      if (!use_.interface) return assignment(scope);
      line(at + "out_0 = " + dice_.pick({"none", at + "one_0", at + "two_0"}) + ";");
      break;
  }
}

// Containers of numbers.
void Writer::container(Scope& scope) {
  const bool bag = use_.number_bag && (!use_.numbers || dice_.chance(50));
  if (!bag && !use_.numbers) return assignment(scope);
  const std::string at = field(scope) + (bag ? "l_0" : "k_0");
  const bool careless = use_.unsafe && dice_.chance(12);
  const std::string value = dice_.pick(scope.boxes) + "->n_0";
  switch (dice_.below(6)) {
    case 0:
    case 1: {
      const std::string push = bag || dice_.chance(60) ? ".push(" : ".push_head(";
      if (!careless) open("if (!" + at + ".full)");
      line(at + push + fitting(scope, 0, 2) + ");");
      if (!careless) close();
      break;
    }
    case 2:
    case 3:
      if (!careless) open("if (!" + at + ".empty)");
      line(bag ? at + ".clear();"
               : value + " = " + at +
                     dice_.pick({".pop();", ".pop_tail();", ".head();", ".tail();"}));
      if (!careless) close();
      break;
    case 4:
      line(at + ".clear();");
      break;
    default:
      if (!scope.stops || bag) return assignment(scope);
      open("if (" + at + ".len > 0)");
      line(value + " = " + at + ".peek(" + at + ".len - 1);");
      close();
      break;
  }
}

// The packet in this local goes somewhere.
void Writer::dispose(Scope& scope, const std::string& packet) {
  if (use_.unsafe && dice_.chance(6)) {
    switch (dice_.below(3)) {
      case 0:
        return;  // leaks
      case 1:
        line("destroy " + packet + ";");
        break;
      default:
        line(packet + ".len_0 = 0;");
        break;
    }
  }
  const std::string at = field(scope);
  const auto otherwise = [&](const std::string& test, const std::string& then) {
    open("if (" + test + ")");
    line(then);
    --depth_;
    open("} else");
    line("destroy " + packet + ";");
    close();
  };
  switch (dice_.below(7)) {
    case 0:
      if (!use_.fifo) break;
      return otherwise(
          "!" + at + "q_0.full",
          at + dice_.pick({"q_0.push(", "q_0.push_head(", "q_0.push("}) + packet + ");");
    case 1:
      if (!use_.bag) break;
      return otherwise("!" + at + "g_0.full", at + "g_0.push(" + packet + ");");
    case 2:
    case 3:
      if (!use_.slot) break;
      return otherwise(at + "s_0 == none", at + "s_0 = " + packet + ";");
    case 4:
      if (!use_.sender) break;
      line(dice_.chance(50) ? "send_0(" + packet + ", " + box(scope) + ");"
                            : box(scope) + "->n_0 = send_0(" + packet + ", " + box(scope) + ");");
      return;
    case 5: {
      if (!use_.interface) break;
      const std::string here = box(scope);
      if (dice_.chance(30)) {
        line(here + "->" + dice_.pick({"one_0", "two_0"}) + "->xmit_0(" + packet + ");");
      } else {
        otherwise(here + "->out_0 != none", here + "->out_0->xmit_0(" + packet + ");");
      }
      return;
    }
    default:
      break;
  }
  line("destroy " + packet + ";");
}

void Writer::packet(Scope& scope) {
  if (!use_.packets) return assignment(scope);
  if (dice_.chance(15) && !scope.packets.empty()) {
    const std::string here = dice_.pick(scope.packets);
    if (use_.borrow && dice_.chance(50)) {
      line("lend_0(" + here + ", " + box(scope) + ");");
    } else {
      line(here + ".len_0 = " + fitting(scope, 0, 1) + ";");
    }
    return;
  }
  if (use_.fifo && scope.boxes.size() > 1 && dice_.chance(20)) {
    const std::string here = box(scope);
    const std::string there = box(scope);
    if (here != there) {
      open("if (" + here + "->q_0.len + " + there + "->q_0.len <= 2 && " + here + " != " + there +
           ")");
      line(here + "->q_0.splice(" + there + "->q_0);");
      close();
      return;
    }
  }
  const std::string local = fresh("s_");
  const std::string at = field(scope);
  std::string guard;
  std::string made;
  switch (dice_.below(8)) {
    case 0:
      if (use_.fifo) {
        guard = "!" + at + "q_0.empty";
        made = at + dice_.pick({"q_0.pop()", "q_0.pop_tail()"});
      }
      break;
    case 1:
      if (use_.bag) {
        guard = "!" + at + "g_0.empty";
        const std::string x = fresh("x_");
        made = "take(" + x + " in " + at + "g_0 where " +
               dice_.pick({"true", x + ".len_0 <= 1", x + ".len_0 >= 0"}) + ")";
      }
      break;
    case 2:
    case 3:
      if (use_.slot) {
        guard = at + "s_0 != none";
        made = "take " + at + "s_0";
      }
      break;
    case 4:
      if (!scope.packets.empty()) made = "copy " + dice_.pick(scope.packets);
      break;
    case 5:
      if (use_.fifo && use_.weak) {
        guard = at + "q_0.contains(" + at + "h_0)";
        made = at + "q_0.remove(" + at + "h_0)";
      }
      break;
    default:
      break;
  }
  if (made.empty()) {
    guard.clear();
    made = "{ len_0: " + fitting(scope, 0, 1) +
           (use_.packet_owner && dice_.chance(50) ? ", owner_0: " + box(scope) : "") +
           (dice_.chance(30) ? ", mark_0: " + condition(scope, 0) : "") + " }";
  } else if (use_.unsafe && dice_.chance(8)) {
    guard.clear();
  }
  if (guard.empty()) {
    open("");
  } else {
    open("if (" + guard + ")");
  }
  line("pkt_0 " + local + " = " + made + ";");
  Scope inner = scope;
  inner.packets.push_back(local);
  body(inner, dice_.below(3));
  dispose(inner, local);
  close();
}

void Writer::page(Scope& scope) {
  if (!use_.counted) return assignment(scope);
  const std::string at = field(scope);
  switch (dice_.below(5)) {
    case 0:
    case 1: {
      open("");
      const std::string local = fresh("g_");
      line("page_0 " + local + " = { data_0: " + fitting(scope, 0, 1) + " };");
      Scope inner = scope;
      inner.pages.push_back(local);
      body(inner, dice_.below(2));
      const int way = dice_.below(4);
      if (way == 0) {
        open("if (" + at + "p_0 == none)");
        line(at + "p_0 = get " + local + ";");
        close();
      }
      if (way == 1 && use_.page_fifo) {
        open("if (!" + at + "v_0.full)");
        line(at + "v_0.push(get " + local + ");");
        close();
      }
      if (way == 2) {
        open("if (" + at + "p_0 == none)");
        line(at + "p_0 = " + local + ";");
        --depth_;
        open("} else");
        line("destroy " + local + ";");
        close();
      } else if (!(use_.unsafe && dice_.chance(5))) {
        line("destroy " + local + ";");
      }
      close();
      break;
    }
    case 2: {
      const bool careless = use_.unsafe && dice_.chance(10);
      if (!careless) open("if (" + at + "p_0 != none)");
      line(dice_.chance(50) ? "destroy take " + at + "p_0;"
                            : at + "p_0.data_0 = " + fitting(scope, 0, 1) + ";");
      if (!careless) close();
      break;
    }
    case 3: {
      const std::string there = field(scope);
      open("if (" + at + "p_0 != none && " + there + "o_0 == none)");
      line(there + "o_0 = " + dice_.pick({"get ", "take "}) + at + "p_0;");
      close();
      break;
    }
    default:
      open("if (" + at + "o_0 != none)");
      line("destroy take " + at + "o_0;");
      close();
      if (use_.page_fifo) {
        open("if (!" + at + "v_0.empty)");
        line("destroy " + at + "v_0.pop();");
        close();
      }
      break;
  }
}

void Writer::handle(Scope& scope) {
  if (!use_.weak) return assignment(scope);
  const std::string at = field(scope);
  switch (dice_.below(5)) {
    case 0:
      line(at + "h_0 = none;");
      break;
    case 1:
      if (scope.packets.empty()) return assignment(scope);
      line(at + "h_0 = " + dice_.pick(scope.packets) + ";");
      break;
    case 2:
      if (!use_.fifo) return assignment(scope);
      open("if (!" + at + "q_0.empty)");
      line(field(scope) + "h_0 = " + at + dice_.pick({"q_0.head();", "q_0.tail();"}));
      close();
      break;
    case 3:
      if (!use_.slot) return assignment(scope);
      line(at + "h_0 = " + field(scope) + "s_0;");
      break;
    default:
      if (!use_.unsafe) return assignment(scope);
      open("if (" + at + "h_0 != none)");
      line(dice_.chance(50) ? at + "h_0.len_0 = " + fitting(scope, 0, 1) + ";"
                            : field(scope) + "m_0 = " + at + "h_0.len_0;");
      close();
      break;
  }
}

void Writer::locked(Scope& scope) {
  if (!use_.lock) return assignment(scope);
  const std::string lock = field(scope) + "lock_0";
  if (dice_.chance(25)) {
    open("if (try_0(" + lock + "))");
    Scope inner = scope;
    inner.stops = false;
    body(inner, 1);
    line("unlock_0(" + lock + ");");
    close();
    return;
  }
  if (!scope.stops) return assignment(scope);
  line("lock_0(" + lock + ");");
  Scope inner = scope;
  body(inner, 1 + dice_.below(2));
  if (!(use_.unsafe && dice_.chance(6))) line("unlock_0(" + lock + ");");
}

void Writer::call(Scope& scope) {
  switch (dice_.below(4)) {
    case 0:
      if (use_.hook && dice_.chance(60)) {
        const std::string here = box(scope);
        if (dice_.chance(50)) {
          line(here + "->hook_0 = " + dice_.pick({"up_0", "down_0", "none"}) + ";");
        } else {
          const bool careless = use_.unsafe && dice_.chance(15);
          if (!careless) open("if (" + here + "->hook_0)");
          line(here + "->hook_0(" + here + ");");
          if (!careless) close();
        }
        return;
      }
      [[fallthrough]];
    case 1:
      if (use_.recursion && scope.thread) {
        line("down_1(" + box(scope) + ", " + text(use_.unsafe ? dice_.below(3) : dice_.below(2)) +
             ");");
        return;
      }
      [[fallthrough]];
    case 2:
      if (use_.helper && scope.thread && (scope.stops || !act_stops_)) {
        line("act_0(" + box(scope) + ", " + fitting(scope, 0, 2) + ");");
        return;
      }
      [[fallthrough]];
    default:
      if (use_.reference) {
        const std::string here = box(scope);
        open("if (" + here + "->r_0 != none)");
        line(here + "->r_0->n_0 = " + fitting(scope, -1, 2) + ";");
        close();
        return;
      }
      break;
  }
  assignment(scope);
}

void Writer::stop(Scope& scope) {
  Scope pure = scope;
  pure.pure = true;
  // A claim that cannot be evaluated is a fault; a condition reads only what is there.
  pure.packets.clear();
  pure.pages.clear();
  switch (dice_.below(10)) {
    case 0:
    case 1:
      line("wait " + condition(pure, 1) + (dice_.chance(20) ? " fair;" : ";"));
      break;
    case 2:
    case 3:
      line("rest " + condition(pure, 1) + ";");
      break;
    case 4:
    case 5:
      line("pause;");
      break;
    case 6:
      line(use_.tick ? "tick;" : "yield;");
      break;
    default:
      line("yield;");
      break;
  }
}

void Writer::compound(Scope& scope) {
  Scope inner = scope;
  Scope pure = scope;
  pure.pure = true;
  switch (dice_.below(10)) {
    case 0:
    case 1:
      open("if (" + condition(scope, 1) + ")");
      body(inner, 1 + dice_.below(2));
      if (dice_.chance(40)) {
        --depth_;
        open("} else");
        Scope other = scope;
        body(other, 1);
      }
      close();
      break;
    case 2:
      open("either");
      body(inner, 1 + dice_.below(2));
      do {
        --depth_;
        open("} or");
        Scope other = scope;
        body(other, dice_.below(2));
      } while (dice_.chance(25));
      close();
      break;
    case 3: {
      if (!scope.stops) return assignment(scope);
      pure.packets.clear();
      pure.pages.clear();
      open(dice_.chance(30) ? "wait either" : "either");
      line("when " + condition(pure, 1) + ":");
      body(inner, 1);
      --depth_;
      open("} or");
      if (dice_.chance(75)) line("when " + condition(pure, 1) + ":");
      Scope other = scope;
      body(other, 1);
      close();
      break;
    }
    case 4: {
      const std::string i = fresh("i_");
      open("for (" + i + " in 0.." + text(dice_.below(2) + 1) + ")");
      inner.numbers.clear();
      inner.loop = true;
      body(inner, 1);
      close();
      break;
    }
    case 5: {
      const std::string n = field(scope) + "m_0";
      inner.loop = false;
      inner.stops = false;
      if (dice_.chance(50)) {
        open("while (" + n + " > 0) rounds <= " + text(use_.unsafe ? 1 + dice_.below(3) : 2));
        body(inner, dice_.below(2));
        line(n + " = max(0, " + n + " - 1);");
        close();
      } else {
        open("do");
        body(inner, dice_.below(2));
        line(n + " = min(2, " + n + " + 1);");
        --depth_;
        line("} while (" + n + " < 2) rounds <= 3;");
      }
      break;
    }
    case 6:
      inner.stops = false;
      open("atomic");
      if (scope.stops && dice_.chance(40)) {
        pure.packets.clear();
        pure.pages.clear();
        line("wait " + condition(pure, 1) + ";");
      }
      body(inner, 1 + dice_.below(2));
      close();
      break;
    case 7: {
      const std::string local = fresh("n_");
      open("");
      line("int " + local + " in 0..2 = " + fitting(scope, 0, 2) + ";");
      inner.numbers.push_back(local);
      body(inner, 1 + dice_.below(2));
      close();
      break;
    }
    case 8:
      if (use_.packets && dice_.chance(50)) {
        const std::string local = fresh("l_");
        open("");
        line("fifo<pkt_0, 1> " + local + ";");
        line(local + ".push({ len_0: " + fitting(scope, 0, 1) + " });");
        body(inner, 1 + dice_.below(2));
        if (!(use_.unsafe && dice_.chance(15))) line("destroy " + local + ".pop();");
        close();
        break;
      }
      [[fallthrough]];
    default: {
      const std::string local = fresh("b_");
      open("");
      line("bool " + local + " = " + condition(scope, 1) + ";");
      inner.bits.push_back(local);
      body(inner, 1 + dice_.below(2));
      close();
      break;
    }
  }
}

void Writer::statement(Scope& scope) {
  if (budget_ <= 0) return;
  --budget_;
  ++nesting_;
  switch (dice_.below(nesting_ > 4 ? 13 : 18)) {
    case 0:
    case 1:
      assignment(scope);
      break;
    case 2:
      if (scope.stops) {
        stop(scope);
      } else {
        assignment(scope);
      }
      break;
    case 3:
    case 4:
      packet(scope);
      break;
    case 5:
      container(scope);
      break;
    case 6:
      page(scope);
      break;
    case 7:
      handle(scope);
      break;
    case 8:
      locked(scope);
      break;
    case 9:
      call(scope);
      break;
    case 10:
      if (dice_.chance(35)) {
        Scope pure = scope;
        pure.pure = true;
        line("assert " + condition(pure, 1) + ";");
      } else if (use_.counter) {
        line("count " + dice_.pick({"sent_0", "lost_0"}) + " += " + text(1 + dice_.below(2)) + ";");
      } else {
        assignment(scope);
      }
      break;
    case 11:
      if (scope.loop && dice_.chance(50)) {
        open("if (" + condition(scope, 0) + ")");
        line(dice_.pick({"break;", "continue;"}));
        close();
      } else {
        assignment(scope);
      }
      break;
    case 12:
      packet(scope);
      break;
    default:
      compound(scope);
      break;
  }
  --nesting_;
}

void Writer::body(Scope& scope, int statements) {
  for (int i = 0; i < statements; ++i) statement(scope);
}

}  // namespace txproof::test
