#!/bin/sh
# lint.sh [FOLDER...]: clang-format and clang-tidy over every C++ file of the tree, or of these
# folders. Exit 1 if either has anything to say.
program=lint
root=$(readlink -f -- "$0") && root=${root%/tools/*} || exit 2
. "$root/tools/setup.sh"

# clang-tidy needs the compile commands of the tests too, but nothing compiled.
prepare() {
  install_packages build test lint
  configure release ON
  ninja -C "$build_folder/release" build.ninja >&2 </dev/null  # knows of files added since
}
locked prepare
cd "$root" || exit 2
[ $# -gt 0 ] || set -- model properties checker counterexamples cli tests

status=0
echo "clang-format: $(find "$@" -name '*.cpp' -o -name '*.h' | wc -l) files"
find "$@" \( -name '*.cpp' -o -name '*.h' \) -print0 |
  xargs -0 -r clang-format --dry-run -Werror || status=1

# run-clang-tidy takes regular expressions of absolute paths.
folders=$(printf '%s|' "$@")
echo "clang-tidy: $(find "$@" -name '*.cpp' | wc -l) files"
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
if ! run-clang-tidy -quiet -p "$build_folder/release" -j "$(nproc)" \
  -extra-arg=-Wno-unknown-warning-option "/(${folders%|})/.*\\.cpp\$" >"$log" 2>&1 </dev/null; then
  status=1
fi
# Without the command line of each file and the count of warnings in the system's headers.
# run-clang-tidy asks for colours whatever the terminal.
sed 's/\x1b\[[0-9;]*m//g' "$log" |
  grep -vE '^$|^clang-tidy|^/usr/bin/clang-tidy|warnings? generated\.$|^Suppressed |^Use -header-filter'

if [ "$status" -eq 0 ]; then echo "lint: clean"; else echo "lint: not clean"; fi
exit "$status"
