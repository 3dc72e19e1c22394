#!/bin/sh
# run.sh SOFTWARP FILE.cu TARGET: compile, run, and take the program's own word for it.
set -eu
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$1" cc -arch="$3" "$2" -o "$out/program"
"$out/program"
