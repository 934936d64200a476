#!/bin/sh
# fresh.sh: the README's two commands in a new Debian 12 that has git and nothing else. Makes it
# with debootstrap in a temporary folder, from the mirrors and proxies that this machine's apt uses,
# clones the committed state of this tree into it, and removes it at the end. Needs root.
program=fresh
root=$(readlink -f -- "$0") && root=${root%/tools/*} || exit 2
. "$root/tools/setup.sh"

[ "$(id -u)" = 0 ] || { say "debootstrap and chroot need root"; exit 2; }
install_packages fresh
release=bookworm

# "SITE RELEASE COMPONENT" for each source of this release that apt knows here.
sources=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' \
  'Created-By: Packages' 'Origin: Debian' | sort -u | grep -E " $release(-[a-z]+)? ")
mirror=$(printf '%s\n' "$sources" | awk -v release="$release" '$2 == release { print $1; exit }')

# Mounts live in a namespace of their own, so removing the folder can reach nothing else.
new=$(mktemp -d "${TMPDIR:-/tmp}/txproof-fresh-XXXXXX") || exit 2
trap 'rm -rf --one-file-system "$new"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say "debootstrap of $release from ${mirror:-the mirror that it takes by itself}"
if ! debootstrap --variant=minbase --include=git,ca-certificates \
  --keyring=/usr/share/keyrings/debian-archive-keyring.gpg \
  "$release" "$new" ${mirror:+"$mirror"} >"$new.log" 2>&1; then
  tail -n 20 "$new.log" >&2
  rm -f "$new.log"
  exit 2
fi
rm -f "$new.log"
if [ -n "$sources" ]; then
  printf '%s\n' "$sources" | sed 's/^/deb /' >"$new/etc/apt/sources.list"
fi
apt-config dump | grep -iE '^Acquire::(http|https)::' >"$new/etc/apt/apt.conf.d/00host"
cp /etc/resolv.conf /etc/hosts "$new/etc/"

git -c safe.directory='*' clone -q --no-hardlinks "$root" "$new/txproof" || exit 2

# in_new COMMAND: runs a command of the README in the clone; tells how long it took.
in_new() {
  say "in the new system: $*"
  started=$(date +%s)
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --pid --fork --kill-child sh -c '
    new=$1
    shift
    mount -t proc proc "$new/proc" && mount --rbind /dev "$new/dev" || exit 2
    exec chroot "$new" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      sh -c "cd /txproof && exec \"\$@\"" sh "$@"' sh "$new" "$@" </dev/null
  status=$?
  say "status $status after $(($(date +%s) - started)) s: $*"
  return "$status"
}

failed=0
# The first command tells of a regression: status 1.
in_new ./txproof diff model/stacks/bonding.tx model/patches/skb-orphan-try.patch
[ $? -eq 1 ] || failed=1
in_new ./test || failed=1
if [ "$failed" -eq 0 ]; then say "both commands work"; else say "not both commands work"; fi
exit "$failed"
