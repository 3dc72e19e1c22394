#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: bench/texture.sh BUILD [OTHER-BUILD]   CPU time of a texture read in nanoseconds by form of texture (texture.cu), of
# one thread, under run and counted; medians of 5. Fails when an output is wrong.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1/bin/softwarp" cc -O2 "$here/texture.cu" -o "$work/texture"
export SOFTWARP_THREADS=1
for build in "$@"; do
    echo "$build: run"
    "$build/bin/softwarp" run "$work/texture"
    echo "$build: counted"
    "$build/bin/softwarp" profile --set basic -o "$work/report" "$work/texture"
done
