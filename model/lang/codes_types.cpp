// TX03xx: types, and where things may stand.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_types() {
  return {
      {"TX0301", "the wrong type",
       R"(The place wants one type, and the value has another. A reference to an object fits
where its interface is wanted; `none` fits references, packets, handles and hooks; an enum fits
itself.

    bool held = skb;

Write a value of the type that is wanted, here `skb != none`.)"},
      {"TX0302", "a bool is no number",
       R"(Numbers and bools do not stand for each other, conditions and comparisons apart.

    q.qlen += q.full;

Write `b ? 1 : 0` for a number, `n != 0` for a bool.)"},
      {"TX0303", "a wrapping type wants a cast",
       R"(u8, u16, u32 and `int mod N` wrap around; `int` does not. A number that is not known
becomes wrapping only by a cast, so that the place where it may wrap is seen. The way back needs
none.

    u16 seq = 0;
    seq = seq + q.qlen;

Write `seq + u16(q.qlen)`.)"},
      {"TX0304", "a constant that does not fit",
       R"(The constant is outside of what the wrapping type can hold.

    u8 prio = 256;

Write one that fits, or a cast if it is meant to wrap: `u8(256)` is 0.)"},
      {"TX0305", "a range is missing",
       R"(A model is finite: every integer that is stored has a range, which may mention params.
A local takes the range of its initialiser.

    object q { int len = 0; }

Write `int len in 0..limit = 0;`.)"},
      {"TX0306", "a constant's range is too small",
       R"(A local takes the range of its initialiser. That of a constant is the constant alone,
so every other value would be outside.

    int n = 0;
    n += 1;

Write `int n in 0..limit = 0;`.)"},
      {"TX0307", "an operand that does not fit",
       R"(Arithmetic is for numbers. `&`, `|`, `^` and shifts want a constant on one side, or a
wrapping type, since `int` has no width; `&`, `|`, `^` also join bools.

    int n = skb + 1;

Write a number; for flags use u8, u16 or u32.)"},
      {"TX0308", "no condition",
       R"(A condition is a bool, or something that can be zero or none: a number, an enum, a
place of a packet, a handle, a reference, a hook. A packet that a call returns must have a place
before it can be tested, or it would be lost.

    while (q.dequeue()) rounds <= 3 { }

Write `sk_buff skb = q.dequeue();` and test `skb`; for containers write `.empty` or `.full`.)"},
      {"TX0309", "the wrong number of arguments",
       R"(A call, a `run`, a `check` gives one argument to each parameter. Names bound by a probe
are all or none. The note shows the declaration.

    dev_queue_xmit(skb);

Write `dev_queue_xmit(skb, dev)`.)"},
      {"TX0310", "not fixed",
       R"(Constants and enumerators are known in the text; ranges, sizes, initial values and
arguments of `run` are known when the stack is made. None of them calls a function or reads what
may change.

    int rr in 0..qlen = 0;

Here qlen changes: use a param.)"},
      {"TX0311", "this cannot be written",
       R"(Only places can be assigned, taken from or lent by `&`: locals, parameters, fields,
slots, and ghost state in probes. Params, constants, instances and names bound by `for`, `take`
or an aggregate never change.

    q.limit = 3;

If it changes, declare a field instead of a param.)"},
      {"TX0312", "`&` wants a place of the very type",
       R"(`T &x` borrows the place itself, so the argument is a local, a field or a slot whose
type is T: not a value, not an object where its interface is wanted. Ranges may differ.

    test_and_set_bit(q.qlen);

Here the parameter is `bool &b`, and qlen is an int.)"},
      {"TX0313", "a field keeps its packet unless it is taken",
       R"(A local moves when it is passed by value, assigned, pushed or returned. A field, a slot
of an array, a packet in a packet moves only by `take`, so that one sees where it becomes empty.

    kfree_skb(q.gso_skb);

Write `kfree_skb(take q.gso_skb);`, or take the parameter by `&` to lend it.)"},
      {"TX0314", "this is no packet, or does not own one",
       R"(`destroy`, `take`, `copy`, `get` and by-value parameters of a struct want a packet in a
place of the right kind. A weak handle only names a packet that somebody else owns.

    fn done(weak sk_buff skb) { destroy skb; }

Move the packet from the place that holds it; `copy` makes a new one; `get` is for counted
structs. Put what a call returns into a local before a handle to it is made.)"},
      {"TX0315", "these cannot be compared",
       R"(Numbers and bools compare with each other, an enum with itself and with constants,
references with their interface, packets and handles of one struct with each other, and
everything that can be empty with `none`. `<` is for numbers and enums.

    if (skb == q) { }

Compare values of one kind.)"},
      {"TX0316", "a container cannot do this",
       R"(A fifo has push push_head pop pop_tail head tail peek splice contains remove clear, and
len empty full cap without parentheses. A bag has no order, so none of those that name an end.
`remove` is for packets and wants a handle, `clear` is for what is no packet.

    bag<sk_buff, 4> b;
    sk_buff skb = b.pop();

Write `take(s in b where true)`: every element may be chosen.)"},
      {"TX0317", "nothing to range over",
       R"(An aggregate ranges over a type (`s in sk_buff`), a field of all objects of a type (`s
in eth.ring`), one container, array, object or packet (`s in q`), or numbers (`i in 0..3`). An
object stands for the packets in it, which must be of one struct.

    always count(s in dev.qlen) == 0;

Name one of these.)"},
      {"TX0318", "braces out of place",
       R"(`{ field: value }` makes a packet where a struct is initialised, assigned or passed by
value, and binds an instance in a stack. Each field is given once.

    int n = { truesize: 1 };

Write a value of the type that is wanted.)"},
      {"TX0319", "a param is not bound",
       R"(A param without a default must be given a value where the object is made.

    object bond { param net_device slaves[]; }
    stack s { bond bond0; }

Write `bond bond0 { slaves: [eth0] };`, or give the param a default.)"},
      {"TX0320", "no instance can be made so",
       R"(Objects are made in a stack or, by braces, as a field of another object; never while
the model runs. References are bound to instances, or to `TYPE { … }`. What holds packets is
empty at the start. An interface has no instances.

    stack s { Qdisc q; }

Name an object that implements it: `pfifo q;`.)"},
      {"TX0321", "a range that does not fit",
       R"(Only integers have ranges, the first end is not above the last, and only a field with a
range can go `ticks up` or `ticks down`.

    bool held in 0..1;

Leave the range out, or correct its ends.)"},
      {"TX0322", "a result where there is none, or none where there is one",
       R"(A function with a result returns a value, one without returns nothing; so does a
thread.

    fn qdisc_run(Qdisc q) { return true; }

Write the type of the result, `fn qdisc_run(Qdisc q) : bool`, or `return;`.)"},
      {"TX0323", "the end of a function without `return`",
       R"(Control can run off the end of a function that returns something. Every path must end
in a `return`; a `loop` without `break` never ends.

    fn enqueue(sk_buff skb) : int { if (q.full) return 1; q.push(skb); }

Add the `return` at the end.)"},
      {"TX0324", "no loop to leave",
       R"(`break` and `continue` stand inside `while`, `do`, `for` or `loop`. An `either` is
none.

    fn f(Qdisc q) { if (q.full) break; }

Write `return`, or `goto` to a label at the end.)"},
      {"TX0325", "a stop point in an atomic step",
       R"(`atomic { }` is one step, so nothing in it may stop: no wait, rest, pause, yield, tick,
loop, and no guarded `either`. It may begin with `wait`, as a lock does.

    atomic { l.held = true; wait q.sched; }

Put the wait first, or outside.)"},
      {"TX0326", "a probe only watches",
       R"(A probe is part of the step that it watches: it has no stop point, returns nothing,
writes only ghost state and its own locals, and calls only functions that change nothing.

    on entry kfree_skb(skb) { skb.truesize = 0; }

Declare ghost state (`ghost int sk_buff.seen in 0..1 = 0;`) and write that.)"},
      {"TX0327", "a place that may only look",
       R"(Guards, `wait` and `rest`, asserts, aggregates, properties, ranges and bindings are
evaluated any number of times: nothing in them may move, make, choose or write, nor may what they
call. The note shows where the called function does.

    wait spin_trylock(l);

Wait for a plain condition and act behind it; `atomic { wait E; … }` does both in one step.)"},
      {"TX0328", "what grows without end is no state",
       R"(`ticks` and counters grow for ever. They are no part of the state, so no code can read
them; they stand in `rate`, and counters in `count`.

    if (ticks > 3) return;

Use a field with a range, `int age in 0..3 = 0 ticks up;`.)"},
      {"TX0329", "not a function of this hook",
       R"(`hook h in { f, g }` holds one of the listed functions or none. They are functions, no
methods or threads, and all have the same parameters and the same result.

    hook destructor in { sock_wfree, tcp_wfree } = sock_rfree;

Add the function to the list, or name one that is there.)"},
      {"TX0330", "an array that does not fit",
       R"(Only arrays have an index, and it lies within the length; a list has as many elements
as its array. The length is left out only for params of objects (`param net_device slaves[];`).

    sk_buff skb = take q.ring[4];           // ring[4] has the elements 0 to 3

Correct the index or the length; look into a fifo by `.peek(i)`.)"},
      {"TX0331", "this cannot be held or passed here",
       R"(Containers hold packets, numbers, handles and references, not containers. Containers
and arrays are lent by `&`, never passed or returned. A thread begins with references and
numbers. Ghost state names packets by weak handles, since it must not move them.

    fn drain(fifo<sk_buff, 4> q) { }

Write `fifo<sk_buff, 4> &q`.)"},
      {"TX0332", "parentheses missing, or too many",
       R"(Functions and operations are called with parentheses; len, empty, full and cap of a
container are properties without.

    if (q.empty()) return none;

Write `q.empty`, and `q.pop()`.)"},
      {"TX0333", "division by zero",
       R"(The divisor is the constant 0.

    rr = (rr + 1) % 0;

Divide by something else.)"},
  };
}

}  // namespace txproof::lang
