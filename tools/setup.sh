# Sourced by ./txproof, ./test and the scripts beside this file: finds what is missing, installs
# it, builds. Everything it says goes to standard error; it never reads standard input.
#   expects: root, the absolute folder of the tree, and program, the name to speak under
# shellcheck shell=sh

build_folder=${TXPROOF_BUILD_DIR:-$root/build}
tool=$build_folder/release/txproof
tool_stamp=$build_folder/release/txproof.stamp

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# Succeeds if the tool was built from this folder and no source has changed since. This is all that
# a second start pays for, so it starts one process. Folders count as sources: a file that is
# added, renamed or removed changes their time.
tool_is_current() {
  [ -x "$tool" ] && [ -f "$tool_stamp" ] || return 1
  read -r built_from <"$tool_stamp" && [ "$built_from" = "$root" ] || return 1
  [ -z "$(find "$root/CMakeLists.txt" "$root/CMakePresets.json" "$root/model" "$root/properties" \
    "$root/checker" "$root/counterexamples" "$root/cli" \
    \( -type d -o -name '*.cpp' -o -name '*.h' -o -name 'CMake*' \) \
    -newer "$tool_stamp" -print -quit 2>/dev/null)" ]
}

# The packages listed in packages/NAME.txt, for each NAME given, that are not installed.
missing_packages() {
  wanted=$(for list; do cat "$root/packages/$list.txt"; done | sort -u)
  # shellcheck disable=SC2086 # a list of words
  installed=$(dpkg-query -W -f '${db:Status-Status}=${Package} ' $wanted 2>/dev/null)
  for package in $wanted; do
    case " $installed" in
      *" installed=$package "*) ;;
      *) printf '%s ' "$package" ;;
    esac
  done
}

# Installs what the named lists ask for and the system lacks; exits with 2 where it cannot.
install_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "this system has no dpkg, so its packages were not checked; needed is what provides:" \
      "$(for list; do tr '\n' ' ' <"$root/packages/$list.txt"; done)"
    return 0
  fi
  missing=$(missing_packages "$@")
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" = 0 ]; then
    as_root='env'
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root='sudo -n env'
  else
    say "missing packages: $missing"
    say "they cannot be installed from here (not root, and sudo is absent or asks for a password);"
    say "install them with: apt-get install $missing"
    exit 2
  fi
  say "installing packages: $missing"
  apt="$as_root DEBIAN_FRONTEND=noninteractive apt-get -qq -y -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0"
  install="$apt install --no-install-recommends $missing"
  # The first attempt fails where the package lists are absent or out of date.
  if ! $install --download-only >/dev/null 2>&1 </dev/null; then
    say "updating the package lists"
    $apt update >&2 </dev/null || say "updating the package lists failed"
  fi
  if ! $install >&2 </dev/null; then
    say "could not install the missing packages: $missing"
    exit 2
  fi
}

# Runs a command while no other build of this tree runs; exits with 2 where nothing can be written.
locked() {
  if ! mkdir -p "$build_folder" 2>/dev/null || ! [ -w "$build_folder" ]; then
    say "cannot write to $build_folder, where the build goes;" \
      "set TXPROOF_BUILD_DIR to a folder that you can write to"
    exit 2
  fi
  (
    if ! flock -n 9; then
      say "waiting for another build to end"
      flock 9
    fi
    "$@" 9>&-
  ) 9>"$build_folder/lock" || exit
}

# configure PRESET TESTS: writes the build files of a preset; TESTS is ON, or OFF to leave the test
# programs out if this is the first time.
configure() {
  cache=$build_folder/$1/CMakeCache.txt
  if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    say "the folder was moved: building from the start"
    rm -rf "${build_folder:?}/$1"
  fi
  if ! [ -f "$build_folder/$1/build.ninja" ] ||
    { [ "$2" = ON ] && ! grep -qx 'TXPROOF_TESTS:BOOL=ON' "$cache"; }; then
    say "configuring ($1)"
    cmake --log-level=NOTICE -S "$root" -B "$build_folder/$1" --preset "$1" -DTXPROOF_TESTS="$2" \
      >&2 </dev/null || { say "configuring failed"; exit 70; }
  fi
}

# compile PRESET TARGET
compile() {
  say "building ($1)"
  ninja -C "$build_folder/$1" -j "$(nproc)" "$2" >&2 </dev/null || { say "building failed"; exit 70; }
}

build_tool() {
  tool_is_current && return  # another process has just built it
  install_packages build
  configure release OFF
  # The stamp is older than the build, so that a source that changes meanwhile counts as changed.
  printf '%s\n' "$root" >"$tool_stamp.new"
  compile release txproof
  mv "$tool_stamp.new" "$tool_stamp"
}

# build_tests PRESET TARGET
build_tests() {
  install_packages build test
  configure "$1" ON
  compile "$1" "$2"
}

build_fuzz() {
  configure fuzz ON
  compile fuzz fuzz_targets_all
}
