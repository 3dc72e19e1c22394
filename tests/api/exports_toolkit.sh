#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports_toolkit.sh LIBRARY TOOLKIT      The library exports the names that NVIDIA's exports.
set -eu
library=$1 toolkit=$2
. "$(dirname "$0")/../support/script.sh"
name=$(basename "$library")
theirs=$(find "$toolkit/" -name "$name" 2> /dev/null | head -n 1)
[ -n "$theirs" ] || skip "no $name in $toolkit"
exported "$library" > "$work/ours"
exported "$theirs" > "$work/theirs"
diff -u "$work/theirs" "$work/ours"
