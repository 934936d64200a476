// TX04xx: what only shows when a stack is built, with its parameters. A row: the code, a few words,
// and what it means with an example and the mend.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_elaboration() {
  return {
      {"TX0401", "an empty range",
       R"(With these parameters the lower end of the range lies above its upper end.

    int qlen in 1..limit = 1;      // with limit 0

Write a range that has a value for every parameter in its domain, or `assume limit >= 1;`.)"},
      {"TX0402", "a range or a modulus too large",
       R"(Ranges reach from -2^40 to 2^40; the modulus of `int mod N` is at most 2^32. States are
packed by the ranges in force, and arithmetic must fit 64 bits without a test.

    int bytes in 0..9999999999999999;

Count in larger units.)"},
      {"TX0403", "no range",
       R"(A field and an element of a container are part of the state, so they need a range; only
a local may take that of its initialiser.

    object eth { int sent = 0; }

Write `int sent in 0..8 = 0`, or count with a `counter` what is no part of the state.)"},
      {"TX0404", "an impossible size",
       R"(A fifo or bag has room for at least one element, and nothing is larger than about four
million words.

    fifo<sk_buff, limit - 1> q;    // with limit 1

Correct the size, or narrow the domain of the parameter.)"},
      {"TX0405", "an initial value outside its range",
       R"(The value that a field starts with must lie in its own range.

    linear struct sk_buff { int truesize in 1..16 = 0; }

Correct one of the two.)"},
      {"TX0410", "an unknown parameter",
       R"(--set names a parameter that the stack does not have. The nearest known name is shown.

    txproof check model/stacks/bonding.tx --set SOKETS=2)"},
      {"TX0411", "a parameter without a value",
       R"(The parameter has no default, and none was given.

    param int W in 1..8;

Give it a default (`= 2`), or a value on the command line: --set W=2.)"},
      {"TX0412", "a value outside its domain",
       R"(A parameter or a field is given a value that its declaration does not allow.

    param int R in 1..16 = 2;      // and --set R=0

Choose a value inside the domain, or widen the domain where it is declared.)"},
      {"TX0413", "another number of values",
       R"(A member that is one value is given a list, or an array is given a list of another
length.

    bond bond0 { slaves: [eth0, eth1] };    // param net_device slaves[1];

Give as many values as the array has elements; `x[]` takes any number.)"},
      {"TX0414", "too many threads",
       R"(A stack may run at most 4096 threads. What so many would show shows with a few.)"},
      {"TX0415", "a value that is not known here",
       R"(The name stands for something that exists, but not at this point: a parameter of another
stack, or a member that is bound later.)"},
      {"TX0416", "a member that differs between objects",
       R"(A reference that may name several objects is used for a member whose shape or list
differs between them.

    dev.queues[i].push(skb);       // each dev with its own number of queues

Write a method of the object and call that: a call is resolved for each object on its own.)"},
      {"TX0417", "a value that must be known beforehand",
       R"(Ranges, sizes, bounds of loops, bindings and `when` of a run are settled when the stack is
built, so they may use numbers, constants and parameters, and no state.

    while (qdisc_restart(q)) rounds <= q.qlen { }

Use a parameter that bounds it: `rounds <= q.limit + 2`.)"},
      {"TX0418", "a call with effects in a condition",
       R"(The condition of a wait, a guard and a claim are looked at without a step being made. They
may call only functions that compute a value: any number of `if (…) return …;`, then `return …;`.

    wait q.dequeue() != none;

Test the state instead: `wait !q.empty;`.)"},
      {"TX0419", "no value", R"(The expression cannot stand where a value is needed.)"},
      {"TX0420", "a number that may grow too large",
       R"(With the ranges of its operands, the result could leave 62 bits, so the tool could not
compute it exactly.

    int product in 0..1000000 = a * b * c * d * e;

Narrow the ranges, or use a wrapping type.)"},
      {"TX0421", "a choice in a condition",
       R"(`any` makes a choice, which is part of a step. Conditions, guards and claims make none.

    wait any 0..1 == 1;

Use `either { … } or { … }`, or `pause` for what may happen at any time.)"},
      {"TX0422", "a stack too large to build",
       R"(Every call is inlined, once for each object that it may be about. This stack comes to more
than 100,000 calls. Fewer sockets or devices show the same; a reference that may name fewer objects
is split into fewer cases.)"},
      {"TX0423", "a stop point inside atomic",
       R"(What stands in `atomic { }` is one step: it may begin with a `wait`, and nothing else in it, or
in what it calls, may wait, rest, pause, yield or loop. The notes show the way there.

    atomic { x = 1; spin_lock(l); }

Move the call in front of `atomic`.)"},
      {"TX0424", "remove from a container of references",
       R"(Several elements may be references to the same counted struct, so a handle does not say
which of them is meant.

    buf b = p.q.remove(w);

Choose one by what it is: `take(b in p.q where b.n == 1)`.)"},
      {"TX0425", "no such method",
       R"(The object has no body for a method of its interface, and the interface has none.)"},
      {"TX0426", "a call that comes back to itself",
       R"(A function can be entered again with the same objects while it is open. Devices that name
each other in a circle do this; the notes show the circle.

    bond bond0 { slaves: [vlan0] };  vlan vlan0 { real_dev: bond0 };

Break the circle, or say `recursion <= N` behind the function's parameters where it is meant.)"},
      {"TX0427", "an impossible bound", R"(`rounds <= N` needs an N from 0 to 2^30.)"},
      {"TX0428", "a domain that changes at run time",
       R"(An aggregate ranges over a type, a container or an object that is known when the stack
is built.)"},
      {"TX0429", "an assumption that is not met",
       R"(The stack says for which parameters it is meant (`assume E;`), and these are not among
them. Choose others, or take the assumption back if the stack means something without it.)"},
      {"TX0430", "an element that the counter does not have",
       R"(A rate names an element of a counter by a number outside its size.)"},
      {"TX0431", "a bound that is no fraction",
       R"(The bound of a rate is a number or a fraction p / q with q above 0.)"},
      {"TX0432", "a parameter that cannot be left unknown",
       R"(`--for-all` names integer parameters of the stack that have a domain. The lower end of the
domain stays, the upper one goes.)"},
      {"TX0433", "a range or value that needs a known parameter",
       R"(A variable begins with a number, and a local without a range takes that of its
initialiser. Neither can depend on a parameter that is left unknown.

    int left = limit;  left -= 1;

Give the local a range, `int left in 0..limit = limit;`, or leave the parameter known.)"},
      {"TX0434", "a size that needs a known parameter",
       R"(How many objects, array elements, threads or rounds of a `for` there are decides what the
program is made of, so it cannot be left unknown. The capacity of a `fifo` may, and the bound of a
`while` (`rounds <= limit`).)"},
      {"TX0435", "what a container of unknown capacity cannot say",
       R"(A container whose capacity depends on an unknown parameter is kept as how many packets of
each kind it holds. Which one is first is forgotten, so `head`, `tail`, `peek`, `contains`, `remove`
and `take(… where …)` have no meaning there.)"},
      {"TX0436", "too many kinds of packet",
       R"(A container of unknown capacity is kept as one counter for each combination of values of
its packets' fields. There are too many combinations here, or a field is not bounded. Fields that
only matter to a property that is not asked for can be left out by checking fewer properties.)"},
      {"TX0437", "what an unknown number of objects cannot do",
       R"(The length of one array of objects may be left unknown, `sock udp[SOCKETS]`, if the objects are
interchangeable: each is named only as `udp[i]`, in what runs for each i. One of them is kept, and of
all the others only sums: a number from 0 to a limit that depends on an unknown parameter may be added
to by the object's own thread and subtracted from by anybody. A claim may use `sum` over them, or be a
`forall`.)"},
  };
}

}  // namespace txproof::lang
