/* txpath.pml - reference transmit-path model, Promela (SPIN 6.5, SpinS/LTSmin).
 *
 * N sockets, sndbuf S units each, 1-unit packets; FIFO qdisc of limit Q holding
 * owner ids; driver TX ring of R slots holding owner ids (0 = orphaned);
 * stop/wake flag; softirq moves qdisc -> ring; completion pops ring, uncharges.
 * One d_step = one rule of txpath.m = one transition.  No process has any
 * control state beyond its loop head, so the reachable state count equals the
 * Murphi model's exactly.
 *
 *   spin -a -DN=3 -DS=3 -DQ=4 -DR=3 -DORPHAN=0 txpath.pml
 */
#ifndef N
#define N 3
#endif
#ifndef S
#define S 3
#endif
#ifndef Q
#define Q 4
#endif
#ifndef R
#define R 3
#endif
#ifndef ORPHAN
#define ORPHAN 0
#endif

byte wmem[N];             /* sk_wmem_alloc, 0..S                              */
bit  hand[N];             /* socket holds a charged, not yet queued packet    */
chan q = [Q] of { byte }; /* qdisc: owner id + 1                              */
chan r = [R] of { byte }; /* TX ring: owner id + 1, or 0 when orphaned        */
bit  stopped;             /* netif_tx_queue_stopped                           */
bit  spc;  byte sh;       /* softirq: packet in hand?  its owner (+1 / 0)     */
bit  cpc;                 /* completion: wake check pending                   */

/* pids 0..N-1 are the sockets */
active [N] proctype sock() {
  do
  :: d_step { !hand[_pid] && wmem[_pid] < S -> hand[_pid] = 1; wmem[_pid]++ }      /* alloc+charge */
  :: d_step { hand[_pid] && len(q) < Q  -> q!_pid+1; hand[_pid] = 0 }              /* enqueue */
  :: d_step { hand[_pid] && len(q) == Q -> hand[_pid] = 0; wmem[_pid]-- }          /* drop, uncharge */
  od
}
active proctype softirq() {
  do
  :: d_step { !spc && !stopped && len(q) > 0 -> q?sh; spc = 1;                     /* dequeue */
#if ORPHAN
       wmem[sh-1]--; sh = 0
#endif
     }
  :: d_step { spc -> r!sh; sh = 0; spc = 0;                                        /* ndo_start_xmit */
       if :: len(r) == R -> stopped = 1 :: len(r) < R fi }
  od
}
active proctype complete() {
  byte o;
  do
  :: d_step { !cpc && len(r) > 0 -> r?o;                                           /* clean a descriptor */
       if :: o > 0 -> wmem[o-1]--; o = 0 :: o == 0 fi; cpc = 1 }
  :: d_step { cpc -> cpc = 0;                                                      /* wake check */
       if :: stopped && len(r) < R -> stopped = 0 :: !(stopped && len(r) < R) fi }
  od
}

#ifdef INVARIANT
/* ring_never_overrun, as a monitor that can move only when it is violated:
 * one more guard evaluation per state, no extra states */
active proctype mon() {
  atomic { (spc && len(r) == R) -> assert(false) }
}
#endif
