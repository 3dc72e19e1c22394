#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: exports_toolkit.sh LIBRARY STUB    The library exports every name that NVIDIA's stub of it does.
set -eu
library=$1 stub=$2
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
[ -e "$stub" ] || {
    echo "SKIPPED: no $stub"
    exit 77
}
nm -D --defined-only "$library" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | LC_ALL=C sort > "$tmp/have"
nm -D --defined-only "$stub" | awk '{ print $3 }' | LC_ALL=C sort > "$tmp/stub"
missing=$(LC_ALL=C comm -23 "$tmp/stub" "$tmp/have")
[ -z "$missing" ] || { echo "not exported: $missing"; exit 1; }
