#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Installs libre from the directory that this script is in, for one user or for the machine.
#
#   ./install.sh                    into ~/.local, or into /usr/local for root
#   ./install.sh --prefix DIR       into DIR
#   ./install.sh --dry-run          shows what it would do
#   ./install.sh --uninstall        removes what it installed; samples and settings stay
#
# It asks nothing, fetches nothing and starts nothing. Rules for udev and polkit, which change who may use a device, are
# installed only by root.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
if [ "$(id -u)" -eq 0 ]; then prefix=/usr/local; else prefix=$HOME/.local; fi
dry=
remove=
fail() {
  echo "install.sh: error: $1" >&2
  exit 64
}
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -gt 1 ] || fail "--prefix needs a directory"
      prefix=$2
      shift
      ;;
    --dry-run) dry=yes ;;
    --uninstall) remove=yes ;;
    -h | --help)
      sed -n '4,12s/^# \{0,1\}//p' "$0"
      exit 0
      ;;
    *) fail "unknown option $1; try ./install.sh --help" ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) fail "--prefix needs an absolute directory, got $prefix" ;;
esac
list=$prefix/share/libre/installed-files

if [ -n "$remove" ]; then
  [ -f "$list" ] || fail "libre was not installed into $prefix by this script: $list is missing"
  while IFS= read -r file; do
    if [ -n "$dry" ]; then echo "would remove $file"; else rm -f -- "$file"; fi
  done <"$list"
  [ -n "$dry" ] || rm -f -- "$list"
  [ -n "$dry" ] || rmdir "$prefix/share/libre" 2>/dev/null || true
  [ -n "$dry" ] || echo "Removed libre from $prefix. Samples and settings are still there: libre config path and ~/.local/share/libre."
  exit 0
fi

[ -x "$here/usr/bin/libre" ] || fail "$here/usr/bin/libre is missing; unpack the whole archive"
# The command must run here before anything is changed: another architecture or an older system would fail later.
version=$("$here/usr/bin/libre" --version 2>&1) || fail "the command does not run on this system: $version"

# Where a file of the package's usr goes; nothing for one that this user cannot or need not have.
place() {
  case $1 in
    share/lintian/*) ;;
    lib/udev/* | share/polkit-1/* | lib/systemd/system/* | lib/sysusers.d/*)
      [ "$(id -u)" -ne 0 ] || case $1 in
        share/polkit-1/*) echo "/etc/polkit-1/${1#share/polkit-1/}" ;;
        lib/udev/* | lib/sysusers.d/*) echo "/etc/${1#lib/}" ;;
        *) echo "/etc/systemd/system/${1#lib/systemd/system/}" ;;
      esac
      ;;
    lib/systemd/user/*)
      if [ "$(id -u)" -eq 0 ]; then echo "/etc/systemd/user/${1#lib/systemd/user/}"
      else echo "$prefix/share/systemd/user/${1#lib/systemd/user/}"; fi
      ;;
    share/zsh/vendor-completions/*) echo "$prefix/share/zsh/site-functions/${1#share/zsh/vendor-completions/}" ;;
    *) echo "$prefix/$1" ;;
  esac
}

new=$(mktemp)
trap 'rm -f "$new"' EXIT
(cd "$here/usr" && find . -type f | sort) | sed 's#^\./##' | while IFS= read -r file; do
  to=$(place "$file")
  [ -n "$to" ] || continue
  echo "$to" >>"$new"
  if [ -n "$dry" ]; then
    echo "would install $to"
    continue
  fi
  mkdir -p -- "$(dirname -- "$to")"
  case $file in
    # A unit names the command by its whole path.
    lib/systemd/*) sed "s#/usr/bin/libre#$prefix/bin/libre#" "$here/usr/$file" >"$to.part" && chmod 644 "$to.part" ;;
    *) cp -p -- "$here/usr/$file" "$to.part" ;;
  esac
  # In one step, so that a running libre keeps its file.
  mv -f -- "$to.part" "$to"
done
[ -z "$dry" ] || exit 0
mkdir -p -- "$(dirname -- "$list")"
cp -- "$new" "$list"
chmod 644 "$list"
# The system units run as this user; nothing else does.
[ "$(id -u)" -ne 0 ] || ! command -v systemd-sysusers >/dev/null || systemd-sysusers libre.conf
echo "Installed $version into $prefix. Begin with: libre setup"
case ":$PATH:" in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not in PATH; add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
