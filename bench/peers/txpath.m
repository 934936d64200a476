-- txpath.m - reference transmit-path model, Murphi (rumur 2022.08.20).
-- Same rules and granularity as txpath.pml; see there for the story.
-- Sizes are set through the constants by mk_murphi.sh.
const
  N: @N@;  S: @S@;  Q: @Q@;  R: @R@;  ORPHAN: @ORPHAN@;
type
  sock_t: @SOCK@;            -- scalarset(N) or 1..N
  qlen_t: 0..Q;  rlen_t: 0..R;  mem_t: 0..S;
var
  wmem: array[sock_t] of mem_t;      -- sk_wmem_alloc
  hand: array[sock_t] of boolean;    -- charged, not yet queued packet
  q: array[1..Q] of sock_t;  ql: qlen_t;   -- unused slots undefined
  r: array[1..R] of sock_t;  rl: rlen_t;   -- orphaned slots undefined
  stopped: boolean;
  spc: boolean;  sh: sock_t;         -- softirq packet in hand
  cpc: boolean;                      -- wake check pending

startstate begin
  for i: sock_t do wmem[i] := 0; hand[i] := false; end;
  undefine q; ql := 0;
  undefine r; rl := 0;
  stopped := false; spc := false; undefine sh; cpc := false;
end;

ruleset i: sock_t do
  rule "alloc" !hand[i] & wmem[i] < S ==> begin
    hand[i] := true; wmem[i] := wmem[i] + 1;
  end;
  rule "enqueue" hand[i] & ql < Q ==> begin
    ql := ql + 1; q[ql] := i; hand[i] := false;
  end;
  rule "drop" hand[i] & ql = Q ==> begin
    hand[i] := false; wmem[i] := wmem[i] - 1;
  end;
end;

rule "dequeue" !spc & !stopped & ql > 0 ==> begin
  if ORPHAN = 1 then
    wmem[q[1]] := wmem[q[1]] - 1; undefine sh;
  else
    sh := q[1];
  end;
  for k: 1..Q do
    if k < ql then q[k] := q[k+1]; end;
  end;
  undefine q[ql]; ql := ql - 1;
  spc := true;
end;

rule "start_xmit" spc ==> begin
  rl := rl + 1;
  if !isundefined(sh) then r[rl] := sh; end;
  undefine sh; spc := false;
  if rl = R then stopped := true; end;
end;

rule "clean" !cpc & rl > 0 ==> begin
  if !isundefined(r[1]) then wmem[r[1]] := wmem[r[1]] - 1; end;
  for k: 1..R do
    if k < rl then
      if isundefined(r[k+1]) then undefine r[k]; else r[k] := r[k+1]; end;
    end;
  end;
  undefine r[rl]; rl := rl - 1;
  cpc := true;
end;

rule "wake" cpc ==> begin
  cpc := false;
  if stopped & rl < R then stopped := false; end;
end;
@INV@
