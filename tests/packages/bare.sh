#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: bare.sh SUITE COMMAND [ARGUMENT...]    Run a command as root in a bare system: what debootstrap makes of Debian's bookworm or trixie or
# of Ubuntu's noble, and nothing else. The folder SW_BARE (an absolute path) holds the systems, which are made once and copied for
# each run, and the packages that runs download. BARE_SHARE=FOLDER is seen in the system as /share, and BARE_KEEP=NAME keeps the
# system of this run as SW_BARE/NAME, for a further run with the suite NAME.
# Needs root and debootstrap; for noble the keyring of Ubuntu's package ubuntu-keyring (SW_UBUNTU_KEYRING names it, if it lies elsewhere).
# Mounts are in a name space of their own: they end with the command.
set -euo pipefail
suite=$1
shift
[ -n "${SW_BARE-}" ] || { echo "SW_BARE names no folder" >&2; exit 2; }
debian=${SW_DEBIAN_MIRROR:-http://deb.debian.org/debian}
ubuntu=${SW_UBUNTU_MIRROR:-http://archive.ubuntu.com/ubuntu}

make_root() # SUITE FOLDER
{
    mkdir -p "$SW_BARE"
    rm -rf "$2"
    case $1 in
        noble) # LLVM 19 is in noble-updates
            unshare --mount debootstrap --variant=minbase --components=main,universe \
                --keyring="${SW_UBUNTU_KEYRING:-/usr/share/keyrings/ubuntu-archive-keyring.gpg}" noble "$2" "$ubuntu" gutsy
            printf 'deb %s noble main universe\ndeb %s noble-updates main universe\n' "$ubuntu" "$ubuntu" > "$2/etc/apt/sources.list"
            ;;
        *) unshare --mount debootstrap --variant=minbase "$1" "$2" "$debian" ;;
    esac > "$SW_BARE/$1.log" 2>&1 || { tail -n 5 "$SW_BARE/$1.log" >&2; exit 1; }
    echo force-unsafe-io > "$2/etc/dpkg/dpkg.cfg.d/bare" # nothing is lost here that a run could not make again
    touch "$2/.made"
}
base=$SW_BARE/$suite
[ -e "$base/.made" ] || make_root "$suite" "$base"
mkdir -p "$SW_BARE/$suite.debs"
root=$(mktemp -d "$SW_BARE/run.XXXXXX")
trap 'rm -rf "$root"' EXIT
cp -ax "$base/." "$root"
cp -f /etc/resolv.conf "$root/etc/"
if [ -d /etc/apt/apt.conf.d ]; then # ways to the mirrors
    { grep -lsi '^ *Acquire::.*proxy' /etc/apt/apt.conf.d/* || true; } | xargs -r cp -t "$root/etc/apt/apt.conf.d"
fi
status=0
# shellcheck disable=SC2016 # for the inner shell
unshare --mount bash -c '
    root=$1 debs=$2 share=$3
    shift 3
    for place in proc sys dev; do mount --rbind "/$place" "$root/$place"; done
    mount --bind "$debs" "$root/var/cache/apt/archives"
    [ -z "$share" ] || { mkdir -p "$root/share"; mount --bind "$share" "$root/share"; }
    proxies=$(env | grep -iE "^(https?|no)_proxy=" | tr "\n" " " || true)
    exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb DEBIAN_FRONTEND=noninteractive $proxies chroot "$root" "$@"
' bash "$root" "$SW_BARE/$suite.debs" "${BARE_SHARE-}" "$@" || status=$?
if [ -n "${BARE_KEEP-}" ] && [ $status = 0 ]; then
    rm -rf "${SW_BARE:?}/$BARE_KEEP"
    mv "$root" "$SW_BARE/$BARE_KEEP"
    touch "$SW_BARE/$BARE_KEEP/.made"
fi
exit $status
