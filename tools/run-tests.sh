#!/bin/sh
# run-tests.sh FOLDER: runs every test program in FOLDER, tells each program's outcome in a line and
# the output of those that fail, and ends with "N passed, N failed" over all test cases. A program
# that crashes, hangs or has no test case counts as a failure.
folder=$1
limit=${TXPROOF_TEST_TIMEOUT:-1800} # seconds for one program
output=$(mktemp) || exit 2
trap 'rm -f "$output"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

passed=0
failed=0
for name in unit property scenario harness examples package cli peers; do
  program=$folder/test_$name
  [ -x "$program" ] || continue
  started=$(date +%s)
  timeout -k 10 "$limit" "$program" --no-colors >"$output" 2>&1 </dev/null
  status=$?
  # "[doctest] test cases: 12 | 11 passed | 1 failed | 0 skipped"
  counts=$(sed -n 's/^\[doctest\] test cases: *[0-9]* *| *\([0-9]*\) passed *| *\([0-9]*\) failed.*/\1 \2/p' \
    "$output" | tail -n 1)
  good=${counts%% *}
  bad=${counts##* }
  : "${good:=0}" "${bad:=0}"
  note=
  if [ "$bad" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$good" -eq 0 ]; }; then
    bad=1
    case $status in
      0) note=', no test case ran' ;;
      124 | 137) note=", stopped after $limit s" ;;
      *) note=", ended with status $status" ;;
    esac
  fi
  if [ "$bad" -ne 0 ]; then cat "$output"; fi
  printf '%s: %d passed, %d failed%s (%d s)\n' "$name" "$good" "$bad" "$note" $(($(date +%s) - started))
  passed=$((passed + good))
  failed=$((failed + bad))
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
