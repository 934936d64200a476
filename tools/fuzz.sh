#!/bin/sh
# fuzz.sh [SECONDS]: each fuzz target for so long (default 200, which is ten minutes in all) with
# libFuzzer, address and undefined behaviour sanitizers, from the inputs in tests/fuzz/corpus. An
# input that breaks something is written to build/fuzz/found/ and ends the run with status 1.
program=fuzz
root=$(readlink -f -- "$0") && root=${root%/tools/*} || exit 2
. "$root/tools/setup.sh"

seconds=${1:-200}
case $seconds in
  '' | *[!0-9]*) say "expects a number of seconds, not '$seconds'"; exit 2 ;;
esac
install_packages build fuzz
locked build_fuzz

found=$build_folder/fuzz/found
failed=0
passed=0
for folder in "$root"/tests/fuzz/corpus/*/; do
  target=$(basename "$folder")
  work=$build_folder/fuzz/inputs/$target
  mkdir -p "$work" "$found"
  log=$found/$target.log
  if "$build_folder/fuzz/tests/fuzz_$target" "$work" "$folder" -max_total_time="$seconds" \
    -timeout=10 -rss_limit_mb=2048 -max_len=8192 -artifact_prefix="$found/$target-" \
    -print_final_stats=1 >"$log" 2>&1; then
    passed=$((passed + 1))
    say "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs," \
      "$(find "$work" -type f | wc -l) kept, nothing found"
  else
    failed=$((failed + 1))
    tail -n 40 "$log" >&2
    say "$target: broken; the input is in $found"
  fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
