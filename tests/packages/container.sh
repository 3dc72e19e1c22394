#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: container.sh SOURCE-TREE    What the Containerfile says, line by line in bare systems, leaves a system in which softwarp compiles and runs
# a program. Skipped without SW_BARE (bare.sh).
# shellcheck source=tests/support/script.sh
. "$(dirname "$0")/../support/script.sh"
source=$(cd "$1" && pwd)
[ -n "${SW_BARE-}" ] || skip "SW_BARE names no folder for bare systems"
command -v debootstrap > /dev/null || skip "debootstrap is not installed"
[ "$(id -u)" = 0 ] || skip "bare systems need root"
"$here/container.py" "$source/Containerfile" "$source" \
    'softwarp cc /usr/share/doc/softwarp/examples/vectoradd.cu -o /tmp/vectoradd && softwarp run /tmp/vectoradd -n 1000' || die "a program"
echo "container: passed"
