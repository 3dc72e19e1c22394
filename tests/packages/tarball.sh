#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# usage: tarball.sh SOURCE-TREE    The tarball, unpacked in bare systems (SW_BARE_SUITES: bookworm trixie noble) that have no LLVM, runs and profiles
# a program. Skipped without SW_BARE (bare.sh). SW_TARBALL names one that is built; else scripts/tarball.sh builds it.
# SW_REPEAT=1: it is built again in another folder, and equal in every byte.
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
set -euo pipefail
source=$(cd "$1" && pwd)
[ -n "${SW_BARE-}" ] || skip "SW_BARE names no folder for bare systems"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
[ "$(id -u)" = 0 ] || skip "bare systems need root"

build() # FOLDER: a clone there, and its tarball
{
    mkdir -p "$work/$1"
    git clone -q "$source" "$work/$1/softwarp"
    must "$work/$1/softwarp/scripts/tarball.sh"
}
tarball=${SW_TARBALL-}
if [ -z "$tarball" ]; then
    build one
    tarball=$(ls "$work"/one/softwarp/build-tarball/*.tar.xz)
fi
if [ -n "${SW_REPEAT-}" ]; then
    build another/folder
    cmp "$tarball" "$work"/another/folder/softwarp/build-tarball/*.tar.xz || die "a second build has other bytes"
    echo "a second build is equal in every byte"
fi
mkdir -p "$work/share" "$work/here"
tar -C "$work/here" -xf "$tarball"
softwarp=$(echo "$work"/here/softwarp-*/bin/softwarp)
"$softwarp" cc "$source/examples/vectoradd.cu" -o "$work/share/vectoradd"
cp "$tarball" "$work/share/softwarp.tar.xz"
for suite in ${SW_BARE_SUITES:-bookworm trixie noble}; do
    tar -C "$work/share" -xJf "$tarball" # a bare system lacks xz
    # shellcheck disable=SC2016 # for the inner shell
    BARE_SHARE=$work/share "$here/bare.sh" "$suite" sh -euc '
        mkdir "/opt/a folder"
        mv /share/softwarp-* "/opt/a folder/"
        cd "/opt/a folder"/softwarp-*
        ! find / -xdev -name "libLLVM*" | grep . || exit 1
        bin/softwarp --version
        bin/softwarp run /share/vectoradd -n 1000 | grep PASSED
        bin/softwarp profile --metrics gld_transactions --csv --page raw -o /tmp/out.csv /share/vectoradd -n 262144
        grep -q "\"65,536\"" /tmp/out.csv
        bin/softwarp cc /share/none.cu 2>&1 | grep "clang++ 19 not found: install it"' || die "$suite"
    echo "$suite: the tarball works"
done
