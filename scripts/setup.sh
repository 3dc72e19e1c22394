#!/bin/sh
# Make sure that the packages the build needs are there: install them as root or with sudo, otherwise print the one
# line that does. Quiet and quick when nothing is missing.
set -eu
PACKAGES="clang-19 clang-format-19 cmake gcc g++ gettext libopenblas0-pthread liblz4-dev libzstd-dev libinih-dev libjansson-dev libcmocka-dev llvm-19-dev make ninja-build pkg-config python3"
# shellcheck disable=SC2086
installed=" $(dpkg-query -W -f '${Package}:${Status}\n' $PACKAGES 2> /dev/null | sed -n 's/:install ok installed$//p' | tr '\n' ' ')"
missing=
for p in $PACKAGES; do
    case $installed in *" $p "*) ;; *) missing="$missing $p" ;; esac
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" = 0 ]; then sudo=; elif command -v sudo > /dev/null 2>&1 && sudo -n true 2> /dev/null; then sudo=sudo; else
    printf 'softwarp needs packages that are not installed; run this, then try again:\n  sudo apt-get install -y%s\n' "$missing" >&2
    exit 1
fi
printf 'installing:%s\n' "$missing" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
{ $sudo apt-get update -qq && $sudo apt-get install -y -qq --no-install-recommends $missing; } > "$log" 2>&1 && exit 0
cat "$log" >&2
grep -q 'locate package [a-z-]*19' "$log" && echo "softwarp needs LLVM 19: in Debian 12 or newer, in Ubuntu 24.04 from noble-updates (universe); add that to apt's sources" >&2
exit 1
