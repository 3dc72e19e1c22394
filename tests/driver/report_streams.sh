#!/bin/sh
# usage: report_streams.sh SOFTWARP PROGRAM FILTER    Kernels on many streams: the report is the same, byte for byte, in each
# run, with one host thread and with three.
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for threads in 1 3 3; do
    SOFTWARP_THREADS=$threads "$1" profile --csv --page raw -o "$tmp/new.csv" "$2" "$3" > "$tmp/out" 2>&1 || { cat "$tmp/out"; exit 1; }
    [ -s "$tmp/new.csv" ] || { echo "the report is empty"; exit 1; }
    [ ! -e "$tmp/old.csv" ] || cmp "$tmp/old.csv" "$tmp/new.csv"
    mv "$tmp/new.csv" "$tmp/old.csv"
done
