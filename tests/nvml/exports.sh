#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports.sh LIBRARY TABLE      The library exports what the table lists, is called libnvidia-ml.so.1, and needs nothing of ours.
set -eu
. "$(dirname "$0")/../support/script.sh"
exported "$1" > "$work/ours"
listed "$2" > "$work/listed"
diff -u "$work/listed" "$work/ours"
readelf -d "$1" | grep -q 'SONAME.*\[libnvidia-ml.so.1\]'
! readelf -d "$1" | grep 'NEEDED' | grep -E 'softwarp|libcuda'
