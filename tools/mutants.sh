#!/bin/sh
# mutants.sh [N...]: runs the tests on each mutant of the checker (all, or those numbered N...) and
# tells which test kills it. Ends with "N killed, N survive" and the numbers of the survivors.
program=mutants
root=$(readlink -f -- "$0") && root=${root%/*/*} || exit 2
. "$root/tools/setup.sh"

build_mutants() {
  install_packages build test
  configure mutants ON
  compile mutants 'campaign test_unit'
}
compile() {
  say "building ($1)"
  # shellcheck disable=SC2086 # a list of targets
  ninja -C "$build_folder/$1" -j "$(nproc)" $2 >&2 </dev/null || { say "building failed"; exit 70; }
}
locked build_mutants
tests=$build_folder/mutants/tests

# Sets killer to the first test that fails, or to nothing. A test that hangs or crashes fails.
run_on() {
  killer=
  TXPROOF_MUTANT=$1 timeout 60 "$tests/campaign" 400 1 - >/dev/null 2>&1 || { killer='random models'; return; }
  TXPROOF_MUTANT=$1 timeout 120 "$tests/test_unit" >/dev/null 2>&1 || { killer='unit tests'; return; }
  TXPROOF_MUTANT=$1 timeout 300 "$tests/campaign" 4000 1000 - >/dev/null 2>&1 || killer='4000 random models'
}

run_on 0
[ -z "$killer" ] || { say "the tests fail without a mutant: $killer"; exit 70; }
[ $# -gt 0 ] || set -- $(sed -n 's/^\([0-9][0-9]*\) .*/\1/p' "$root/tests/mutants/list.txt")
killed=0
survivors=
for number; do
  run_on "$number"
  place=$(sed -n "s/^$number //p" "$root/tests/mutants/list.txt")
  if [ -n "$killer" ]; then
    killed=$((killed + 1))
    printf '%s %s: killed by %s\n' "$number" "$place" "$killer"
  else
    survivors="$survivors $number"
    printf '%s %s: SURVIVES\n' "$number" "$place"
  fi
done
printf '%d killed, %d survive:%s\n' "$killed" $(($# - killed)) "$survivors"
[ -z "$survivors" ]
