#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports_toolkit.sh LIBRARY TOOLKIT      The library exports the names that NVIDIA's exports.
set -eu
library=$1 toolkit=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() {
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort
}
theirs=$(find "$toolkit/" -name libcudart.so.13 2> /dev/null | head -n 1)
[ -n "$theirs" ] || {
    echo "SKIPPED: no libcudart.so.13 in $toolkit"
    exit 77
}
names "$library" > "$work/ours"
names "$theirs" > "$work/theirs"
diff -u "$work/theirs" "$work/ours"
