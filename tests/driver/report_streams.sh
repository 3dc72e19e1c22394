#!/bin/sh
# usage: report_streams.sh SOFTWARP PROGRAM FILTER    Kernels on many streams: the report is the same, byte for byte, in each
# run, with one host thread and with three.
set -eu
. "$(dirname "$0")/../support/script.sh"
for threads in 1 3 3; do
    must env SOFTWARP_THREADS=$threads "$1" profile --csv --page raw -o "$work/new.csv" "$2" "$3"
    [ -s "$work/new.csv" ] || die "the report is empty"
    [ ! -e "$work/old.csv" ] || cmp "$work/old.csv" "$work/new.csv"
    mv "$work/new.csv" "$work/old.csv"
done
