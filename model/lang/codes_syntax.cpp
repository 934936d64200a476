// TX01xx: the parser.
#include "model/lang/codes.h"

namespace txproof::lang {

std::vector<CodeInfo> codes_of_syntax() {
  return {
      {"TX0101", "something else was expected",
       R"(At this place only the named token can stand. The caret is at the first token that does
not fit; the mistake may be just before it.

    if (q.qlen = 0) return none;
               ^ expected ')' after the condition, found '='

Write `==` to compare.)"},
      {"TX0102", "a name was expected",
       R"(A name begins with a letter or _ and is no word of the language.

    fn loop(Qdisc q) { }

Choose another: `fn qdisc_loop(Qdisc q) { }`. After a dot any word may stand.)"},
      {"TX0103", "a missing semicolon",
       R"(Statements and declarations end with a semicolon, as in C. The caret is where it is
missing.

    q.qlen += 1
    return NET_XMIT_SUCCESS;

Write `q.qlen += 1;`.)"},
      {"TX0104", "too many errors",
       R"(After a hundred syntax errors the rest of the file is not read: it is probably no model,
or one early mistake spoilt everything behind it.

    txproof check notes.txt

Mend the first errors and run again, or name the right file.)"},
      {"TX0105", "nested too deeply",
       R"(Parentheses, blocks and bindings may stand 200 deep inside each other, and an expression
may have about 2000 operators in a row. Generated text reaches this, people do not.

    return ((((((…))))));

Name parts with constants or locals, or sum over an array with `sum(x in a) x`.)"},
      {"TX0106", "a brace that is not closed, or closes nothing",
       R"(A block, object, property or stack is still open where the next declaration begins or
the file ends; the note shows its '{'. Or a '}' has no '{' before it.

    fn skb_orphan(sk_buff &skb) {
        if (skb.sk != none) {
            skb.sk = none;
    }
    fn kfree_skb(sk_buff skb) { destroy skb; }

Add the missing brace, here behind `skb.sk = none;`.)"},
      {"TX0107", "an expression was expected",
       R"(Here an expression must stand: a number, a name, a call, `none`, `self`, `ticks`, an
aggregate such as `count(s in sk_buff)`, or one of these with operators. There are no pointers,
so no `*p` and no `&x`; `x++` is a statement of its own; `{ … }` stands only as an initialiser,
an argument, or what is assigned.

    q.push(&skb);

Write `q.push(skb);`.)"},
      {"TX0108", "a type was expected",
       R"(A type is int, bool, u8, u16, u32, `int mod N`, thread, `fifo<T, N>`, `bag<T, N>`,
`weak T`, or the name of a struct, object, interface, enum or typedef.

    struct sk_buff skb;          queue<sk_buff, 3> q;

Write `sk_buff skb;` and `fifo<sk_buff, 3> q;`.)"},
      {"TX0109", "C that the language does not have",
       R"(There are no pointers, no `switch`, no `const` locals, and struct names stand alone. A
packet lives in one place and moves; an object's name is a reference; `weak T` is a handle to a
packet that somebody else owns; `T &x` in a parameter lends a place.

    struct sk_buff *skb = q->head;

Write `weak sk_buff skb = q.head;`, or `sk_buff skb = q.pop();` to take it.)"},
      {"TX0110", "a statement was expected",
       R"(Here a statement must stand. Perhaps a word is misspelt, or an `else` has lost its `if`.

    whlie (qdisc_restart(q)) rounds <= 4 { }

Write `while`.)"},
      {"TX0111", "a loop without a bound",
       R"(`while` and `do` run inside one step, so they must end: `rounds <= N` says after how many
rounds at most, and a run that needs more is the violation loop.bound. A loop that is endless on
purpose, with a stop point such as `wait` in it, is `loop { … }`.

    while (qdisc_restart(q)) { }

Write `while (qdisc_restart(q)) rounds <= q.limit + 2 { }`.)"},
      {"TX0112", "a for loop of C",
       R"(A `for` counts through a range, both ends included; its variable is not assigned.

    for (i = 0; i < N; i++) reset(ring[i]);

Write `for (i in 0..N - 1) reset(ring[i]);`.)"},
      {"TX0113", "nothing that can be assigned to",
       R"(On the left of an assignment stands a place: a variable, a field, an element.

    q.pop() = skb;

Write `q.push(skb);`, or name the place.)"},
      {"TX0114", "a statement without effect",
       R"(An expression that is no call does nothing when it stands alone.

    q.qlen == 0;

Write `q.qlen = 0;` or `assert q.qlen == 0;`. To move a packet out of a field, give it somewhere
to go: `kfree_skb(take q.gso_skb);`.)"},
      {"TX0115", "an import without a file name",
       R"(An import names its file in quotes.

    import skbuff.tx;

Write `import "skbuff.tx";`.)"},
      {"TX0116", "a declaration was expected",
       R"(Outside braces stand only import, const, typedef, enum, linear struct, counted struct,
object, interface, fn, thread, counter, property and stack.

    void kfree_skb(sk_buff skb) { destroy skb; }

Write `fn kfree_skb(sk_buff skb) { destroy skb; }`; a result stands behind: `fn f() : int in 0..3`.)"},
      {"TX0117", "a member that does not fit",
       R"(Objects and interfaces have fields, params and methods (with `fn`); structs have fields.

    object pfifo { int enqueue(sk_buff skb) { … } }

Write `fn enqueue(sk_buff skb) : int in 0..1 { … }`.)"},
      {"TX0118", "a function without a body",
       R"(Only an interface declares a function without saying what it does.

    fn ndo_start_xmit(sk_buff &skb) : rc_t;

Give it a body, or move it into an `interface` that an object implements.)"},
      {"TX0119", "an item of a property was expected",
       R"(A property has claims (always, at rest, maximum, A leads_to B, infinitely_often, rate),
ghost variables, probes (on entry, on return, on new, on destroy) and `per call F { … }`.

    property room { q.qlen <= 3; }

Write `property room { always q.qlen <= 3; }`.)"},
      {"TX0120", "an event of a probe was expected",
       R"(A probe stands on the entry or the return of a function, or on the making or destroying
of a packet.

    on enter kfree_skb(skb) { lost = true; }

Write `on entry kfree_skb(skb) { lost = true; }`, `on return rc of dev_queue_xmit { … }`,
`on new sk_buff(s) { … }` or `on destroy sk_buff(s) { … }`.)"},
      {"TX0121", "an item of a stack was expected",
       R"(A stack has params, instances (`eth eth0 { R: 2 };`), `run thread(args);`, `check
property;`, `assume E;`, `interleave coarse|fine;` and `memory sc|tso|weak;`.

    udp_sender(udp, eth0);

Write `run udp_sender(udp, eth0);`.)"},
  };
}

}  // namespace txproof::lang
