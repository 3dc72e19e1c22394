#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports.sh LIBRARY SOURCE_DIR      The library exports what runtime_api.def lists, under its own version node.
set -eu
library=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
names() {
    nm -D --defined-only "$1" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
}
names "$library" | sed 's/@.*//' | LC_ALL=C sort > "$work/ours"
sed -n 's/^\(DONE\|REFUSED\)(\(.*\))$/\2/p' "$source/src/runtime/runtime_api.def" | LC_ALL=C sort > "$work/listed"
diff -u "$work/listed" "$work/ours"
if names "$library" | grep -v '@@libcudart.so.13$'; then
    echo "exported without the version node libcudart.so.13"
    exit 1
fi
