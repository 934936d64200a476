// TX02xx: names.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_names() {
  return {
      {"TX0201", "an unknown name",
       R"(Nothing in reach has this name: no local, no member of the object whose method this is,
and nothing global in this file or in what it imports.

    q.qlen += pakets;

Correct the name (the nearest known one is shown), declare it, or import the file that does.)"},
      {"TX0202", "declared a second time",
       R"(Types, functions, constants, enumerators, counters, properties and stacks share one
space of names over all imported files. Members of a type, labels of a function and names of one
block must differ, too. The note shows the first.

    fn kfree_skb(sk_buff skb) { destroy skb; }
    fn kfree_skb(sk_buff skb) { skb_orphan(skb); destroy skb; }

Remove one or rename it.)"},
      {"TX0203", "an unknown type",
       R"(No type has this name.

    sk_buf skb = none;

Correct the name, or import the file that declares it.)"},
      {"TX0204", "a name of another kind",
       R"(The name is known, and it stands for something that cannot stand here: a function where
a type is wanted, a type where a value is wanted.

    fn f(Qdisc q) { q.limit = pfifo; }

Write the name of a value (or of a type).)"},
      {"TX0205", "an unknown member",
       R"(The type of the expression before the dot has no such field, param or method, and
neither has its interface. Ghost fields are seen only in the property that declares them.

    skb.truesiz = 1;

Correct the name; members of what implements an interface are not seen through the interface.)"},
      {"TX0206", "no interface",
       R"(Behind the colon of an object stands the interface that it implements.

    object eth : sk_buff { }

Name an interface, or leave it out.)"},
      {"TX0207", "a method is missing",
       R"(An object has every method that its interface declares without a body.

    interface Qdisc { fn dequeue() : sk_buff; }
    object pfifo : Qdisc { }

Write the method.)"},
      {"TX0208", "a method differs from its interface",
       R"(A method has the parameters, the `&` and the result that its interface declares, so
that callers need not know which object they meet. Ranges may differ.

    interface net_device { fn ndo_start_xmit(sk_buff &skb) : int; }
    object eth : net_device { fn ndo_start_xmit(sk_buff skb) : int { destroy skb; return 0; } }

Here the `&` is missing.)"},
      {"TX0209", "a member hides one of the interface",
       R"(Every object has the fields and params of its interface already.

    interface Qdisc { int qlen in 0..9 = 0; }
    object pfifo : Qdisc { int qlen in 0..9 = 0; }

Remove it here, or give it another name.)"},
      {"TX0210", "defined by itself",
       R"(A constant, a typedef, a range or a default needs its own value, perhaps through
others. A default can use the params that stand before it.

    const A = B + 1, B = A - 1;

Break the circle.)"},
      {"TX0211", "nothing to probe",
       R"(Probes, `per call` and `outside` name a function, or a method as TYPE.NAME. A probed
function that is unknown would make the property say nothing. `on return` without `of` stands
only inside `per call F`.

    on entry dev_queue_xmitt(skb, dev) { }

Correct the name; write `pfifo.enqueue`, or `Qdisc.enqueue` for that of every qdisc.)"},
      {"TX0212", "no property",
       R"(`check` names properties.

    check no_silent_los;

Correct the name, or import the file that declares it.)"},
      {"TX0213", "no such label",
       R"(`goto` goes forward, to a label in the same function that stands in the same block or
in one around it.

    retry:
    if (q.full) goto retry;

Going back is a loop: write `while (E) rounds <= N` or `loop`.)"},
      {"TX0214", "no such struct",
       R"(Ghost fields belong to structs, and `on new`, `on destroy` name one.

    ghost bool sk_buf.marked = false;

Correct the name.)"},
      {"TX0215", "nothing to be called",
       R"(Only functions, methods and hooks are called. Threads are started by a stack.

    fn f(Qdisc q) { net_tx_action(q); }

Here net_tx_action is a thread: put the common part into a function.)"},
      {"TX0216", "no thread",
       R"(`run` starts threads; a function runs only when a thread calls it.

    stack s { pfifo q; run qdisc_run(q); }

Name a thread, or write one that calls the function.)"},
      {"TX0217", "no counter",
       R"(`count` adds to a counter, and `rate` compares two (or `ticks`). Counters are declared
with `counter` and are no part of the state.

    counter delivered;
    thread t() { tick; count deliverd += 1; }

Correct the name, or declare the counter.)"},
      {"TX0218", "`this` or `self` where there is none",
       R"(`this` is the object whose method runs, in methods and in probes on them.
`self` is the thread that runs the text; claims, ranges and bindings are run by none.

    fn f() { return this.q; }

Pass the object as a parameter.)"},
      {"TX0219", "an unknown fault",
       R"(The name behind an `assert` says which built-in property breaks: its first part is one
of assert, call, container, deadlock, int, lock, loop, own, range, recursion, weak.

    assert l.held, lok.unheld;

Write `lock.unheld`; leave it out for a plain assertion.)"},
  };
}

}  // namespace txproof::lang
