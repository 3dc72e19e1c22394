#!/bin/sh
# usage: demo.sh BUILD    Compile an example with `softwarp cc`, run it, and profile it on a virtual H200: a matrix transpose
# whose stores are spread over the columns, then the same through shared memory.
set -eu
build=${1:-build}
here=$(cd "$(dirname "$0")/.." && pwd)
softwarp=$(cd "$build" && pwd)/bin/softwarp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cd "$work"
printf '\n$ softwarp cc examples/transpose.cu -o transpose\n'
"$softwarp" cc "$here/examples/transpose.cu" -o transpose
printf '\n$ softwarp profile --device h200 ./transpose -kernel naive_row\n'
"$softwarp" profile --device h200 ./transpose -kernel naive_row
printf '\n$ softwarp profile --device h200 --metrics gld_efficiency,gst_efficiency ./transpose -kernel padded\n'
"$softwarp" profile --device h200 --metrics gld_efficiency,gst_efficiency ./transpose -kernel padded
printf '\nMore: %s/examples, each with its options in its first lines\n' "$here"
