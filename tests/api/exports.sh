#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports.sh LIBRARY SOURCE_DIR [DEF [none]]      The library exports what DEF (of the runtime library) lists, under its own version
# node, or under none.
set -eu
library=$1 source=$2 def=${3:-src/runtime/runtime_api.def}
. "$(dirname "$0")/../support/script.sh"
exported "$library" > "$work/ours"
listed "$source/$def" > "$work/listed"
diff -u "$work/listed" "$work/ours"
node=@@$(basename "$library")
[ "${4:-}" != none ] || node=
if nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | grep -v "^[A-Za-z_0-9]*$node\$"; then
    die "exported without the version node $node, or with one"
fi
