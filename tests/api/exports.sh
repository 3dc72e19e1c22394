#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports.sh LIBRARY SOURCE_DIR      The library exports what runtime_api.def lists, under its own version node.
set -eu
library=$1 source=$2
. "$(dirname "$0")/../support/script.sh"
exported "$library" > "$work/ours"
listed "$source/src/runtime/runtime_api.def" > "$work/listed"
diff -u "$work/listed" "$work/ours"
if nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | grep -v '@@libcudart.so.13$'; then
    die "exported without the version node libcudart.so.13"
fi
