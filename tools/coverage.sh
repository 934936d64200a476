#!/bin/sh
# coverage.sh: runs every test program and tells, for each file, which lines none of them ran.
program=coverage
root=$(readlink -f -- "$0") && root=${root%/tools/*} || exit 2
. "$root/tools/setup.sh"

prepare() {
  build_tests coverage all
  install_packages coverage
}
locked prepare
find "$build_folder/coverage" -name '*.gcda' -delete
"$root/tools/run-tests.sh" "$build_folder/coverage/tests"
status=$?
cd "$root" || exit 2
gcovr --root . --object-directory "$build_folder/coverage" --exclude 'tests/' --exclude 'build/' \
  --exclude-throw-branches --print-summary "$build_folder/coverage" || status=1
exit "$status"
