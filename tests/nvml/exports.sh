#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports.sh LIBRARY TABLE      The library exports what the table lists, is called libnvidia-ml.so.1, and needs nothing of ours.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort > "$work/ours"
sed -n 's/^\(DONE\|REFUSED\)(\(.*\))$/\2/p' "$2" | LC_ALL=C sort > "$work/listed"
diff -u "$work/listed" "$work/ours"
readelf -d "$1" | grep -q 'SONAME.*\[libnvidia-ml.so.1\]'
! readelf -d "$1" | grep 'NEEDED' | grep -E 'softwarp|libcuda'
